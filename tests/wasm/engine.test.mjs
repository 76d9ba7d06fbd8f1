import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, exercise, loadEngine } from "./support.mjs";

test("answers the exercise", () => {
  assert.deepEqual(engine.tensor_parallel_allreduce_cost(exercise), {
    message_size_bytes: 134217728,
    comm_volume_per_allreduce_bytes: 234881024.0,
    total_comm_volume_bytes: 15032385536.0,
    total_comm_time_ms: 50.108,
  });
});

test("takes the last three inputs as given", () => {
  const given = { ...exercise, bytes_per_element: 4, bandwidth_gb_per_sec: 150, allreduces_per_layer: 4 };
  const results = engine.tensor_parallel_allreduce_cost(given);
  assert.equal(results.message_size_bytes, 268435456);
  assert.equal(results.total_comm_time_ms, 400.8636);
});

test("one GPU sends nothing", () => {
  const results = engine.tensor_parallel_allreduce_cost({ ...exercise, num_gpus: 1 });
  assert.deepEqual(Object.values(results), [134217728, 0, 0, 0]);
});

test("is loaded once", async () => {
  assert.equal(await loadEngine(), engine);
});

test("cannot be changed by those who use it", () => {
  assert.throws(() => (engine.describe = undefined), TypeError);
  const described = engine.describe().tensor_parallel_allreduce_cost;
  assert.throws(() => (described.inputs[0].name = "spoiled"), TypeError);
  const results = engine.hardware_catalog();
  results.links.length = 0;
  assert.notEqual(engine.hardware_catalog().links.length, 0);
});

test("has a function for each calculation that it describes", () => {
  for (const [name, calculation] of Object.entries(engine.describe())) {
    assert.equal(typeof engine[name], "function", name);
    assert.ok(calculation.help, name);
    for (const field of calculation.inputs) assert.ok(field.name && field.kind && field.help && field.allowed, name);
    for (const field of calculation.results) assert.ok(field.name && field.kind && field.help, name);
  }
});

test("calculations without inputs may be called without an argument", () => {
  for (const [name, calculation] of Object.entries(engine.describe())) {
    if (calculation.inputs.length === 0) assert.deepEqual(engine[name](), engine[name]({}));
  }
});

test("takes former names, and says so beside the results", () => {
  const step = { model: "llama-3.1-8b", system: "dgx-h100", sequence_length: 4096, batch_size: 1, data_parallel: 8 };
  const now = engine.training_step({ ...step, cluster_gpus: 8 });
  assert.equal("notes" in now, false);
  const notes = ["num_gpus is now called cluster_gpus"];
  assert.deepEqual(engine.training_step({ ...step, num_gpus: 8 }), { ...now, notes });
  const axes = [{ field: "num_gpus", values: [8] }];
  assert.deepEqual(engine.sweep({ calculation: "training_step", inputs: step, axes }).notes, notes);
  assert.throws(() => engine.training_step({ ...step, num_gpus: 8, cluster_gpus: 8 }), {
    message: "cluster_gpus is also given as num_gpus, its former name",
  });
});

test("reads back what the inputs come to", () => {
  const inputs = {
    model: "llama-3.1-70b",
    system: "dgx-h100",
    cluster_gpus: 64,
    global_batch_size: 1024,
    sequence_length: 8192,
  };
  const resolved = engine.resolve_inputs({ calculation: "plan", inputs });
  assert.deepEqual(resolved.hidden_size, { value: 8192, from: "model" });
  assert.deepEqual(resolved.network, { value: "infiniband", from: "system" });
  assert.deepEqual(resolved.bandwidth_gb_per_sec, { value: 450, from: "derived" });
  assert.deepEqual(resolved.cluster_gpus, { value: 64, from: "given" });
  assert.throws(() => engine.resolve_inputs({ calculation: "plan", inputs: { colour: 1 } }), {
    name: "InvalidInputError",
  });
  assert.throws(() => engine.resolve_inputs({ calculation: "none", inputs: {} }), { name: "InvalidInputError" });
});

test("leaves what it is given as it was", () => {
  const values = Float64Array.of(1, 2, 3);
  const request = {
    calculation: "tensor_parallel_allreduce_cost",
    inputs: { ...exercise },
    axes: [{ field: "num_layers", values }],
  };
  const before = structuredClone(request);
  const swept = engine.sweep(request);
  assert.deepEqual(request, before);
  swept.axes[0].values[0] = 99;
  assert.equal(values[0], 1);
});

test("choices are called the same wherever they are asked for or given, each in words of its own", () => {
  const labels = new Map();
  const take = (fields) => {
    for (const { name, choices, choice_labels, columns } of fields) {
      if (columns) take(columns);
      if (!choices) continue;
      const key = `${name}: ${choices}`;
      assert.deepEqual(labels.get(key) ?? choice_labels, choice_labels, key);
      labels.set(key, choice_labels);
      if (!choice_labels) continue;
      assert.equal(choice_labels.length, choices.length, key);
      assert.equal(new Set(choice_labels).size, choices.length, key);
      assert.ok(!choice_labels.some((label) => label === "" || label.includes("_")), key);
    }
  };
  for (const { inputs, results } of Object.values(engine.describe())) take([...inputs, ...results]);
  const labelled = [...labels].flatMap(([key, words]) => (words ? [key.split(":")[0]] : []));
  for (const name of [
    "recompute",
    "pipeline_schedule",
    "launch",
    "network",
    "collective",
    "algorithm",
    "part",
    "payload",
  ])
    assert.ok(labelled.includes(name), name);
});

test("no number of ranks falls under two exceptions of one closed form", () => {
  const isPower = (count) => Number.isInteger(Math.log2(count));
  const cases = {
    "p not 2^k": (p) => !isPower(p),
    "p = 2": (p) => p === 2,
    "p = 2^j > 2": (p) => isPower(p) && p > 2,
    "p = 2^j + 1 > 2": (p) => isPower(p - 1) && p > 2,
  };
  for (const { form, collective, algorithm } of engine.collective_catalog().methods) {
    const named = [...form.matchAll(/; (p [^:]*):/g)].map(([, name]) => name);
    for (let ranks = 2; ranks <= 64; ranks++)
      assert.ok(named.filter((name) => cases[name](ranks)).length <= 1, `${collective} ${algorithm} ${ranks}`);
  }
});
