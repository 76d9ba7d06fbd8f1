// The engine of the hosted page, in its parts: what is there at once, what waits, and that each calculation gives what it
// gives in commcost.js, on inputs whose figures are recorded.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { engine as whole } from "./support.mjs";

const assets = new URL("../../build/site/assets/", import.meta.url);
const [script] = readdirSync(assets).filter((name) => /^engine-.*\.js$/.test(name));
const recorded = new URL("../data/recorded/", import.meta.url);

/** What comes before the rest, by its parts, with what these take from. */
const before = {
  network: { names: ["predict_collective"], files: ["network"] },
  schedule: { names: ["collective_schedule"], files: ["schedule"] },
  rounds: {
    names: ["collective_cost", "collective_timeline", "collective_crossovers", "collective_catalog"],
    files: ["rounds"],
  },
  practice: { names: ["check_answers", "draw_exercise", "pose_exercise"], files: ["practice"] },
  serving: { names: ["serving_step", "plan_serving"], files: ["steps", "pass", "serving"] },
  training: { names: ["training_step", "plan"], files: ["training"] },
  scaling: { names: ["plan_scaling"], files: ["scaling"] },
  layer: { names: ["layer_timeline"], files: ["layer"] },
  overlap: { names: ["overlap_ratio"], files: ["overlap"] },
  sizes: { names: ["model_sizes"], files: ["sizes"] },
  measured: { names: ["measurements"], files: ["measured"] },
};
const later = [...Object.values(before).flatMap(({ files }) => files), "sweep", "rest"];

/** A host of files, which keeps each later part back until it is let go. */
const letGo = {};
const held = Object.fromEntries(later.map((name) => [name, new Promise((resolve) => (letGo[name] = resolve))]));
const fetched = [];
let helpFails = true;
globalThis.fetch = async (address) => {
  const { pathname } = new URL(address);
  fetched.push(pathname.match(/(\w+)-[^/]*$/)[1]);
  const name = fetched.at(-1);
  await held[name];
  if (name === "help" && helpFails) return new Response("", { status: 503 });
  const headers = { "content-type": "application/wasm" };
  return new Response(readFileSync(fileURLToPath(address)), { headers });
};
const { loadEngine } = await import(new URL(script, assets).href);
const parts = await loadEngine();
const atOnce = ["tensor_parallel_allreduce_cost", "hardware_catalog", "model_catalog", "recipe_catalog"];
const early = [...atOnce, ...Object.values(before).flatMap(({ names }) => names)];

/** Of each calculation; in order of their making, which is random. */
const most = 40;
const inputsOf = (name) =>
  readFileSync(new URL(`${name}.jsonl`, recorded), "utf8")
    .trim()
    .split("\n")
    .slice(0, most)
    .map((line) => JSON.parse(line).inputs);

function outcome(calculate) {
  try {
    return { results: calculate() };
  } catch (error) {
    if (error.name !== "InvalidInputError") throw error;
    return { problems: error.problems };
  }
}

function agree(name) {
  const all = inputsOf(name);
  assert.ok(all.length > 0);
  for (const inputs of all)
    assert.deepEqual(
      outcome(() => parts[name](inputs)),
      outcome(() => whole[name](inputs)),
    );
}

const sweeps = [
  {
    calculation: "tensor_parallel_allreduce_cost",
    inputs: { hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_layers: 32 },
    axes: [{ field: "num_gpus", values: [1, 2, 3, 8, 64] }],
  },
  {
    calculation: "predict_collective",
    inputs: { collective: "all_reduce", num_gpus: 8, system: "dgx-h100" },
    axes: [{ field: "message_size_bytes", values: [64, 4096, 1048576] }],
  },
];
const resolved = ["training_step", "predict_collective"].map((calculation) => ({
  calculation,
  inputs: inputsOf(calculation).find((inputs) => !outcome(() => whole[calculation](inputs)).problems),
}));

test("the first part calculates what the page shows first, with all others still out", () => {
  assert.deepEqual(fetched, ["first"]);
  for (const name of atOnce) agree(name);
});

const unexplained = (value) => JSON.parse(JSON.stringify(value, (key, inner) => (key === "help" ? "" : inner)));

test("the first part reads inputs of every calculation as the whole does, without their help", () => {
  const told = parts.describe();
  const all = whole.describe();
  assert.deepEqual(Object.keys(told), Object.keys(all));
  for (const [name, { inputs, results }] of Object.entries(all)) {
    assert.deepEqual(told[name].inputs, unexplained(inputs), name);
    assert.deepEqual(told[name].results, atOnce.includes(name) ? unexplained(results) : [], name);
  }
});

for (const [part, { names, files }] of Object.entries(before))
  test(`${part}: its calculations wait for it alone, then give what the whole engine gives`, async () => {
    const known = fetched.length;
    const waiting = names.map((name) => {
      let awaited;
      assert.throws(
        () => parts[name]({}),
        (error) => {
          awaited = error.part;
          return error.name === "PartMissing";
        },
      );
      return awaited.here;
    });
    for (const file of files) letGo[file]();
    await Promise.all(waiting);
    assert.deepEqual(fetched.slice(known).sort(), files.toSorted(), "each was asked for once");
    for (const name of [...names, ...atOnce]) agree(name);
    for (const name of names)
      assert.deepEqual(parts.describe()[name].results, unexplained(whole.describe()[name].results), name);
    assert.ok(parts.part("diagnose"), "the rest is not waited for");
  });

test("a sweep waits for what sweeps and for its own calculation, and for nothing else", async () => {
  const known = fetched.length;
  assert.throws(
    () => parts.sweep({ ...sweeps[0], calculation: "diagnose" }),
    (error) => error.name === "PartMissing" && error.part === parts.part("diagnose"),
  );
  for (const request of sweeps) assert.throws(() => parts.sweep(request), { name: "PartMissing" });
  const awaited = parts.part("sweep").here;
  letGo.sweep();
  await awaited;
  assert.deepEqual(fetched.slice(known).sort(), ["rest", "sweep"], "each was asked for once");
  for (const request of sweeps) assert.deepEqual(parts.sweep(request), whole.sweep(request));
  assert.ok(parts.part("diagnose"), "the rest is not waited for");
});

test("a calculation of the rest waits for it, then gives what the whole engine gives", async () => {
  const others = Object.keys(whole.describe()).filter((name) => !early.includes(name));
  const waiting = [];
  for (const name of others)
    assert.throws(
      () => parts[name]({}),
      (error) => error.name === "PartMissing" && waiting.push(error.part.here) > 0,
    );
  assert.throws(() => parts.resolve_inputs(resolved[0]), { name: "PartMissing" });
  letGo.rest();
  await Promise.all(waiting);
  assert.deepEqual(fetched.toSorted(), ["first", ...later].toSorted(), "each was asked for once");
  await parts.ready();
  assert.deepEqual(parts.describe(), unexplained(whole.describe()));
  for (const name of [...others, ...early]) agree(name);
  for (const request of resolved) assert.deepEqual(parts.resolve_inputs(request), whole.resolve_inputs(request));
});

test("help is a file of its own, asked for by whoever shows it, and again where it did not come", async () => {
  const told = parts.describe();
  assert.equal(await parts.help.ask(), false);
  assert.match(parts.help.reason, /503/);
  assert.equal(parts.describe(), told);
  helpFails = false;
  assert.deepEqual(await Promise.all([parts.help.ask(), parts.help.ask()]), [true, true]);
  assert.deepEqual(fetched.slice(-2), ["help", "help"]);
  assert.deepEqual(parts.describe(), whole.describe());
});

test("the engine carries help texts only where calculations give them as results", () => {
  const helps = new Set();
  JSON.stringify(whole.describe(), (key, value) => {
    if (key === "help") helps.add(value);
    return value;
  });
  const text = readdirSync(assets)
    .filter((name) => /^(?:first|network|rounds|practice|steps|serving|training|overlap|sweep|rest|engine)-/.test(name))
    .map((name) => readFileSync(new URL(name, assets), "latin1"))
    .join("");
  // Shorter ones are labels as well, or the ends of other texts.
  const long = [...helps].filter((help) => help.length > 30 && /^[ -~]+$/.test(help));
  const carried = long.filter((help) => text.includes(help));
  assert.ok(carried.length < long.length / 20, carried.join("\n"));
});
