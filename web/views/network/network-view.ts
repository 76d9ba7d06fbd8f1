import type { PredictCollectiveResults, Problem } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
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
import { trust, why, withArticle } from "../../elements/prediction.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { bandwidth, capital, exactSize, percent, significant, us } from "../../state/format.js";
import { comparable, measuredAlike, nodesInWords, type Measured } from "../../state/machine.js";
import { ownCurve } from "../../state/own-log.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { between } from "../../state/step.js";
import { bandwidths } from "./bandwidths.js";
import { perhaps } from "../../state/parts.js";
import { networkChart, type Shown } from "../../figures/network-curve.js";
import { elasticityChart } from "./elasticity.js";
import { logModels } from "./loggp.js";
import { spinePicture } from "./spine-picture.js";
import styles from "./network-view.css?inline";
import { define } from "../../elements/define.js";

const calculation = "predict_collective";
/** What only this view asks for. */
const ownFields = ["collective", "message_size_bytes", "rank_stride", "allreduce_kernel"] as const;
/** One call, with all that is to be told of it. */
const own = { details: true, calls: 1 };

/** How long a collective takes on real hardware: expected, measured, by the textbook, by NCCL's own model. */
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

  private headline(inputs: Record<string, unknown>, results: PredictCollectiveResults): TemplateResult {
    const gpus = inputs["num_gpus"] as number;
    const what = withArticle(inputs["collective"] as string);
    if (gpus === 1)
      return html`<p part="headline" class="headline">One GPU has nobody to send to: its collectives take no time.</p>`;
    const size =
      inputs["collective"] === "barrier"
        ? ""
        : ` of ${this.scenario.sizes.binaryBytes(inputs["message_size_bytes"] as number)}`;
    return html`<p part="headline" class="headline">${capital(what)}${size} among ${gpus} GPUs of
      ${nodesInWords(this.scenario, results.nodes)} takes about <b class="number">${meaning(this.scenario, calculation, "time_us", us(results.time_us))}</b>
      (${between(results.low_us / 1e3, results.high_us / 1e3)})${
        results.textbook_us > 0
          ? html`; at line rate <span class="number">${meaning(this.scenario, calculation, "textbook_us", us(results.textbook_us))}</span>`
          : nothing
      }.</p>`;
  }

  private figures(
    results: PredictCollectiveResults,
    measured: readonly Measured[],
    size: number,
    then: PredictCollectiveResults | undefined,
  ): TemplateResult {
    const there = measured
      .filter((series) => comparable(series, results))
      .flatMap((series) => {
        const index = [...series.message_size_bytes].indexOf(size);
        return index < 0 ? [] : [series.time_us[index]!];
      });
    const picks = results.nccl_algorithm ? `${results.nccl_algorithm}, ${results.nccl_protocol}` : "has none for this";
    const rows: [string, keyof PredictCollectiveResults | "measured", string, string, ((value: number) => string)?][] =
      [
        ["Expected time", "time_us", us(results.time_us), `${us(results.low_us)} to ${us(results.high_us)}`, us],
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
          there.length === 0
            ? "not at this size"
            : `${there.length} ${there.length === 1 ? "run" : "runs"} at this size`,
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
    return html`<form part="inputs" class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="The collective">
      ${fieldControl(scenario, "collective", problems)}
      ${fieldControl(scenario, "message_size_bytes", problems)}
      ${fieldControl(scenario, "rank_stride", problems)}
      ${scenario.text("collective") === "all_reduce" ? fieldControl(scenario, "allreduce_kernel", problems) : nothing}
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
      <p>Before each call NCCL (2.30) prices every algorithm and protocol as latency plus bytes over bandwidth, and takes the cheapest.
        The model is a selector: it leaves out the ramp, and is too hopeful from 1 to 32 MiB.</p>
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
          ? html`<p class="soft">Nobody’s measurement of this collective on as many GPUs of this kind is in our table.
        Your own log can stand in: drop it anywhere.</p>`
          : html`
      <p class="small soft">Every run in our table with these links, GPUs and nodes, and how far the expectation is from it in the median. Those in
        which nothing went wrong took part in fitting the constants; the error named above is of sites left out.</p>
      <div class="scroll tall" tabindex="0" role="group" aria-label="Sources of the measurements"><table class="sources">
        <thead><tr><th scope="col" class="text">run</th><th scope="col">sizes</th><th scope="col">${meaning(this.scenario, "measurements", "series.median_error_percent", "median error")}</th></tr></thead>
        <tbody>${measured.map(
          (
            series,
          ) => html`<tr><td class="text">${series.name}${series.healthy ? nothing : html` <b>(something was wrong)</b>`}, ${choiceWord(this.scenario, "launch", series.launch)}<br />
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
      headline: results && this.headline(inputs, results),
      under: results && this.under(results, a?.results),
      controls: this.controls(problems),
      figure:
        results && !this.compact && (inputs["num_gpus"] as number) > 1
          ? perhaps(this.scenario, () => this.figure(inputs, results, measured, a))
          : nothing,
      rest: results && !this.compact ? perhaps(this.scenario, () => this.rest(inputs, results, measured, a)) : nothing,
      problems,
      owned: ownFields,
      stale,
      calculations: [calculation],
    });
  }

  private under(results: PredictCollectiveResults, then: PredictCollectiveResults | undefined): TemplateResult {
    return html`<p class="under">${why(this.scenario, results)}. <span class="soft">${trust(results)}</span></p>
      ${besideLine(this.scenario.pinned !== undefined, then !== undefined, [
        ["expected time", results.time_us, then?.time_us, us],
        ["bus bandwidth", results.bus_bandwidth_gb_per_sec, then?.bus_bandwidth_gb_per_sec, bandwidth],
      ])}
      ${this.ownLog()}
      ${calibrationNote(this.scenario, "What is expected follows it; textbook and NCCL’s own model do not.")}`;
  }

  /** Where the reader's own log is: in the chart, or of something else, one click away. */
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
    return html`<commcost-line-chart part="chart" @change=${this.onMoved} .spec=${besideLines(chart, theirs, ["expected", "calibrated"])}></commcost-line-chart>`;
  }

  private rest(
    inputs: Record<string, unknown>,
    results: PredictCollectiveResults,
    measured: readonly Measured[],
    a: { scenario: Scenario; inputs: Record<string, unknown>; results: PredictCollectiveResults } | undefined,
  ): TemplateResult {
    const elasticity = elasticityChart(this.scenario.sizes, inputs, results);
    const theirs = a && elasticityChart(this.scenario.sizes, a.inputs, a.results);
    return html`<div class="wide">${this.figures(results, measured, inputs["message_size_bytes"] as number, a?.results)}</div>
      ${this.sources(measured)}
      <div class="aside">
        ${this.nccl(results)}
        ${logModels(this.scenario)}
        ${spinePicture(this.scenario, results, inputs["num_gpus"] as number)}
        ${elasticity ? html`<section aria-label="Sensitivity"><commcost-bar-chart part="chart" .spec=${besideMarks(elasticity, theirs)}></commcost-bar-chart></section>` : nothing}
      </div>
      <div class="wide">${bandwidths(this.scenario, results, inputs["collective"] as string)}</div>`;
  }

  static override styles = [viewStyles, resultStyles, unsafeCSS(styles)];
}

define("commcost-network", NetworkView);
// The tab that it opens.
define("commcost-collectives", class extends NetworkView {});
