// Rows are made when they are read; to the caller they are plain rows of a plain result.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./support.mjs";

const job = {
  model: "llama-3.1-70b",
  system: "dgx-h100",
  sequence_length: 8192,
  batch_size: 1,
  global_batch_size: 64,
  tensor_parallel: 8,
  pipeline_parallel: 2,
  data_parallel: 4,
};
const schedule = { collective: "all_reduce", algorithm: "ring", ranks: 8 };

test("what is read late is what it was, whatever was called meanwhile", () => {
  const early = engine.communication_ledger(job);
  const copy = structuredClone(early);
  const [late, rounds] = [engine.communication_ledger(job), engine.collective_schedule(schedule)];
  for (let ranks = 2; ranks <= 64; ranks *= 2) void engine.collective_schedule({ ...schedule, ranks }).rounds;
  for (let degree = 1; degree <= 8; degree *= 2) {
    const { rows } = engine.communication_ledger({ ...job, tensor_parallel: degree });
    assert.ok(rows.length > 0);
  }
  assert.deepEqual(late, copy);
  assert.deepEqual(rounds, engine.collective_schedule(schedule));
  assert.deepEqual(JSON.parse(JSON.stringify(late)), copy);
  assert.deepEqual({ ...late }, copy);
  const sent = late.rows.filter((row) => row.sent_by_stage).reduce((sum, row) => sum + row.sent_bytes_per_gpu, 0);
  assert.ok(Math.abs(sent / late.sent_bytes_per_gpu - 1) < 1e-12);
});

test("rows belong to whoever has the result", () => {
  const result = engine.communication_ledger(job);
  assert.equal(result.rows, result.rows);
  result.rows[0].calls = -1;
  assert.equal(result.rows[0].calls, -1);
  result.rows = [];
  assert.deepEqual(result.rows, []);
  assert.ok(engine.communication_ledger(job).rows[0].calls > 0);
  const frozen = Object.freeze(engine.communication_ledger(job));
  assert.deepEqual(frozen, engine.communication_ledger(job));
});

test("each column keeps its kind", () => {
  const described = engine.describe().communication_ledger.results.find(({ name }) => name === "rows").columns;
  const types = { whole: "number", real: "number", flag: "boolean", choice: "string", text: "string" };
  for (const row of engine.communication_ledger(job).rows) {
    assert.deepEqual(
      Object.keys(row),
      described.map(({ name }) => name),
    );
    for (const { name, kind, choices } of described) {
      assert.equal(typeof row[name], types[kind], name);
      if (choices) assert.ok(choices.includes(row[name]), name);
    }
  }
});

test("the rounds of a timeline are columns, of a thousand ranks too", () => {
  const ring = { collective: "all_reduce", algorithm: "ring", latency_us: 5, bandwidth_gb_per_sec: 50 };
  for (const ranks of [2, 8, 1024]) {
    const inputs = { ...ring, ranks, message_size_bytes: 2 ** 26 };
    const timeline = engine.collective_timeline({ ...inputs, delays_us: [40] });
    assert.equal(timeline.ready_us.length, 2 * ranks - 1);
    for (const round of timeline.ready_us) {
      assert.ok(round instanceof Float64Array);
      assert.equal(round.length, ranks);
    }
    assert.deepEqual([...timeline.ready_us[0].slice(0, 2)], [40, 0]);
    assert.equal(Math.max(...timeline.ready_us.at(-1)), timeline.last_leave_us);
    const { last_leave_us } = engine.collective_timeline(inputs);
    assert.ok(Math.abs(last_leave_us / engine.collective_cost(inputs).time_us - 1) < 1e-12);
  }
});
