import type { PredictCollectiveResults, Problem, TensorParallelAllreduceCostResults } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import "../../charts/bar-chart.js";
import { besideLines, besideMarks } from "../../charts/beside.js";
import "../../charts/line-chart.js";
import { headlineStyles, resultStyles } from "../../elements/answer-styles.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { beside, besideLine, comparisonStyles } from "../../elements/comparison.js";
import { fieldControl, fieldStyles, problemSummary } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { define, ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { bandwidth, binaryBytes, significant } from "../../state/format.js";
import { measuredAlike, nodesInWords, systemOf, type Measured } from "../../state/machine.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { presetControl } from "../../elements/preset-picker.js";
import { bandwidths } from "./bandwidths.js";
import "./calibrate.js";
import { elasticityChart, networkChart, type Shown } from "./curves.js";
import { dashed, trust, us, why, withArticle } from "./words.js";

const calculation = "predict_collective";
const machineFields = ["accelerator", "gpus_per_node", "nic_gb_per_sec"] as const;
const callFields = ["collective", "num_gpus"] as const;
const fineFields = ["launch", "network", "in_network_reduction", "latency_scale", "bandwidth_scale"] as const;
const allShown: readonly string[] = [
  ...machineFields,
  ...callFields,
  "message_size_bytes",
  "rate_gb_per_sec",
  ...fineFields,
];

const wording: Partial<Record<string, Record<string, string>>> = {
  launch: {
    process_per_gpu: "a process per GPU",
    thread_per_gpu: "a thread per GPU",
    one_thread: "one thread for all",
  },
  network: {
    infiniband: "InfiniBand",
    roce: "RoCE",
    slingshot: "Slingshot 11",
    omnipath: "Omni-Path",
    efa: "AWS EFA",
    efa_v1: "AWS EFA, first generation",
    gpudirect_tcp: "GPUDirect-TCPX",
    ici: "ICI (TPU)",
    ethernet: "Ethernet",
  },
  in_network_reduction: { usual: "where they can", on: "yes (NVLink SHARP)", off: "no" },
};

/** How long a collective takes on real hardware: expected, measured, by the textbook, by NCCL's own model. */
export class NetworkView extends ScenarioView {
  private shownInputs: Record<string, unknown> = {};

  override get outcome() {
    return run(
      this.scenario,
      calculation,
      this.message(this.scenario, this.answer("tensor_parallel_allreduce_cost").results).overrides,
    );
  }

  private get shown(): Shown {
    // A barrier carries nothing, at no bandwidth.
    return this.scenario.text("show") === "bandwidth" && this.shownInputs["collective"] !== "barrier"
      ? "bandwidth"
      : "time";
  }

  /** The message: as typed here, else that of the Cost view's own all-reduce. */
  private message(
    scenario: Scenario,
    cost: TensorParallelAllreduceCostResults | undefined,
  ): { followed: number; overrides: Record<string, unknown> } {
    const name = "message_size_bytes";
    const typed = !["", scenario.defaultText(name)].includes(scenario.text(name));
    const followed = cost?.message_size_bytes ?? 2 ** 20;
    return { followed, overrides: { details: true, calls: 1, ...(typed ? {} : { [name]: followed }) } };
  }

  private headline(inputs: Record<string, unknown>, results: PredictCollectiveResults): TemplateResult {
    const gpus = inputs["num_gpus"] as number;
    const what = dashed(inputs["collective"] as string);
    if (gpus === 1)
      return html`<p part="headline" class="headline">One GPU has nobody to send to: its collectives take no time.</p>`;
    return html`<p part="headline" class="headline">${withArticle(what)[0]!.toUpperCase() + withArticle(what).slice(1)} of ${binaryBytes(inputs["message_size_bytes"] as number)}
        among ${gpus} GPUs of ${nodesInWords(this.scenario, results.nodes)} takes about <b class="number">${meaning(this.scenario, calculation, "time_us", us(results.time_us))}</b>,
        ${results.textbook_us > 0 ? html`not the textbook’s <b class="number">${meaning(this.scenario, calculation, "textbook_us", us(results.textbook_us))}</b>` : nothing}.</p>
      <p>It does so ${why(this.scenario, results)}. ${trust(results)}</p>`;
  }

  private figures(
    results: PredictCollectiveResults,
    measured: readonly Measured[],
    size: number,
    then: PredictCollectiveResults | undefined,
  ): TemplateResult {
    const there = measured
      .filter((series) => series.healthy)
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

  private inputs(problems: readonly Problem[], followed: number): TemplateResult {
    const { scenario } = this;
    const control = (name: string) =>
      fieldControl(scenario, name, problems, {
        ...(wording[name] ? { choiceLabels: wording[name] } : {}),
        ...(name === "message_size_bytes" ? { follows: `${binaryBytes(followed)}, as in Cost` } : {}),
        ...(name === "collective"
          ? {
              choiceLabels: Object.fromEntries(
                scenario.fields.get(name)!.choices!.map((choice) => [choice, dashed(choice)]),
              ),
            }
          : {}),
      });
    const fine = fineFields.filter((name) => scenario.text(name) !== scenario.defaultText(name));
    return html`<form part="inputs" class="inputs" @submit=${(event: Event) => event.preventDefault()} aria-label="Inputs">
      <div class="fields">
        ${presetControl(scenario, "system", "Machine", machineFields, systemOf(scenario))}
        ${callFields.map(control)}${control("message_size_bytes")}
      </div>
      <details class="describe" ?open=${systemOf(scenario) === undefined || fine.length > 0}>
        <summary>Describe the machine: accelerator, node, network, launch</summary>
        <div class="fields">${machineFields.map(control)}${fineFields.map(control)}</div>
      </details>
      ${problemSummary(problems, allShown)}
      ${calibrationNote(scenario, "What is expected follows it; textbook and NCCL’s own model do not.")}
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
          ) => html`<tr><td class="text">${index === 0 ? "smallest" : `from ${binaryBytes(pick.message_size_bytes)}`}</td>
          <td class="text">${pick.algorithm}</td><td class="text">${pick.protocol}</td></tr>`,
        )}</tbody>
      </table>`
      }
    </section>`;
  }

  private sources(measured: readonly Measured[]): TemplateResult {
    return html`<section aria-labelledby="sources-title">
      <h2 id="sources-title">Who measured</h2>
      ${
        measured.length === 0
          ? html`<p class="soft">Nobody’s measurement of this collective on as many GPUs of this kind is in our table.
        Your own log can stand in: see below.</p>`
          : html`
      <p class="small soft">Every run in our table with these links, GPUs and nodes, and how far the expectation is from it in the median. Those in
        which nothing went wrong took part in fitting the constants; the error named above is of sites left out.</p>
      <div class="scroll tall" tabindex="0" role="group" aria-label="Sources of the measurements"><table class="sources">
        <thead><tr><th scope="col" class="text">run</th><th scope="col">sizes</th><th scope="col">${meaning(this.scenario, "measurements", "series.median_error_percent", "median error")}</th></tr></thead>
        <tbody>${measured.map(
          (
            series,
          ) => html`<tr><td class="text">${series.name}${series.healthy ? nothing : html` <b>(something was wrong)</b>`}, ${wording["launch"]![series.launch]}<br />
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
      <label><input type="radio" name="show" value=${id} .checked=${this.shown === id}
        @change=${() => this.scenario.set({ show: id === "time" ? "" : id })} /> ${label}</label>`,
    )}</fieldset>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { followed, overrides } = this.message(this.scenario, this.answer("tensor_parallel_allreduce_cost").results);
    const { results, problems, stale } = this.answer(calculation, overrides);
    if (!stale) this.shownInputs = { ...this.scenario.inputs(calculation).values, ...overrides };
    const inputs = this.shownInputs;
    if (!results) return this.inputs(problems, followed);
    const size = inputs["message_size_bytes"] as number;
    const measured = measuredAlike(
      this.scenario,
      inputs["collective"] as string,
      inputs["num_gpus"] as number,
      results,
    );
    const elasticity = elasticityChart(inputs, results);
    const a = stale
      ? undefined
      : this.besides(
          calculation,
          (pinned) => this.message(pinned, this.besides("tensor_parallel_allreduce_cost")?.results).overrides,
        );
    const weightless = a?.inputs["collective"] === "barrier" && this.shown === "bandwidth";
    const theirs = a && {
      chart: weightless ? undefined : networkChart(a.scenario, a.inputs, a.results, [], this.shown),
      elasticity: elasticityChart(a.inputs, a.results),
    };
    return html`
      <div class="answer ${stale ? "stale" : ""}">
        ${stale ? html`<p class="small stale-note" role="status">The last answer that could be given, until the inputs are right again:</p>` : nothing}
        ${this.headline(inputs, results)}
        ${
          stale
            ? nothing
            : besideLine(this.scenario.pinned !== undefined, a !== undefined, [
                ["expected time", results.time_us, a?.results.time_us, us],
                ["bus bandwidth", results.bus_bandwidth_gb_per_sec, a?.results.bus_bandwidth_gb_per_sec, bandwidth],
              ])
        }
        ${this.figures(results, measured, size, a?.results)}
      </div>
      ${this.inputs(problems, followed)}
      ${
        this.compact
          ? nothing
          : html`<div class="body ${stale ? "stale" : ""}">
        ${
          (inputs["num_gpus"] as number) > 1
            ? html`<section class="chart" aria-label="Chart">
          <div class="titled">${this.toggle()}${formulaLink(calculation)}</div>
          <commcost-line-chart part="chart" .spec=${besideLines(networkChart(this.scenario, inputs, results, measured, this.shown), theirs?.chart, ["expected", "calibrated"])}></commcost-line-chart>
        </section>`
            : nothing
        }
        ${this.sources(measured)}
        <div class="aside">
          ${this.nccl(results)}
          ${elasticity ? html`<section aria-label="What the time answers to"><commcost-bar-chart part="chart" .spec=${besideMarks(elasticity, theirs?.elasticity)}></commcost-bar-chart></section>` : nothing}
        </div>
        ${this.scenario.readonly ? nothing : html`<commcost-calibrate class="wide" .scenario=${this.scenario}></commcost-calibrate>`}
        <div class="wide">${bandwidths(this.scenario, results, inputs["collective"] as string)}</div>
      </div>`
      }`;
  }

  static override styles = [
    theme,
    base,
    headlineStyles,
    resultStyles,
    fieldStyles,
    comparisonStyles,
    css`
    :host { display: block; container-type: inline-size; }
    .headline { margin: 0 0 0.5rem; }
    .results { grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); margin: 1rem 0 1.25rem; }
    .inputs { border-block: 1px solid var(--rule); padding: 0.9rem 0 0.5rem; display: grid; gap: 0.5rem; }
    .fields > .preset { grid-column: span 2; }
    .describe .fields { margin-top: 0.4rem; }
    .body { display: grid; gap: 1.75rem 2.5rem; margin-top: 1.25rem; grid-template-columns: minmax(0, 1fr); }
    .body > *, .aside > * { min-width: 0; }
    .aside { display: grid; gap: 1.5rem; align-content: start; }
    h2 { margin-bottom: 0.6rem; }
    .toggle { display: flex; gap: 0.25rem 1.25rem; margin-bottom: 0.5rem; font-family: var(--sans); font-size: var(--small); }
    .toggle label { display: inline-flex; align-items: center; gap: 0.4rem; min-height: 1.75rem; }
    .columns { display: grid; gap: 1rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); align-items: start; }
    .columns > * { min-width: 0; }
    .columns p:first-child { margin-top: 0; }
    .sources td { overflow-wrap: anywhere; }
    .sources td + td { white-space: nowrap; }
    tr.chosen > * { font-weight: 600; }
    .stale, .stale * { color: var(--ink-soft); }
    .stale .headline b { color: inherit; font-weight: 400; }
    .stale .stale-note { color: var(--bad); font-family: var(--sans); margin: 0 0 0.5rem; }
    @container (min-width: 54rem) {
      .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
      .chart, .wide { grid-column: 1 / -1; }
    }
    @media print {
      .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem 1.5rem; }
      .chart, .wide { grid-column: 1 / -1; }
      :host { zoom: 0.78; }
      .describe:not([open]) { display: none; }
      .scroll.tall { max-height: 20rem; overflow: hidden; }
    }
  `,
  ];
}

define("commcost-network", NetworkView);
