import type { Engine, KernelTimeResults, LayerRooflineResults } from "#engine";
import { products, prompts, tokens } from "virtual:measured-kernels";
import type { RooflineDot } from "../charts/roofline-chart.js";
import type { MeasuredKernels } from "../figures/roofline.js";
import { exact } from "../state/format.js";
import { unpacked } from "./runs.js";

interface MeasuredOne {
  accelerator: string;
  library: string;
  time_us: number;
}

interface MeasuredProduct extends MeasuredOne {
  precision: string;
  m: number;
  n: number;
  k: number;
}

interface MeasuredAttention extends MeasuredOne {
  cache: string;
  batch: number;
  heads: number;
  kv_heads: number;
  head_size: number;
  sequence: number;
}

type Format = LayerRooflineResults["product_format"];

/** What is multiplied, as the measured table and `kernel_time` say it. */
const formats: Partial<Record<Format, { precision: string; inputs: Record<string, unknown> }>> = {
  bf16: { precision: "bfloat16", inputs: { precision: "bf16" } },
  bf16_weights_8: { precision: "int8_wo", inputs: { precision: "bf16", weight_bytes_per_element: 1 } },
  bf16_weights_4: { precision: "int4_wo", inputs: { precision: "bf16", weight_bytes_per_element: 0.5 } },
  fp8: { precision: "fp8", inputs: { precision: "fp8" } },
  fp8_block: { precision: "fp8_block", inputs: { precision: "fp8_block" } },
  nvfp4: { precision: "nvfp4", inputs: { precision: "nvfp4" } },
};

const tables = {
  products: unpacked<MeasuredProduct>(products),
  prompts: unpacked<MeasuredAttention>(prompts),
  tokens: unpacked<MeasuredAttention>(tokens),
};
const placed = new WeakMap<Engine, Map<string, MeasuredKernels>>();

/** Where a measured kernel stands: what `kernel_time` counts of its shape, in the time that was measured. */
function dot(engine: Engine, { accelerator, library, time_us }: MeasuredOne, name: string, shape: object): RooflineDot {
  const { flops, bytes }: KernelTimeResults = engine.kernel_time({ accelerator, ...shape } as Parameters<
    Engine["kernel_time"]
  >[0]);
  return { name: `${name}, ${library}`, flops, bytes, time_us };
}

function measured(engine: Engine, accelerator: string, format: Format, pass: "prompts" | "tokens"): MeasuredKernels {
  const known = formats[format];
  const here = <Row extends MeasuredOne>(rows: readonly Row[]) => rows.filter((row) => row.accelerator === accelerator);
  return {
    products: here(tables.products)
      .filter(({ precision }) => precision === known?.precision)
      .map((row) => {
        const { m, n, k } = row;
        const name = `${exact(m)} × ${exact(n)} × ${exact(k)}`;
        return dot(engine, row, name, { kind: "gemm", m, n, k, ...known!.inputs });
      }),
    attention: here(tables[pass])
      .filter(({ cache }) => cache === "bfloat16")
      .map((row) => {
        const { batch, heads, kv_heads, head_size, sequence } = row;
        const name = `${exact(batch)} × ${exact(sequence)} tokens, ${exact(heads)} heads of ${exact(head_size)}, ${exact(kv_heads)} for keys`;
        return dot(engine, row, name, {
          kind: pass === "prompts" ? "attention_prefill" : "attention_decode",
          batch_size: batch,
          sequence_length: sequence,
          num_heads: heads,
          num_kv_heads: kv_heads,
          head_size,
        });
      }),
  };
}

/** Of an accelerator and a precision, once. */
export function measuredKernels(
  engine: Engine,
  accelerator: string,
  format: Format,
  pass: "prompts" | "tokens",
): MeasuredKernels {
  const kept = placed.get(engine) ?? new Map<string, MeasuredKernels>();
  placed.set(engine, kept);
  const key = `${accelerator} ${format} ${pass}`;
  const found = kept.get(key) ?? measured(engine, accelerator, format, pass);
  kept.set(key, found);
  return found;
}
