import type { TensorParallelAllreduceCostResults } from "#engine";
import { html } from "../elements/html.js";
import { bandwidth, exact, milliseconds } from "../state/format.js";
import type { Sizes } from "../state/sizes.js";
import { type Derivation, frac, type Math, mi, mn, mo, mtext, paren, row, sup, times } from "../elements/math.js";

const M = mi("M", "message_size_bytes");
const V = mi("V", "comm_volume_per_allreduce_bytes");
const T = mi("T", "total_comm_volume_bytes");
const t = mi("t", "total_comm_time_ms");
const b = mi("b", "batch_size");
const s = mi("s", "sequence_length");
const h = mi("h", "hidden_size");
const e = mi("e", "bytes_per_element");
const n = mi("n", "num_gpus");
const L = mi("L", "num_layers");
const a = mi("a", "allreduces_per_layer");
const B = mi("B", "bandwidth_gb_per_sec");
const is = mo("=");
const number = (value: number): Math => mn(exact(value));
const MILLION = sup(mn(10), mn(6));

/** The exercise's four formulas with the reader's numbers. */
export function costDerivation(
  sizes: Sizes,
  inputs: Record<string, number>,
  results: TensorParallelAllreduceCostResults,
): Derivation[] {
  const value = (name: string): Math => number(inputs[name]!);
  const alone = inputs["num_gpus"] === 1;
  return [
    {
      name: "message_size_bytes",
      title: "The message",
      symbolic: row(M, is, times(b, s, h, e)),
      substituted: row(
        M,
        is,
        times(value("batch_size"), value("sequence_length"), value("hidden_size"), value("bytes_per_element")),
      ),
      result: row(M, is, number(results.message_size_bytes), mtext(" bytes")),
      otherwise: sizes.bytes(results.message_size_bytes),
      note: "The activation of shape (batch, sequence, hidden): every GPU holds a partial sum of all of it.",
    },
    {
      name: "comm_volume_per_allreduce_bytes",
      title: "Sent by each GPU in one ring all-reduce",
      symbolic: row(V, is, times(frac(row(mn(2), paren(n, mo("−"), mn(1))), n), M)),
      substituted: row(
        V,
        is,
        times(
          frac(row(mn(2), mo("·"), paren(value("num_gpus"), mo("−"), mn(1))), value("num_gpus")),
          number(results.message_size_bytes),
        ),
      ),
      result: row(V, is, number(results.comm_volume_per_allreduce_bytes), mtext(" bytes")),
      otherwise: sizes.bytes(results.comm_volume_per_allreduce_bytes),
      note: alone
        ? "One GPU has no other to send to: nothing is communicated."
        : html`n − 1 steps of one n-th to reduce-scatter, as many to all-gather (Patarasuk &amp; Yuan, 2009). No algorithm
          without help from the network sends less.`,
    },
    {
      name: "total_comm_volume_bytes",
      title: "Sent by each GPU in all layers",
      symbolic: row(T, is, times(V, L, a)),
      substituted: row(
        T,
        is,
        times(number(results.comm_volume_per_allreduce_bytes), value("num_layers"), value("allreduces_per_layer")),
      ),
      result: row(T, is, number(results.total_comm_volume_bytes), mtext(" bytes")),
      otherwise: sizes.bytes(results.total_comm_volume_bytes),
      note:
        inputs["allreduces_per_layer"] === 2
          ? "Two all-reduces a layer: one after attention, one after the MLP; both of the same size."
          : "Every pass over the layers, forward, backward or recomputation, sums after attention and after the MLP: twice a layer, unless the two share a sum.",
    },
    {
      name: "total_comm_time_ms",
      title: "Time",
      symbolic: row(t, is, frac(T, times(B, MILLION)), mtext(" ms")),
      substituted: row(
        t,
        is,
        frac(number(results.total_comm_volume_bytes), times(value("bandwidth_gb_per_sec"), MILLION)),
        mtext(" ms"),
      ),
      result: row(t, is, number(results.total_comm_time_ms), mtext(" ms")),
      otherwise:
        results.total_comm_time_ms >= 1 && results.total_comm_time_ms < 1000
          ? undefined
          : milliseconds(results.total_comm_time_ms),
      note: `Bandwidth alone, ${bandwidth(inputs["bandwidth_gb_per_sec"]!)} one way: no latency, no overlap with compute.`,
    },
  ];
}
