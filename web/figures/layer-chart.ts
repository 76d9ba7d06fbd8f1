import type { LayerTimelineResults } from "#engine";
import type { LaneBar, LaneChartSpec } from "../charts/lane-chart.js";
import type { Subject } from "../elements/tokens.js";
import { microsecondUnits, percent, significant, us } from "../state/format.js";
import { activityNames } from "./activity-names.js";
import { ownTimeUs, type OwnCurve } from "../state/own-log.js";

type Bar = LayerTimelineResults["bars"][number];

const passes: Record<Bar["pass"], { color: Subject; words: string }> = {
  forward: { color: "compute", words: "forward" },
  recompute: { color: "recompute", words: "recomputed" },
  input_gradient: { color: "input_gradient", words: "input gradient" },
  weight_gradient: { color: "weight_gradient", words: "weight gradient" },
};

function laneBar(bar: Bar): LaneBar {
  const transfer = bar.lane === "communication";
  const exposed = bar.exposed_us > 0;
  return {
    lane: transfer ? 1 : 0,
    start: bar.start_us,
    duration: bar.duration_us,
    label: activityNames[bar.operation],
    color: transfer ? "tensor" : passes[bar.pass].color,
    marked: transfer && exposed,
    note: transfer
      ? `${passes[bar.pass].words}; ${exposed ? `${us(bar.exposed_us)} of it while compute waits` : "hidden"}`
      : passes[bar.pass].words,
  };
}

/** The transfers that a log measured, each at its start, for the time in the log. */
function ownBars(bars: readonly Bar[], own: OwnCurve | undefined): LaneBar[] {
  if (!own) return [];
  return bars.flatMap((bar): LaneBar[] => {
    if (bar.operation !== own.collective || bar.group_size !== own.num_gpus) return [];
    const once = ownTimeUs(own, bar.message_size_bytes);
    if (once === undefined) return [];
    const duration = once * bar.calls;
    const note = `${significant(duration / bar.duration_us, 2)} times as long as ideal`;
    return [{ lane: 2, start: bar.start_us, duration, label: activityNames[bar.operation], color: "own", note }];
  });
}

/** How long compute waits for what is sent, and how much of the communication it hides. */
function waits({ forward_us, backward_us, communication_us, exposed_us }: LayerTimelineResults): string {
  if (communication_us === 0) return "Nothing is sent within this layer.";
  if (exposed_us === 0) return `All of the ${us(communication_us)} of communication is hidden.`;
  const total = forward_us + backward_us;
  const hidden = communication_us - exposed_us;
  return `Compute waits ${us(exposed_us)} of ${us(total)}, ${percent((100 * exposed_us) / total, 2)} of the layer; ${hidden === 0 ? "none" : us(hidden)} of the ${us(communication_us)} of communication is hidden.`;
}

/** One layer, forward and backward, as bars on a compute and a communication lane, and on a third from a log. */
export function layerChart(results: LayerTimelineResults, curve?: OwnCurve): LaneChartSpec {
  const own = ownBars(results.bars, curve);
  const total = results.forward_us + results.backward_us;
  const used = new Set(results.bars.filter((bar) => bar.lane === "compute").map((bar) => bar.pass));
  const sent = results.bars.filter((bar) => bar.lane === "communication");
  return {
    id: "commcost-layer-timeline",
    title: "One layer on one GPU.",
    summary: waits(results),
    lanes: ["compute", "communication", ...(own.length > 0 ? ["your log"] : [])],
    bars: [...results.bars.map(laneBar), ...own],
    legend: [
      ...(Object.keys(passes) as Bar["pass"][])
        .filter((pass) => used.has(pass))
        .map((pass) => ({ color: passes[pass].color, label: passes[pass].words })),
      ...(sent.some(({ exposed_us }) => exposed_us === 0)
        ? [{ color: "tensor" as const, label: "transfer, hidden" }]
        : []),
      ...(sent.some(({ exposed_us }) => exposed_us > 0)
        ? [{ color: "tensor" as const, label: "transfer, compute waits", marked: true }]
        : []),
      ...(own.length > 0 ? [{ color: "own" as const, label: "as your log has them" }] : []),
    ],
    splits: results.backward_us > 0 ? [{ at: results.forward_us, before: "forward", after: "backward" }] : [],
    end: Math.max(total, ...own.map(({ start, duration }) => start + duration)),
    format: (value) => us(value),
    axis: "Time from the layer’s start",
    units: microsecondUnits,
    table: {
      header: ["lane", "pass", "operation", "start_us", "duration_us", "exposed_us"],
      rows: results.bars.map((bar) => [
        bar.lane,
        bar.pass,
        bar.operation,
        ...[bar.start_us, bar.duration_us, bar.exposed_us].map((value) => Number(value.toPrecision(6))),
      ]),
    },
  };
}
