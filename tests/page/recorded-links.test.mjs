// Links of former releases open the scenario that those releases opened (record-links.mjs wrote them down): every field that each had,
// typed or left out, in the view that the link names. What is another value today has a row here, with its reason.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const page = await loadAll({
  scenarios: "state/page-scenario.ts",
  meaning: "app/link-meaning.ts",
  views: "app/views.ts",
  trained: "state/trained.ts",
  pins: "state/pins.ts",
});

/** The later release settles what links mean; it opened those of the earlier one as well. */
const read = (release) => JSON.parse(readFileSync(new URL(`../data/links/${release}.json`, import.meta.url)));
const [before, settled] = ["6f4d4ff", "7065edc"].map(read);

/** Names of the releases that are no field of today. */
const gone = {
  link: "chosen by its name it fills the bandwidth, which is compared",
  compute_efficiency_percent: "kernels have a time scale; CHANGELOG 1.0.0",
  attention_efficiency_percent: "kernels have a time scale",
  expert_efficiency_percent: "kernels have a time scale",
  memory_efficiency_percent: "kernels have a time scale",
  serving_compute_efficiency_percent: "kernels have a time scale",
  serving_attention_efficiency_percent: "kernels have a time scale",
  serving_expert_efficiency_percent: "kernels have a time scale",
};

/** What a link says but for its view. */
const said = (texts) => [...texts.keys()].filter((name) => !["v", "view"].includes(name));

/** A step that serves, which the later release opened as one that trains. */
const servesNow = ({ texts, view }) => view === "step" && ["prefill", "decode"].includes(texts.get("mode"));

const servingStacks = engine.describe().serving_step.inputs.find(({ name }) => name === "recipe").choices;
const ofRecipe = engine
  .describe()
  .training_step.inputs.filter(({ filled_by }) => filled_by === "recipe")
  .map(({ name }) => name);

const degrees = ["num_gpus", "tensor_parallel", "data_parallel", "ranks", "group_size"];

/** What has another value today, and why: {names, from, to, why, where}. A row without `from` takes any. */
const changed = [
  { names: ["kernel_start_us"], from: 6, to: 5.9, why: "fitted anew: what a recipe fills follows its runs" },
  { names: ["sequence_host_us"], from: 80, to: 71, why: "fitted anew" },
  { names: ["host_us_per_kernel"], from: 39, to: 38, why: "fitted anew" },
  {
    names: ["regather_input"],
    ...{ from: false, to: true, why: "Megatron of 2021 gathers inputs again" },
    where: ({ texts }) => texts.get("software") === "classic",
  },
  {
    names: ["best"],
    from: 20,
    to: 8,
    why: "a plan lists families; how many of their layouts is no question of a reader",
  },
  {
    names: ["most_token_ms", "most_first_token_ms"],
    ...{ from: 0, why: "Serve asks for a latency; a link of another view says none" },
    where: ({ texts, view }) => view !== "serve" || said(texts).length === 0,
  },
  { names: ["mode"], to: "training", why: "an old serving link opens Serve, which has both passes", where: servesNow },
  {
    names: ["gives_way"],
    to: "data_parallel",
    why: "in Train the replicas follow from the cluster",
    where: ({ view }) => ["step", "overlap"].includes(view),
  },
  {
    names: ["matmul_precision"],
    to: "stored",
    why: "a precision that the hardware lacks is refused, and the page says so",
    where: ({ unknown }) => unknown.some((name) => name.startsWith("matmul_precision=")),
  },
  {
    names: ["recipe", ...ofRecipe],
    why: "a stack that serves trains nothing, and the page says so",
    where: ({ texts }) => servingStacks.includes(texts.get("recipe")),
  },
  {
    names: degrees,
    why: "heads that the usual TP 8 does not divide get a degree that does, and the page says so",
    where: ({ texts, view, uneven }) =>
      uneven && !["ring", "network"].includes(view) && !["num_gpus", "tensor_parallel"].some((name) => texts.has(name)),
  },
];

/** What said a server's step, before it had fields of its own. */
const ofStep = [
  ...["tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel", "expert_tensor_parallel"],
  ...["batch_size", "sequence_length"],
];

const presets = ["model", "system", "calibration"];
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What a link opens today: the view, and the text or value of each field there. */
function opened(hash) {
  const scenario = page.scenarios.pageScenario(engine);
  const { texts, pinned, view, unknown } = page.meaning.meaningOf(scenario, { search: "", hash });
  scenario.load(texts, pinned);
  const shown = page.views.viewNamed(view) ?? page.views.usualView;
  // Train shows a layout: the one that is pinned.
  const laidOut = shown.laidOut ? page.trained.trained(scenario) : scenario;
  const valueIn = (of) => (name) => (presets.includes(name) ? of.text(name) : (of.entry(name).value ?? ""));
  return { scenario, shown, unknown, laidOut, value: valueIn(laidOut), beside: pinned && valueIn(laidOut.pinned) };
}

/** How fields of a record differ from today's, beyond what has a reason; the rows whose reason was needed are added to `needed`. */
function differing(recorded, value, place, needed) {
  const found = [];
  for (const [name, was] of Object.entries(recorded)) {
    const now = value(name);
    if (name in gone || same(now, was)) continue;
    const reason = changed.find(
      ({ names, from, to, where }) =>
        names.includes(name) && (from ?? was) === was && (to ?? now) === now && (where?.(place) ?? true),
    );
    if (reason) needed.add(reason);
    else found.push(`${name}: ${JSON.stringify(was)} is now ${JSON.stringify(now)}`);
  }
  return found;
}

test("200 links and more of two releases were recorded, of each of their views", () => {
  assert.ok(settled.links.length >= 200, `${settled.links.length} links`);
  const links = new Set(settled.links.map(({ link }) => link));
  for (const { link } of before.links) assert.ok(links.has(link), link);
  const views = (links) => [...new Set(links.map(({ view }) => view))].sort();
  assert.deepEqual(views(before.links), ["cost", "exercise", "network", "overlap", "plan", "ring", "training"]);
  const later = ["cost", "exercise", "network", "overlap", "plan", "ring", "serve", "start", "step"];
  assert.deepEqual(views(settled.links), later);
});

test("each opens the view and the scenario that it opened, and the one beside it", () => {
  const needed = new Set();
  const wrong = [];
  for (const { link, view, fields, pinned } of settled.links) {
    const { shown, unknown, value, beside } = opened(link);
    const texts = new URLSearchParams(link.slice(1));
    const place = { texts, view, unknown, uneven: value("num_heads") % 8 > 0 };
    const was = { ...settled.usual, ...fields };
    const step = shown.id === "serve" && said(texts).length > 0 ? ofStep.map((name) => [name, was[name]]) : [];
    const known = [...Object.keys(gone), ...changed.flatMap(({ names }) => names)];
    const told = [
      ...(shown === page.views.viewNamed(servesNow(place) ? "serve" : view) ? [] : [`opens ${shown.id}`]),
      ...unknown.filter((text) => !known.includes(text.split("=")[0])).map((text) => `does not know ${text}`),
      ...differing(was, value, place, needed),
      ...differing(Object.fromEntries(step), (name) => value(`serving_${name}`), place, needed),
      ...(Boolean(pinned) === Boolean(beside) ? [] : ["another number of scenarios"]),
      ...(pinned && beside
        ? differing({ ...settled.usual, ...pinned }, beside, { ...place, uneven: beside("num_heads") % 8 > 0 }, needed)
        : []),
    ];
    if (told.length > 0) wrong.push(`${link}\n  ${told.join("\n  ")}`);
  }
  assert.deepEqual(wrong, []);
  // A reason that nothing needs is none.
  for (const reason of changed) assert.ok(needed.has(reason), reason.why);
});

test("of a layout, links to a step pin every degree, those to a plan none", () => {
  for (const { link } of settled.links) {
    const { scenario, shown, laidOut } = opened(link);
    const names = page.pins.searchedInputs(engine.describe().plan.inputs).map(({ name }) => page.pins.pinName(name));
    const pinned = names.filter((name) => scenario.text(name) !== "");
    if (shown.laidOut) assert.ok(laidOut.isPinned, link);
    else if (shown.id === "plan")
      assert.deepEqual(
        pinned.filter((name) => !link.includes(name)),
        [],
        link,
      );
  }
});

test("what a link of the earlier release typed is what it typed, beside what the later one reads differently", () => {
  const settledOf = new Map(settled.links.map((one) => [one.link, one]));
  let compared = 0;
  for (const { link, fields } of before.links) {
    const { view, fields: settledFields } = settledOf.get(link);
    const later = { ...settled.usual, ...settledFields };
    const { value } = opened(link);
    const texts = new URLSearchParams(link.slice(1));
    if (servesNow({ texts, view })) texts.delete("mode");
    for (const name of texts.keys()) {
      const was = { ...before.usual, ...fields }[name];
      if (was === undefined || name in gone || !same(later[name], was)) continue;
      assert.deepEqual(value(name), was, `${name} of ${link}`);
      compared++;
    }
  }
  assert.ok(compared > 500, `${compared} fields`);
});
