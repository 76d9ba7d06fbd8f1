import type { CollectiveCostResults, CollectiveCrossoversResults, CollectiveTimelineResults, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { besideLines, besideTable } from "../../charts/beside.js";
import "../../charts/line-chart.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { besideLine } from "../../elements/comparison.js";
import { fieldControl } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { choiceWord } from "../../elements/labels.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { exactly } from "../../state/compared.js";
import { capital, dashed, exact } from "../../state/format.js";
import { ownCurveOf } from "../../state/own-log.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import "../../elements/copied-text.js";
import { pytorchProgram, pytorchTitle } from "./pytorch.js";
import { closedForms, closedFormStyles } from "./closed-forms.js";
import "../../figures/playback.js";
import type { Run } from "../../figures/playback.js";
import { mostRanks, Replay } from "../../figures/replay.js";
import { clockSummary, headline } from "./sentences.js";
import { sizeCharts } from "./size-charts.js";
import { perhaps } from "../../state/parts.js";
import "./timeline-chart.js";
import type { TimelineSpec } from "./timeline-chart.js";
import { type Algorithm, type Collective, timeText } from "../../figures/collective-words.js";
import styles from "./ring-view.css?inline";
import { define } from "../../elements/define.js";

/** The engine's answer for one algorithm with the current inputs. */
interface Method {
  algorithm: Algorithm;
  cost: CollectiveCostResults;
  /** None if there are too many ranks for it. */
  picture: Picture | undefined;
}

/** What is shown round by round, and what it is compared with. */
interface Picture {
  replay: Replay;
  /** With the given delays. */
  timeline: CollectiveTimelineResults;
  /** With no rank late: the time of the rounds alone. */
  punctual: CollectiveTimelineResults;
  /** The closed form with the pieces shown. */
  formula: CollectiveCostResults;
}

interface Shown {
  methods: Method[];
  inputs: Record<string, unknown>;
  crossovers: CollectiveCrossoversResults;
  runs: Run[];
  /** Whose lines the charts have. */
  drawn: Algorithm[];
}

/** A pipeline is shown with its fastest number of pieces if that is small, otherwise with this many. */
const mostPieces = 12;
const fewPieces = 4;

/** Rarely changed inputs. */
const folded: ReadonlySet<string> = new Set(["latency_us", "reduce_gb_per_sec", "delays_us"]);

/** The Ultra-Scale Playbook's ring: five GPUs with five numbers of four bytes each. */
const playbook = { collective: "all_reduce", algorithm: "ring", ranks: "5", message_size_bytes: "20", compare: "" };

/** What the slices of a rank's bar are, if not simply chunks. */
const rowNames: Partial<Record<Collective, string>> = { barrier: "word of", all_to_all: "distance" };

/** Collectives by any algorithm: the schedule as an animated picture, its cost, and which is fastest when. */
export class RingView extends ScenarioView {
  override get outcome() {
    return run(this.scenario, "collective_cost", this.chosenMethod);
  }

  /** The algorithm: by default the page's, if the collective has it, otherwise the catalog's first. */
  private get chosenAlgorithm(): Algorithm {
    const text = this.scenario.text("algorithm") as Algorithm;
    const known = this.algorithms;
    return known.includes(text) || this.scenario.given("algorithm") ? text : known[0]!;
  }

  private get chosenMethod(): { algorithm: Algorithm } {
    return { algorithm: this.chosenAlgorithm };
  }

  private get methods() {
    return this.scenario.engine.collective_catalog().methods;
  }

  private get chosen(): Collective {
    return this.scenario.text("collective") as Collective;
  }

  /** The algorithms that the chosen collective has. */
  private get algorithms(): Algorithm[] {
    return this.methods.filter((method) => method.collective === this.chosen).map((method) => method.algorithm);
  }

  /** Those to draw: all, or if only one port is allowed, those that need no more, and the ones chosen. */
  private get drawn(): Algorithm[] {
    const one = this.scenario.entry("one_port").value === true;
    const chosen = [this.chosenAlgorithm, this.compared];
    return this.algorithms.filter(
      (name) =>
        !one ||
        chosen.includes(name) ||
        this.methods.some(
          (method) => method.collective === this.chosen && method.algorithm === name && method.one_port,
        ),
    );
  }

  /** The one to show next to the first, if there is one that makes sense. */
  private get compared(): Algorithm | undefined {
    const text = this.scenario.text("compare") as Algorithm;
    return this.algorithms.includes(text) && text !== this.chosenAlgorithm ? text : undefined;
  }

  private chooseCollective(event: Event): void {
    const collective = (event.target as HTMLSelectElement).value;
    const first = this.methods.find((method) => method.collective === collective);
    const kept = this.methods.some(
      (method) => method.collective === collective && method.algorithm === this.chosenAlgorithm,
    );
    this.scenario.set({ collective, ...(kept ? {} : { algorithm: first!.algorithm }) });
  }

  private method(algorithm: Algorithm): { method?: Method; problems: Problem[] } {
    const cost = run(this.scenario, "collective_cost", { algorithm });
    if (cost.problems) return { problems: cost.problems };
    const ranks = cost.inputs["ranks"] as number;
    if (ranks > mostRanks) return { method: { algorithm, cost: cost.results, picture: undefined }, problems: [] };
    // What is shown and what it is compared with have the same pieces, few enough to see.
    const pieces = piecesShown(cost.results);
    const formula = run(this.scenario, "collective_cost", { algorithm, pieces });
    const timeline = run(this.scenario, "collective_timeline", {
      algorithm,
      pieces,
      delays_us: delaysOf(this.scenario, ranks),
    });
    const punctual = run(this.scenario, "collective_timeline", { algorithm, pieces, delays_us: [] });
    const replay = this.replay(algorithm, ranks, pieces);
    const problems = formula.problems ?? timeline.problems ?? punctual.problems ?? replay.problems;
    if (problems) return { problems };
    const picture = {
      replay: replay.results!,
      timeline: timeline.results!,
      punctual: punctual.results!,
      formula: formula.results!,
    };
    return { method: { algorithm, cost: cost.results, picture }, problems: [] };
  }

  private readonly replays = new Map<string, Replay>();

  /** The schedule on its picture: the same object while nothing that shapes it has changed. */
  private replay(algorithm: Algorithm, ranks: number, pieces: number): { results?: Replay; problems?: Problem[] } {
    const { values } = this.scenario.inputs("collective_schedule");
    const key = JSON.stringify({ ...values, algorithm, pieces });
    const kept = this.replays.get(key);
    if (kept) return { results: kept };
    const schedule = run(this.scenario, "collective_schedule", { algorithm, pieces });
    if (schedule.problems) return { problems: schedule.problems };
    if (this.replays.size >= 4) this.replays.clear();
    const results = new Replay(schedule.results, ranks);
    this.replays.set(key, results);
    return { results };
  }

  private word(algorithm: Algorithm): string {
    return choiceWord(this.scenario, "algorithm", algorithm);
  }

  /** Inputs of the chosen methods, besides collective and algorithm. */
  private get ownFields(): readonly string[] {
    const used = [this.chosenAlgorithm, this.compared].flatMap((name) =>
      this.methods.filter((method) => method.collective === this.chosen && method.algorithm === name),
    );
    const weightless = this.chosen === "barrier";
    return [
      "ranks",
      ...(weightless ? [] : ["message_size_bytes"]),
      "latency_us",
      ...(weightless ? [] : ["reduce_gb_per_sec"]),
      ...(used.some((method) => method.grouped) ? ["group_size"] : []),
      ...(used.some((method) => method.algorithm === "two_level")
        ? ["inside_latency_us", "inside_bandwidth_gb_per_sec"]
        : []),
      ...(used.some((method) => method.pipelined) ? ["pieces"] : []),
      "delays_us",
    ];
  }

  private controls(problems: readonly Problem[]): TemplateResult {
    const { scenario } = this;
    const known = this.algorithms;
    const chosen = this.chosenAlgorithm;
    const finer = this.ownFields.filter((name) => folded.has(name));
    return html`<form part="inputs" class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="The collective">
      <div class="field"><label for="field-collective">Collective</label>
        <select id="field-collective" name="collective" ?disabled=${scenario.readonly} .value=${this.chosen} @change=${this.chooseCollective}>
          ${scenario.fields.get("collective")!.choices!.map(
            (name) => html`<option value=${name} ?selected=${name === this.chosen}>
            ${capital(dashed(name))}</option>`,
          )}
        </select></div>
      ${fieldControl(scenario, "algorithm", problems, { choices: known, stands: chosen })}
      <div class="field"><label for="field-compare">Compare with</label>
        <select id="field-compare" name="compare" ?disabled=${scenario.readonly} .value=${this.compared ?? ""}
          @change=${(event: Event) => scenario.set({ compare: (event.target as HTMLSelectElement).value })}>
          <option value="" ?selected=${!this.compared}>nothing</option>
          ${known
            .filter((name) => name !== chosen)
            .map(
              (name) => html`<option value=${name} ?selected=${name === this.compared}>
            ${this.word(name)}</option>`,
            )}
        </select></div>
      ${this.ownFields.filter((name) => !folded.has(name)).map((name) => fieldControl(scenario, name, problems))}
      <details class="further" ?open=${finer.some((name) => scenario.text(name) !== scenario.defaultText(name) || problems.some(({ field }) => field === name))}>
        <summary>Latency, delays</summary><div class="controls">${finer.map((name) => fieldControl(scenario, name, problems))}</div></details>
      ${scenario.readonly || this.compact ? nothing : html`<button type="button" class="plain" @click=${this.showPlaybook} title="The Ultra-Scale Playbook’s example">5 GPUs, 5 numbers</button>`}
    </form>`;
  }

  private play(algorithm: Algorithm, { replay, punctual, formula }: Picture, inputs: Record<string, unknown>): Run {
    return {
      title: `${this.word(algorithm)} ${dashed(this.chosen)}${inPieces(replay.schedule.pieces)}`,
      collective: this.chosen,
      algorithm,
      replay,
      rowName: rowNames[this.chosen] ?? "chunk",
      chunkBytes: this.chosen === "barrier" ? 0 : (inputs["message_size_bytes"] as number) / replay.rows,
      counts: { formula, doneUs: punctual.ready_us.map((row) => Math.max(...row)) },
    };
  }

  private clock(collective: Collective, algorithm: Algorithm, timeline: CollectiveTimelineResults): TimelineSpec {
    return {
      id: "commcost-collective-timeline",
      title: `${capital(this.word(algorithm))} ${dashed(collective)}${inPieces(timeline.pieces)} on the clock.`,
      summary: clockSummary(collective, timeline),
      timeline,
      ranks: timeline.ready_us[0]!.length,
      table: {
        header: ["rank", "arrives us", ...timeline.ready_us.slice(1).map((_, step) => `round ${step + 1} us`)],
        rows: Array.from(timeline.ready_us[0]!, (_, rank) => [rank, ...timeline.ready_us.map((row) => row[rank]!)]),
      },
    };
  }

  /** The pinned scenario's collective on the clock. */
  private get pinnedClock(): TimelineSpec | undefined {
    const cost = this.besides("collective_cost");
    const ranks = cost?.inputs["ranks"] as number;
    if (!cost || ranks > mostRanks) return undefined;
    const timeline = this.besides("collective_timeline", (pinned) => ({
      pieces: piecesShown(cost.results),
      delays_us: delaysOf(pinned, ranks),
    }));
    return (
      timeline &&
      this.clock(cost.inputs["collective"] as Collective, cost.inputs["algorithm"] as Algorithm, timeline.results)
    );
  }

  private clocks(methods: readonly Method[], collective: Collective): TemplateResult {
    const specs = methods.flatMap(({ algorithm, picture }) =>
      picture ? [this.clock(collective, algorithm, picture.timeline)] : [],
    );
    const then = this.pinnedClock;
    // One scale of time for all that are compared.
    const until = Math.max(...[...specs, ...(then ? [then] : [])].map(({ timeline }) => timeline.last_leave_us));
    return html`<section class="clocks" aria-label="On the clock">${specs.map(
      (spec, index) => html`
      <commcost-timeline-chart part="chart" .spec=${
        index === 0 && then && then.timeline.last_leave_us !== spec.timeline.last_leave_us
          ? { ...spec, until, then: then.timeline, table: besideTable(spec, then) }
          : { ...spec, until }
      }></commcost-timeline-chart>`,
    )}</section>`;
  }

  /** The pinned scenario's line of the charts. */
  private get pinnedCharts() {
    const cost = this.besides("collective_cost");
    const crossovers = this.besides("collective_crossovers");
    if (!cost || !crossovers) return undefined;
    const { algorithm, message_size_bytes, ...rest } = cost.inputs;
    if (rest["collective"] === "barrier") return undefined;
    return sizeCharts({
      scenario: this.scenario,
      inputs: rest,
      algorithms: [algorithm as Algorithm],
      chosen: algorithm as Algorithm,
      compared: undefined,
      crossovers: crossovers.results,
      here: { message_size_bytes: message_size_bytes as number, ...cost.results },
    });
  }

  private charts({ methods, inputs, crossovers, drawn }: Shown): TemplateResult {
    const [method, second] = methods as [Method, Method?];
    const { algorithm: _, message_size_bytes, ...rest } = inputs;
    const charts = sizeCharts({
      scenario: this.scenario,
      inputs: rest,
      algorithms: drawn,
      chosen: method.algorithm,
      compared: second?.algorithm,
      crossovers,
      here: { message_size_bytes: message_size_bytes as number, ...method.cost },
      own: ownCurveOf(this.scenario, rest["collective"] as string, rest["ranks"] as number),
    });
    const theirs = this.pinnedCharts;
    return html`<section aria-labelledby="sizes-title"><div class="titled"><h2 id="sizes-title">Which is fastest</h2>${formulaLink("collective_crossovers")}</div>
      ${fieldControl(this.scenario, "one_port", [], { label: "Only algorithms that need one port per GPU and no switch" })}
      <div class="charts">
      <commcost-line-chart part="chart" .spec=${besideLines(charts.time, theirs?.time)}></commcost-line-chart>
      <commcost-line-chart part="chart" .spec=${besideLines(charts.bandwidth, theirs?.bandwidth)}></commcost-line-chart>
      </div></section>`;
  }

  /** What was last shown without problems; the picture keeps its objects until an input changes. */
  private shown: Shown | undefined;

  private updateShown(): Problem[] {
    const inputs = { ...this.scenario.inputs("collective_cost").values, ...this.chosenMethod };
    const first = this.method(this.chosenAlgorithm);
    const second = this.compared ? this.method(this.compared) : undefined;
    const crossed = run(this.scenario, "collective_crossovers");
    const delays = this.scenario.entry("delays_us").problem;
    const problems = [
      ...first.problems,
      ...(first.problems.length > 0 ? [] : (second?.problems ?? [])),
      ...(delays ? [delays] : []),
    ];
    if (problems.length > 0) return problems;
    if (crossed.problems) return crossed.problems;
    const methods = [first.method!, ...(second?.method ? [second.method] : [])];
    const runs = methods.flatMap(({ algorithm, picture }) => (picture ? [this.play(algorithm, picture, inputs)] : []));
    this.shown = { methods, inputs, crossovers: crossed.results, runs, drawn: this.drawn };
    return [];
  }

  private schedule(shown: Shown): TemplateResult {
    return html`<section aria-label="The schedule">${
      shown.runs.length > 0
        ? html`<commcost-playback part="chart" .sizes=${this.scenario.sizes} .runs=${shown.runs} .step=${Number(this.scenario.text("step"))}
          @step=${(event: CustomEvent<number>) => this.scenario.set({ step: event.detail === 0 ? "" : String(event.detail) })}></commcost-playback>`
        : html`<p class="soft">The picture is drawn for up to ${mostRanks} GPUs.</p>`
    }</section>`;
  }

  /** The Playbook's ring in one click, and the collective as a program. */
  private program(shown: Shown): TemplateResult {
    const collective = shown.inputs["collective"] as Collective;
    return html`<section aria-labelledby="program-title"><details>
        <summary id="program-title">${pytorchTitle(collective)}</summary>
        <p class="small">Each GPU starts with the numbers in the picture. Run it and compare what it prints.</p>
        <commcost-copied-text .name=${"program"} .text=${pytorchProgram(collective, shown.inputs["ranks"] as number)}></commcost-copied-text>
      </details></section>`;
  }

  private showPlaybook(): void {
    this.scenario.set({ ...playbook, step: "" });
  }

  private rest(shown: Shown, then: CollectiveCostResults | undefined): TemplateResult {
    const collective = shown.inputs["collective"] as Collective;
    const weightless = collective === "barrier";
    const forms = html`<section aria-labelledby="forms-title"><div class="titled"><h2 id="forms-title">What it costs</h2>${formulaLink("collective_cost")}</div>
        ${closedForms(this.scenario, shown.inputs, shown.methods, weightless, then)}</section>`;
    if (this.compact) return forms;
    const clocks = this.later(() => this.clocks(shown.methods, collective));
    return html`${weightless ? clocks : nothing}
      ${forms}
      ${this.later(() => this.program(shown))}
      ${weightless ? nothing : html`${this.later(() => this.charts(shown))}${clocks}`}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const problems = this.updateShown();
    const stale = problems.length > 0;
    const { shown } = this;
    const a = stale ? undefined : this.besides("collective_cost");
    const now = shown?.methods[0]!.cost;
    return answerFrame(this, {
      headline: shown && headline(this.scenario, shown.methods[0]!, shown.inputs),
      under:
        shown &&
        html`${
          stale
            ? nothing
            : besideLine(this.scenario.pinned !== undefined, a !== undefined, [
                exactly("time", now?.time_us, a?.results.time_us, timeText),
                exactly(
                  "bytes sent",
                  now?.sent_bytes_per_rank,
                  a?.results.sent_bytes_per_rank,
                  this.scenario.sizes.bytes,
                ),
                exactly("rounds", now?.rounds, a?.results.rounds, exact),
              ])
        }${calibrationNote(this.scenario, "Nothing here follows it: closed forms take latency and bandwidth as given.")}`,
      controls: this.controls(problems),
      figure: shown ? this.schedule(shown) : nothing,
      rest: shown ? (perhaps(this.scenario, () => this.rest(shown, a?.results)) ?? nothing) : nothing,
      problems,
      stale,
      calculations: ["collective_cost"],
    });
  }

  static override styles = [viewStyles, closedFormStyles, unsafeCSS(styles)];
}

const piecesShown = ({ pieces }: CollectiveCostResults): number => (pieces <= mostPieces ? pieces : fewPieces);

/** How late each rank is; a list longer than the number of ranks is cut. */
function delaysOf(scenario: Scenario, ranks: number): number[] {
  const { value } = scenario.entry("delays_us");
  return Array.isArray(value) ? value.filter((delay) => typeof delay === "number").slice(0, ranks) : [];
}

const inPieces = (pieces: number): string => (pieces > 1 ? ` in ${pieces} pieces` : "");

define("commcost-ring", RingView);
