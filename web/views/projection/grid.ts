import type { TrainingStepResults } from "#engine";
import { overPossible } from "../../state/over.js";
import { modelPresets } from "../../state/presets.js";
import type { Scenario } from "../../state/scenario.js";
import { exposedMs } from "../../state/step.js";
import { exact, ms, significant } from "../../state/format.js";
import type { GridSpec } from "./grid-chart.js";

/** The slides' largest model, billions of parameters, and the family whose sizes are drawn. */
const largest = 18.4;
const family = "Megatron";
/** The slides go from one node to 128. */
const mostDoublings = 7;

/** One step of the grid: a model on so many GPUs. */
interface Step {
  gpus: number;
  results: TrainingStepResults | undefined;
}

/** The machine of the scenario, as a step takes it. */
function machineOf(scenario: Scenario): Record<string, unknown> {
  const { values } = scenario.inputs("training_step");
  const own = new Set(
    scenario.engine
      .describe()
      ["training_step"]!.inputs.filter(({ group, name }) => group === "machine" || name === "system")
      .map(({ name }) => name as string),
  );
  return Object.fromEntries(Object.entries(values).filter(([name]) => own.has(name)));
}

/** ZeRO-3 over all GPUs, each with the scenario's micro-batch: where the time of a step goes, by model and by GPUs. */
export function sizesAndGpus(scenario: Scenario): GridSpec | undefined {
  const node = scenario.number("gpus_per_node");
  const [sequence, batch] = [scenario.number("sequence_length"), scenario.number("batch_size")];
  if (!(node >= 1 && sequence >= 1 && batch >= 1)) return undefined;
  const counts = Array.from({ length: mostDoublings + 1 }, (_, doublings) => node * 2 ** doublings);
  const work = { sequence_length: sequence, batch_size: batch, zero_stage: 3, recompute: "full" };
  const inputs = { ...machineOf(scenario), ...work, recipe: "deepspeed" };
  const shown = modelPresets(scenario).filter(
    ({ group, figures }) => group === family && Number.parseFloat(figures) <= largest,
  );
  const changes = shown.flatMap(({ id }) =>
    counts.map((gpus) => ({ model: id, data_parallel: gpus, global_batch_size: batch * gpus })),
  );
  const found = overPossible(scenario.engine, "training_step", inputs, changes);
  const models = shown.map(({ name }, row) => ({
    name: name.replace(/^.* /, ""),
    steps: counts.map((gpus, column): Step => ({ gpus, results: found[row * counts.length + column] })),
  }));
  const cells = models.map(({ steps }) => {
    const first = steps[0]!.results;
    return steps.map(({ gpus, results }) => {
      if (!results || !first) return undefined;
      const waits = exposedMs(results) / results.step_time_ms;
      return {
        parts: [
          { color: "compute" as const, name: "compute", share: 1 - waits },
          { color: "communication" as const, name: "exposed communication", share: waits },
        ],
        text: `${significant(((gpus / node) * first.step_time_ms) / results.step_time_ms, 3)}×`,
        warned: !results.fits,
        reading: `${exact(gpus)} GPUs: ${ms(results.step_time_ms)} a step, ${significant(100 * waits, 3)} % of it exposed communication, ${significant(((gpus / node) * first.step_time_ms) / results.step_time_ms, 3)} times the throughput of ${exact(node)}${results.fits ? "" : "; does not fit"}`,
        step_time_ms: results.step_time_ms,
        waits,
      };
    });
  });
  const last = cells.flatMap((row) => row.at(-1) ?? []);
  if (last.length === 0) return undefined;
  const most = Math.max(...last.map(({ waits }) => waits));
  return {
    id: "commcost-projection-grid",
    title: "ZeRO-3: where a step’s time goes, by model and GPUs.",
    summary: `Each GPU keeps its ${exact(batch)} ${batch === 1 ? "sequence" : "sequences"} of ${exact(sequence)} tokens; under each bar the throughput of all GPUs against ${exact(node)}. On ${exact(counts.at(-1)!)} GPUs up to ${significant(100 * most, 2)} % of a step is exposed communication.`,
    columns: counts.map((count) => exact(count)),
    across: "GPUs",
    rows: models.map(({ name }) => name),
    up: "model",
    cells,
    warning: "does not fit",
    table: {
      header: ["model", "cluster_gpus", "step_time_ms", "exposed_share", "throughput_ratio"],
      rows: cells.flatMap((row, at) =>
        row.flatMap((cell, column) =>
          cell
            ? [[models[at]!.name, counts[column]!, cell.step_time_ms, cell.waits, Number.parseFloat(cell.text)]]
            : [],
        ),
      ),
    },
  };
}
