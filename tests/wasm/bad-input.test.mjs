import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, exercise, InvalidInputError, problemsOf } from "./support.mjs";

const cost = (inputs) => engine.tensor_parallel_allreduce_cost(inputs);
const cyclic = {};
cyclic.self = cyclic;
const allowed = "a whole number from 1 to 1048576";

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

test("a getter's own error reaches the caller, and the engine goes on", () => {
  const mine = new Error("mine");
  const inputs = {
    ...exercise,
    get num_layers() {
      throw mine;
    },
  };
  // Often enough that a stack left behind in the module would overflow.
  for (let i = 0; i < 100_000; ++i) assert.throws(() => cost(inputs), mine);
  assert.equal(cost(exercise).total_comm_time_ms, 50.108);
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
