// Garbage of every shape only ever gives finite results or an InvalidInputError whose problems are whole.
// COMMCOST_GARBAGE: calls in all (60,000); where it is given, no call may take a second of processor time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, exercise, InvalidInputError } from "./support.mjs";
import { randomNumbers } from "../support/random-numbers.mjs";

const dose = Number(process.env.COMMCOST_GARBAGE ?? 60_000);
const timed = process.env.COMMCOST_GARBAGE !== undefined;
const seed = Number(process.env.COMMCOST_SEED ?? 2024);
const random = randomNumbers(seed);
const below = (end) => Math.floor(random() * end);
const pick = (list) => list[below(list.length)];

const numbers = [0, -0, 1, 2, 8, -1, 0.5, 1e-7, 300, 4096, 2 ** 20, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, NaN];
const texts = ["", "8", "ring", "all_reduce", "h100-sxm", "NaN", "\u0000", "\ud800", "ü".repeat(30), "x".repeat(5000)];
const odd = [
  undefined,
  null,
  true,
  false,
  Infinity,
  8n,
  Symbol("s"),
  () => 8,
  new Date(0),
  new Map(),
  /x/,
  new Error(),
];
const cyclic = { list: [] };
cyclic.self = cyclic;
cyclic.list.push(cyclic, cyclic.list);
const tangle = {};
for (let i = 0; i < 50; ++i) tangle[i] = tangle;

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached() {
  const array = Float64Array.of(1, 2, 3);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

const fail = () => {
  throw new Error("mine");
};
const lying = (length) => new Proxy([1, 2], { get: (list, key) => (key === "length" ? length : list[key]) });
const ask = () => engine.sweep({ calculation, inputs: exercise, axes: [{ field: "num_gpus", values: [3, 5, 7] }] });
const calculation = "tensor_parallel_allreduce_cost";
class Longer extends Float64Array {
  get length() {
    return 1e9;
  }
}

/** What a caller must go out of the way to build. */
const hostile = [
  () => cyclic,
  () => tangle,
  () => revoked({}),
  () => revoked([]),
  detached,
  () => lying(pick([-1, 5n, Symbol("5"), "2", NaN, 0.5, -(2 ** 32) + 5, 2 ** 53, {}, undefined])),
  () => Object.defineProperty(Float64Array.of(1, 2), "length", { value: pick([-1, 1, 5, "x"]) }),
  () => Object.defineProperty(Float64Array.of(1, 2), "buffer", { value: new ArrayBuffer(pick([0, 1, 64])) }),
  () => Object.defineProperty(Float64Array.of(1, 2), "byteOffset", { value: pick([-1, 3, 2 ** 40]) }),
  () => new Longer(3),
  () => Object.setPrototypeOf([1, 2], Float64Array.prototype),
  () => Object.setPrototypeOf([1, 2], null),
  () => new Proxy({}, { ownKeys: fail }),
  () => new Proxy({ a: 1 }, { get: fail }),
  () => new Proxy({ a: 1 }, { getOwnPropertyDescriptor: fail }),
  () => Object.defineProperty({}, "a", { get: fail, enumerable: true }),
  () => Object.defineProperty([1, 2], 1, { get: fail }),
  () => Object.defineProperty({}, "a", { get: ask, enumerable: true }),
  () => new Array(pick([3, 1000, 2 ** 32 - 1])),
  () => Array.from({ length: below(20_000) }, (_, i) => i),
  () => Array.from({ length: below(20_000) }, (_, i) => pick([i, true, null, "", "ring"])),
  () => new Array(below(20_000)).fill(pick([true, "ring", [], {}, null, 8])),
  () => new Float64Array(below(20_000)).fill(pick(numbers)),
  () => new BigInt64Array(3),
  () => new DataView(new ArrayBuffer(8)),
  () => Object.fromEntries(Array.from({ length: below(3000) }, (_, i) => [`key ${i}`, pick([1, "x", {}])])),
  () => ({ ["k".repeat(10 ** below(6))]: 1 }),
  () => "8".repeat(below(100_000)),
  () => Array.from({ length: 12 }).reduce((inner) => [inner, inner], []),
];

function number() {
  return random() < 0.5 ? pick(numbers) : (random() - 0.2) * 2 ** below(70);
}

function value(depth = 0) {
  if (random() < 0.01) return pick(hostile)();
  const kind = below(depth > 3 ? 8 : 12);
  if (kind < 5) return number();
  if (kind < 7) return pick(texts);
  if (kind < 8) return pick(odd);
  if (kind < 10) return Array.from({ length: below(5) }, () => value(depth + 1));
  if (kind < 11) return Float64Array.from({ length: below(5) }, number);
  return Object.fromEntries(Array.from({ length: below(4) }, () => [pick(texts), value(depth + 1)]));
}

/** A value that the field may well take, its ends among them. */
function fitting(field) {
  if (field.choices && field.kind === "choice") return pick(field.choices);
  if (field.kind === "flag") return random() < 0.5;
  if (field.kind !== "whole" && field.kind !== "real") return random() < 0.5 ? usualValue(field) : value();
  if (random() < 0.05) return pick([field.least, field.greatest, field.least, field.greatest, 5e-324, 1e-6]);
  const drawn = Math.min(field.greatest, Math.max(field.least, 2 ** (random() * Math.log2(field.greatest + 1))));
  return field.kind === "whole" ? Math.floor(drawn) : drawn;
}

/** What is usual under a name that must be given: a step of Llama 3.1 8B on a node of eight. */
const usualNumbers = {
  hidden_size: 4096,
  sequence_length: 2048,
  batch_size: 8,
  num_gpus: 8,
  cluster_gpus: 8,
  num_layers: 32,
  num_heads: 32,
  ranks: 8,
  message_size_bytes: 2 ** 20,
  latency_us: 5,
  bandwidth_gb_per_sec: 300,
  peak_tflops: 989,
  global_batch_size: 64,
  rate_gb_per_sec: 230,
  compute_share: 0.7,
  communication_share: 0.3,
};
const logRows = [20, 22, 24, 26, 28, 30].map((power) => {
  const us = 20 + 2 ** power / 130_000;
  const times = `${us.toFixed(1)} ${(2 ** power / us / 1e3).toFixed(2)} ${((1.75 * 2 ** power) / us / 1e3).toFixed(2)} 0`;
  return `${2 ** power} ${2 ** power / 4} float sum -1 ${times} ${times}\n`;
});
const iteration = (step, ms) =>
  ` [2025-08-01 07:19:37] iteration ${step}/ 5000 | consumed samples: ${128 * step} | elapsed time per iteration (ms): ${ms} | global batch size:   128 |\n`;
const usualOthers = {
  arguments:
    "TP=4\ntorchrun --nproc-per-node 8 pretrain_gpt.py \\\n  --num-layers 24 --hidden-size 2048 --seq-length 4096 --tensor-model-parallel-size $TP --bf16\n",
  training_log: `using world size: 64, tensor-model-parallel size: 4\n${[19138.8, 2936.1, 2900.0, 2911.5].map((ms, index) => iteration(index + 1, ms)).join("")}`,
  left_out: "linear_attention.36.48,output_gate",
  gpu_samples:
    "index, clocks.current.sm [MHz], clocks.max.sm [MHz], power.draw [W]\n0, 1275 MHz, 1410 MHz, 391.20 W\n1, 1290 MHz, 1410 MHz, 388.45 W\n",
  benchmark:
    '{"backend": "sglang", "dataset_name": "random", "request_rate": 4.0, "completed": 200, "median_ttft_ms": 55.3, "median_tpot_ms": 11.8}\n',
  loads: [
    { measured_token_ms: 24, max_concurrency: 4 },
    { measured_token_ms: 40, requests_per_sec: 8 },
  ],
  rows: [{ measured_step_ms: 2000 }, { measured_step_ms: 1200, data_parallel: 2, tensor_parallel: 4 }],
  machines: [{ nic_gb_per_sec: 100 }, { gpus_per_node: 4 }],
  log: `# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1073741824\n${logRows.join("")}`,
  algorithm: "ring",
  scheme: "1d",
  config: JSON.stringify({
    model_type: "llama",
    vocab_size: 128_256,
    hidden_size: 4096,
    intermediate_size: 14_336,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    num_key_value_heads: 8,
  }),
};

function usualValue(field) {
  if (field.name in usualOthers) return usualOthers[field.name];
  if (field.choices) return pick(field.choices);
  if (field.kind === "numbers") return [1, 2, 3].map((at) => (field.name === "communication" ? at % 2 : at));
  return usualNumbers[field.name] ?? field.least;
}

/** Where results would first stop being finite. */
function limit(field) {
  if (field.kind !== "whole" && field.kind !== "real") return fitting(field);
  return Math.max(field.least, pick([field.least, field.greatest, 0, 1e-6, 1, field.greatest / 2]));
}

/** Consistent inputs, except for a few at their limits or drawn. */
function mutated(fields) {
  const given = Object.fromEntries(
    fields.filter((field) => field.required).map((field) => [field.name, usualValue(field)]),
  );
  for (let left = below(6); left > 0; --left) {
    const field = pick(fields);
    given[field.name] = random() < 0.5 ? limit(field) : fitting(field);
  }
  return given;
}

/** Inputs of which most fit, some do not, some are absent and some too many; some are getters that ask the engine. */
function inputs(fields) {
  if (random() < 0.05) return value();
  if (fields.length > 0 && random() < 0.5) return mutated(fields);
  const given = {};
  const garbage = random() < 0.6 ? 0 : 0.2;
  // With all of sixty inputs drawn, they would almost never be consistent.
  const few = random() < 0.7;
  for (const field of fields) {
    if (!field.required && random() < (few ? 0.9 : 0.1)) continue;
    const drawn = random() < garbage ? value() : fitting(field);
    if (random() < 0.01) {
      const get = () => {
        ask();
        return drawn;
      };
      Object.defineProperty(given, field.name, { get, enumerable: true });
    } else {
      given[field.name] = drawn;
    }
  }
  if (random() < 0.05) given[pick(texts)] = value();
  if (random() < 0.01) Object.assign(given, hostile.at(-4)());
  return given;
}

function assertFinite(value, path = "results") {
  if (typeof value === "number") return assert.ok(Number.isFinite(value), `${path} is ${value}`);
  if (value instanceof Float64Array) return assert.ok(value.every(Number.isFinite), `${path} is not finite`);
  if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) assertFinite(member, `${path}.${key}`);
  }
  return undefined;
}

let slowest = { name: "", ms: 0 };

/** Milliseconds of processor time: what else runs on the machine does not count. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The answer to a call; undefined where it is refused as it should be. */
function answer(name, call) {
  const began = processorTime();
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof InvalidInputError, error?.stack ?? String(error));
    assert.ok(error.problems.length > 0 && error.problems.length < 300);
    for (const { field, code, message, allowed } of error.problems) {
      assert.equal(typeof field, "string");
      assert.ok(field.length <= 65);
      assert.match(code, /^[a-z_]+$/);
      assert.ok(message.length > 0 && message.length < 100_000);
      assert.equal(typeof allowed, "string");
    }
    return undefined;
  } finally {
    const ms = processorTime() - began;
    if (ms > slowest.ms) slowest = { name, ms };
  }
}

/** What fit_step leaves to its rows is asked for as training_step asks. */
function asAsked([name, description]) {
  if (name !== "fit_step") return [name, description];
  const asked = new Map(engine.describe().training_step.inputs.map((field) => [field.name, field]));
  const inputs = description.inputs.map((field) => asked.get(field.name) ?? field);
  return [name, { ...description, inputs }];
}

const described = Object.entries(engine.describe()).map(asAsked);
const usual = JSON.stringify(engine[calculation](exercise));
const share = Math.ceil(dose / described.length);

/** What plays whole loads for one answer, or tells every message: a call takes a thousand of others. */
const playing = ["plan_goodput", "fit_serving", "collective_schedule", "collective_timeline"];

/** How many calls a calculation gets. */
function callsOf(name, { inputs, results }) {
  if (inputs.length === 0) return 20;
  if (timed) return share;
  if (playing.includes(name)) return share / 40;
  return results.some(({ kind }) => kind === "list") ? share / 5 : share;
}

for (const [name, description] of described) {
  const { inputs: fields } = description;
  test(`${name} takes garbage`, (context) => {
    const calls = callsOf(name, description);
    let answered = 0;
    for (let call = 0; call < calls; ++call) {
      const given = inputs(fields);
      const results = answer(name, () => engine[name](given));
      if (results === undefined) continue;
      ++answered;
      assertFinite(results);
    }
    context.diagnostic(`${answered} of ${Math.ceil(calls)} answered`);
    assert.ok(answered > calls / 20, "too few reach the calculation");
    assert.equal(JSON.stringify(engine[calculation](exercise)), usual);
  });

  test(`resolve_inputs of ${name} takes garbage`, () => {
    for (let call = 0; call < share / 20; ++call) {
      const request = { calculation: random() < 0.9 ? name : value(), inputs: inputs(fields) };
      const resolved = answer(`resolve_inputs of ${name}`, () =>
        engine.resolve_inputs(random() < 0.95 ? request : value()),
      );
      if (resolved !== undefined) assertFinite(resolved);
    }
  });

  test(`sweep of ${name} takes garbage`, () => {
    for (let call = 0; call < share / 20; ++call) {
      const axes = Array.from({ length: below(4) }, () => {
        const field = fields.length ? pick(fields) : { name: "none", kind: "text" };
        const values = Array.from({ length: below(6) }, () => (random() < 0.9 ? fitting(field) : value()));
        return random() < 0.9 ? { field: field.name, values: random() < 0.9 ? values : value() } : value();
      });
      const request = { calculation: name, inputs: inputs(fields), axes: random() < 0.9 ? axes : value() };
      const swept = answer(`sweep of ${name}`, () => engine.sweep(random() < 0.95 ? request : value()));
      if (swept === undefined) continue;
      for (const column of Object.values(swept.results)) {
        assert.equal(column.filter((value) => !Number.isFinite(value)).length, swept.refused);
      }
    }
  });
}

test("no call took a second of processor time", {
  skip: !timed && "the clock counts where COMMCOST_GARBAGE is given",
}, (context) => {
  // The longest answer there is, which garbage seldom meets.
  const longest = { collective: "all_gather", algorithm: "in_network", ranks: 128, pieces: 64 };
  const { rounds } = answer("the longest schedule", () => engine.collective_schedule(longest));
  assert.equal(
    rounds.flat().reduce((sum, { chunks }) => sum + chunks.length, 0),
    1_056_768,
  );
  context.diagnostic(`slowest call: ${slowest.ms.toFixed(0)} ms, ${slowest.name}`);
  assert.ok(slowest.ms < 1000, `${slowest.name}: ${slowest.ms} ms`);
});
