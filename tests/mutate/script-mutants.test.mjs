import assert from "node:assert/strict";
import { test } from "node:test";
import { transformSync } from "esbuild";
import * as switched from "./switched.js";
import { mutantsOf, withSwitches } from "./script-mutants.mjs";

const after = (text) => mutantsOf("a.ts", `${text}\n`).map((mutant) => mutant.after);

/** The results of a function of that text with each of its changes on; the first with none. */
function answers(text, ...given) {
  const source = `export const f = ${text};\n`;
  const names = mutantsOf("a.ts", source).map(({ name }) => name);
  return [undefined, ...names.keys()].map((on) => {
    const { code } = transformSync(
      withSwitches("a.ts", source, new Map(names.map((name, id) => [name, id])), "switched").replace(/^import.*\n/, ""),
      { loader: "ts", format: "cjs" },
    );
    const run = new Function("module", "switched", `${code}; return module.exports.f;`);
    const changed = (id) => id === on;
    return run({ exports: {} }, switched.switchedBy(changed))(...given);
  });
}

test("operators, constants beside them, plain conditions and roundings change, each in turn", () => {
  assert.deepEqual(after("x = a + b * 2;"), ["x = a - b * 2;", "x = a + b / 2;", "x = a + b * 3;"]);
  assert.deepEqual(after("x = a <= b && c;"), ["x = a <= b || c;", "x = a < b && c;"]);
  assert.deepEqual(after("x = fits ? 1 : 2;"), ["x = !fits ? 1 : 2;"]);
  assert.deepEqual(after("if (Math.floor(x)) f();"), ["if (!Math.floor(x)) f();", "if (Math.ceil(x)) f();"]);
});

test("texts that are put together, types, what waits and what chooses parts to load stay", () => {
  const same = [
    'x = "a" + b + `c`;',
    "type A = B | C; let a: Array<D>;",
    "const f = async () => (await g()) && 1;",
    "x = [1, 2]; f(3);",
    "x = PYTHON ? () => import(a) : b;",
  ];
  assert.deepEqual(same.flatMap(after), ["const f = async () => (await g()) || 1;"]);
});

test("what tells is in a function that makes a sentence, and does not only say where a mark stands", () => {
  const told = (text) =>
    mutantsOf("a.ts", `${text}\n`)
      .filter(({ tells }) => tells)
      .map((mutant) => mutant.after);
  assert.deepEqual(told("const f = (a) => `it takes ${a + 1} ms`;").length, 2);
  assert.deepEqual(told("const f = (a) => a + b; const g = () => `nothing said of this`;"), []);
  assert.deepEqual(told('const f = (a) => svg`<text class="a mark of" x=${a + b}>${a}</text>`;'), []);
  assert.deepEqual(told("const f = (a) => svg`<text class=${a + b} x=${a * b}>it takes ${a}</text>`;"), [
    "const f = (a) => svg`<text class=${a - b} x=${a * b}>it takes ${a}</text>`;",
  ]);
  assert.equal(told('const f = (a) => svg`<g x=${a * b} aria-label="bars of ${a + b} layers"></g>`;').length, 1);
});

test("a build with all changes as switches is as it was, until one is on", () => {
  assert.deepEqual(answers("(a, b) => (a < b ? a + 1 : Math.max(a, b))", 3, 3), [3, 4, 3, 3, 3]);
  assert.deepEqual(answers("(a, b) => a && { b: b?.c!.d }", 0, { c: { d: 1 } }), [0, { b: 1 }]);
  assert.deepEqual(answers("({ a }: { a: number }, b) => `${a > 1 ? `${a} of` : b} them`", { a: 1 }, 7), [
    "7 them",
    "1 of them",
    "7 them",
  ]);
});
