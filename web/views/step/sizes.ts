import type { ModelSizesResults } from "#engine";
import { type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { meaning } from "../../elements/meaning.js";
import type { Scenario } from "../../state/scenario.js";
import { exact, significant } from "../../state/format.js";
import styles from "./sizes.css?inline";

type Size = ModelSizesResults["sizes"][number];
type Activation = ModelSizesResults["activations"][number];

/** The rows of A2, in words, with their rules of thumb. */
const things: Record<Size["thing"], [string, string]> = {
  tokens: ["Tokens of a micro-batch", "seq · mbs"],
  hidden_state: ["Hidden state", "seq · mbs · h"],
  weight_matrix: ["One square weight matrix", "h²"],
  weight_gradient: ["Its gradient", "h²"],
  weight_optimizer: ["Its optimizer state", "6 h²"],
  attention: ["Attention of a layer", "4 h²"],
  mlp: ["MLP of a layer", "12 h²"],
  layer: ["Layer", "16 h²"],
  layers: ["All layers", "16 h² · layers"],
  embedding: ["Embedding", "V · h"],
  lm_head: ["LM head", "V · h if not tied"],
  positions: ["Learned positions", "max seq · h"],
  parameters: ["Weights", "16 h² · layers"],
  gradients: ["Gradients", "16 h² · layers"],
  optimizer: ["Optimizer state", "6 · 16 h² · layers"],
  activations: ["Activations of a micro-batch", "seq · mbs · h · (34 + 5 a seq / h) / 2 · layers"],
};

const settings: Record<Activation["setting"], string> = {
  unsplit: "not split",
  tensor: "tensor parallel",
  tensor_sequence: "tensor and sequence parallel",
  tensor_selective: "tensor parallel, attention core recomputed",
  tensor_sequence_selective: "tensor and sequence parallel, core recomputed",
  full: "everything recomputed",
};

const head = (scenario: Scenario, path: string, name: string): TemplateResult =>
  html`<th scope="col">${meaning(scenario, "model_sizes", path, name)}</th>`;

function off(row: Size): string {
  if (row.rule_of_thumb_elements === row.elements) return "exact";
  if (row.elements === 0) return "";
  const factor = row.rule_of_thumb_elements / row.elements;
  return `${significant(factor, 3)} ×`;
}

/** The Playbook's table A2 for the reader's model, next to its rules of thumb. */
export function sizesTable(scenario: Scenario, results: ModelSizesResults): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Sizes">
    <table class="sizes"><caption>Sizes by the shape, and by the rule of thumb of the Ultra-Scale Playbook’s A2 (a gated MLP of four hidden sizes; optimizer states in elements of two bytes).</caption>
      <thead><tr><th scope="col" class="text">Thing</th>${head(scenario, "sizes.elements", "Elements")}${head(scenario, "sizes.bytes", "Bytes")}
        <th scope="col" class="text">Rule of thumb</th>${head(scenario, "sizes.rule_of_thumb_elements", "says")}<th scope="col">off by</th></tr></thead>
      <tbody>${results.sizes.map(
        (row) => html`<tr data-thing=${row.thing}><th scope="row" class="text">${things[row.thing][0]}</th>
        <td>${exact(Math.round(row.elements))}</td><td>${row.bytes > 0 ? scenario.sizes.bytes(row.bytes) : "–"}</td>
        <td class="text"><code>${things[row.thing][1]}</code></td><td>${exact(Math.round(row.rule_of_thumb_elements))}</td>
        <td>${off(row)}</td></tr>`,
      )}</tbody></table></div>`;
}

/** FLOPs of a step by phase. */
export function flopsTable(results: ModelSizesResults): TemplateResult {
  const { step_flops: step, layer_flops: layer, rule_of_thumb_flops: rule } = results;
  const flop = (value: number) => (value === 0 ? "–" : `${significant(value, 4)}`);
  const rows: [string, number][] = [
    ["Forward", step.forward],
    ["Backward", step.backward],
    ["Computed again", step.recompute],
    ["Model: what MFU counts", step.model],
    ["Hardware: what HFU counts", step.hardware],
    ["Rule of thumb: 6 N a token", rule],
  ];
  const parts: [string, number][] = [
    ["Queries, keys, values", layer.query_key_value],
    ["Attention core", layer.attention_core],
    ["Attention output", layer.attention_output],
    ["MLP", layer.mlp],
  ];
  const whole = parts.reduce((sum, [, value]) => sum + value, 0);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="FLOPs">
    <table class="sizes"><caption>FLOP of a step, and of one layer’s forward pass for one micro-batch.</caption>
      <tbody>${rows.map(([name, value]) => html`<tr><th scope="row" class="text">${name}</th><td>${flop(value)}</td><td></td></tr>`)}
      ${parts.map(
        (
          [name, value],
          index,
        ) => html`<tr class=${index === 0 ? "starts" : ""}><th scope="row" class="text">${name}</th>
        <td>${flop(value)}</td><td>${significant((100 * value) / whole, 3)} %</td></tr>`,
      )}</tbody></table></div>`;
}

/** Activation memory by setting. */
export function activationsTable(scenario: Scenario, results: ModelSizesResults): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Activation memory">
    <table class="sizes"><caption>Activations that a micro-batch leaves on a GPU, all layers, no pipeline. Next to it, the classic shape’s
      s b h (34 + 5 a s / h), arXiv:2205.05198.</caption>
      <thead><tr><th scope="col" class="text">Setting</th>${head(scenario, "activations.layer_bytes", "A layer")}${head(
        scenario,
        "activations.all_layers_bytes",
        "All layers",
      )}${head(scenario, "activations.rule_of_thumb_bytes", "Classic")}</tr></thead>
      <tbody>${results.activations.map(
        (row) => html`<tr><th scope="row" class="text">${settings[row.setting]}</th>
        <td>${scenario.sizes.binaryBytes(row.layer_bytes)}</td><td>${scenario.sizes.binaryBytes(row.all_layers_bytes)}</td>
        <td>${scenario.sizes.binaryBytes(row.rule_of_thumb_bytes)}</td></tr>`,
      )}</tbody></table></div>`;
}

/** Weights, gradients and optimizer by ZeRO stage. */
export function zeroTable(scenario: Scenario, results: ModelSizesResults): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Memory by ZeRO stage">
    <table class="sizes"><caption>What the fullest GPU keeps of the model at each ZeRO stage, its memory with activations, and what a GPU of the stage that sends most sends to its replicas in a step.${scenario.number("pipeline_parallel") > 1 ? " Another pipeline stage may be the fullest in each row." : ""}</caption>
      <thead><tr><th scope="col" class="text">ZeRO stage</th>${head(scenario, "zero_stages.weights_bytes", "Weights")}${head(
        scenario,
        "zero_stages.gradients_bytes",
        "Gradients",
      )}${head(scenario, "zero_stages.optimizer_bytes", "Optimizer")}${head(
        scenario,
        "zero_stages.total_bytes",
        "In all",
      )}${head(scenario, "zero_stages.bytes_per_parameter", "Bytes a parameter")}${head(
        scenario,
        "zero_stages.memory_bytes",
        "Memory",
      )}${head(scenario, "zero_stages.sent_bytes_per_gpu", "Sent")}</tr></thead>
      <tbody>${results.zero_stages.map(
        (row) => html`<tr><th scope="row" class="text">${row.zero_stage === 0 ? "0: none" : row.zero_stage}</th>
        <td>${scenario.sizes.binaryBytes(row.weights_bytes, 3)}</td><td>${scenario.sizes.binaryBytes(row.gradients_bytes, 3)}</td><td>${scenario.sizes.binaryBytes(row.optimizer_bytes, 3)}</td>
        <td>${scenario.sizes.binaryBytes(row.total_bytes, 3)}</td><td>${significant(row.bytes_per_parameter, 3)}</td><td>${scenario.sizes.binaryBytes(row.memory_bytes, 3)}</td><td>${scenario.sizes.bytes(row.sent_bytes_per_gpu, 3)}</td></tr>`,
      )}</tbody></table></div>`;
}

export const sizesStyles = unsafeCSS(styles);
