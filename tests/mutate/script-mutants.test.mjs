import assert from "node:assert/strict";
import { test } from "node:test";
import { transformSync } from "esbuild";
import * as switched from "./switched.js";
import { mutantsOf, withSwitches } from "./script-mutants.mjs";

const after = (text) => mutantsOf("a.ts", `${text}\n`).map((mutant) => mutant.after);

/** What a function of that text gives with one of its changes on, for each; the first with none. */
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

test("texts that are put together, types and what waits stay", () => {
  const same = [
    'x = "a" + b + `c`;',
    "type A = B | C; let a: Array<D>;",
    "const f = async () => (await g()) && 1;",
    "x = [1, 2]; f(3);",
  ];
  assert.deepEqual(same.flatMap(after), ["const f = async () => (await g()) || 1;"]);
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
