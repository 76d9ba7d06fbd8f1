import type { DiagnoseResults, FitCollectiveResults } from "#engine";
import { bandwidth, capital, exact, ms, percent, significant } from "../format.js";

/** All sentences of the diagnosis, for the page and the command line: functions of the engine's findings. */

export type Loss = DiagnoseResults["losses"][number];
export type NetworkFinding = DiagnoseResults["networks"][number];

/** Causes as they appear within a sentence. */
export const causeWords: Record<Loss["cause"], string> = {
  slow_matmuls: "slow matrix products",
  slow_attention: "slow attention",
  slow_elementwise: "slow or unfused small kernels",
  throttled_clocks: "clocks that are held down",
  more_work: "work that the job does not ask for",
  slow_links: "slow links in the node",
  slow_network: "a slow network",
  not_overlapped: "communication that is not hidden",
  host: "a host that launches too late",
  input: "long pauses in which nothing runs",
  pipeline_bubble: "pipeline stages that wait",
  stage_imbalance: "a pipeline stage with more to do",
  straggler: "a straggler",
  stalls: "steps that stall",
  drift: "steps that get slower",
  warm_up: "slow first steps",
};

/** "a, b or c". */
export function listed(words: readonly string[], last: string): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

const slower = (measured: number, expected: number): string => {
  const more = 100 * (measured / expected - 1);
  return `${percent(Math.abs(more), 2)} ${more < 0 ? "faster" : "slower"}`;
};

/** The answer in one sentence. */
export function headlineOf(found: DiagnoseResults): string {
  const { verdict, measured_ms, expected_ms, losses } = found;
  if (verdict === "nothing_measured") return networkHeadline(found);
  const [first] = losses;
  const took = `A step takes ${ms(measured_ms)}`;
  if (verdict === "as_expected")
    return `${took}; ${ms(expected_ms)} is expected. That is within its range: nothing to find.`;
  if (verdict === "faster")
    return `${took}; ${ms(expected_ms)} is expected. It is faster than our range: is the job below the one that ran?`;
  if (!first)
    return `${took}, ${slower(measured_ms, expected_ms)} than the expected ${ms(expected_ms)}, and these files don’t say why.`;
  const rival = first.rival ? ` or ${causeWords[first.rival as Loss["cause"]]}` : "";
  const lost = measured_ms - expected_ms;
  // The losses exceed the delay: the rest of the step is faster than expected.
  if (first.loss_ms > 2 * lost)
    return `${took}; ${ms(expected_ms)} is expected. Yet it loses ${losses.length > 1 ? `most, ${ms(first.loss_ms)},` : ms(first.loss_ms)} to ${causeWords[first.cause]}${rival}.`;
  const cost = lost > first.loss_ms ? `${ms(first.loss_ms)} of ${ms(lost)}` : ms(first.loss_ms);
  return `${took} instead of the expected ${ms(expected_ms)}. ${
    losses.length > 1 ? "Main cause" : "Cause"
  }: ${causeWords[first.cause]}${rival} (${cost}).`;
}

/** The band of the prediction, in a sentence. */
export const rangeOf = ({ expected_low_ms, expected_high_ms }: DiagnoseResults): string =>
  `80 % of such runs take ${ms(expected_low_ms)} to ${ms(expected_high_ms)}.`;

/** The lines below: what the band is, and what measured it. */
export function underOf(found: DiagnoseResults): string {
  const { measured_by, series, verdict } = found;
  if (verdict === "nothing_measured") return "";
  const by =
    measured_by === "training_log"
      ? `Measured: the mean of ${exact(series.steps)} ${series.steps === 1 ? "step" : "steps"} in your log, without its first.`
      : "Measured: your profile.";
  return `${by} ${rangeOf(found)}`;
}

/** The evidence of a loss, in a sentence. */
export function evidenceOf(
  { evidence, where, measured, expected, ratio, cause }: Loss,
  found: DiagnoseResults,
): string {
  const times = ratio > 0 ? ` (${significant(ratio, 3)}x)` : "";
  switch (evidence) {
    case "clocks":
      return `${where} runs at ${exact(Math.round(measured))} MHz of at most ${exact(Math.round(expected))} MHz.`;
    case "steps":
      return stepsEvidence(where, measured, expected, cause, found);
    case "ranks":
      return `${capital(where)} computes ${ms(measured)} a step, the usual one ${ms(expected)}${times}.`;
    case "pauses":
      return cause === "input"
        ? `The longest pause, in which nothing runs, is ${ms(measured)}.`
        : cause === "host"
          ? `Pauses shorter than 1 ms add up to ${ms(measured)} a step.`
          : `The profiled GPU waits ${ms(measured)} a step for other stages; ${ms(expected)} is expected.`;
    case "messages":
      return cause === "not_overlapped"
        ? `${where}: the step waits ${ms(measured)} for it; ${ms(expected)} is expected${times}.`
        : `${where}: messages take ${ms(measured)} a step; ${ms(expected)} is expected${times}.`;
    case "what_if":
      return `With the ${where} log’s bandwidth a step takes ${ms(measured)}.`;
    default:
      return `Kernels of this kind take ${ms(measured)} a step; ${ms(expected)} is expected${times}. Most in ${where}.`;
  }
}

function stepsEvidence(
  where: string,
  measured: number,
  expected: number,
  cause: Loss["cause"],
  found: DiagnoseResults,
) {
  const { series } = found;
  if (cause === "stalls") {
    const every = series.stall_every > 1 ? `, every ${exact(series.stall_every)} steps` : "";
    return `${exact(series.stalled_steps)} of ${exact(series.steps)} steps stall${every}; the longest, ${where}, takes ${ms(measured)} instead of ${ms(expected)}.`;
  }
  if (cause === "drift")
    return `The last third of the log is ${percent(series.drift_percent, 2)} slower than the first.`;
  return `${capital(where)} take ${ms(measured)} each; ${ms(expected)} is usual after them.`;
}

export const confidenceWords: Record<Loss["confidence"], string> = {
  high: "sure",
  medium: "likely",
  low: "possible",
};

type Part = DiagnoseResults["parts"][number];

/** The measurements that a part was judged on. */
const unusedOf = ({ unused, log }: Pick<Part, "unused" | "log">): string =>
  `${exact(unused)} ${log > 0 ? (unused === 1 ? "size" : "sizes") : unused === 1 ? "product" : "products"} that it was not taken from`;

/** How much closer a part brings predictions, or why it is not offered. */
export function partOf(part: Part): string {
  const { verdict, error_before_percent, error_after_percent } = part;
  const [before, after] = [percent(error_before_percent, 2), percent(error_after_percent, 2)];
  switch (verdict) {
    case "offered":
      return `On ${unusedOf(part)}, predictions are off by ${after} instead of ${before}.`;
    case "as_expected":
      return `A factor of 1 fits it: there is nothing to calibrate. On ${unusedOf(part)}, predictions are off by ${before}.`;
    case "not_better":
      return `Not offered: on ${unusedOf(part)}, predictions would be off by ${after} instead of ${before}.`;
    default:
      return `Not offered: on ${unusedOf(part)}, predictions would still be off by ${after} (${before} without it). One factor doesn’t describe it.`;
  }
}

/** The remainder, in a sentence. */
export function unexplainedOf({ unexplained_ms, measured_ms, consistent_with, verdict }: DiagnoseResults): string {
  if (verdict === "nothing_measured") return "";
  const share = Math.abs(unexplained_ms) / measured_ms;
  if (share < 0.02) return "Nothing is left unexplained.";
  const what = `${ms(Math.abs(unexplained_ms))} (${percent(100 * share, 2)} of the step) ${
    unexplained_ms > 0 ? "is unexplained" : "less than these add up to: the rest of the step is faster than expected"
  }.`;
  if (consistent_with.length === 0 || unexplained_ms < 0) return what;
  return `${what} It would fit ${listed(
    consistent_with.map((cause) => causeWords[cause as Loss["cause"]]),
    "or",
  )}.`;
}

const missingWords: Record<DiagnoseResults["missing"][number], string> = {
  training_log: "A training log shows stalls, drift and the mean over many steps.",
  profile:
    "A PyTorch profile of one GPU tells kernels, communication and pauses apart: torch.profiler with record_shapes=True, two steps.",
  profiles_of_ranks: "Profiles of two or three more GPUs tell a straggler from slow links.",
  profiles_of_stages: "A profile of one GPU of each pipeline stage tells an uneven split from a bubble.",
  network_log: "An nccl-tests log of the same nodes tells the network from a straggler.",
  gpu_samples:
    "nvidia-smi --query-gpu=index,clocks.sm,clocks.max.sm,power.draw,enforced.power.limit,temperature.gpu,clocks_event_reasons.active --format=csv -l 1 shows clocks that are held down.",
};

/** Files that would reveal more, a sentence each. */
export const missingOf = ({ missing }: DiagnoseResults): string[] => missing.map((file) => missingWords[file]);

const suspectWords: Record<NetworkFinding["suspect"], string> = {
  none: "",
  unit: "bits and bytes mistaken in the machine’s network bandwidth",
  no_nvls: "NVLink SHARP (NVLS) is off",
  launch_mode: "another launch mode (one process for several GPUs)",
  protocol: "a forced NCCL protocol",
  one_slow_node: "one slow node, rail or cable",
  no_gpudirect: "no GPUDirect RDMA",
};

const named = (collective: string) => collective.replaceAll("_", "-");

/** The verdict on a network log, in a sentence. */
export function networkOf(one: NetworkFinding): string {
  const of = `${named(one.collective)} on ${exact(one.num_gpus)} GPUs`;
  const { verdict, large_ratio, small_ratio } = one;
  // If no run of such machines is published, nothing was measured elsewhere.
  const like =
    one.basis === "measured" ? "predicted from published runs of such machines" : "predicted for such machines";
  if (verdict === "as_expected")
    return one.in_band_percent < 50
      ? `${capital(of)}: large messages are as ${like}, but only ${percent(one.in_band_percent, 2)} of all sizes are in range.`
      : `${capital(of)} is as ${like} (${percent(one.in_band_percent, 2)} of the sizes in range).`;
  const suspects = [one.suspect, one.other_suspect].filter((suspect) => suspect !== "none");
  const why =
    suspects.length > 0
      ? ` Suspect: ${listed(
          suspects.map((suspect) => suspectWords[suspect]),
          "or",
        )}.`
      : " The log does not say why.";
  if (verdict === "faster")
    return `${capital(of)} is ${significant(1 / large_ratio, 2)}x faster than ${like}.${suspects.length > 0 ? why : ""}`;
  return verdict === "small_slower"
    ? `${capital(of)}: large messages are as expected, small ones take ${significant(small_ratio, 2)}x as long.${why}`
    : `${capital(of)}: large messages take ${significant(large_ratio, 2)}x as long as ${like}.${why}`;
}

type Conclusion = FitCollectiveResults["conclusion"];

/** The summary of its rows in a log's last lines, in a sentence; empty if it has none. */
export function conclusionOf({
  printed_average_gb_per_sec: printed,
  rows_average_gb_per_sec: rows,
  checked,
  wrong_values,
}: Conclusion): string {
  // Rows are printed to 0.01 GB/s.
  const agrees = Math.abs(printed - rows) <= 0.02 + 0.005 * rows;
  return [
    wrong_values > 0
      ? `It counts ${exact(wrong_values)} wrong ${wrong_values === 1 ? "value" : "values"}: find out why before you trust its times.`
      : "",
    printed > 0 && !agrees
      ? `Its last line says ${bandwidth(printed, 3)} on average, its rows come to ${bandwidth(rows, 3)}: rows are missing or were changed.`
      : "",
    printed > 0 && agrees && wrong_values === 0
      ? `Its rows come to the average of its last line, ${bandwidth(printed, 3)}${checked ? ", without a wrong value" : ""}.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function networkHeadline({ networks }: DiagnoseResults): string {
  const worst = networks.find(({ verdict }) => verdict !== "as_expected") ?? networks[0];
  return worst ? networkOf(worst) : "Why is it slower than it should be? Drop what you have of the run.";
}
