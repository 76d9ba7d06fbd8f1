import type { CommunicationLedgerResults, ModelSizesResults, Problem } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import { besideBars, besideFigure } from "../../charts/beside.js";
import "../../charts/histogram.js";
import "../../charts/stacked-bars.js";
import { headlineStyles } from "../../elements/answer-styles.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { comparisonStyles } from "../../elements/comparison.js";
import { fieldControl, fieldStyles, problemSummary } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { define, ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { run } from "../../state/run.js";
import { presetControl } from "../../elements/preset-picker.js";
import {
  layoutFacts,
  ledgerBars,
  ledgerBeside,
  ledgerHeadline,
  ledgerStyles,
  ledgerTable,
  messageSizes,
} from "./ledger.js";
import "./scaling.js";
import "./step.js";
import { activationsTable, flopsTable, sizesStyles, sizesTable, zeroTable } from "./sizes.js";

interface Inputs {
  title: string;
  fields: readonly string[];
  /** Rarely changed: folded away unless something in it is. */
  folded?: boolean;
}

const groups: readonly Inputs[] = [
  {
    title: "Work",
    fields: [
      "mode",
      "sequence_length",
      "batch_size",
      "global_batch_size",
      "recompute",
      "bytes_per_element",
      "matmul_precision",
    ],
  },
  {
    title: "Layout",
    fields: [
      "tensor_parallel",
      "sequence_parallel",
      "pipeline_parallel",
      "pipeline_schedule",
      "virtual_stages",
      "data_parallel",
      "zero_stage",
      "context_parallel",
      "context_scheme",
      "expert_parallel",
    ],
  },
  {
    title: "Links",
    fields: [
      "gpus_per_node",
      "bandwidth_gb_per_sec",
      "nic_gb_per_sec",
      "network",
      "launch",
      "hbm_gb_per_sec",
      "peak_tflops",
    ],
  },
  {
    title: "Model shape",
    folded: true,
    fields: [
      "num_layers",
      "hidden_size",
      "num_heads",
      "num_kv_heads",
      "head_size",
      "ffn_hidden_size",
      "gated_mlp",
      "vocab_size",
      "tied_embeddings",
      "num_experts",
      "experts_per_token",
      "num_shared_experts",
      "num_dense_layers",
      "dense_ffn_hidden_size",
      "query_rank",
      "kv_rank",
      "rope_head_size",
      "num_positions",
      "biases",
      "parallel_sublayers",
    ],
  },
  {
    title: "What is sent, and what hides it",
    folded: true,
    fields: [
      "activation_wire_bytes_per_element",
      "gradient_wire_bytes_per_element",
      "parameter_wire_bytes_per_element",
      "bucket_size_bytes",
      "zero_gradients",
      "scatter_gather",
      "regather_input",
      "overlap_tensor",
      "overlap_tensor_forward",
      "overlap_data",
      "overlap_param_gather",
      "accumulate_whole_gradients",
      "fused_quantization",
      "balanced_stages",
    ],
  },
  {
    title: "How fast the stack is",
    folded: true,
    fields: [
      "compute_efficiency_percent",
      "attention_efficiency_percent",
      "expert_efficiency_percent",
      "host_us_per_kernel",
      "cuda_graphs",
      "collective_start_us",
      "pipeline_sync_us",
      "staged_layer_host_us",
      "straggler_percent",
    ],
  },
  {
    title: "What is kept",
    folded: true,
    fields: [
      "gradient_bytes_per_element",
      "optimizer_bytes_per_parameter",
      "flash_attention",
      "dropout",
      "held_bytes_per_logit",
      "causal_attention",
    ],
  },
];
const shownFields = groups.flatMap(({ fields }) => fields);

/** The Cost view's GPUs are one group; here the degrees say how many there are. */
const degreesAlone = { num_gpus: 0 };

/** One step as the wires see it: every kind of call, and what the model weighs. */
export class TrainingView extends ScenarioView {
  override get outcome() {
    return run(this.scenario, "training_step", degreesAlone);
  }

  private group({ title, fields, folded }: Inputs, problems: readonly Problem[]): TemplateResult {
    const { scenario } = this;
    const controls = html`<div class="fields">${fields.map((name) => fieldControl(scenario, name, problems))}</div>`;
    if (!folded) return html`<fieldset><legend>${title}</legend>${controls}</fieldset>`;
    const wrong = fields.some((name) => problems.some((problem) => problem.field === name));
    return html`<details ?open=${wrong}><summary>${title}</summary>${controls}</details>`;
  }

  private form(problems: readonly Problem[]): TemplateResult {
    const { scenario } = this;
    return html`<form part="inputs" class="inputs" @submit=${(event: Event) => event.preventDefault()} aria-label="Inputs">
      <div class="fields presets">
        ${presetControl(scenario, "model", "Model", shownFields)}
        ${presetControl(scenario, "accelerator", "Accelerator", shownFields)}
        ${presetControl(scenario, "system", "System", shownFields)}
        ${presetControl(scenario, "recipe", "Stack", shownFields)}
      </div>
      ${groups.map((group) => this.group(group, problems))}
      ${problemSummary(problems, shownFields)}
      ${calibrationNote(scenario, "The step’s time follows it; the ledger’s times are bandwidth alone and do not.")}
    </form>`;
  }

  private sizes(results: ModelSizesResults): TemplateResult {
    return html`<section aria-labelledby="sizes-title" class="wide weighs">
      <div class="titled"><h2 id="sizes-title">What the model weighs</h2>${formulaLink("model_sizes")}</div>
      ${sizesTable(this.scenario, results)}
      <div class="pairs">
        <div>${activationsTable(this.scenario, results)}</div>
        <div>${zeroTable(this.scenario, results)}</div>
      </div>
    </section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results, problems, stale } = this.answer("communication_ledger", degreesAlone);
    const a = stale ? undefined : this.besides("communication_ledger", degreesAlone)?.results;
    const training = this.scenario.text("mode") === "training";
    return html`
      <div class="answer ${stale ? "stale" : ""}">
        ${results ? ledgerHeadline(this.scenario, results, training) : nothing}
        ${results && !stale ? ledgerBeside(this.scenario.pinned !== undefined, results, a) : nothing}
        ${stale ? html`<p class="small stale-note" role="status">The last answer that could be given, until the inputs are right again.</p>` : nothing}
      </div>
      ${this.form(problems)}
      <commcost-step exportparts="headline, results, chart" .scenario=${this.scenario} ?compact=${this.compact}></commcost-step>
      ${this.compact ? nothing : this.rest(results, a, stale)}`;
  }

  /** All that a compact view leaves out. */
  private rest(
    results: CommunicationLedgerResults | undefined,
    a: CommunicationLedgerResults | undefined,
    stale: boolean,
  ): TemplateResult {
    const charts = results && results.rows.length > 0 ? ledgerBars(results) : undefined;
    const theirs = a && a.rows.length > 0 ? ledgerBars(a) : undefined;
    const sizes = this.answer("model_sizes", degreesAlone).results;
    return html`
      ${
        results
          ? html`<div class="body ${stale ? "stale" : ""}">
        <section class="wide" aria-label="Layout">${layoutFacts(this.scenario, results, a)}</section>
        ${
          charts
            ? html`
          <section aria-label="Bytes"><commcost-stacked-bars part="chart" .spec=${besideBars(charts.sent, theirs?.sent)}></commcost-stacked-bars></section>
          <section aria-label="Time"><commcost-stacked-bars part="chart" .spec=${besideBars(charts.time, theirs?.time)}></commcost-stacked-bars></section>
          <section class="wide" aria-labelledby="ledger-title"><div class="titled"><h2 id="ledger-title">Every kind of call</h2>${formulaLink("communication_ledger")}</div>
            <p class="small soft">Attention and MLP send the same: one hidden state each
              (a summary of arXiv:2408.10197 that goes round says otherwise; not so under Megatron’s split). Grey rows run beside the compute that is named;
              the rest is on the critical path. Times are bandwidth alone.</p>
            ${ledgerTable(this.scenario, results, a)}</section>
          <section aria-label="Message sizes">${besideFigure(messageSizes(results), a && messageSizes(a)).map(
            (spec) => html`<commcost-histogram part="chart" .spec=${spec}></commcost-histogram>`,
          )}</section>`
            : nothing
        }
        ${sizes ? html`<section aria-label="FLOPs">${flopsTable(sizes)}</section>${this.sizes(sizes)}` : nothing}
      </div>`
          : nothing
      }
      <commcost-scaling exportparts="chart" .scenario=${this.scenario}></commcost-scaling>`;
  }

  static override styles = [
    theme,
    base,
    headlineStyles,
    fieldStyles,
    comparisonStyles,
    ledgerStyles,
    sizesStyles,
    css`
    :host { display: block; container-type: inline-size; }
    .headline { max-width: 52ch; }
    .inputs { border-block: 1px solid var(--rule); padding: 0.9rem 0 0.5rem; display: grid; gap: 0.5rem; }
    .presets { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
    fieldset legend { margin-bottom: 0.25rem; }
    details .fields { padding-block: 0.35rem; }
    .body { display: grid; gap: 1.75rem 2.5rem; margin-top: 1rem; }
    .body > section { min-width: 0; }
    commcost-step, commcost-scaling { margin-top: 1.5rem; }
    h2 { margin-bottom: 0.4rem; }
    .pairs { display: grid; gap: 1.5rem 2.5rem; margin-top: 1.25rem; }
    .pairs > div { min-width: 0; }
    .stale, .stale * { color: var(--ink-soft); }
    .stale-note { color: var(--bad); font-family: var(--sans); }
    @container (min-width: 54rem) {
      .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
      .wide { grid-column: 1 / -1; }
      .pairs { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    }
    @media print { :host { zoom: 0.54; } details:not([open]) { display: none; } .body { gap: 1rem 2rem; } commcost-step, commcost-scaling { margin-top: 0.75rem; }
      .weighs { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2rem; } .weighs .titled { grid-column: 1 / -1; }
      .weighs .pairs { grid-template-columns: minmax(0, 1fr); margin-top: 0; }
      .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .wide { grid-column: 1 / -1; } .ledger { font-size: 0.6rem; } }
  `,
  ];
}

define("commcost-training", TrainingView);
