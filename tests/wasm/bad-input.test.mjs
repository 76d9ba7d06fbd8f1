import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, exercise, InvalidInputError, problemsOf } from "./support.mjs";

const cost = (inputs) => engine.tensor_parallel_allreduce_cost(inputs);
const cyclic = {};
cyclic.self = cyclic;
const allowed = "a whole number from 1 to 1048576";
const layers = engine
  .describe()
  .tensor_parallel_allreduce_cost.inputs.find(({ name }) => name === "num_layers").allowed;

// kind of bad value: [value, code, how it is shown]
const bad = {
  undefined: [undefined, "missing"],
  null: [null, "missing"],
  text: ["8", "wrong_type", '"8"'],
  "empty text": ["", "wrong_type", '""'],
  "long text": ["8".repeat(50), "wrong_type", `"${"8".repeat(40)}..."`],
  "text of many letters cut between them": ["é".repeat(30), "wrong_type", `"${"é".repeat(20)}..."`],
  true: [true, "wrong_type", "true"],
  NaN: [NaN, "not_finite", "NaN"],
  infinity: [Infinity, "not_finite", "Infinity"],
  "minus infinity": [-Infinity, "not_finite", "-Infinity"],
  "a fraction": [1.5, "not_whole", "1.5"],
  "the least fraction": [Number.MIN_VALUE, "not_whole", "5e-324"],
  "a negative number": [-8, "out_of_range", "-8"],
  zero: [0, "out_of_range", "0"],
  "minus zero": [-0, "out_of_range", "0"],
  "too large a number": [1048577, "out_of_range", "1048577"],
  "the largest number": [Number.MAX_VALUE, "out_of_range"],
  "a bigint": [8n, "wrong_type", "a bigint"],
  "a symbol": [Symbol("8"), "wrong_type", "a symbol"],
  "a function": [() => 8, "wrong_type", "a function"],
  "an object": [{ valueOf: () => 8 }, "wrong_type", "an object"],
  "a number object": [new Number(8), "wrong_type", "an object"],
  "a date": [new Date(8), "wrong_type", "an object"],
  "a cyclic object": [cyclic, "wrong_type", "an object"],
  "a list": [[8], "wrong_type", "a list"],
  "an empty list": [[], "wrong_type", "a list"],
  "a typed array": [Uint8Array.of(8), "wrong_type", "a list"],
  "a list of 2^32 - 1 holes": [new Array(2 ** 32 - 1), "wrong_type", "a list of 4294967295 values"],
  "text of 20 million characters": ["8".repeat(2e7), "wrong_type", "text of 20000000 characters"],
};

for (const [kind, [value, code, shown]] of Object.entries(bad)) {
  test(`${kind} in a field is named with what is allowed`, () => {
    const problems = problemsOf(() => cost({ ...exercise, num_gpus: value }));
    assert.equal(problems.length, 1);
    const [problem] = problems;
    assert.equal(problem.field, "num_gpus");
    assert.equal(problem.code, code);
    assert.equal(problem.allowed, allowed);
    if (code === "missing") assert.equal(problem.message, `num_gpus is missing; it must be ${allowed}`);
    if (shown) assert.equal(problem.message, `num_gpus must be ${allowed}; got ${shown}`);
  });

  test(`${kind} as the inputs is refused`, () => {
    const problems = problemsOf(() => cost(value));
    const object = typeof value === "undefined" || (typeof value === "object" && shown === "an object");
    if (!object) assert.equal(problems[0].field, "inputs");
    assert.ok(problems.length >= 1);
  });
}

test("an overflowing product names the result and the limit", () => {
  const [problem] = problemsOf(() => cost({ ...exercise, hidden_size: Number.MAX_SAFE_INTEGER }));
  assert.equal(problem.field, "message_size_bytes");
  assert.equal(problem.code, "overflow");
  assert.match(problem.message, /at most 9007199254740991 \(2\^53 - 1\)/);
});

test("every problem comes at once, in the order of the table, unknown keys last", () => {
  const problems = problemsOf(() => cost({ gpus: 8, num_gpus: 0, batch_size: "8", hidden_size: 1.5, num_layers: 32 }));
  assert.deepEqual(
    problems.map(({ field, code }) => [field, code]),
    [
      ["hidden_size", "not_whole"],
      ["sequence_length", "missing"],
      ["batch_size", "wrong_type"],
      ["num_gpus", "out_of_range"],
      ["gpus", "unknown_field"],
    ],
  );
});

test("a key that is set to undefined is as good as absent", () => {
  assert.equal(cost({ ...exercise, bytes_per_element: undefined, unheard_of: undefined }).total_comm_time_ms, 50.108);
});

test("keys that mean something to JavaScript are just unknown", () => {
  for (const key of ["__proto__", "constructor", "toString", "", "\u0000", "\ud800"]) {
    const inputs = { ...exercise };
    Object.defineProperty(inputs, key, { value: 1, enumerable: true });
    const problems = problemsOf(() => cost(inputs));
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["unknown_field"],
      JSON.stringify(key),
    );
  }
});

test("an InvalidInputError is an Error with plain problems and their messages", () => {
  const refused = (() => {
    try {
      return cost({});
    } catch (error) {
      return error;
    }
  })();
  assert.ok(refused instanceof InvalidInputError && refused instanceof Error);
  assert.equal(refused.name, "InvalidInputError");
  assert.equal(refused.message, refused.problems.map(({ message }) => message).join("\n"));
  for (const problem of refused.problems) {
    assert.deepEqual(Object.keys(problem), ["field", "code", "message", "allowed"]);
    for (const text of Object.values(problem)) assert.equal(typeof text, "string");
  }
  assert.deepEqual(structuredClone(refused.problems), refused.problems);
});

test("a getter that throws is a problem of its field, with what it threw as the cause", () => {
  const mine = new Error("mine");
  const inputs = {
    ...exercise,
    get num_layers() {
      throw mine;
    },
  };
  // Often enough that a stack left behind in the module would overflow.
  for (let i = 0; i < 100_000; ++i) {
    assert.throws(() => cost(inputs), InvalidInputError);
  }
  try {
    cost(inputs);
    assert.fail();
  } catch (error) {
    assert.equal(error.cause, mine);
    assert.deepEqual(
      error.problems.map(({ field, code, message }) => [field, code, message]),
      [["num_layers", "wrong_type", `num_layers must be ${layers}; got a value that cannot be read`]],
    );
  }
  assert.equal(cost(exercise).total_comm_time_ms, 50.108);
});

// The writer's buffer grew between the place being made and the byte being written: tags and counts were lost.
test("lists of every length arrive whole", () => {
  const layers = { calculation: "tensor_parallel_allreduce_cost", inputs: exercise };
  const lengths = [...Array.from({ length: 300 }, (_, i) => i + 1), 572, 884, 1156, 1157, 3878, 3879, 16_122, 65_536];
  for (const length of lengths) {
    const mixed = Array.from({ length }, (_, i) => (i % 2 ? "" : 1));
    const [problem, ...more] = problemsOf(() => cost({ ...exercise, num_gpus: mixed }));
    assert.deepEqual([problem.field, problem.code, more], ["num_gpus", "wrong_type", []], `${length}`);
    const axis = { field: "gated_mlp", values: new Array(length).fill(true) };
    const inputs = { scheme: "data_parallel", hidden_size: 4096, peak_tflops: 100, bandwidth_gb_per_sec: 100 };
    assert.equal(engine.sweep({ calculation: "overlap_ratio", inputs, axes: [axis] }).points, length);
    const one = { field: "num_gpus", values: new Array(length).fill(8) };
    assert.equal(engine.sweep({ ...layers, axes: [one] }).results.total_comm_time_ms[length - 1], 50.108);
    const [last] = problemsOf(() => engine.sweep({ ...layers, axes: [{ ...one, values: [...one.values, null] }] }));
    assert.equal(last.field, "num_gpus", `${length}`);
  }
});

test("a getter that asks the engine changes nothing for the outer call", () => {
  const inner = () =>
    engine.sweep({
      axes: [{ field: "num_gpus", values: new Float64Array(5000).fill(3) }],
      calculation: "tensor_parallel_allreduce_cost",
      inputs: exercise,
    });
  const outer = {
    axes: [{ field: "num_gpus", values: [2, 4, 8] }],
    calculation: "tensor_parallel_allreduce_cost",
    inputs: {
      ...exercise,
      get num_layers() {
        inner();
        return 32;
      },
    },
  };
  const plain = { ...outer, inputs: { ...exercise } };
  assert.deepEqual(engine.sweep(outer), engine.sweep(plain));
});

test("a million unknown keys: a hundred are named, the rest counted", () => {
  const inputs = { ...exercise };
  for (let i = 0; i < 1_000_000; ++i) inputs[`key ${i}`] = 1;
  const problems = problemsOf(() => cost(inputs));
  assert.equal(problems.length, 101);
  assert.equal(problems[99].field, "key 99");
  assert.equal(problems[100].message, "999900 more are not inputs of tensor_parallel_allreduce_cost");
});

test("a long name is cut", () => {
  const [problem] = problemsOf(() => cost({ ...exercise, ["k".repeat(1e7)]: 1 }));
  assert.equal(problem.field, `${"k".repeat(64)}…`);
  assert.equal(problem.code, "unknown_field");
});

test("what cannot be read is refused where it stands", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const lying = (length) => new Proxy([8], { get: (list, key) => (key === "length" ? length : list[key]) });
  for (const [value, shown] of [
    [proxy, "a value that cannot be read"],
    [lying(-1), "a list of no length"],
    [lying(5n), "a list of no length"],
    [lying(Symbol("5")), "a list of no length"],
    [lying(2 ** 53), `a list of ${2 ** 53} values`],
  ]) {
    const [problem, ...more] = problemsOf(() => cost({ ...exercise, num_gpus: value }));
    assert.equal(problem.message, `num_gpus must be ${allowed}; got ${shown}`);
    assert.deepEqual(more, []);
  }
  assert.match(problemsOf(() => cost(proxy))[0].message, /must be an object; got a value that cannot be read$/);
});

test("a typed array counts by what it holds, whatever its length property says", () => {
  const axis = (values) => ({
    calculation: "tensor_parallel_allreduce_cost",
    inputs: exercise,
    axes: [{ field: "num_gpus", values }],
  });
  const values = Object.defineProperty(Float64Array.of(2, 4), "length", { value: 1e9 });
  assert.equal(engine.sweep(axis(values)).points, 2);
  const detached = Float64Array.of(2, 4);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  assert.match(problemsOf(() => engine.sweep(axis(detached)))[0].message, /a list of 1 to 1048576 values/);
});

test("what a table promises, a call can pass", () => {
  const limit = 16_777_216;
  for (const [name, { inputs }] of Object.entries(engine.describe())) {
    const long = inputs.filter(({ kind }) => kind === "numbers" || kind === "text");
    const whole = Object.fromEntries(
      long.map(({ name, kind, greatest }) => [
        name,
        kind === "text" ? " ".repeat(greatest) : new Float64Array(greatest),
      ]),
    );
    const size = long.reduce((sum, { greatest }) => sum + greatest + 1, 0);
    assert.ok(size <= limit, `${name}: ${size}`);
    if (long.length === 0 || size > 1e6) continue;
    try {
      engine[name](whole);
    } catch (error) {
      for (const { field, message } of error.problems)
        assert.doesNotMatch(message, new RegExp(`${field}.*; got (text|a list) of`));
    }
  }
});

test("a getter's value counts, a list's own iterator does not", () => {
  const inputs = {
    ...exercise,
    get num_gpus() {
      return 8;
    },
  };
  assert.equal(cost(inputs).total_comm_time_ms, 50.108);
  const values = [8];
  values[Symbol.iterator] = function* () {
    for (;;) yield 8;
  };
  const axes = [{ field: "num_gpus", values }];
  const swept = engine.sweep({ calculation: "tensor_parallel_allreduce_cost", inputs: exercise, axes });
  assert.deepEqual([...swept.results.total_comm_time_ms], [50.108]);
});

test("an object that holds itself a hundred times over is refused in good time", () => {
  const tangle = {};
  for (let i = 0; i < 100; ++i) tangle[i] = tangle;
  const began = performance.now();
  assert.notEqual(problemsOf(() => cost(tangle)).length, 0);
  assert.ok(performance.now() - began < 30_000);
});
