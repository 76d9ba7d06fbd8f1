import type { PredictCollectiveResults, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/bar-chart.js";
import { besideLines, besideMarks } from "../../charts/beside.js";
import "../../charts/line-chart.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { resultStyles } from "../../elements/answer-styles.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { beside, besideLine } from "../../elements/comparison.js";
import { fieldControl } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { choiceWord } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import { withArticle } from "../../elements/prediction.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { inverse, type Ranged, ranged } from "../../state/compared.js";
import { bandwidth, exactSize, percent, significant, us } from "../../state/format.js";
import { measuredAlike, type Measured } from "../../state/machine.js";
import { ownCurve } from "../../state/own-log.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { bandwidths } from "./bandwidths.js";
import { perhaps } from "../../state/parts.js";
import { networkChart, type Shown } from "../../figures/network-curve.js";
import { elasticityChart } from "./elasticity.js";
import { logModels } from "./loggp.js";
import { headline, measuredAt, reasons, runsAt } from "./sentences.js";
import { spinePicture } from "./spine-picture.js";
import styles from "./network-view.css?inline";
import { define } from "../../elements/define.js";

const calculation = "predict_collective";
/** One call, with everything to be said about it. */
const own = { details: true, calls: 1 };

const predicted = ({ time_us, low_us, high_us }: PredictCollectiveResults): Ranged => ranged(time_us, low_us, high_us);
const busBandwidth = (results: PredictCollectiveResults): Ranged =>
  inverse(results.bus_bandwidth_gb_per_sec, predicted(results));
const rate = (value: number): string => bandwidth(value, 3);

/** How long a collective takes on real hardware: predicted, measured, by the textbook formula, by NCCL's own model. */
export class NetworkView extends ScenarioView {
  private shownInputs: Record<string, unknown> = {};

  override get outcome() {
    return run(this.scenario, calculation, own);
  }

  private get shown(): Shown {
    // A barrier carries nothing, at no bandwidth.
    return this.scenario.text("show") === "bandwidth" && this.shownInputs["collective"] !== "barrier"
      ? "bandwidth"
      : "time";
  }

  private figures(
    results: PredictCollectiveResults,
    measured: readonly Measured[],
    size: number,
    then: PredictCollectiveResults | undefined,
  ): TemplateResult {
    const there = measuredAt(measured, results, size);
    const picks = results.nccl_algorithm ? `${results.nccl_algorithm}, ${results.nccl_protocol}` : "has none for this";
    const rows: [string, keyof PredictCollectiveResults | "measured", string, string, ((value: number) => string)?][] =
      [
        ["Predicted time", "time_us", us(results.time_us), `${us(results.low_us)} to ${us(results.high_us)}`, us],
        [
          "Bus bandwidth",
          "bus_bandwidth_gb_per_sec",
          bandwidth(results.bus_bandwidth_gb_per_sec, 4),
          `${bandwidth(results.algorithm_bandwidth_gb_per_sec, 4)} of algorithm bandwidth`,
          bandwidth,
        ],
        [
          "Link utilization",
          "link_utilization_percent",
          percent(results.link_utilization_percent),
          results.nodes > 1
            ? `${percent(results.network_utilization_percent)} of a network card`
            : "of a GPU’s scale-up links",
          percent,
        ],
        ["Textbook", "textbook_us", us(results.textbook_us), "bandwidth alone, no latency", us],
        ["NCCL’s own model", "nccl_us", results.nccl_us > 0 ? us(results.nccl_us) : "—", picks, us],
        [
          "Measured by others",
          "measured",
          there.length === 0
            ? "—"
            : Math.min(...there) === Math.max(...there)
              ? us(there[0]!)
              : `${us(Math.min(...there))} to ${us(Math.max(...there))}`,
          runsAt(there),
        ],
      ];
    return html`<dl part="results" class="results">${rows.map(
      ([label, name, value, more, format]) => html`<div>
      <dt>${meaning(this.scenario, calculation, name, label)}<br /><code>${name}</code></dt>
      <dd><span class="exact number" data-network=${name}>${value}</span><span class="human number">${more}</span>
        ${format && name !== "measured" ? beside(results[name] as number, then?.[name] as number | undefined, (number) => format(number)) : nothing}</dd></div>`,
    )}</dl>`;
  }

  private controls(problems: readonly Problem[]): TemplateResult {
    const { scenario } = this;
    const collective = scenario.text("collective");
    return html`<form part="inputs" class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="The collective">
      ${fieldControl(scenario, "collective", problems)}
      ${collective === "barrier" ? nothing : fieldControl(scenario, "message_size_bytes", problems)}
      ${fieldControl(scenario, "rank_stride", problems)}
      ${collective === "all_reduce" ? fieldControl(scenario, "allreduce_kernel", problems) : nothing}
      ${this.toggle()}
    </form>`;
  }

  private nccl(results: PredictCollectiveResults): TemplateResult {
    const picks = results.nccl_switches;
    return html`<section aria-labelledby="nccl-title">
      <h2 id="nccl-title">What NCCL would pick</h2>
      ${
        picks.length === 0
          ? html`<p class="soft">NCCL has no cost model of this collective on this machine.</p>`
          : html`
      <p>Before each call NCCL (2.30) estimates latency plus bytes over bandwidth for every algorithm and protocol, and takes the cheapest.
        The model only has to choose: it leaves out the ramp of mid-sized messages.</p>
      <table>
        <thead><tr><th scope="col" class="text">message</th><th scope="col" class="text">algorithm</th><th scope="col" class="text">protocol</th></tr></thead>
        <tbody>${picks.map(
          (
            pick,
            index,
          ) => html`<tr><td class="text">${index === 0 ? "smallest" : `from ${this.scenario.sizes.binaryBytes(pick.message_size_bytes)}`}</td>
          <td class="text">${pick.algorithm}</td><td class="text">${pick.protocol}</td></tr>`,
        )}</tbody>
      </table>`
      }
    </section>`;
  }

  private sources(measured: readonly Measured[]): TemplateResult {
    return html`<section aria-labelledby="sources-title">
      <div class="titled"><h2 id="sources-title">Measurements</h2>${formulaLink(calculation)}</div>
      ${
        measured.length === 0
          ? html`<p class="soft">Our table has no measurement of this collective on this number of such GPUs.
        Have your own? Drop the log anywhere on the page.</p>`
          : html`
      <p class="small soft">Every run in our table with these links, GPUs and nodes, and how far the prediction is from it in the median. Healthy runs
        took part in fitting the constants; the error given above is on sites held out.</p>
      <div class="scroll tall" tabindex="0" role="group" aria-label="Sources of the measurements"><table class="sources">
        <thead><tr><th scope="col" class="text">run</th><th scope="col">sizes</th><th scope="col">${meaning(this.scenario, "measurements", "series.median_error_percent", "median error")}</th></tr></thead>
        <tbody>${measured.map(
          (
            series,
          ) => html`<tr><td class="text">${series.name}${series.healthy ? nothing : html` <b>(something was wrong)</b>`}, ${choiceWord(this.scenario, "launch", series.launch)}${series.in_network_reduction === "off" ? ", switches not reducing" : nothing}<br />
          <span class="soft">${series.source}</span></td><td>${series.time_us.length}</td>
          <td>${series.median_error_percent > 0 ? `${significant(series.median_error_percent, 2)} %` : "—"}</td></tr>`,
        )}</tbody>
      </table></div>`
      }
    </section>`;
  }

  private toggle(): TemplateResult {
    const choices: [Shown, string][] = [
      ["time", "Time"],
      ["bandwidth", "Bus bandwidth"],
    ];
    return html`<fieldset class="toggle no-print"><legend class="visually-hidden">What the chart shows</legend>${choices.map(
      ([id, label]) => html`
      <label><input type="radio" name="show" value=${id} ?disabled=${this.scenario.readonly} .checked=${this.shown === id}
        @change=${() => this.scenario.set({ show: id === "time" ? "" : id })} /> ${label}</label>`,
    )}</fieldset>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results, problems, stale } = this.answer(calculation, own);
    if (!stale) this.shownInputs = { ...this.scenario.inputs(calculation).values, ...own };
    const inputs = this.shownInputs;
    const a = stale ? undefined : this.besides(calculation, own);
    const measured = results
      ? measuredAlike(this.scenario, inputs["collective"] as string, inputs["num_gpus"] as number, results)
      : [];
    return answerFrame(this, {
      headline: results && headline(this.scenario, inputs, results),
      under: results && this.under(results, a?.results),
      controls: this.controls(problems),
      figure:
        results && !this.compact && (inputs["num_gpus"] as number) > 1
          ? perhaps(this.scenario, () => this.figure(inputs, results, measured, a))
          : nothing,
      rest: results && !this.compact ? perhaps(this.scenario, () => this.rest(inputs, results, measured, a)) : nothing,
      problems,
      stale,
      calculations: [calculation],
    });
  }

  private under(results: PredictCollectiveResults, then: PredictCollectiveResults | undefined): TemplateResult {
    return html`${reasons(this.scenario, results)}
      ${besideLine(this.scenario.pinned !== undefined, then !== undefined, [
        { what: "predicted time", now: predicted(results), then: then && predicted(then), format: us },
        { what: "bus bandwidth", now: busBandwidth(results), then: then && busBandwidth(then), format: rate },
      ])}
      ${this.ownLog()}
      ${calibrationNote(this.scenario, "The prediction follows it; textbook formula and NCCL’s own model do not.")}`;
  }

  /** Where the reader's own log is: in the chart, or for something else, one click away. */
  private ownLog(): TemplateResult | typeof nothing {
    const { scenario } = this;
    const curve = ownCurve(scenario);
    if (!curve) return nothing;
    const { collective, num_gpus } = curve;
    if (scenario.text("collective") === collective && scenario.number("num_gpus") === num_gpus) return nothing;
    return html`<p class="small soft">Your log is of ${withArticle(collective)} on ${num_gpus} GPUs.
      ${
        scenario.readonly
          ? nothing
          : html`<button type="button" class="plain" @click=${() => scenario.set({ collective, num_gpus: String(num_gpus) })}>Show that</button>`
      }</p>`;
  }

  /** The marked point was moved along the sizes. */
  private readonly onMoved = ({ detail }: CustomEvent<{ x: number }>) =>
    this.scenario.set({ message_size_bytes: exactSize(detail.x) });

  private figure(
    inputs: Record<string, unknown>,
    results: PredictCollectiveResults,
    measured: readonly Measured[],
    a: { scenario: Scenario; inputs: Record<string, unknown>; results: PredictCollectiveResults } | undefined,
  ): TemplateResult {
    const weightless = a?.inputs["collective"] === "barrier" && this.shown === "bandwidth";
    const theirs = a && !weightless ? networkChart(a.scenario, a.inputs, a.results, [], this.shown) : undefined;
    const chart = networkChart(this.scenario, inputs, results, measured, this.shown);
    return html`<commcost-line-chart part="chart" @change=${this.onMoved} .spec=${besideLines(chart, theirs, ["predicted", "calibrated"])}></commcost-line-chart>`;
  }

  private rest(
    inputs: Record<string, unknown>,
    results: PredictCollectiveResults,
    measured: readonly Measured[],
    a: { scenario: Scenario; inputs: Record<string, unknown>; results: PredictCollectiveResults } | undefined,
  ): TemplateResult {
    return html`<div class="wide">${this.figures(results, measured, inputs["message_size_bytes"] as number, a?.results)}</div>
      ${this.later(() => this.sources(measured))}
      <div class="aside">
        ${this.later(() => html`${this.nccl(results)}${logModels(this.scenario)}`)}
        ${this.later(() => spinePicture(this.scenario, results, inputs["num_gpus"] as number))}
        ${this.later(() => this.sensitivity(inputs, results, a))}
      </div>
      ${this.later(() => bandwidths(this.scenario, results, inputs["collective"] as string), "wide")}`;
  }

  private sensitivity(
    inputs: Record<string, unknown>,
    results: PredictCollectiveResults,
    a: { inputs: Record<string, unknown>; results: PredictCollectiveResults } | undefined,
  ): TemplateResult | typeof nothing {
    const chart = elasticityChart(this.scenario.sizes, inputs, results);
    const theirs = a && elasticityChart(this.scenario.sizes, a.inputs, a.results);
    return chart
      ? html`<section aria-label="Sensitivity"><commcost-bar-chart part="chart" .spec=${besideMarks(chart, theirs)}></commcost-bar-chart></section>`
      : nothing;
  }

  static override styles = [viewStyles, resultStyles, unsafeCSS(styles)];
}

define("commcost-network", NetworkView);
// The tab that it opens.
define("commcost-collectives", class extends NetworkView {});
