import type { DataOrTensorResults, PredictCollectiveResults, TensorParallelAllreduceCostResults } from "#engine";
import { modelWords } from "../../elements/scenario-words.js";
import { layerRun, layerTime } from "../../figures/layer-time.js";
import { type Reduction, reductionOf } from "../../figures/reduction.js";
import { groupStops, standsForOne } from "../../figures/group-stops.js";
import { callsOf, expectation } from "../../state/expectation.js";
import { sharesHeads } from "../../state/layout.js";
import { comparable, linkRate, machineName, measuredAlike } from "../../state/machine.js";
import { perhaps } from "../../state/parts.js";
import { acceleratorMemory, modelParameters, modelSizes } from "../../state/model-size.js";
import { completeInputs, run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";

/**
 * Everything that the article's sentences depend on, all of it from the engine. What loads later is missing until then.
 */
export interface Facts {
  scenario: Scenario;
  model: string;
  /** The GPU's name, and its memory in bytes; without a name if the accelerator is not in the catalog. */
  gpu: string;
  memoryBytes: number | undefined;
  machine: string;
  /** GPUs that share each matrix, and the group in general sentences: 8 for a single GPU. */
  group: number;
  example: number;
  cluster: number;
  parameters: number | undefined;
  weightBytes: number | undefined;
  layers: number;
  experts: number;
  /** Bytes that training keeps for each parameter. */
  trainingBytes: number | undefined;
  calls: number;
  callsPerLayer: number;
  exercise: TensorParallelAllreduceCostResults;
  /** What each GPU sends, in messages, in a group of the example's size. */
  share: number;
  /** Key-value heads; as many as attention heads if the model has no number of its own. */
  kvHeads: number;
  /** Whether the group can't share the heads evenly: then its calls have a time, but its forward pass has none. */
  uneven: boolean;
  /** All calls of a forward pass, and one alone. */
  pass: PredictCollectiveResults | undefined;
  call: PredictCollectiveResults | undefined;
  /** A call of 1 MB. */
  small: PredictCollectiveResults | undefined;
  /** Public series of measurements on the same links and as many GPUs; unknown until loaded. */
  published: number | undefined;
  reduction: Reduction;
  days: readonly Day[] | undefined;
  border: Border | undefined;
  hidden: { us: number; hiddenUs: number; exposedUs: number } | undefined;
  /** What TP and DP send for a layer of a training step over the example's GPUs. */
  sides: DataOrTensorResults | undefined;
  /** Tokens up to which start-up is at least half of a call. */
  startUpTokens: number | undefined;
}

/** A layer's forward pass in a group of some size. */
interface Day {
  group: number;
  us: number;
  waitsPercent: number;
  nodes: number;
}

/** The same all-reduce within one node and across two. */
export interface Border {
  inside: number;
  outside: number;
  insideUs: number;
  outsideUs: number;
  linkRate: number;
  networkRate: number;
}

/** A fast domain with more GPUs than this is nothing that readers would call a node. */
const largestNode = 256;

const megabyte = 1e6;
const predict = (scenario: Scenario, gpus: number, bytes: number, more: Record<string, unknown> = {}) =>
  run(scenario, "predict_collective", { collective: "all_reduce", num_gpus: gpus, message_size_bytes: bytes, ...more })
    .results;

function borderOf(scenario: Scenario, message: number): Border | undefined {
  const inside = scenario.number("gpus_per_node");
  const link = linkRate(scenario);
  const network = scenario.number("nic_gb_per_sec");
  if (!(inside >= 2 && inside <= largestNode) || link === undefined || !(network > 0)) return undefined;
  const [within, across] = [predict(scenario, inside, message), predict(scenario, 2 * inside, message)];
  if (!within || !across || within.nodes !== 1 || across.nodes < 2) return undefined;
  return {
    inside,
    outside: 2 * inside,
    insideUs: within.time_us,
    outsideUs: across.time_us,
    linkRate: link,
    networkRate: network,
  };
}

/** The largest power of two of tokens whose call is at least half start-up. */
function startUpTokensOf(scenario: Scenario, group: number, bytesPerToken: number): number | undefined {
  let last: number | undefined;
  for (let tokens = 1; tokens <= 2 ** 22; tokens *= 2) {
    const call = predict(scenario, group, tokens * bytesPerToken);
    if (!call || call.latency_part_us < call.time_us / 2) return last;
    last = tokens;
  }
  return last;
}

/** How many published series are comparable with a call; throws until the measurements are loaded. */
function publishedSeries(scenario: Scenario, group: number, call: PredictCollectiveResults): number {
  scenario.engine.measurements();
  return measuredAlike(scenario, "all_reduce", group, call).filter((series) => comparable(series, call)).length;
}

/** Values computed on first use: while a number is dragged, chapters out of sight use none. */
function later<Values extends object>(makers: { [Name in keyof Values]: () => Values[Name] }): Values {
  const values = {} as Values;
  for (const name of Object.keys(makers) as (keyof Values)[])
    Object.defineProperty(values, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = makers[name]();
        Object.defineProperty(values, name, { value, enumerable: true });
        return value;
      },
    });
  return values;
}

/** The facts of a scenario; nothing if its inputs make no layer. */
export function factsOf(scenario: Scenario): Facts | undefined {
  const { results: exercise } = run(scenario, "tensor_parallel_allreduce_cost");
  if (!exercise) return undefined;
  const inputs = completeInputs(scenario, "tensor_parallel_allreduce_cost") as Record<string, number>;
  const group = inputs["num_gpus"]!;
  const example = group === 1 ? standsForOne : group;
  const message = exercise.message_size_bytes;
  const memory = acceleratorMemory(scenario);
  const heads = scenario.number("num_heads");
  const kvHeads = scenario.number("num_kv_heads") || heads;
  const uneven = heads >= 1 && !sharesHeads(group, heads, kvHeads);
  const facts = {
    scenario,
    model: modelWords(scenario),
    gpu: memory?.name ?? "GPU",
    memoryBytes: memory?.bytes,
    machine: machineName(scenario),
    group,
    kvHeads,
    uneven,
    example,
    cluster: scenario.number("cluster_gpus"),
    layers: inputs["num_layers"]!,
    experts: scenario.number("num_experts"),
    calls: callsOf(inputs),
    callsPerLayer: inputs["allreduces_per_layer"]!,
    exercise,
    share: (2 * (example - 1)) / example,
  };
  const call = () => predict(scenario, example, message);
  const parameters = () => modelParameters(scenario);
  const rest = later<Omit<Facts, keyof typeof facts>>({
    parameters,
    weightBytes: () => {
      const count = parameters();
      return count && count * inputs["bytes_per_element"]!;
    },
    trainingBytes: () => perhaps(scenario, () => modelSizes(scenario)?.zero_stages[0])?.bytes_per_parameter,
    pass: () => (uneven ? undefined : expectation(scenario, inputs, message)?.results),
    call,
    small: () => predict(scenario, example, megabyte),
    published: () => {
      const here = call();
      return here && perhaps(scenario, () => publishedSeries(scenario, example, here));
    },
    reduction: () => reductionOf(scenario, group, message),
    days: () =>
      perhaps(scenario, () =>
        groupStops(scenario).flatMap((gpus) => {
          const layer = layerTime(scenario, gpus);
          return layer
            ? [{ group: gpus, us: layer.us, waitsPercent: (100 * layer.waits) / layer.us, nodes: layer.nodes }]
            : [];
        }),
      ),
    border: () => borderOf(scenario, message),
    hidden: () => {
      const timeline = perhaps(scenario, () => layerRun(scenario, group).results);
      return (
        timeline && {
          us: timeline.communication_us,
          hiddenUs: timeline.communication_us - timeline.exposed_us,
          exposedUs: timeline.exposed_us,
        }
      );
    },
    sides: () => perhaps(scenario, () => run(scenario, "data_or_tensor", { num_gpus: example }).results),
    startUpTokens: () =>
      startUpTokensOf(scenario, example, message / (inputs["batch_size"]! * inputs["sequence_length"]!)),
  });
  return Object.assign(rest, facts);
}
