// Every sentence of Learn that depends on the scenario is true of it: a few hundred scenarios are drawn, and what the article
// says of each is compared with the engine's tables by support/learn-oracle.mjs. No browser is needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { randomNumbers } from "../support/random-numbers.mjs";
import { nonsense } from "./support/browser.mjs";
import { checkClaims } from "./support/learn-oracle.mjs";
import { loadAll } from "./support/source.mjs";
import { modules, told } from "./support/told.mjs";

const page = await loadAll(modules);
const { pageScenario, protagonist } = page.scenario;
const engine = await loadEngine();

function article(texts) {
  const scenario = pageScenario(engine);
  scenario.reset(texts);
  const text = told.learn(page, scenario);
  return text && { scenario, text };
}

const systems = [
  "dgx-a100",
  "dgx-h100",
  "dgx-h200",
  "dgx-b200",
  "gb200-nvl72",
  "aws-p5",
  "aws-p4d",
  "mi300x-node",
  "tpu-v5p-pod",
  "l40s-box",
  "h100-pcie-box",
  "dgx-1v",
  "frontier",
  "hls-gaudi2",
];
const models = [
  "llama-3.1-70b",
  "llama-2-7b",
  "llama-3.1-405b",
  "gpt3-175b",
  "mixtral-8x7b",
  "deepseek-v3",
  "gpt2-small",
  "gpt-neox-20b",
  "qwen3-8b",
  "qwen2.5-7b",
];
const known = new Set(engine.model_catalog().models.map(({ id }) => id));

test("the first visit’s article makes every claim that an ordinary scenario can make", () => {
  const { scenario, text } = article({ ...protagonist });
  const found = checkClaims(engine, scenario, text);
  for (const name of [
    "a pass takes",
    "overflow",
    "training",
    "a pass sends",
    "heads",
    "message",
    "the sheet",
    "a thousand",
    "twice the GPUs",
    "all to one",
    "rounds",
    "ring sends",
    "gelu",
    "small",
    "ours",
    "slower",
    "start-up and filling",
    "dots",
    "saved",
    "days",
    "border",
    "no cliff",
    "network",
    "hidden",
    "T/(3h)",
    "card",
    "from here on",
    "start-up",
  ])
    assert.ok(found.includes(name), `${name}\n${text}`);
});

/** Draws articles: how often each claim was made in them. */
function checkDrawn(seed, articles) {
  const random = randomNumbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const counted = new Map();
  for (let drawn = 0; drawn < articles; ) {
    const texts = {
      model: pick(models.filter((id) => known.has(id))),
      tensor_parallel: String(pick([1, 2, 3, 4, 7, 8, 8, 16])),
      batch_size: String(pick([1, 1, 2, 8])),
      sequence_length: String(pick([1, 512, 2048, 8192])),
      ...(random() < 0.8
        ? { system: pick(systems) }
        : { system: "", accelerator: pick(["h20", "h100-nvl", "a10g", "b300"]) }),
      ...(random() < 0.5 ? { allreduce_kernel: "best" } : {}),
      ...(random() < 0.2 ? { num_layers: "7" } : {}),
      ...(random() < 0.2 ? { overlap_tensor: "false" } : {}),
    };
    const made = article(texts);
    if (!made) continue;
    drawn += 1;
    const named = JSON.stringify(texts);
    assert.equal(nonsense(made.text), undefined, named);
    assert.doesNotMatch(made.text, /–(?= )|null|(?<![.\d,]|− )1 (layers|rounds|sheets|times|tokens|GPUs)\b/, named);
    try {
      for (const name of checkClaims(engine, made.scenario, made.text)) counted.set(name, (counted.get(name) ?? 0) + 1);
    } catch (error) {
      error.message = `${named}\n${error.message}`;
      throw error;
    }
  }
  return counted;
}

test("the article is true of machines, models and groups of every kind", () => {
  const counted = checkDrawn(31, 250);
  for (const name of [
    "uneven",
    "overflow",
    "all fit",
    "small",
    "slower",
    "no dots",
    "no switch",
    "in other groups",
    "saved",
    "days",
    "border",
    "no cliff",
    "none hidden",
  ])
    assert.ok(counted.get(name) > 0, `${name} was never said: ${JSON.stringify([...counted])}`);
});

test("the article is true of the rest of a thousand", { tag: "@long" }, () => void checkDrawn(32, 750));
