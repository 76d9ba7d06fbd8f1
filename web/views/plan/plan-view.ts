import type { PlanResults, Problem } from "#engine";
import { nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { guard } from "lit/directives/guard.js";
import "../../charts/line-chart.js";
import "../../charts/scatter-chart.js";
import "../../charts/stacked-bars.js";
import { askWhenIdle } from "../../elements/ask-when-idle.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { fieldControl } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { runsNote } from "../../elements/runs-note.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { Background } from "../../state/background.js";
import { settingNames, writeLink } from "../../state/link.js";
import { choose } from "../../state/chosen.js";
import { systemPresets } from "../../state/presets.js";
import { besideBars, besideFront } from "../../charts/beside.js";
import { progressLine } from "./answer.js";
import { planHeadline, planUnder } from "./sentences.js";
import { besidePlan, PinnedPlan } from "./beside.js";
import { familyChart, timeChart } from "./charts.js";
import "./families.js";
import { Part } from "../../engine/part.js";
import "../../elements/missing-part.js";
import { gpusChart, gpusTable } from "./gpus.js";
import { LaunchRank } from "./launch-rank.js";
import { levers, leverStyles } from "./levers.js";
import { machinesOf, machinesSection, OtherMachines } from "./machines.js";
import { isAnyPinned, pinForm, pinNames, pinsInWords, pinStyles } from "../../elements/pins.js";
import { exports } from "./copy.js";
import { examples, type Example } from "./published.js";
import { Search, type Progress, type ScalingRow } from "./search.js";
import { perhaps } from "../../state/parts.js";
import { isInUse, layoutOf, textsOf, type PlanRow } from "../../state/planned-layout.js";
import { searchedName } from "../../state/settings.js";
import { pinnedLayout, pinsFor, questionOf, trained } from "../../state/trained.js";
import { alternativeTable, checkedBy, ruleList } from "./tables.js";
import styles from "./plan-view.css?inline";
import { define } from "../../elements/define.js";

/** What only this view asks for, beside the layout. */
const main = ["memory_headroom_percent", "price_per_gpu_hour", "memory_limit_gib"];
/** What a link may ask for where one pinned value does not say it: shown where it does. */
const seldom = ["allowed_schedules", "zero_bubble_2p"];
/** How the search is done, not what is sought. */
const ofSearch = ["best", "prune", "evaluations", "list_variants"];

/** Changes that follow each other more quickly, ms, are of somebody who types: the search waits for the last. */
const pause = 250;

/** What comes in behind the answer. */
const familyStep = new Part("One step of a family", () => import("./family-step.js"));

/** The best layouts of a model on a cluster: which, by how much, and why the others lose. */
export class PlanView extends ScenarioView {
  static override properties = { ...ScenarioView.properties, progress: { state: true }, picked: { state: true } };

  declare progress: Progress | undefined;
  /** The layout whose step its reader asked for. */
  declare private picked: PlanRow | undefined;
  private background: Background | undefined;
  private search: Search | undefined;
  private searching = false;
  private sought: Record<string, unknown> = {};
  private asked = "";
  private changed = -Infinity;
  private readonly pinned = new PinnedPlan(() => this.requestUpdate());
  private readonly rank = new LaunchRank(() => this.requestUpdate());
  private readonly elsewhere = new OtherMachines(() => this.requestUpdate());
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** The last progress with results: they stay until there are others. */
  private shown: Progress | undefined;
  /** The last numbers of GPUs that were all searched: they stay until all of another search are. */
  private scaled: readonly ScalingRow[] = [];
  private unread: Problem[] = [];
  /** Whether a link came with pins: then their form is open. */
  private pinsAtFirst = false;

  private readonly answered = new Promise<void>((resolve) => (this.haveAnswered = resolve));
  declare private haveAnswered: () => void;

  /**
   * With a layout, or with why there is none: what comes in behind would keep the search waiting. In somebody's frame the
   * worker is made of all parts, so that nothing is behind.
   */
  override get opened(): Promise<unknown> {
    return this.scenario.alone ? this.updateComplete : this.answered;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.haveAnswered();
    clearTimeout(this.waiting);
    this.pinned.stop();
    this.rank.stop();
    this.halt();
    this.asked = "";
  }

  /** Ends the search and whatever the worker is at. */
  private halt(): void {
    this.search?.cancel();
    this.background?.stop();
    this.background = undefined;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.scenario || !this.isConnected) return;
    if (this.asked === "") this.pinsAtFirst ||= isAnyPinned(this.scenario);
    this.pinned.follow(this.scenario.pinned, ofSearch);
    this.rank.follow(this.scenario);
    const { values, problems } = this.scenario.inputs("plan");
    this.unread = problems;
    for (const name of ofSearch) delete values[name];
    const asked = JSON.stringify([values, problems]);
    if (asked === this.asked) return;
    this.asked = asked;
    const now = performance.now();
    const typing = now - this.changed < pause;
    this.changed = now;
    this.background ??= new Background(this.scenario.engine);
    this.search?.cancel();
    this.searching = problems.length === 0;
    if (!this.searching) this.haveAnswered();
    clearTimeout(this.waiting);
    if (problems.length === 0) this.waiting = setTimeout(() => this.start(values), typing ? pause : 0);
  }

  override get outcome() {
    if (this.unread.length > 0) return { problems: this.unread };
    if (this.searching || !this.progress) return undefined;
    const { problems, found } = this.progress;
    if (problems.length > 0 || !found) return { problems };
    return { inputs: this.sought, results: found };
  }

  private start(values: Record<string, unknown>): void {
    this.search?.cancel();
    this.background ??= new Background(this.scenario.engine);
    const search = new Search(this.background, (progress) => {
      if (search !== this.search) return;
      this.progress = progress;
      this.searching = progress.state === "layouts";
      if (progress.found || progress.problems.length > 0) this.haveAnswered();
    });
    this.search = search;
    this.sought = values;
    void search.start(values, Number(this.scenario.fields.get("best")!.default));
  }

  private again(): void {
    this.asked = "";
    this.requestUpdate();
  }

  /** On the page the layout is pinned, for every part of Train; in somebody's page it becomes the scenario's own. */
  private use(row: PlanRow): void {
    const { scenario } = this;
    scenario.set(scenario.alone ? textsOf(row, scenario) : pinsFor(row, scenario));
  }

  private isUsed(row: PlanRow): boolean {
    const { scenario } = this;
    if (scenario.alone) return isInUse(row, scenario);
    return pinnedLayout(scenario) !== undefined;
  }

  private linkTo(view: string): string {
    const settings = Object.fromEntries(settingNames.map((name) => [name, this.scenario.text(name)]));
    return writeLink(this.scenario, { ...settings, view });
  }

  private take(example: Example): void {
    const { name: _, published: __, model, accelerator, recipe, ...texts } = example;
    const system = systemPresets(this.scenario).find((preset) => preset.texts["accelerator"] === accelerator);
    choose(this.scenario, "model", model);
    choose(this.scenario, "recipe", recipe);
    choose(this.scenario, system ? "system" : "accelerator", system?.id ?? accelerator);
    this.scenario.set(texts);
  }

  /** On the page the scenario’s form says which settings are searched. */
  private get seldom(): readonly string[] {
    return this.scenario.alone ? [...seldom, searchedName] : seldom;
  }

  private inputs(problems: readonly Problem[], best: PlanRow | undefined): TemplateResult {
    const { scenario } = this;
    const asked = this.seldom.filter((name) => scenario.text(name) !== scenario.defaultText(name));
    return html`<form part="inputs" @submit=${(event: Event) => event.preventDefault()} aria-label="The search">
      ${scenario.alone ? pinForm(scenario, problems, best ? (name) => layoutOf(best, scenario, "plan")[name] : () => undefined, this.pinsAtFirst) : nothing}
      <div class="controls">${[...main, ...asked].map((name) => fieldControl(scenario, name, problems))}</div>
    </form>`;
  }

  /** Questions worth asking first, each with what those published who ran it. */
  private examples(): TemplateResult | typeof nothing {
    if (this.scenario.readonly || this.compact) return nothing;
    return html`<section class="wide no-print" aria-labelledby="try-title"><h2 id="try-title">What others published</h2>
      <ul class="examples">${examples.map(
        (
          example,
        ) => html`<li><button type="button" class="plain" @click=${() => this.take(example)}>Try ${example.name}</button>:
          published ${example.published.says} <a class="small" href=${example.published.link}>${example.published.source}</a></li>`,
      )}</ul></section>`;
  }

  private gpus(scaling: readonly ScalingRow[]): TemplateResult | typeof nothing {
    if (scaling.length === 0) return nothing;
    return html`<section class="wide" aria-labelledby="gpus-title">
      <h2 id="gpus-title">Where more GPUs stop paying</h2>
      <div class="gpus-pair">
        <commcost-line-chart part="chart" .spec=${gpusChart(scaling, this.scenario.number("cluster_gpus"))}
          @change=${({ detail }: CustomEvent<{ x: number }>) => this.scenario.set({ cluster_gpus: String(detail.x) })}></commcost-line-chart>
        <div>${gpusTable(this.scenario, scaling, this.scenario.readonly ? undefined : (count) => this.scenario.set({ cluster_gpus: String(count) }))}</div>
      </div>
    </section>`;
  }

  private charts(found: PlanResults, theirs: PlanResults | undefined): TemplateResult {
    return html`<section class="charts wide" aria-label="Charts">
        <commcost-scatter-chart part="chart" .spec=${besideFront(familyChart(found, this.scenario), theirs && familyChart(theirs, this.scenario))}></commcost-scatter-chart>
        <commcost-stacked-bars part="chart" .spec=${besideBars(timeChart(found), theirs && timeChart(theirs))}></commcost-stacked-bars>
      </section>`;
  }

  /** Shows one step of a layout; where it is below the families, it comes into sight. */
  private async pick(row: PlanRow): Promise<void> {
    this.picked = row;
    await this.updateComplete;
    const step = this.renderRoot.querySelector("commcost-family-step");
    if (step && step.getBoundingClientRect().top > innerHeight - 160) step.scrollIntoView({ block: "start" });
  }

  /** The families, and one step of a layout next to them. */
  private families(found: PlanResults, sought: Progress["inputs"], first: PlanRow): TemplateResult {
    const { scenario, compact } = this;
    if (!compact) askWhenIdle(familyStep);
    const chosen = this.picked ?? first;
    return html`<commcost-missing .of=${familyStep}></commcost-missing><div class="chosen-pair">
      <commcost-families .found=${found} .sought=${sought} .scenario=${scenario} .use=${(row: PlanRow) => this.use(row)} .isUsed=${(row: PlanRow) => this.isUsed(row)}
        .chosen=${compact ? undefined : chosen} .choose=${compact ? undefined : (row: PlanRow) => void this.pick(row)}></commcost-families>
      ${compact ? nothing : html`<commcost-family-step .row=${chosen} .range=${found.families[found.layouts.indexOf(chosen)]} .sought=${sought} .scenario=${scenario}></commcost-family-step>`}</div>`;
  }

  private rest(found: PlanResults, sought: Progress["inputs"], scaling: readonly ScalingRow[]): TemplateResult {
    const best = found.layouts[0];
    // What the levers' marked points stand on: they move before a new search has found anything.
    const stand = ["cluster_gpus", "gpus_per_node", "nic_gb_per_sec"].map((name) => this.scenario.text(name)).join();
    const gpus = guard([scaling, stand, this.scenario.sizes], () => this.gpus(scaling));
    if (!best) return html`${gpus}${this.examples()}`;
    const used = found.layouts.find((row) => this.isUsed(row));
    return html`<section part="results" class="wide" aria-labelledby="layouts-title">
        <h2 id="layouts-title">The best layouts</h2>
        ${this.families(found, sought, used ?? best)}
        ${
          this.scenario.readonly || this.compact
            ? nothing
            : html`<p class="small soft">${
                this.scenario.alone
                  ? nothing
                  : used
                    ? html`This layout is pinned: <a href=${this.linkTo("step")}>one step of it</a>.`
                    : html`<a href=${this.linkTo("step")}>One step of the first layout</a>. “Use” pins another one.`
              } ${checkedBy(found, this.scenario)}</p>
            <h3 class="no-print">Launch ${used ? "the one in use" : "the first"}</h3>
            ${guard([used ?? best], () => exports(this.scenario, used ?? best))}`
        }
      </section>
      ${
        this.compact
          ? nothing
          : html`${guard([found, scaling, stand, this.scenario.sizes], () => levers(found, scaling, this.scenario))}
      ${gpus}
      ${machinesSection(this.scenario, this.elsewhere)}
      ${this.examples()}
      <section class="wide" aria-labelledby="losers-title">
        <h2 id="losers-title">Why others lose</h2>
        <p class="small soft">The best layout with one decision taken otherwise; replicas make up for the number of GPUs.</p>
        ${alternativeTable(found, this.scenario)}
      </section>
      <section class="no-print" aria-labelledby="rules-title">
        <h2 id="rules-title">Rules of thumb</h2>
        ${ruleList(found)}
        <div class="titled"><h2 id="how-title">How it is searched</h2>${formulaLink("plan")}</div>
        <p>Every way of dividing the GPUs into tensor, context, expert, pipeline and data degrees, with every micro-batch, ZeRO stage, schedule and
          recomputation that can exist, is a layout. Each is a whole training step: compute at the rate that its matrices reach, the traffic that stays
          exposed, the bubble, the weight update. Layouts that divide the GPUs alike are a family, shown as its best variant.
          Layouts whose least possible time or memory already loses are not computed; that changes no row of the table and nothing on the Pareto front.</p>
      </section>`
      }`;
  }

  protected override updated(_: PropertyValues): void {
    if (this.progress?.found) this.shown = this.progress;
    // Another search has other layouts.
    if (this.picked && this.searching) this.picked = undefined;
    // Every part of Train is of this layout.
    if (!this.searching && this.progress?.found && this.progress.found.progress >= 1 && !this.scenario.alone)
      trained(this.scenario).know(questionOf(this.scenario), this.progress.found);
    if (this.progress?.state === "finished" && this.background && !this.compact)
      this.elsewhere.follow(this.background, this.progress.inputs, machinesOf(this.scenario));
    if (this.progress?.state === "finished" && this.progress.scaling.length > 0) this.scaled = this.progress.scaling;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const refused = this.unread.length > 0 ? this.unread : (this.progress?.problems ?? []);
    const problems = refused.map((problem) => this.scenario.renamed("plan", problem));
    const stale = problems.length > 0;
    const { found, inputs = {} } = (this.progress?.found ? this.progress : this.shown) ?? {};
    const known = this.progress?.scaling ?? [];
    const scaling =
      this.progress?.state === "finished" && known.length > 0 ? known : this.scaled.length > 0 ? this.scaled : known;
    const theirs = this.pinned.results?.layouts.length ? this.pinned.results : undefined;
    const drawn = found && found.layouts.length > 0 && !this.compact;
    return answerFrame(this, {
      headline: found
        ? planHeadline(this.scenario, found, this.scenario.number("cluster_gpus"), pinsInWords(this.scenario, inputs))
        : stale
          ? nothing
          : html`<p part="headline" class="headline soft">Searching…</p>`,
      under: html`${found ? planUnder(this.scenario, found, this.scenario.number("cluster_gpus"), this.progress?.fits_from_gpus ?? 0) : nothing}
        ${this.rank.line(this.scenario)}
        ${found && !stale ? besidePlan(this.scenario, found, this.pinned) : nothing}
        ${
          this.progress && !stale
            ? progressLine(
                this.progress,
                () => this.halt(),
                () => this.again(),
              )
            : nothing
        }${calibrationNote(this.scenario, "The search follows it.", true)}${runsNote(this.scenario)}`,
      controls: this.inputs(problems, stale ? undefined : found?.layouts[0]),
      figure: drawn ? guard([found, theirs, this.scenario.sizes], () => this.charts(found, theirs)) : nothing,
      rest: found ? perhaps(this.scenario, () => this.rest(found, inputs, scaling)) : nothing,
      problems,
      owned: [...main, ...this.seldom, ...pinNames(this.scenario)],
      stale,
      calculations: ["plan"],
    });
  }

  static override styles = [viewStyles, leverStyles, pinStyles, unsafeCSS(styles)];
}

define("commcost-plan", PlanView);
// The tab that it opens.
define("commcost-train", class extends PlanView {});
