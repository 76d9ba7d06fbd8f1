import type { FieldDescription } from "#engine";

/** What serves is a stack of its own: whichever software the scenario trains with, a server has its own choice, and fields of its own for what that does. */

/** What the page calls the recipe of a server. */
export const servingRecipe = "serving_recipe";

/** What both kinds of stacks say of themselves has the server's sign before it. */
const sign = "serving_";
const ofBoth: readonly string[] = [
  "flash_attention",
  "grouped_experts",
  "fp8_scaling",
  "gemm_time_scale",
  "grouped_gemm_time_scale",
  "attention_time_scale",
  "elementwise_time_scale",
  "host_us_per_kernel",
  "cuda_graphs",
  "allreduce_kernel",
  "expert_exchange",
];

/** What products are multiplied in: a server may do so in another precision than training. */
const ofProducts: readonly string[] = ["matmul_precision"];

/** What says a step: a server's is its own, as a training step's is. Empty, it is the answer's. */
const ofStep: readonly string[] = [
  "tensor_parallel",
  "pipeline_parallel",
  "data_parallel",
  "expert_parallel",
  "expert_tensor_parallel",
  "batch_size",
  "sequence_length",
];

/** The same of both, by the scenario's names. */
export const productNames: readonly string[] = ofProducts.flatMap((name) => [name, sign + name]);

const ofServer: readonly string[] = [...ofBoth, ...ofProducts, ...ofStep];

/** Those for which a server has words of its own. */
const stepWords: Readonly<Record<string, { label: string; help: string }>> = {
  batch_size: { label: "Batch", help: "Sequences that share a step" },
  sequence_length: { label: "Context", help: "Tokens in each sequence’s KV cache" },
};

/** GPUs that serve: a cluster of their own. */
export const servingGpus = "serving_gpus";

/** Whether a calculation with these inputs is of a server: it asks for a cache that lives from token to token. */
export const serves = (inputs: readonly FieldDescription[]): boolean =>
  inputs.some(({ name }) => name === "kv_bytes_per_element");

/** What a server's input is called in the scenario; nothing for the pass, of which the view shows both. */
export function servingName(input: string): string | undefined {
  if (input === "recipe") return servingRecipe;
  if (input === "cluster_gpus") return servingGpus;
  if (input === "mode") return undefined;
  return ofServer.includes(input) ? sign + input : input;
}

/** A scenario's field by the name that it has in calls. */
export const withoutSign = (name: string): string =>
  name.startsWith(sign) && ofServer.includes(name.slice(sign.length)) ? name.slice(sign.length) : name;

/** What a server's own view calls what a calculation, or a link of before, says its step by. */
export const servedName = (name: string): string =>
  name === "num_gpus" ? `${sign}tensor_parallel` : [...ofProducts, ...ofStep].includes(name) ? sign + name : name;

/** What products are multiplied in, said by training's name; nothing where that says nothing. */
export const productsOf = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(ofProducts.flatMap((name) => (texts[name] === undefined ? [] : [[sign + name, texts[name]]])));

/** A server's step, said by training's names. */
export const stepOf = (textOf: (name: string) => string): Record<string, string> =>
  Object.fromEntries(ofStep.map((name) => [sign + name, textOf(name)]));

/** What the stack that serves does: fields that it fills. */
export const servingStackFields = (inputs: readonly FieldDescription[]): string[] =>
  inputs.filter(({ filled_by }) => filled_by === "recipe").map(({ name }) => servingName(name)!);

/** Which stack serves, what it does and in which precision, on how many GPUs, and one step of it: `inputs` of an answer and of a step. */
export function servingFields(
  inputs: readonly FieldDescription[],
  step: readonly FieldDescription[],
): FieldDescription[] {
  const gpus = inputs.find(({ name }) => name === "cluster_gpus")!;
  const recipe = inputs.find(({ name }) => name === "recipe")!;
  return [
    {
      ...recipe,
      name: servingRecipe,
      label: "Serving stack",
      help: "Which stack serves; fills what it does",
    },
    { ...gpus, name: servingGpus },
    ...inputs
      .filter(({ name }) => ofProducts.includes(name))
      .map(({ group: _, ...field }) => ({ ...field, name: servingName(field.name)! })),
    ...inputs
      .filter(({ filled_by }) => filled_by === "recipe")
      .map(({ group: _, ...field }) => ({ ...field, name: servingName(field.name)!, filled_by: servingRecipe })),
    ...step
      .filter(({ name }) => ofStep.includes(name))
      .map(({ group: _, shown: __, default: ___, ...field }) => ({
        ...field,
        ...stepWords[field.name],
        name: servingName(field.name)!,
        required: false,
      })),
  ];
}
