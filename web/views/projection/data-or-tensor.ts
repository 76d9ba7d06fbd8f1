import type { DataOrTensorResults } from "#engine";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { exact } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";

/** Bytes that a GPU sends for a layer, against the tokens of a step. */
export function dataOrTensorChart(
  scenario: Scenario,
  inputs: Record<string, unknown>,
  results: DataOrTensorResults,
): LineChartSpec {
  const length = inputs["sequence_length"] as number;
  const middle = Math.max(1, results.even_tokens / length);
  const sequences = [
    ...new Set(Array.from({ length: 17 }, (_, index) => Math.max(1, Math.round(middle * 2 ** (index / 2 - 4))))),
  ];
  const here = Math.max(1, Math.round(results.step_tokens / length));
  const values = [...new Set([...sequences, here])].sort((a, b) => a - b);
  const sweep = scenario.engine.sweep({
    calculation: "data_or_tensor",
    inputs,
    axes: [{ field: "global_batch_size", values }],
  });
  const column = (name: string) =>
    values.map((value, index) => ({ x: value * length, y: sweep.results[name]![index]! }));
  const bytes = (value: number) => scenario.sizes.bytes(value, 3);
  return {
    id: "commcost-data-or-tensor",
    title: "What a GPU sends for one layer, by the tokens of a step.",
    summary: "Activations grow with the tokens, gradients don’t.",
    x: { label: "Tokens of a step", scale: "log", format: exact },
    y: { label: "Sent by each GPU", scale: "log", format: bytes },
    series: [
      { name: "TP: activations", color: "tensor", points: column("tensor_sent_bytes") },
      { name: "DP: gradients", color: "data", dash: "6 3", points: column("data_sent_bytes") },
    ],
    rules: [{ axis: "x", at: results.even_tokens, label: "both the same" }],
    here: { x: results.step_tokens, y: results.tensor_sent_bytes, label: "TP, this scenario" },
    table: {
      header: ["step_tokens", "tensor_sent_bytes", "data_sent_bytes"],
      rows: values.map((value, index) => [
        value * length,
        sweep.results["tensor_sent_bytes"]![index]!,
        sweep.results["data_sent_bytes"]![index]!,
      ]),
    },
  };
}
