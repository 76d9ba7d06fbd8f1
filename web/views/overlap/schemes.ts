import type { OverlapRatioResults } from "#engine";
import { ownCurveOf, ownTimeUs } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";
import { run } from "../../state/run.js";

/** Which communication is compared with which compute. */
export type Scheme = "data_parallel" | "zero_3" | "tensor_parallel" | "tensor_parallel_region" | "pipeline_parallel";

export interface SchemeWords {
  id: Scheme;
  title: string;
  /** What is sent, and what is computed meanwhile. */
  sent: string;
  collective: "all_reduce" | "all_gather" | "send_receive";
  computed: string;
  /** The degree that it depends on, and the quantity along the heat map. */
  degree: "tensor_parallel" | "data_parallel" | "pipeline_parallel";
  across: "hidden_size" | "sequence_length";
  /** Why it depends on that. */
  because: string;
  /** What is not sent at a degree of 1; the rest of the step may send. */
  unsent: string;
}

/** The schemes of the Ultra-Scale Playbook's appendix A3, in its order. */
export const schemes: readonly SchemeWords[] = [
  {
    id: "data_parallel",
    title: "Data parallel",
    sent: "all-reduce of all gradients",
    collective: "all_reduce",
    computed: "backward pass",
    degree: "data_parallel",
    across: "sequence_length",
    because:
      "Gradients and FLOPs both grow with the parameters, so neither hidden size nor depth matters, only the tokens of a micro-batch.",
    unsent: "no gradients are added across replicas",
  },
  {
    id: "zero_3",
    title: "ZeRO-3",
    sent: "all-gather of one layer’s weights",
    collective: "all_gather",
    computed: "forward pass of one layer",
    degree: "data_parallel",
    across: "sequence_length",
    because:
      "Weights and FLOPs both grow with the layer, so its size doesn’t matter, only the tokens of a micro-batch.",
    unsent: "no weights are gathered from other replicas",
  },
  {
    id: "tensor_parallel",
    title: "Tensor parallel, next matrix",
    sent: "all-gather of activations",
    collective: "all_gather",
    computed: "the next matrix",
    degree: "tensor_parallel",
    across: "hidden_size",
    because:
      "Activations and FLOPs both grow with the tokens, so neither batch nor sequence matters, only the width of the matrix.",
    unsent: "tensor parallelism sends nothing",
  },
  {
    id: "tensor_parallel_region",
    title: "Tensor parallel, whole MLP",
    sent: "all-gather of activations",
    collective: "all_gather",
    computed: "the whole MLP",
    degree: "tensor_parallel",
    across: "hidden_size",
    because: "The same transfer against the whole MLP, as in the Playbook’s cheat-sheet.",
    unsent: "tensor parallelism sends nothing",
  },
  {
    id: "pipeline_parallel",
    title: "Pipeline parallel",
    sent: "activations to the next stage",
    collective: "send_receive",
    computed: "that stage’s layers",
    degree: "pipeline_parallel",
    across: "hidden_size",
    because:
      "One hidden state against whole layers: the wider the layers and the more of them on a stage, the better it hides.",
    unsent: "no activations go to another stage",
  },
];

/** The ratio with the times of the reader's own log for the messages; none if it measured others. */
export function ownRatio(scenario: Scenario, scheme: SchemeWords, results: OverlapRatioResults): number | undefined {
  const curve = ownCurveOf(scenario, scheme.collective, scenario.number(scheme.degree));
  const once = curve && ownTimeUs(curve, results.message_size_bytes);
  if (once === undefined) return undefined;
  const { messages, communication_us, last_message_us, compute_us } = results;
  // The last bucket counts as its share of a whole one.
  const whole = messages > 1 ? (messages - 1) / (communication_us - last_message_us) : 1 / communication_us;
  return (once * whole * communication_us) / compute_us;
}

/** One GPU's share of a sequence: a ratio is about one GPU's tokens, and A3 has no context parallelism. */
export const sequenceOfOne = (scenario: Scenario, length = scenario.number("sequence_length")): number =>
  Math.max(1, Math.round(length / Math.max(1, scenario.number("context_parallel") || 1)));

/** The inputs for a scheme's ratio. */
export const askedOf = (scenario: Scenario, scheme: Scheme): Record<string, unknown> => ({
  scheme,
  ...(scenario.number("context_parallel") > 1 ? { sequence_length: sequenceOfOne(scenario) } : {}),
});

/** A scheme's answer for the reader's scenario; degrees of one are answered as such. */
export function overlapOf(scenario: Scenario, scheme: Scheme): OverlapRatioResults | undefined {
  return run(scenario, "overlap_ratio", askedOf(scenario, scheme)).results;
}
