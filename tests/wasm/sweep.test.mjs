import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, exercise, problemsOf } from "./support.mjs";

const calculation = "tensor_parallel_allreduce_cost";
const over = (...axes) => engine.sweep({ calculation, inputs: exercise, axes });

for (const [kind, values] of Object.entries({
  "a list": [2, 4, 8],
  "a Float64Array": Float64Array.of(2, 4, 8),
  "an Int32Array": Int32Array.of(2, 4, 8),
})) {
  test(`over ${kind} equals its points one by one`, () => {
    const swept = over({ field: "num_gpus", values });
    assert.equal(swept.points, 3);
    assert.equal(swept.refused, 0);
    assert.deepEqual(swept.problems, []);
    for (const [name, column] of Object.entries(swept.results)) {
      assert.ok(column instanceof Float64Array);
      const alone = [...values].map((num_gpus) => engine[calculation]({ ...exercise, num_gpus })[name]);
      assert.deepEqual([...column], alone);
    }
  });
}

test("over two axes runs the last fastest", () => {
  const swept = over({ field: "num_gpus", values: [2, 8] }, { field: "bandwidth_gb_per_sec", values: [300, 150, 75] });
  assert.equal(swept.points, 6);
  const times = [2, 8].flatMap((num_gpus) =>
    [300, 150, 75].map(
      (bandwidth_gb_per_sec) => engine[calculation]({ ...exercise, num_gpus, bandwidth_gb_per_sec }).total_comm_time_ms,
    ),
  );
  assert.deepEqual([...swept.results.total_comm_time_ms], times);
});

test("marks refused points and goes on", () => {
  const swept = over({ field: "hidden_size", values: [1, Number.MAX_SAFE_INTEGER, 4096] });
  assert.equal(swept.refused, 1);
  assert.ok(Number.isNaN(swept.results.total_comm_time_ms[1]));
  assert.equal(swept.results.total_comm_time_ms[2], 50.108);
  assert.equal(swept.problems[0].field, "message_size_bytes");
});

test("of a million points is answered", () => {
  const swept = over({ field: "hidden_size", values: Float64Array.from({ length: 1e6 }, (_, i) => i + 1) });
  assert.equal(swept.points, 1e6);
  assert.equal(swept.results.message_size_bytes[4095], 134217728);
});

test("of more points than 32 bits count is refused", () => {
  const values = new Float64Array(65537).fill(2);
  const problems = problemsOf(() => over({ field: "num_gpus", values }, { field: "num_layers", values }));
  assert.match(problems[0].message, /at most 1048576 points; they make 4295098369/);
});

test("names a bad value on an axis", () => {
  const problems = problemsOf(() => over({ field: "num_gpus", values: [2, 1.5] }));
  assert.equal(problems[0].message, "num_gpus must be a whole number from 1 to 1048576; got 1.5");
});
