// Calculations that are run again and again: each run is what a call with the same inputs would be, and what it gave stays.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { engine, exercise, problemsOf } from "./support.mjs";

const step = {
  model: "llama-3.1-70b",
  system: "dgx-h100",
  sequence_length: 8192,
  batch_size: 1,
  global_batch_size: 64,
  tensor_parallel: 8,
  data_parallel: 4,
};

/** Notes and problems follow the order in which inputs were given, which is not compared. */
function outcome(calculate) {
  try {
    const results = calculate();
    return { results, notes: [...(results.notes ?? [])].sort() };
  } catch (error) {
    if (error.name !== "InvalidInputError") throw error;
    return { problems: error.problems.map((problem) => JSON.stringify(problem)).sort() };
  }
}

const recorded = new URL("../data/recorded/", import.meta.url);
/** Of each calculation; in order of their making, which is random. */
const most = 25;

for (const file of readdirSync(recorded)) {
  const name = file.replace(".jsonl", "");
  test(`${name}: from inputs to inputs it gives what calls give`, () => {
    const lines = readFileSync(new URL(file, recorded), "utf8").trim().split("\n").slice(0, most);
    const all = lines.map((line) => JSON.parse(line).inputs).filter((inputs) => inputs && typeof inputs === "object");
    const prepared = engine.prepare(name, all[0]);
    let before = all[0];
    for (const inputs of all) {
      for (const field of Object.keys(before)) if (!(field in inputs)) prepared.set(field, undefined);
      for (const [field, value] of Object.entries(inputs)) prepared.set(field, value);
      before = inputs;
      const [ran, called] = [outcome(() => prepared.run()), outcome(() => engine[name](inputs))];
      if (ran.notes?.length > 0) ran.results = { ...ran.results, notes: called.results.notes };
      assert.deepEqual(ran, called);
    }
    prepared.close();
  });
}

test("a result is a value: nothing that comes later changes it, and nobody can", () => {
  const prepared = engine.prepare("training_step", step);
  const first = prepared.run();
  const unread = prepared.run();
  const told = structuredClone({ ...first });
  assert.deepEqual(told, engine.training_step(step));
  for (let tensor_parallel = 1; tensor_parallel <= 4; tensor_parallel *= 2) {
    for (let length = 1; length <= 100; length++)
      prepared.set("tensor_parallel", tensor_parallel).set("sequence_length", length).run();
    engine.training_step({ ...step, tensor_parallel });
  }
  prepared.close();
  assert.deepEqual(first, told);
  assert.deepEqual(JSON.parse(JSON.stringify(unread)), told);
  assert.deepEqual(Object.keys(first), Object.keys(told));
  assert.equal("step_time_ms" in first, true);
  assert.equal(first.parts, first.parts);
  for (const change of [
    () => (first.step_time_ms = 1),
    () => delete first.step_time_ms,
    () => Object.defineProperty(first, "more", { value: 1 }),
    () => Object.setPrototypeOf(first, null),
  ])
    assert.throws(change, TypeError);
  assert.deepEqual(first, told);
});

test("what is done to the lists of a result is in no other", () => {
  const prepared = engine.prepare("training_step", step);
  const at = (tensor_parallel) => prepared.set("tensor_parallel", tensor_parallel).run();
  const first = at(8);
  first.traffic.pop();
  first.parts.compute_us = -5;
  at(4);
  assert.deepEqual({ ...at(8) }, engine.training_step({ ...step, tensor_parallel: 8 }));
});

test("inputs are told apart whatever stands in their texts", () => {
  const prepared = engine.prepare("read_arguments", {});
  const degree = "--tensor-model-parallel-size 8";
  const forged = `${degree}\nmodel string llama-3.1-70b`;
  for (const inputs of [
    { arguments: forged, model: undefined },
    { arguments: degree, model: "llama-3.1-70b" },
    { arguments: `${degree}5 13 string modelllama-3.1-70b`, model: undefined },
  ]) {
    for (const [name, value] of Object.entries(inputs)) prepared.set(name, value);
    assert.deepEqual(
      outcome(() => prepared.run()),
      outcome(() => engine.read_arguments(inputs)),
    );
  }
});

test("inputs are taken as they are when they are given", () => {
  const given = { ...step };
  const prepared = engine.prepare("training_step", given);
  given.tensor_parallel = 1;
  const rows = [{ ...step, measured_step_ms: 4000 }];
  const fit = engine.prepare("fit_step", { ...step, rows });
  const before = engine.fit_step({ ...step, rows });
  rows[0].measured_step_ms = 1;
  assert.deepEqual(prepared.run(), engine.training_step(step));
  assert.deepEqual(fit.run(), before);
  fit.set("rows", rows);
  assert.deepEqual(fit.run(), engine.fit_step({ ...step, rows }));
});

test("what is wrong is said by the run, all of it, and mended by what is set next", () => {
  const prepared = engine.prepare("training_step", { ...step, colour: "red" });
  prepared.set("tensor_parallel", "8").set("sequence_length", -1).set("unheard_of", 1);
  const bad = { ...step, colour: "red", tensor_parallel: "8", sequence_length: -1, unheard_of: 1 };
  const problems = problemsOf(() => prepared.run());
  assert.deepEqual(
    problems,
    problemsOf(() => engine.training_step(bad)),
  );
  assert.equal(problems.length, 4);
  prepared.set("colour", undefined).set("unheard_of", undefined).set("tensor_parallel", 4).set("sequence_length", 4096);
  assert.deepEqual(prepared.run(), engine.training_step({ ...step, tensor_parallel: 4, sequence_length: 4096 }));
  assert.match(problemsOf(() => engine.prepare("training_step").run())[0].message, /missing/);
  for (const inputs of [5, null, "all", [1]])
    assert.deepEqual(
      problemsOf(() => engine.prepare("training_step", inputs).run()),
      problemsOf(() => engine.training_step(inputs)),
    );
  const cause = new Error("not today");
  const getter = {
    get rows() {
      throw cause;
    },
  };
  assert.throws(
    () => engine.prepare("fit_step", getter).run(),
    (error) => error.cause === cause,
  );
});

test("takes former names, with their note", () => {
  const prepared = engine.prepare("training_step", step).set("num_gpus", 32);
  assert.deepEqual(prepared.run(), engine.training_step({ ...step, num_gpus: 32 }));
  assert.deepEqual(prepared.run().notes, ["num_gpus is now called cluster_gpus"]);
  assert.equal("notes" in prepared.set("num_gpus", undefined).run(), false);
});

test("the same results come again for the same inputs", () => {
  const prepared = engine.prepare("training_step", step);
  const first = prepared.run();
  prepared.set("tensor_parallel", 4);
  assert.notDeepEqual(prepared.run(), first);
  assert.deepEqual(prepared.set("tensor_parallel", 8).run(), prepared.run());
  assert.deepEqual(prepared.run(), first);
});

test("a name that no calculation has is answered with those there are", () => {
  for (const name of ["nothing", undefined, "__proto__", {}])
    assert.match(problemsOf(() => engine.prepare(name))[0].message, /one of .*training_step/);
});

test("what is closed or dropped gives its memory back", async () => {
  const memories = [];
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...args) => {
    const made = await instantiate(...args);
    memories.push(Object.values((made.instance ?? made).exports).find((value) => value instanceof WebAssembly.Memory));
    return made;
  };
  const { loadEngine } = await import("../../build/engine/commcost.js?prepare");
  const own = await loadEngine();
  WebAssembly.instantiate = instantiate;
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const round = async (close) => {
    for (let count = 0; count < 500; count++) {
      const prepared = own.prepare("training_step", { ...step, sequence_length: 1024 + count });
      prepared.run();
      prepared.set("tensor_parallel", 4).run();
      if (close) prepared.close();
    }
    collect();
    // Finalizers run when nothing else does.
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const size = () => memories[0].buffer.byteLength;
  await round(true);
  const closed = size();
  for (let times = 0; times < 10; times++) await round(true);
  assert.equal(size(), closed);
  for (let times = 0; times < 4; times++) await round(false);
  const dropped = size();
  for (let times = 0; times < 10; times++) await round(false);
  assert.equal(size(), dropped);

  const prepared = own.prepare("tensor_parallel_allreduce_cost", exercise);
  prepared.close();
  prepared.close();
  assert.throws(() => prepared.run(), /closed/);
  assert.throws(() => prepared.set("num_gpus", 4), /closed/);
});
