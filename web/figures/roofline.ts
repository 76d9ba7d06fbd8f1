import type { LayerRooflineResults, ServingRooflineResults } from "#engine";
import type { RooflineDot, RooflineSpec } from "../charts/roofline-chart.js";
import { capital, us } from "../state/format.js";

/** Kernels that were measured by themselves on an accelerator: products as a layer multiplies them, and its pass's attention. */
export interface MeasuredKernels {
  products: readonly RooflineDot[];
  attention: readonly RooflineDot[];
}

type Results = LayerRooflineResults | ServingRooflineResults;
type Kernel = Results["kernels"][number];

export const kernelNames: Readonly<Record<Kernel["kernel"], string>> = {
  query_key_value: "QKV",
  attention_core: "attention",
  attention_output: "attention out",
  router: "router",
  mlp_in: "MLP in",
  mlp_out: "MLP out",
  memory_bound: "norms, activation, residual",
};

/** The scope of its kernels' ranges, and which of them rest on other GPUs. */
export function rangesInWords({ kernels }: Results): string {
  const drawn = kernels.filter(({ flops }) => flops > 0);
  const on = (which: Kernel["basis"], from: string) => {
    const names = drawn.filter(({ basis }) => basis === which).map(({ kernel }) => kernelNames[kernel]);
    if (names.length === 0) return "";
    return names.length === drawn.length ? ` ${capital(from)}.` : ` For ${names.join(", ")}, ${from}.`;
  };
  return `A range holds 80 % of the measured times of such kernels.${on("similar", "these are from other GPUs of this generation")}${on("estimated", "none of these is from this generation")}`;
}

/** The kernels of one layer under its machine's roof, among those that were measured by themselves. */
export function rooflineSpec(
  results: Results,
  words: Pick<RooflineSpec, "id" | "title" | "summary">,
  gpu: string,
  measured: MeasuredKernels | undefined,
): RooflineSpec {
  const { kernels, peak_tflops, hbm_gb_per_sec, forward_us } = results;
  const { products = [], attention = [] } = measured ?? {};
  return {
    ...words,
    dots: kernels
      .filter(({ flops }) => flops > 0)
      .map(({ kernel, hbm_bytes, ...rest }) => ({ name: kernelNames[kernel], bytes: hbm_bytes, ...rest })),
    measured: [
      { name: `a product measured on ${gpu}`, hollow: false, dots: products },
      { name: `16-bit attention measured on ${gpu}`, hollow: true, dots: attention },
    ],
    peak_tflops,
    hbm_gb_per_sec,
    whole_us: forward_us,
    time: us,
    table: {
      header: ["kernel", "flops", "hbm_bytes", "time_us", "low_us", "high_us", "basis"],
      rows: [
        ...kernels.map((one) => [
          one.kernel,
          one.flops,
          one.hbm_bytes,
          one.time_us,
          one.low_us,
          one.high_us,
          one.basis,
        ]),
        ...[...products, ...attention].map(({ name, flops, bytes, time_us }) => [
          `measured: ${name}`,
          flops,
          bytes,
          time_us,
          "",
          "",
          "",
        ]),
      ],
    },
  };
}
