import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { hardware } from "../../state/presets.js";
import type { Session } from "../../state/session.js";

/** How a server's numbers are kept and multiplied, as people call it; the fields that say so in parts. */
interface Precision {
  id: string;
  name: string;
  weight_bytes_per_element: string;
  matmul_precision: string;
  kv_bytes_per_element: string;
}

/** Of scales that blocks of numbers share: 4 bits and 8 for every 16, or for every 32. */
const nvfp4Bytes = "0.5625";
const mxfp4Bytes = "0.53125";

const choice = (id: string, name: string, weights: string, products: string, cache = "0"): Precision => ({
  id,
  name,
  weight_bytes_per_element: weights,
  matmul_precision: products,
  kv_bytes_per_element: cache,
});

/** Every choice; a checkpoint that is quantized already is one of them. */
export const precisions: readonly Precision[] = [
  choice("bf16", "BF16", "0", "stored"),
  choice("fp8", "FP8", "1", "fp8"),
  choice("fp8_kv", "FP8, FP8 KV cache", "1", "fp8", "1"),
  choice("int4", "INT4 weights", "0.5", "stored"),
  choice("mxfp4", "MXFP4 weights", mxfp4Bytes, "stored"),
  choice("nvfp4", "NVFP4", nvfp4Bytes, "nvfp4"),
];

/** The fields that a choice sets. */
export const precisionFields = ["weight_bytes_per_element", "matmul_precision", "kv_bytes_per_element"] as const;

/** Models whose checkpoints are quantized as they are published. */
const checkpoints: readonly [RegExp, string][] = [
  [/^deepseek-(v3|r1)/, "fp8"],
  [/^gpt-oss/, "mxfp4"],
];

/** As the model's checkpoint is published. */
export const ofCheckpoint = (model: string): Precision =>
  precisions.find(({ id }) => id === (checkpoints.find(([name]) => name.test(model))?.[1] ?? "bf16"))!;

/** The choice that the fields say; nothing where they say none of them. */
export const precisionOf = (text: (name: string) => string): Precision | undefined =>
  precisions.find((one) =>
    precisionFields.every((name) => {
      // A cache or weights without a precision of their own follow the numbers'.
      const follows = one[name] === "0" && ["", "0", text("bytes_per_element")].includes(text(name));
      return follows || text(name) === one[name];
    }),
  );

/** What the accelerator multiplies. */
function offered(scenario: Session): readonly Precision[] {
  const has = hardware(scenario)
    .accelerators.find(({ id }) => id === scenario.text("accelerator"))
    ?.matmul_precisions.split(", ");
  return precisions.filter(({ matmul_precision: wanted }) => wanted === "stored" || !has || has.includes(wanted));
}

/** One choice for all three fields. */
export function precisionControl(scenario: Session): TemplateResult {
  const now = precisionOf((name) => scenario.text(name));
  const own = ofCheckpoint(scenario.text("model"));
  const pick = (event: Event) => {
    const picked = precisions.find(({ id }) => id === (event.target as HTMLSelectElement).value);
    if (picked) scenario.set(Object.fromEntries(precisionFields.map((name) => [name, picked[name]])));
  };
  return html`<div class="field"><label for="serve-precision">Precision</label>
    <select id="serve-precision" name="precision" ?disabled=${scenario.readonly} @change=${pick}>
      ${now ? "" : html`<option value="" selected>as set below</option>`}
      ${offered(scenario).map(
        (one) =>
          html`<option value=${one.id} ?selected=${one === now}>${one.name}${one === own ? " (checkpoint)" : ""}</option>`,
      )}</select><span class="note"></span></div>`;
}
