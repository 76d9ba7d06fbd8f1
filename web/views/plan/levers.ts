import type { PlanResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { bandwidth, exact, millisecondUnits, ms } from "../../state/format.js";
import "../../charts/bar-chart.js";
import { decisionsChart } from "../../figures/decisions.js";
import { layoutOf, type PlanRow } from "../../state/planned-layout.js";
import { filledText } from "../../state/presets.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import type { Scaled } from "./search.js";
import { leverSummary } from "./sentences.js";
import type { Point } from "../../charts/series.js";
import styles from "./levers.css?inline";

/** One thing that could be changed, and the resulting step. */
interface Lever {
  id: string;
  title: string;
  summary: string;
  label: string;
  points: Point[];
  here: Point | undefined;
  /** The scenario's field that moving the marked point sets; none if the search decides it. */
  field?: string;
  format: (value: number) => string;
}

/** The best layout's step with one change to the machine; nothing if that is impossible. */
function stepWith(scenario: Scenario, best: PlanRow, otherwise: Record<string, unknown>): number | undefined {
  const answer = run(scenario, "training_step", { ...layoutOf(best, scenario), ...otherwise });
  return answer.problems ? undefined : answer.results.step_time_ms;
}

function curve(values: readonly number[], at: (value: number) => number | undefined): Point[] {
  return values.flatMap((x) => {
    const y = at(x);
    return y === undefined ? [] : [{ x, y }];
  });
}

function tensorLever(found: PlanResults): Lever {
  const best = found.layouts[0]!;
  const others = found.alternatives.filter(
    ({ decision, fits, stack_rule }) => decision === "tensor_parallel" && fits && stack_rule === "",
  );
  const points = [
    ...others.map(({ value, step_time_ms }) => ({ x: Number(value), y: step_time_ms })),
    { x: best.tensor_parallel, y: best.step_time_ms },
  ];
  points.sort((one, other) => one.x - other.x);
  const format = (value: number) => `TP ${exact(value)}`;
  return {
    id: "tensor",
    title: "TP.",
    summary: leverSummary(points, best.tensor_parallel, format),
    label: "TP",
    points,
    here: { x: best.tensor_parallel, y: best.step_time_ms },
    format,
  };
}

function machineLever(
  scenario: Scenario,
  best: PlanRow,
  {
    field,
    values,
    ...lever
  }: {
    field: string;
    values: readonly number[];
    id: string;
    title: string;
    label: string;
    format: (value: number) => string;
  },
  here: number,
  hand: number,
): Lever {
  const points = curve(values, (value) => stepWith(scenario, best, { [field]: value }));
  return {
    ...lever,
    field,
    points,
    summary: leverSummary(points, here, lever.format),
    here: marked(points, hand, here),
  };
}

/** The marked point: where its reader has moved it, if that is on the answer's curve. */
const marked = (points: readonly Point[], hand: number, here: number): Point | undefined =>
  points.find(({ x }) => x === hand) ?? points.find(({ x }) => x === here);

function networkLever(scenario: Scenario, best: PlanRow, page: Scenario): Lever {
  const field = "nic_gb_per_sec";
  // 0 means the accelerator's usual value.
  const { values: inputs } = scenario.inputs("plan");
  const now =
    scenario.number(field) || Number(scenario.engine.resolve_inputs({ calculation: "plan", inputs })[field]?.value);
  // The machine's own rate stays in the middle while the marked point moves.
  const own = Number(filledText(scenario, field)) || now;
  const values = [...new Set([0.25, 0.5, 1, 2, 4].map((factor) => own * factor).concat(now))]
    .filter((rate) => rate > 0)
    .sort((a, b) => a - b);
  const format = (rate: number) => `${bandwidth(rate, 3)} per GPU`;
  return machineLever(
    scenario,
    best,
    { id: "network", title: "Network.", label: "Network bandwidth per GPU, GB/s", field, values, format },
    now,
    page.number(field),
  );
}

function nodeLever(scenario: Scenario, best: PlanRow, page: Scenario): Lever {
  const size = scenario.number("gpus_per_node");
  const values = [...new Set([1, 2, 4, 8, 16, 36, 72, size])].sort((one, other) => one - other);
  const format = (gpus: number) => `${exact(gpus)} GPUs per node`;
  return machineLever(
    scenario,
    best,
    { id: "node", title: "Node.", label: "GPUs per node", field: "gpus_per_node", values, format },
    size,
    page.number("gpus_per_node"),
  );
}

/** `older`: the rows belong to an earlier question. */
function gpusLever({ rows, of }: Scaled, page: Scenario, older: boolean): Lever {
  const cluster = of.number("cluster_gpus");
  const points = rows
    .filter(({ possible }) => possible)
    .map(({ cluster_gpus, step_time_ms }) => ({ x: cluster_gpus, y: step_time_ms }));
  const format = (gpus: number) => `${exact(gpus)} GPUs`;
  return {
    id: "gpus",
    title: "GPUs.",
    summary: older ? "Searching: this is the last answer’s." : leverSummary(points, cluster, format),
    label: "GPUs in the cluster",
    points,
    here: marked(points, page.number("cluster_gpus"), cluster),
    field: "cluster_gpus",
    format,
  };
}

function chartOf({ id, title, summary, label, points, here, field, format }: Lever): LineChartSpec {
  const drag = field !== undefined && { drag: { label: title.slice(0, -1), values: points.map(({ x }) => x), format } };
  return {
    id: `commcost-lever-${id}`,
    title,
    summary,
    nothing: summary,
    x: { label, scale: "log", ticks: points.map(({ x }) => x), format: exact },
    y: { label: "A step", scale: "log", units: millisecondUnits, format: ms },
    series: [{ name: "step", color: "expected", points }],
    ...(here ? { here: { ...here, label: "here", ...drag } } : {}),
    table: { header: [id, "step_time_ms"], rows: points.map(({ x, y }) => [x, y]) },
  };
}

/**
 * What would change the answer: four things, each with the resulting step. `page` holds what its reader has moved them
 * to.
 */
export function levers(
  found: PlanResults,
  scaled: Scaled,
  scenario: Scenario,
  page: Scenario,
  older: boolean,
): TemplateResult | typeof nothing {
  const best = found.layouts[0];
  if (!best) return nothing;
  const all = [
    tensorLever(found),
    nodeLever(scenario, best, page),
    networkLever(scenario, best, page),
    gpusLever(scaled, page, older),
  ];
  const layout = layoutOf(best, scenario);
  const now = run(scenario, "training_step", layout).results;
  return html`<section aria-labelledby="levers-title">
    <h2 id="levers-title">What would change it</h2>
    ${now ? html`<commcost-bar-chart part="chart" data-decisions .spec=${decisionsChart(scenario, layout, now)}></commcost-bar-chart>` : nothing}
    <div class="levers">${all.map(
      (
        lever,
      ) => html`<commcost-line-chart class=${older && lever.id === "gpus" ? "stale" : ""} part="chart" .spec=${chartOf(lever)}
        @change=${({ detail }: CustomEvent<{ x: number }>) => lever.field && page.set({ [lever.field]: String(detail.x) })}></commcost-line-chart>`,
    )}</div>
  </section>`;
}

export const leverStyles = unsafeCSS(styles);
