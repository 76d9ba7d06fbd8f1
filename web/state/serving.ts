import type { FieldDescription } from "#engine";

/** What serves is a stack of its own: whichever software the scenario trains with, the view of a server has its own choice. */

/** What the page calls the recipe of a server. */
export const servingRecipe = "serving_recipe";

/** Inputs of a server that the page leaves to its stack, and the pass, of which the view shows both. */
const leftToStack: readonly string[] = [
  "mode",
  "flash_attention",
  "compute_efficiency_percent",
  "attention_efficiency_percent",
  "expert_efficiency_percent",
  "host_us_per_kernel",
  "cuda_graphs",
  "allreduce_kernel",
  "memory_efficiency_percent",
  "kernel_start_us",
  "allreduce_start_us",
  "sequence_host_us",
];

/** What a server's input is called in the scenario; nothing where the page leaves it to the stack. */
export function servingName(input: string): string | undefined {
  if (input === "recipe") return servingRecipe;
  return leftToStack.includes(input) ? undefined : input;
}

/** What only the page asks for: which stack serves, of those that do. */
export function servingFields(
  inputs: readonly FieldDescription[],
  recipes: readonly { id: string; use: string }[],
): FieldDescription[] {
  const recipe = inputs.find(({ name }) => name === "recipe")!;
  const choices = recipes.filter(({ use }) => use === "serving").map(({ id }) => id);
  return [
    {
      ...recipe,
      name: servingRecipe,
      choices,
      allowed: choices.join(", "),
      help: "Which stack serves; fills what it does",
    },
  ];
}
