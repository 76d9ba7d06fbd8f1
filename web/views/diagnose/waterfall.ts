import type { DiagnoseResults } from "#engine";
import type { StackedBar, StackedBarsSpec } from "../../charts/stacked-bars.js";
import type { Subject } from "../../elements/colors.js";
import { milliseconds, millisecondUnits } from "../../state/format.js";
import type { Loss } from "../../state/diagnosis/words.js";

const ms = (value: number) => milliseconds(value, 3);

const colors: Record<Loss["cause"], Subject> = {
  slow_matmuls: "compute",
  slow_attention: "compute",
  slow_elementwise: "compute",
  throttled_clocks: "compute",
  more_work: "recompute",
  slow_links: "scale_up",
  slow_network: "network",
  not_overlapped: "communication",
  host: "launch",
  input: "waiting",
  pipeline_bubble: "pipeline",
  stage_imbalance: "pipeline",
  straggler: "straggler",
  stalls: "waiting",
  drift: "waiting",
  warm_up: "waiting",
};

/** From what is expected to what was measured, a bar for each step on the way. */
export function waterfall(found: DiagnoseResults): StackedBarsSpec {
  let from = found.expected_ms;
  const bars: StackedBar[] = [
    { label: "expected", parts: [{ name: "expected", value: found.expected_ms, color: "expected" }] },
  ];
  const step = (label: string, value: number, color: Subject) => {
    const begin = value < 0 ? from + value : from;
    bars.push({
      label,
      parts: [{ name: label, value: Math.abs(value), color, from: begin }],
      total: `${value < 0 ? "−" : "+"}${ms(Math.abs(value))}`,
    });
    from += value;
  };
  for (const { cause, title, loss_ms } of found.losses) step(title, loss_ms, colors[cause]);
  step("unexplained", found.unexplained_ms, "textbook");
  bars.push({ label: "measured", parts: [{ name: "measured", value: found.measured_ms, color: "measured" }] });
  return {
    id: "commcost-waterfall",
    title: "Where the time of a step goes.",
    summary: "Each bar begins where the one above it ends, from what is expected to what was measured.",
    bars,
    axis: "A step",
    units: millisecondUnits,
    format: ms,
    table: {
      header: ["what", "step_ms", "confidence", "where", "measured", "expected"],
      rows: [
        ["expected", found.expected_ms, "", "", "", ""],
        ...found.losses.map((loss) => [
          loss.cause,
          loss.loss_ms,
          loss.confidence,
          loss.where,
          loss.measured,
          loss.expected,
        ]),
        ["unexplained", found.unexplained_ms, "", "", "", ""],
        ["measured", found.measured_ms, "", "", "", ""],
      ],
    },
  };
}
