// Of the layouts that a model on a cluster could have, the share that the rules of each recipe's stack refuse.
// Usage: node bench/measure/refused.mjs
import { loadEngine } from "../../build/engine/commcost.js";

const engine = await loadEngine();
const clusters = [
  ["llama-3.1-8b", 8, 64],
  ["llama-3.1-8b", 64, 256],
  ["llama-3.1-70b", 64, 128],
  ["llama-3.1-70b", 256, 512],
  ["mixtral-8x7b", 64, 256],
  ["gpt3-175b", 128, 512],
  ["qwen3-30b-a3b", 64, 512],
  ["llama-3.1-405b", 512, 512],
].map(([model, cluster_gpus, global_batch_size]) => ({ model, cluster_gpus, global_batch_size }));

const taken = new Set(engine.describe().plan.inputs.map(({ name }) => name));
const spaceOf = (inputs) => {
  const { searched } = engine.plan({ ...inputs, sequence_length: 8192, system: "dgx-h100", evaluations: 1, best: 1 });
  return searched;
};
const sum = (counts) => counts.reduce((total, count) => total + count, 0);
for (const { id, fills, use } of engine.recipe_catalog().recipes) {
  if (use !== "training") continue;
  // `other` stands for a stack whose rules are not known; here with the recipe's settings.
  const settings = Object.fromEntries(Object.entries(fills).filter(([name]) => taken.has(name)));
  const all = sum(clusters.map((cluster) => spaceOf({ ...settings, ...cluster, recipe: "other" })));
  const kept = sum(clusters.map((cluster) => spaceOf({ ...cluster, recipe: id })));
  console.log(
    `${id.padEnd(16)} ${String(all).padStart(9)} layouts, ${(100 * (1 - kept / all)).toFixed(0).padStart(3)} % refused`,
  );
}
