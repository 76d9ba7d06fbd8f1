import type { DiagnoseResults } from "#engine";
import type { StackedBar, StackedBarsSpec } from "../../charts/stacked-bars.js";
import type { Subject } from "../../elements/tokens.js";
import { millisecondUnits, ms, percent } from "../../state/format.js";
import { confidenceWords, evidenceOf, type Loss, rangeOf, unexplainedOf } from "../../state/diagnosis/words.js";

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

/** A loss for the cursor and a screen reader: how much, how sure, the evidence, what to run next. */
const lineOf = (loss: Loss, found: DiagnoseResults): string =>
  `${loss.title}: ${ms(loss.loss_ms)}, ${percent(loss.share_percent, 2)} of the step (${confidenceWords[loss.confidence]}). ${evidenceOf(loss, found)} Run next: ${loss.command}`;

/** From the predicted to the measured step, a bar for each difference in between. */
export function waterfall(found: DiagnoseResults): StackedBarsSpec {
  let from = found.expected_ms;
  const bars: StackedBar[] = [
    {
      label: "expected",
      parts: [{ name: "expected", value: found.expected_ms, color: "expected" }],
      says: `Expected: ${ms(found.expected_ms)}. ${rangeOf(found)}`,
    },
  ];
  const step = (label: string, value: number, color: Subject, says: string) => {
    const begin = value < 0 ? from + value : from;
    bars.push({
      label,
      parts: [{ name: label, value: Math.abs(value), color, from: begin }],
      total: `${value < 0 ? "−" : "+"}${ms(Math.abs(value))}`,
      says,
    });
    from += value;
  };
  for (const loss of found.losses) step(loss.title, loss.loss_ms, colors[loss.cause], lineOf(loss, found));
  step("unexplained", found.unexplained_ms, "textbook", unexplainedOf(found));
  bars.push({
    label: "measured",
    parts: [{ name: "measured", value: found.measured_ms, color: "measured" }],
    says: `Measured: ${ms(found.measured_ms)}.`,
  });
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
