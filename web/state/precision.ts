import type { ModelCatalogResults } from "#engine";
import { once } from "./once.js";
import { hardware } from "./presets.js";
import { searchedSettings } from "./settings.js";
import type { Texts } from "./texts.js";
import type { Scenario } from "./scenario.js";

/** Precision under its usual names: one name for a combination of several fields. */
export interface Precision {
  id: string;
  name: string;
  /** Its value for each field. */
  fields: Readonly<Record<string, string>>;
}

/** With the scale that a block of numbers shares: 8 bits for 16 of NVFP4 and 32 of MX formats, 16 for 32 of INT4. */
const nvfp4Bytes = "0.5625";
const mxfp4Bytes = "0.53125";
const blockInt4Bytes = "0.5625";
const mxfp8Bytes = "1.03125";

const served = (id: string, name: string, weights: string, products: string, cache = "0"): Precision => ({
  id,
  name,
  fields: { weight_bytes_per_element: weights, serving_matmul_precision: products, kv_bytes_per_element: cache },
});

/** A server's; a checkpoint that is quantized already is one of them. */
export const servingPrecisions: readonly Precision[] = [
  served("bf16", "BF16", "0", "stored"),
  served("fp8", "FP8", "1", "fp8"),
  served("fp8_kv", "FP8, FP8 KV cache", "1", "fp8", "1"),
  served("mxfp8", "MXFP8", mxfp8Bytes, "mxfp8"),
  served("int4", "INT4 weights", "0.5", "stored"),
  served("int4_32", "INT4 weights, blocks of 32", blockInt4Bytes, "stored"),
  served("mxfp4", "MXFP4 weights", mxfp4Bytes, "stored"),
  served("nvfp4", "NVFP4", nvfp4Bytes, "nvfp4"),
];

/** The fields that a choice sets. */
const fieldsOf = (precisions: readonly Precision[]): string[] => Object.keys(precisions[0]!.fields);

/** Fields of a server's precision: those that a choice sets, and the bytes of numbers, which no choice sets. */
export const servingPrecisionFields: readonly string[] = ["bytes_per_element", ...fieldsOf(servingPrecisions)];

const trained = (id: string, name: string, products: string): Precision => ({
  id,
  name,
  fields: { bytes_per_element: "2", matmul_precision: products },
});

/** A training run's: weights are kept in 16 bits whatever multiplies them. */
export const trainingPrecisions: readonly Precision[] = [
  trained("bf16", "BF16", "stored"),
  trained("fp8", "FP8", "fp8"),
  trained("mxfp8", "MXFP8", "mxfp8"),
  trained("nvfp4", "NVFP4", "nvfp4"),
];

const models = once((scenario) => scenario.engine.model_catalog().models);

/** As a model's checkpoint is published; numbers of 16 bits where that is not known. */
export const publishedIn = (model: ModelCatalogResults["models"][number] | undefined): Precision =>
  servingPrecisions.find(
    ({ fields }) =>
      Number(fields["weight_bytes_per_element"]) === model?.hub_weight_bytes &&
      fields["serving_matmul_precision"] === model.hub_matmul_precision,
  ) ?? servingPrecisions[0]!;

/** As the scenario's model is published. */
export const ofCheckpoint = (scenario: Scenario): Precision =>
  publishedIn(models(scenario).find(({ id }) => id === scenario.text("model")));

/** The choice that the fields match; nothing if they match none. */
export const precisionOf = (scenario: Texts, precisions: readonly Precision[]): Precision | undefined =>
  precisions.find(({ fields }) =>
    Object.entries(fields).every(([name, value]) => {
      const text = scenario.text(name);
      // A cache or weights without a precision of their own have that of the numbers.
      const follows = value === "0" && ["", "0", scenario.text("bytes_per_element")].includes(text);
      return follows || text === value;
    }),
  );

/** A scenario's precisions by name, training's and a server's, and the fields that each stands for; a name of none where its fields are none of them. */
export const precisionChoices: readonly {
  name: string;
  fields: readonly string[];
  of(scenario: Texts): string | undefined;
}[] = [
  {
    name: "precision",
    fields: fieldsOf(trainingPrecisions),
    of: (scenario) =>
      searchedSettings(scenario).includes("matmul_precision")
        ? "auto"
        : precisionOf(scenario, trainingPrecisions)?.name,
  },
  {
    name: "serving_precision",
    fields: fieldsOf(servingPrecisions),
    of: (scenario) => precisionOf(scenario, servingPrecisions)?.name,
  },
];

/** Those that the accelerator multiplies in. */
export function offered(scenario: Scenario, precisions: readonly Precision[]): readonly Precision[] {
  const has = hardware(scenario)
    .accelerators.find(({ id }) => id === scenario.text("accelerator"))
    ?.matmul_precisions.split(", ");
  const products = (fields: Precision["fields"]) => fields["matmul_precision"] ?? fields["serving_matmul_precision"]!;
  return precisions.filter(({ fields }) => products(fields) === "stored" || !has || has.includes(products(fields)));
}
