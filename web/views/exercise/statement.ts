import type { DrawExerciseResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { labelOf } from "../../elements/labels.js";
import { sheetsPicture } from "../../exercise/kind-picture.js";
import { exact } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import type { Exercise } from "./exercise.js";
import styles from "./statement.css?inline";

const passes: Record<DrawExerciseResults["passes"], string> = {
  forward: "Count one forward pass.",
  forward_and_backward: "Count the forward and the backward pass; each has the same number of all-reduces.",
  forward_backward_and_recompute:
    "Count a forward pass, the same forward pass again (activations are recomputed), and the backward pass; each has the same number of all-reduces.",
};

/** Inputs in the order in which the exercise gives them. */
const told = [
  "hidden_size",
  "num_layers",
  "batch_size",
  "sequence_length",
  "num_gpus",
  "bytes_per_element",
  "bandwidth_gb_per_sec",
  "allreduces_per_layer",
] as const;

/** An input in the exercise's own words and units. */
function stated(name: (typeof told)[number], { inputs, drawn, fixed }: Exercise, scenario: Scenario): string {
  const value = exact(inputs[name]!);
  const own = drawn && !fixed.has(name) ? drawn : undefined;
  switch (name) {
    case "bytes_per_element":
      // From the second level on, learners must know how many bytes a format takes.
      return own ? (own.model ? own.number_format : `${value} (${own.number_format})`) : value;
    case "bandwidth_gb_per_sec": {
      const as_typed = scenario.given(name) && scenario.entry(name).spelled ? scenario.text(name) : `${value} GB/s`;
      return `${own ? `${exact(own.stated_bandwidth)} ${own.stated_bandwidth_unit}` : as_typed}, one way${own?.link ? `: ${own.link}` : ""}`;
    }
    case "allreduces_per_layer":
      return own ? "2 in a pass: after attention, after the MLP" : value;
    default:
      return value;
  }
}

const labels: Partial<Record<string, string>> = {
  bytes_per_element: "Bytes per number",
  allreduces_per_layer: "All-reduces per layer",
};

/** The exercise in words, and its inputs as they are given. */
export function statement(exercise: Exercise, scenario: Scenario, compact: boolean): TemplateResult {
  const { inputs, drawn, fixed } = exercise;
  const named = drawn?.model && !fixed.has("hidden_size") && !fixed.has("num_layers") ? drawn.model : "A transformer";
  const gpus = inputs["num_gpus"]!;
  return html`<p part="headline" class="headline">${named} ${gpus === 1 ? "runs on one GPU" : `is split over ${exact(gpus)} GPUs by tensor parallelism`}.
      What do the all-reduces of its activations cost?</p>
    <p>${drawn && !fixed.has("allreduces_per_layer") ? passes[drawn.passes] : passes.forward} The algorithm is a ring; latency and overlap are left out.</p>
    ${compact ? nothing : sheetsPicture(inputs)}
    <dl part="inputs" class="given">${told.map(
      (name) => html`<div>
      <dt>${labels[name] ?? labelOf(scenario, name)} <code>${name}</code></dt>
      <dd class="number">${stated(name, exercise, scenario)}</dd>
    </div>`,
    )}</dl>`;
}

export const statementStyles = unsafeCSS(styles);
