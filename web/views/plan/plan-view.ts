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
import { foldLine } from "../../elements/fold.js";
import { formulaLink } from "../../elements/formula-link.js";
import { runsNote } from "../../elements/runs-note.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { jobWords } from "../../elements/scenario-words.js";
import { viewStyles } from "../../elements/view-styles.js";
import { Background } from "../../state/background.js";
import { linkTo } from "../../state/link.js";
import { choose } from "../../state/chosen.js";
import { systemPresets } from "../../state/presets.js";
import { Asked } from "../../state/asked.js";
import type { Session } from "../../state/session.js";
import { besideBars, besideFront } from "../../charts/beside.js";
import { progressLine } from "./answer.js";
import { inShort } from "../../figures/layout-words.js";
import { keptRules, planHeadline, planUnder } from "./sentences.js";
import { besidePlan, PinnedPlan } from "./beside.js";
import { familyChart, timeChart } from "./charts.js";
import "./families.js";
import { Part } from "../../engine/part.js";
import "../../elements/missing-part.js";
import { gpusChart, gpusTable } from "./gpus.js";
import { LaunchRank } from "./launch-rank.js";
import { levers, leverStyles } from "./levers.js";
import { machinesSection, OtherMachines } from "./machines.js";
import { pinsInWords } from "../../elements/pin-words.js";
import { isAnyPinned, pinForm, pinStyles } from "../../elements/pins.js";
import { launchesOf, launchFolds } from "./copy.js";
import { examples, type Example } from "./published.js";
import { Search, type Progress, type Scaled } from "./search.js";
import { perhaps } from "../../state/parts.js";
import { isInUse, layoutOf, textsOf, type PlanRow } from "../../state/planned-layout.js";
import { searchedName } from "../../state/settings.js";
import { pinnedLayout, pinsFor, questionOf, trained } from "../../state/trained.js";
import { alternativeTable, ruleList } from "./tables.js";
import styles from "./plan-view.css?inline";
import { define } from "../../elements/define.js";

/** Inputs of this view alone, besides the layout. */
const main = ["memory_headroom_percent", "price_per_gpu_hour", "memory_limit_gib"];
/** Inputs that a link may give when one pinned value does not say it: shown only then. */
const seldom = ["allowed_schedules", "zero_bubble_2p"];
/** How the search is done, not what it searches for. */
const ofSearch = ["best", "prune", "evaluations", "list_variants"];

/** Changes in quicker succession than this, ms, are from continuing typing: the search waits for the last. */
const pause = 250;

/** Code that loads after the answer. */
let runs: typeof import("./faster-runs.js") | undefined;
const published = new Part("Published runs", async () => (runs = await import("./faster-runs.js")));
const familyStep = new Part("One step of a family", () => import("./family-step.js"));

/** The best layouts of a model on a cluster: which, by how much, and why the others lose. */
export class PlanView extends ScenarioView {
  static override properties = { ...ScenarioView.properties, progress: { state: true }, picked: { state: true } };

  declare progress: Progress | undefined;
  /** The layout whose step its reader asked for. */
  declare private picked: PlanRow | undefined;
  /** Searches the layouts, and keeps what it knows from one question to the next. */
  private background: Background | undefined;
  /** Searches other numbers of GPUs and other machines: for one question only. */
  private others: Background | undefined;
  private search: Search | undefined;
  private asked = "";
  private changed = -Infinity;
  private readonly pinned = new PinnedPlan(() => this.requestUpdate());
  private readonly rank = new LaunchRank(() => this.requestUpdate());
  private readonly elsewhere = new OtherMachines(() => this.requestUpdate());
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** The current question. */
  private of: Asked | undefined;
  /** The last answer with its scenario: it stays until there is another. */
  private shown: { found: PlanResults; progress: Progress; of: Asked } | undefined;
  /** The last complete search over numbers of GPUs, with its scenario: it stays until another one is complete. */
  private scaled: Scaled | undefined;
  private unread: Problem[] = [];
  /** Whether a link came with pins: then their form is open. */
  private pinsAtFirst = false;

  private readonly answered = new Promise<void>((resolve) => (this.haveAnswered = resolve));
  declare private haveAnswered: () => void;

  /**
   * Resolved with a layout, or with the reason why there is none: what loads later would delay the search. In a frame
   * the worker has all parts, so that nothing loads later.
   */
  override get opened(): Promise<unknown> {
    return this.scenario.alone ? this.updateComplete : this.answered;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void published.here.then(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.haveAnswered();
    this.pinned.stop();
    this.rank.stop();
    this.halt();
    this.background?.stop();
    this.background = undefined;
    this.asked = "";
  }

  /** Ends the search, or the wait for it. */
  private halt(): void {
    clearTimeout(this.waiting);
    this.search?.cancel();
    this.others?.stop();
    this.others = undefined;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.scenario || !this.isConnected) return;
    if (this.asked === "") this.pinsAtFirst ||= isAnyPinned(this.scenario);
    for (const of of [this.of, this.shown?.of, this.scaled?.of, this.elsewhere.of])
      if (of) of.sizes = this.scenario.sizes;
    this.pinned.follow(this.scenario.pinned, ofSearch);
    this.rank.follow(this.scenario);
    const { values, problems } = this.scenario.inputs("plan");
    this.unread = problems;
    for (const name of ofSearch) delete values[name];
    const asked = JSON.stringify([values, problems]);
    if (asked === this.asked) {
      this.of?.follow();
      return;
    }
    this.asked = asked;
    const now = performance.now();
    const typing = now - this.changed < pause;
    this.changed = now;
    this.halt();
    this.search = undefined;
    this.progress = undefined;
    // As it is now, whatever is typed while it is shown.
    this.of = new Asked(this.scenario);
    if (problems.length > 0) return this.haveAnswered();
    const search = new Search(values, (progress) => {
      if (search !== this.search) return;
      this.progress = progress;
      if (progress.found || progress.problems.length > 0) this.haveAnswered();
    });
    this.search = search;
    this.progress = search.progress;
    this.waiting = setTimeout(() => this.start(search), typing ? pause : 0);
  }

  override get outcome() {
    if (this.unread.length > 0) return { problems: this.unread };
    if (!this.progress || this.searching) return undefined;
    const { problems, found, inputs } = this.progress;
    if (problems.length > 0 || !found) return { problems };
    return { inputs, results: found };
  }

  /** Whether the search for layouts is still running. */
  private get searching(): boolean {
    return this.progress?.state === "layouts";
  }

  private start(search: Search): void {
    const { engine, fields } = this.scenario;
    this.background ??= new Background(engine);
    const others = () => (this.others ??= new Background(engine));
    void search.start(this.background, others, Number(fields.get("best")!.default));
  }

  /** In a plan the layout is the answer. */
  protected override get words(): readonly string[] {
    const best = this.shown?.found.layouts[0];
    return [...jobWords(this.shown?.of ?? this.scenario), ...(best ? [inShort(best)] : [])];
  }

  private again(): void {
    this.asked = "";
    this.requestUpdate();
  }

  /** On the page the layout is pinned, for every part of Train; in another page it becomes the scenario's own. */
  private use(row: PlanRow): void {
    const { scenario } = this;
    scenario.set(scenario.alone ? textsOf(row, scenario) : pinsFor(row, scenario));
  }

  /** Whether a layout is the scenario's own: asked for every row. */
  private isUsed(of: Session): (row: PlanRow) => boolean {
    if (of.alone) return (row) => isInUse(row, of);
    const pinned = pinnedLayout(of) !== undefined;
    return () => pinned;
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
    const asked = [...main, ...this.seldom.filter((name) => scenario.text(name) !== scenario.defaultText(name))];
    return html`<form part="inputs" @submit=${(event: Event) => event.preventDefault()} aria-label="The search">
      ${scenario.alone ? pinForm(scenario, problems, best ? (name) => layoutOf(best, scenario, "plan")[name] : () => undefined, this.pinsAtFirst) : nothing}
      <details ?open=${problems.some(({ field }) => asked.includes(field))}><summary>${foldLine(scenario, "Headroom, price, memory limit", asked)}</summary>
        <div class="controls">${asked.map((name) => fieldControl(scenario, name, problems))}</div></details>
    </form>`;
  }

  /** Questions worth asking first, each with what its publishers measured. */
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

  /** A published run that is faster than what was found. */
  private faster(of: Session, found: PlanResults): TemplateResult {
    askWhenIdle(published);
    const words = runs?.fasterWords(of, found);
    return html`<commcost-missing .of=${published}></commcost-missing>${words ? html`<p class="under" data-result="faster">${words}</p>` : nothing}`;
  }

  /** Says what a part is about, if that differs from the rest. */
  private older(of: Session | undefined): TemplateResult | typeof nothing {
    if (!of) return nothing;
    const searching = this.progress?.state === "layouts" || this.progress?.state === "counts";
    return html`<p class="stale-note">${searching ? "Searching. " : ""}Below is the last answer: ${jobWords(of).join(" · ")}.</p>`;
  }

  private gpus({ rows, of }: Scaled, isOlder: boolean): TemplateResult | typeof nothing {
    if (rows.length === 0) return nothing;
    return html`<section class=${isOlder ? "stale" : ""} aria-labelledby="gpus-title">
      <h2 id="gpus-title">Strong scaling</h2>
      ${this.older(isOlder ? of : undefined)}
      <div class="gpus-pair">
        <commcost-line-chart part="chart" .spec=${gpusChart(rows, this.scenario.number("cluster_gpus"), pinsInWords(of, of.inputs("plan").values))}
          @change=${({ detail }: CustomEvent<{ x: number }>) => this.scenario.set({ cluster_gpus: String(detail.x) })}></commcost-line-chart>
        <div>${gpusTable(of, rows, this.scenario.readonly ? undefined : (count) => this.scenario.set({ cluster_gpus: String(count) }))}</div>
      </div>
    </section>`;
  }

  /** The other machines, dimmed if they belong to another answer than the rest. */
  private otherMachines(of: Session): TemplateResult | typeof nothing {
    const { elsewhere } = this;
    return machinesSection(elsewhere, this.older(elsewhere.of === of ? undefined : elsewhere.of));
  }

  private charts(found: PlanResults, theirs: PlanResults | undefined, of: Session): TemplateResult {
    return html`<section class="charts wide" aria-label="Charts">
        <commcost-scatter-chart part="chart" .spec=${besideFront(familyChart(found, of), theirs && familyChart(theirs, of))}></commcost-scatter-chart>
        <commcost-stacked-bars part="chart" .spec=${besideBars(timeChart(found), theirs && timeChart(theirs))}></commcost-stacked-bars>
      </section>`;
  }

  /** Shows one step of a layout; if it is below the families, scrolls it into view. */
  private async pick(row: PlanRow): Promise<void> {
    this.picked = row;
    await this.updateComplete;
    const step = this.renderRoot.querySelector("commcost-family-step");
    if (step && step.getBoundingClientRect().top > innerHeight - 160) step.scrollIntoView({ block: "start" });
  }

  /** The families, and one step of a layout next to them. */
  private families(
    found: PlanResults,
    of: Session,
    sought: Progress["inputs"],
    first: PlanRow,
    isUsed: (row: PlanRow) => boolean,
  ): TemplateResult {
    const { compact } = this;
    if (!compact) askWhenIdle(familyStep);
    const chosen = this.picked ?? first;
    return html`<commcost-missing .of=${familyStep}></commcost-missing><div class="chosen-pair">
      <commcost-families .found=${found} .sought=${sought} .scenario=${of} .use=${(row: PlanRow) => this.use(row)} .isUsed=${isUsed}
        .chosen=${compact ? undefined : chosen} .choose=${compact ? undefined : (row: PlanRow) => void this.pick(row)}></commcost-families>
      ${compact ? nothing : html`<commcost-family-step .row=${chosen} .range=${found.families[found.layouts.indexOf(chosen)]} .sought=${sought} .scenario=${of}></commcost-family-step>`}</div>`;
  }

  /** Everything below an answer: dimmed if the answer is older. `isOlder`: the numbers of GPUs belong to another. */
  private rest(
    found: PlanResults,
    of: Session,
    sought: Progress["inputs"],
    scaled: Scaled,
    isOlder: boolean,
  ): TemplateResult {
    const best = found.layouts[0];
    // Where the levers' marked points were moved to: they stay in place while being dragged, on the curves of the
    // answer.
    const stand = ["cluster_gpus", "gpus_per_node", "nic_gb_per_sec"].map((name) => this.scenario.text(name)).join();
    const gpus = guard([scaled.rows, stand, isOlder, of.sizes], () =>
      this.later(() => this.gpus(scaled, isOlder), "wide"),
    );
    if (!best) return html`${gpus}${this.examples()}`;
    const isUsed = this.isUsed(of);
    const used = found.layouts.find(isUsed);
    return html`<section part="results" class="wide" aria-labelledby="layouts-title">
        <h2 id="layouts-title">The best layouts</h2>
        ${this.families(found, of, sought, used ?? best, isUsed)}
        ${
          of.readonly || this.compact
            ? nothing
            : html`<p class="small soft">${
                of.alone
                  ? nothing
                  : used
                    ? html`This layout is pinned: <a href=${linkTo(of, "step")}>one step of it</a>.`
                    : html`<a href=${linkTo(of, "step")}>One step of the first layout</a>. “Use” pins another one.`
              } ${keptRules(of, found)}</p>
            <h3 class="no-print">Launch ${used ? "the one in use" : "the first"}</h3>
            ${guard([used ?? best], () => launchFolds(of, launchesOf(of, used ?? best)))}`
        }
      </section>
      ${
        this.compact
          ? nothing
          : html`${guard([found, scaled.rows, stand, isOlder, of.sizes], () => this.later(() => levers(found, scaled, of, this.scenario, isOlder), "wide"))}
      ${gpus}
      ${this.later(() => this.otherMachines(of), "wide")}
      ${this.examples()}
      ${this.later(
        () => html`<section aria-labelledby="losers-title">
        <h2 id="losers-title">Why others lose</h2>
        <p class="small soft">The best layout with one decision taken otherwise; replicas make up for the number of GPUs.</p>
        ${alternativeTable(found, of)}
      </section>`,
        "wide",
      )}
      ${this.later(
        () => html`<section aria-labelledby="rules-title">
        <h2 id="rules-title">Rules of thumb</h2>
        ${ruleList(found)}
        <div class="titled"><h2 id="how-title">How it is searched</h2>${formulaLink("plan")}</div>
        <p>Every way of dividing the GPUs into tensor, context, expert, pipeline and data degrees, with every micro-batch, ZeRO stage, schedule and
          recomputation that can exist, is a layout. Each is a whole training step: compute at the rate that its matrices reach, the traffic that stays
          exposed, the bubble, the weight update. Layouts that divide the GPUs alike are a family, shown as its best variant.
          Layouts whose least possible time or memory already loses are not computed; that changes no row of the table and nothing on the Pareto front.</p>
      </section>`,
        "no-print",
      )}`
      }`;
  }

  protected override updated(_: PropertyValues): void {
    const { progress, scenario, of } = this;
    // Another search has other layouts.
    if (this.picked && this.searching) this.picked = undefined;
    if (!progress?.found || !of) return;
    this.shown = { found: progress.found, progress, of };
    // Every part of Train shows this layout.
    if (!this.searching && progress.found.progress >= 1 && !scenario.alone)
      trained(scenario).know(questionOf(scenario), progress.found);
    if (progress.state !== "finished") return;
    if (progress.scaling.length > 0) this.scaled = { rows: progress.scaling, of };
    if (this.others && !this.compact) this.elsewhere.follow(this.others, progress.inputs, of);
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { scenario, progress } = this;
    const refused = this.unread.length > 0 ? this.unread : (progress?.problems ?? []);
    const problems = refused.map((problem) => scenario.renamed("plan", problem));
    const now = progress?.found && this.of && { found: progress.found, progress, of: this.of };
    const {
      found,
      progress: { inputs, fits_from_gpus } = { inputs: {}, fits_from_gpus: 0 },
      of = scenario,
    } = now ?? this.shown ?? {};
    const stale = found !== undefined && !now;
    // All numbers of another search appear at once, except for those of the first.
    const counted = now && (progress!.state === "finished" || progress!.state === "cancelled" || !this.scaled);
    const scaled = counted ? { rows: progress!.scaling, of } : (this.scaled ?? { rows: [], of });
    const isOlder = !counted && scaled.rows.length > 0 && (now !== undefined || scaled.of !== of);
    const theirs = this.pinned.results?.layouts.length ? this.pinned.results : undefined;
    const drawn = found && found.layouts.length > 0 && !this.compact;
    const far =
      progress && problems.length === 0
        ? progressLine(
            progress,
            () => this.halt(),
            () => this.again(),
          )
        : nothing;
    const gpus = of.number("cluster_gpus");
    const pins = pinsInWords(of, inputs);
    return answerFrame(this, {
      headline: found
        ? planHeadline(of, found, gpus, pins)
        : this.searching
          ? html`<p part="headline" class="headline soft">Searching…</p>`
          : nothing,
      under: html`${found ? planUnder(of, found, gpus, fits_from_gpus, pins) : nothing}${drawn ? this.faster(of, found) : nothing}
        ${stale ? nothing : html`${this.rank.line(scenario)}${found ? besidePlan(scenario, found, this.pinned) : nothing}${far}`}${calibrationNote(of, "The search follows it.", true)}${runsNote(of)}`,
      controls: this.inputs(problems, stale ? undefined : found?.layouts[0]),
      figure: drawn ? guard([found, theirs, of.sizes], () => this.charts(found, theirs, of)) : nothing,
      rest: found ? perhaps(scenario, () => this.rest(found, of, inputs, scaled, isOlder)) : nothing,
      problems,
      stale,
      of: jobWords(of).join(" · "),
      sought: stale ? far : nothing,
      calculations: ["plan"],
    });
  }

  static override styles = [viewStyles, leverStyles, pinStyles, unsafeCSS(styles)];
}

define("commcost-plan", PlanView);
// The tab that it opens.
define("commcost-train", class extends PlanView {});
