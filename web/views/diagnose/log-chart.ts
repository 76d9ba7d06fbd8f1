import type { LineChartSpec, Rule } from "../../charts/line-chart.js";
import type { Point, Series } from "../../charts/series.js";
import { sizeAxis } from "../../elements/size-axis.js";
import { about, partsOf } from "../../figures/network-curve.js";
import type { NetworkFinding } from "../../state/diagnosis/words.js";
import { rangeName } from "../../state/expectation.js";
import { bandwidth, capital, dashed, exact } from "../../state/format.js";
import { linkRate, measuredAlike, type Measured } from "../../state/machine.js";
import type { OwnCurve } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";

/** Bus bandwidths from times by size, as nccl-tests prints them. */
const ratesOf =
  ({ bus_factor }: NetworkFinding) =>
  (sizes: ArrayLike<number>, times: ArrayLike<number>): number[] =>
    Array.from(sizes, (size, at) => (bus_factor * size) / (1e3 * times[at]!));

/** Bus bandwidth of a log against message size, with the times that its verdict compares it with and what was published. */
export function logChart(scenario: Scenario, judged: NetworkFinding, log: OwnCurve): LineChartSpec {
  const { collective, num_gpus, message_sizes_bytes: sizes } = judged;
  const rates = ratesOf(judged);
  const dots = (at: ArrayLike<number>, times: ArrayLike<number>, note: string): Point[] => {
    const all = rates(at, times);
    return Array.from(at, (x, index) => ({ x, y: all[index]!, note }));
  };
  const published = measuredAlike(scenario, collective, num_gpus, judged);
  const { alike, apart } = partsOf(published, scenario.text("launch") as Measured["launch"]);
  // Sizes outside the log’s own range say nothing about it.
  const [least, greatest] = [Math.min(...sizes), Math.max(...sizes)];
  const dotsOf = (runs: readonly Measured[]): Point[] =>
    runs
      .flatMap((series) => dots(series.message_size_bytes, series.time_us, about(series)))
      .filter(({ x }) => x >= least && x <= greatest)
      .sort((one, other) => one.x - other.x);
  const expected = rates(sizes, judged.expected_us);
  const [lowest, highest] = [rates(sizes, judged.high_us), rates(sizes, judged.low_us)];
  const series: Series[] = [
    {
      name: rangeName(judged.basis),
      kind: "band",
      color: "expected",
      points: Array.from(sizes, (x, at) => ({ x, y: NaN, low: lowest[at]!, high: highest[at]! })),
    },
    { name: "predicted", color: "expected", points: Array.from(sizes, (x, at) => ({ x, y: expected[at]! })) },
    ...apart.map(({ name, runs }) => ({
      name,
      kind: "dots" as const,
      hollow: true,
      color: "measured" as const,
      points: dotsOf(runs),
    })),
    { name: "measured", kind: "dots", color: "measured", points: dotsOf(alike) },
    { name: "your log", kind: "dots", color: "own", points: dots(log.message_size_bytes, log.time_us, log.name) },
  ];
  const link = judged.nodes === 1 ? linkRate(scenario) : undefined;
  const rules: Rule[] = link ? [{ axis: "y", at: link, label: `the link, one way: ${bandwidth(link)}` }] : [];
  const drawn = series
    .flatMap(({ points }) => points)
    .flatMap(({ y, low, high }) => [low ?? y, high ?? y])
    .filter((rate) => rate > 0);
  const runs = published.length;
  return {
    id: "commcost-network-log",
    title: `${capital(dashed(collective))} on ${exact(num_gpus)} GPUs.`,
    summary:
      runs > 0
        ? `Your log next to the prediction that it is judged by, and to ${exact(runs)} published ${runs === 1 ? "run" : "runs"} on such machines.`
        : "Your log next to the prediction that it is judged by. We know of no published run of it on as many such GPUs.",
    x: sizeAxis(scenario.sizes),
    y: {
      label: "Bus bandwidth",
      scale: "log",
      domain: [Math.min(...drawn) / 1.6, Math.max(...drawn, link ?? 0) * 2],
      units: [{ name: "GB/s", size: 1 }],
      format: (rate) => bandwidth(rate, 3),
    },
    series,
    rules,
    tall: true,
    table: {
      header: ["message_size_bytes", "expected_us", "low_us", "high_us", "own_time_us"],
      rows: Array.from(sizes, (size, at) => [
        size,
        ...[judged.expected_us, judged.low_us, judged.high_us].map((times) => Number(times[at]!.toPrecision(5))),
        log.time_us[log.message_size_bytes.indexOf(size)] ?? "",
      ]),
    },
  };
}
