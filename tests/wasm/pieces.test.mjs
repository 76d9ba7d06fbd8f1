// Logs that arrive in pieces, as a file is read: of any length, cut anywhere, abandoned when no longer wanted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, InvalidInputError, problemsOf } from "./support.mjs";

const step = (number, ms) =>
  ` iteration ${number}/ 900000 | elapsed time per iteration (ms): ${ms} | global batch size: 128 | µ |\n`;

test("a log in pieces is what it is at once, whatever the pieces", () => {
  const text = Array.from({ length: 300 }, (_, at) => step(at + 1, 1000 + (at % 7))).join("");
  const whole = engine.read_training_log({ training_log: text });
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 97, 65536, 65537, bytes.length]) {
    const log = engine.in_pieces("read_training_log");
    for (let at = 0; at < bytes.length; at += size) log.add(bytes.subarray(at, at + size));
    assert.deepEqual(log.run(), whole, String(size));
  }
  const typed = engine.in_pieces("read_training_log");
  typed.add(text.slice(0, 5000));
  assert.deepEqual(typed.run({ training_log: text.slice(5000) }), whole);
});

test("a log of 64 MB is read, and takes no memory of its size", () => {
  const noise = new TextEncoder().encode(`${"some words of somebody else's ".repeat(40)}\n`.repeat(800));
  const log = engine.in_pieces("read_training_log");
  let bytes = 0;
  for (let number = 1; bytes < 64e6; number++) {
    log.add(noise);
    log.add(step(number, 1000));
    bytes += noise.length;
  }
  const { counted_steps, step_time_ms } = log.run();
  assert.ok(counted_steps > 50);
  assert.equal(step_time_ms, 1000);
});

test("each is a run of its own, beside others and beside calls", () => {
  const logs = [1, 2, 3].map(() => engine.in_pieces("read_training_log"));
  const table = engine.in_pieces("fit_collective");
  for (let number = 1; number <= 5; number++) {
    for (const [at, log] of logs.entries()) log.add(step(number, 1000 * (at + 1)));
    assert.equal(
      engine.tensor_parallel_allreduce_cost({
        hidden_size: 4096,
        sequence_length: 2048,
        batch_size: 8,
        num_gpus: 8,
        num_layers: 32,
      }).total_comm_time_ms,
      50.108,
    );
    const size = 4 ** (number + 7);
    const us = 20 + size / 1e5;
    table.add(`${size} ${size / 4} float sum -1 ${us} ${size / us / 1e3} ${(1.75 * size) / us / 1e3} 0\n`);
  }
  logs[1].close();
  assert.equal(logs[0].run().step_time_ms, 1000);
  assert.equal(logs[2].run().step_time_ms, 3000);
  assert.equal(table.run().points.length, 5);
});

test("what has none is named; a run is the last", () => {
  for (const name of ["plan", "nothing", undefined, "__proto__", {}])
    assert.match(problemsOf(() => engine.in_pieces(name))[0].message, /one of .*fit_collective.*read_training_log/);
  const log = engine.in_pieces("read_training_log");
  log.add("nothing of a log");
  assert.throws(() => log.run(), InvalidInputError);
  assert.throws(() => log.add("more"), /before/);
  assert.throws(() => log.run(), /before/);
  log.close();
  log.close();
});

test("what is given up gives its memory back", () => {
  const piece = step(1, 1).repeat(600);
  for (let round = 0; round < 2000; round++) {
    const log = engine.in_pieces("read_training_log");
    log.add(piece.slice(0, -1));
    log.close();
  }
  const unknown = engine.in_pieces("read_training_log");
  unknown.add(step(1, 1) + step(2, 7));
  assert.match(problemsOf(() => unknown.run({ nonsense: 1 }))[0].message, /nonsense is not an input/);
});
