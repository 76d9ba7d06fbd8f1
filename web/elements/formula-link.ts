import { nothing, type TemplateResult } from "lit";
import { html } from "./html.js";
import type { CalculationName } from "../state/run.js";
import { siteAddress } from "./site.js";

/** Which page of the site derives a calculation's formulas and names their sources. */
const families = {
  tensor_parallel_allreduce_cost: "exercise",
  check_answers: "exercise",
  draw_exercise: "exercise",
  pose_exercise: "exercise",
  collective_cost: "collectives",
  collective_schedule: "collectives",
  collective_timeline: "collectives",
  collective_crossovers: "collectives",
  predict_collective: "network",
  fit_collective: "network",
  bandwidth_conversions: "network",
  overlap_ratio: "overlap",
  layer_timeline: "overlap",
  overlap_gain: "overlap",
  partition_schemes: "overlap",
  communication_ledger: "ledger",
  model_sizes: "memory",
  training_step: "step",
  layer_roofline: "step",
  host_copy_time: "step",
  project_scaling: "step",
  data_or_tensor: "step",
  trace_breakdown: "step",
  fit_step: "step",
  read_training_log: "step",
  read_gpu_samples: "step",
  diagnose: "step",
  serving_step: "serving",
  serving_roofline: "serving",
  plan_serving: "serving",
  plan_goodput: "serving",
  serving_load: "serving",
  read_benchmark: "serving",
  fit_serving: "serving",
  plan: "plan",
} as const satisfies Partial<Record<CalculationName, string>>;

/** "Derivation and sources", if the page with them is next to this one. */
export function formulaLink(calculation: keyof typeof families): TemplateResult | typeof nothing {
  const address = siteAddress(`formulas/${families[calculation]}.html#${calculation}`);
  return address === undefined
    ? nothing
    : html`<a class="formula-link small no-print" href=${address}>Derivation and sources<span
    class="visually-hidden"> of ${calculation.replaceAll("_", " ")}</span></a>`;
}
