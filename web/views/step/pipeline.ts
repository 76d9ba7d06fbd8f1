import type { TrainingStepResults } from "#engine";
import "../../charts/lane-chart.js";
import type { LaneChartSpec } from "../../charts/lane-chart.js";
import type { Subject } from "../../elements/tokens.js";
import { choiceWord } from "../../elements/labels.js";
import { exact, microsecondUnits, us } from "../../state/format.js";
import { bubbleSummary } from "./sentences.js";
import type { Scenario } from "../../state/scenario.js";

type Bar = TrainingStepResults["timeline"]["bars"][number];

/** With more stages and passes than these there is no picture. */
const mostStages = 16;
const mostBars = 3000;

const passes: Record<Bar["work"], { name: string; color: Subject }> = {
  forward: { name: "forward pass", color: "compute" },
  backward: { name: "backward pass", color: "input_gradient" },
  weight_gradient: { name: "deferred weight gradients", color: "weight_gradient" },
};

/** The pipeline's schedule, stage by stage; nothing with one stage, or with more than can be seen. */
export function pipelineChart(scenario: Scenario, results: TrainingStepResults): LaneChartSpec | undefined {
  const schedule = scenario.text("pipeline_schedule");
  const { timeline } = results;
  const { bars, length_us } = timeline;
  const stages = (bars.at(-1)?.stage ?? 0) + 1;
  if (stages < 2 || stages > mostStages || bars.length > mostBars) return undefined;
  const used = [...new Set(bars.map(({ work }) => work))];
  const micro_batches = Math.max(...bars.map(({ micro_batch }) => micro_batch)) + 1;
  const chunks = Math.max(...bars.map(({ chunk }) => chunk)) + 1;
  // In DualPipe micro-batches come from both ends, in the others layers are in chunks.
  const where = (chunk: number) =>
    chunks === 1
      ? ""
      : schedule === "dualpipe"
        ? `, from the ${chunk === 0 ? "first" : "last"} stage on`
        : `, chunk ${chunk + 1} of ${chunks}`;
  const one = (value: number) => us(value);
  return {
    id: "commcost-pipeline",
    title: `The pipeline under ${choiceWord(scenario, "pipeline_schedule", schedule)}, stage by stage.`,
    summary: bubbleSummary(results),
    lanes: Array.from({ length: stages }, (_, stage) => `stage ${exact(stage + 1)}`),
    bars: bars.map(({ stage, chunk, micro_batch, work, start_us, duration_us }) => ({
      lane: stage,
      start: start_us,
      duration: duration_us,
      label: String(micro_batch + 1),
      color: passes[work].color,
      note: `${passes[work].name} of micro-batch ${exact(micro_batch + 1)} of ${exact(micro_batches)}${where(chunk)}`,
    })),
    legend: used.map((work) => ({ color: passes[work].color, label: passes[work].name })),
    splits: [],
    end: length_us,
    format: one,
    axis: "Time, without the update",
    units: microsecondUnits,
    table: {
      header: ["stage", "chunk", "micro_batch", "work", "start_us", "duration_us"],
      rows: bars.map(({ stage, chunk, micro_batch, work, start_us, duration_us }) => [
        stage,
        chunk,
        micro_batch,
        work,
        start_us,
        duration_us,
      ]),
    },
  };
}
