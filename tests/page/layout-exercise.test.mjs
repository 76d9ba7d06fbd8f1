// Choosing a layout: each is priced by the engine, and what is said of a choice is true of the engine's tables. No browser is
// needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { engine } from "../wasm/support.mjs";
import { load } from "./support/source.mjs";

const { boardOf, causeOf, cellOf, fastestWords, judgeLayout, layoutHints } = await load("exercise/layout-grade.ts");

const draws = [1, 2].flatMap((level) =>
  Array.from({ length: 200 }, (_, seed) => {
    const posed = engine.pose_exercise({ track: "layout", seed, level, edition: 2 });
    const given = Object.fromEntries(posed.given.map(({ name, value }) => [name, value]));
    return { level, seed, given, tolerance: posed.choice_tolerance_percent, board: boardOf(engine, given) };
  }),
);
const runs = ({ cells }) => cells.filter(({ slower }) => slower !== undefined);
const numberIn = (text, pattern) => Number(pattern.exec(text)?.[1]?.replaceAll(",", ""));
/** A time as it is written, in ms. */
const ms = (text) => {
  if (text === "none") return 0;
  const [, value, unit] = /^([\d.,]+)\s(s|ms|µs)$/.exec(text) ?? assert.fail(`“${text}” is no time`);
  return Number(value.replaceAll(",", "")) * { s: 1000, ms: 1, µs: 0.001 }[unit];
};
const close = (written, value, what) =>
  assert.ok(Math.abs(written - value) <= 0.006 * Math.abs(value) + 1e-9, `${what}: ${written} for ${value}`);

test("a layout that is right is as fast as any, and there are more wrong ones than right ones", () => {
  const different = new Set();
  for (const { level, seed, given, board, tolerance } of draws) {
    const where = `level ${level}, seed ${seed}`;
    const { g, t, p, batch, h, l } = given;
    different.add([level, g, t, p, batch, h, l].join());
    assert.ok(Math.abs(tolerance - 3.5) < 1e-9, "as far as two measurements of one configuration are apart");
    const own = cellOf(board, t, p);
    assert.equal(
      own.impossible,
      undefined,
      `${where}, ${JSON.stringify(given)}: the given layout is one that can be run`,
    );
    const right = board.cells.filter((cell) => judgeLayout(board, cell, tolerance).right);
    assert.ok(right.length >= 1 && right.length <= 8, `${where}: ${right.length} are right`);
    assert.ok(
      runs(board).length + board.cells.filter(({ step }) => step && !step.fits).length - right.length >= 6,
      where,
    );
    // The engine is asked once more, in its own words.
    const least = Math.min(...runs(board).map(({ step }) => step.step_time_ms));
    assert.equal(board.fastest.step.step_time_ms, least);
    for (const cell of right) {
      assert.ok(cell.step.fits && cell.step.memory_gib <= cell.step.memory_available_gib, where);
      assert.ok(cell.step.step_time_ms <= least * 1.035, where);
      assert.equal(cell.tensor * cell.pipeline * cell.data, g, where);
    }
  }
  assert.ok(different.size >= 120, `${different.size} different ones in 400 draws`);
});

test("no rule of thumb answers it without looking: each is wrong in many draws", () => {
  const leastFitting = (board) =>
    runs(board).reduce((best, cell) => (cell.tensor * cell.pipeline < best.tensor * best.pipeline ? cell : best));
  const rules = {
    "the given layout": ({ board, given }) => cellOf(board, given.t, given.p),
    "TP 8, no pipeline": ({ board }) => cellOf(board, 8, 1),
    "TP 8 and as many stages as there are": ({ board }) =>
      runs(board)
        .filter(({ tensor }) => tensor === 8)
        .at(-1),
    "no TP": ({ board }) => runs(board).find(({ tensor }) => tensor === 1),
    "as much TP as there is": ({ board }) => cellOf(board, 16, 1),
    "the fewest GPUs a replica, TP first": ({ board }) => leastFitting({ cells: board.cells.toReversed() }),
    "the fewest GPUs a replica, PP first": ({ board }) => leastFitting(board),
    "the least memory": ({ board }) =>
      runs(board).reduce((best, cell) => (cell.step.memory_gib < best.step.memory_gib ? cell : best)),
  };
  for (const [name, rule] of Object.entries(rules)) {
    const right = draws.filter((draw) => {
      const cell = rule(draw);
      return cell && judgeLayout(draw.board, cell, draw.tolerance).right;
    }).length;
    console.log(`${name}: right in ${right} of ${draws.length}`);
    assert.ok(right < 0.8 * draws.length, `${name} is right in ${right} of ${draws.length}`);
  }
});

test("what is said of a choice is so: its time, its distance, and the part of the step that makes it slower", () => {
  const heard = {};
  for (const { level, seed, board, tolerance } of draws) {
    for (const cell of board.cells) {
      const { right, slower, words } = judgeLayout(board, cell, tolerance);
      const where = `level ${level}, seed ${seed}, TP ${cell.tensor}, PP ${cell.pipeline}: ${words}`;
      const hear = (claim) => (heard[claim] = (heard[claim] ?? 0) + 1);
      assert.doesNotMatch(words, /NaN|undefined|Infinity|\d\.0\b/, where);
      if (cell.impossible) {
        hear("can’t run");
        assert.ok(!right && slower === undefined, where);
        continue;
      }
      const { step } = cell;
      const { parts, memory } = step;
      if (!step.fits) {
        hear("needs more");
        assert.ok(!right && step.memory_gib > step.memory_available_gib, where);
        close(numberIn(words, /needs ([\d.,]+) GiB/), step.memory_gib, where);
        close(numberIn(words, /but ([\d.,]+) GiB/), step.memory_available_gib, where);
        const states = memory.weights_gib + memory.gradients_gib + memory.optimizer_gib;
        if (words.includes("alone")) {
          hear("states alone");
          assert.ok(states > step.memory_available_gib, where);
        } else if (words.includes("a higher TP divides")) {
          hear("TP divides activations");
          const higher = cellOf(board, 2 * cell.tensor, cell.pipeline);
          if (higher?.step) assert.ok(higher.step.memory.activations_gib < memory.activations_gib, where);
        }
        continue;
      }
      const best = board.fastest.step;
      close(ms(/^(.+?) a step/.exec(words)[1]), step.step_time_ms, where);
      if (words.includes(": the fastest")) {
        assert.equal(step.step_time_ms, best.step_time_ms);
        continue;
      }
      const longer = 100 * (step.step_time_ms / best.step_time_ms - 1);
      assert.ok(Math.abs(numberIn(words, /, ([\d.,]+) % longer/) - longer) <= 0.06 * longer, where);
      assert.equal(right, longer <= tolerance, where);
      assert.equal(words.includes("within error"), right, where);
      if (right) continue;
      const cause = causeOf(board, cell);
      const grown = Object.entries(parts).map(([part, value]) => [part, value - best.parts[part]]);
      assert.equal(cause, grown.sort((a, b) => b[1] - a[1])[0][0], where);
      const pair = /(?:wait|takes) (\S+ \S+?)(?: for [^,]+)?, (none|\S+ \S+) in the fastest/.exec(words);
      assert.ok(pair, where);
      close(ms(pair[1]), parts[cause], where);
      close(ms(pair[2]), best.parts[cause], where);
      hear(cause);
      if (words.includes("leaves the node")) {
        hear("leaves the node");
        assert.ok(cell.tensor > 8, where);
        assert.ok(step.traffic.find(({ dimension }) => dimension === "tensor").network_bytes > 0, where);
      }
      if (cause === "bubble_ms")
        assert.equal(numberIn(words, /: ([\d,]+) micro-batch(?:es)? through/), step.micro_batches, where);
      const alone = cellOf(board, cell.tensor, 1).step;
      if (words.includes("thinner slices")) assert.ok(cell.tensor > board.fastest.tensor, where);
      if (words.includes("even share") && alone) assert.ok(parts.compute_ms > alone.parts.compute_ms, where);
    }
  }
  console.log(heard);
  for (const claim of [
    "can’t run",
    "needs more",
    "states alone",
    "TP divides activations",
    "exposed_tensor_ms",
    "bubble_ms",
    "compute_ms",
    "leaves the node",
  ])
    assert.ok(heard[claim] >= 20, `${claim}: ${heard[claim]}`);
});

test("the worked solution names the fastest, and the hints’ arithmetic is the engine’s", () => {
  for (const { board, given, tolerance } of draws) {
    const { fastest } = board;
    const words = fastestWords(board, tolerance);
    assert.ok(words.startsWith(`TP ${fastest.tensor}, PP ${fastest.pipeline}, `), words);
    const ties = runs(board).filter(({ slower }) => slower > 0 && slower <= tolerance).length;
    assert.equal(/; (\d+) other/.exec(words)?.[1], ties === 0 ? undefined : String(ties), words);
    const hints = layoutHints(given);
    const billions = numberIn(hints[2], /= ([\d.,]+) billion/);
    close(billions, (12 * given.l * given.h ** 2) / 1e9, hints[2]);
    // Embeddings come on top of what the rule of thumb counts.
    const { memory } = cellOf(board, given.t, given.p).step;
    const held = (memory.weights_gib + memory.gradients_gib) * 2 ** 30;
    const told = (4e9 * billions) / (given.t * given.p);
    assert.ok(held >= 0.98 * told && held <= 1.6 * told, `${hints[2]} against ${held / 1e9} GB`);
  }
});
