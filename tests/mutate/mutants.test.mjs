import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mutantsOf } from "./mutants.mjs";

const after = (text) => mutantsOf("a.cpp", `${text}\n`).map((mutant) => mutant.after);

test("operators change, each in turn", () => {
  assert.deepEqual(after("x = a + b * c;"), ["x = a - b * c;", "x = a + b / c;"]);
  assert.deepEqual(after("x += a <= b ? c : d;"), ["x -= a <= b ? c : d;", "x += a < b ? c : d;"]);
  assert.deepEqual(after("return std::max(a, b) == c;"), [
    "return std::min(a, b) == c;",
    "return std::max(a, b) != c;",
  ]);
});

test("constants beside operators are one more", () => {
  assert.ok(after("x = n - 1;").includes("x = n - 2;"));
  assert.ok(after("x = 2 * n;").includes("x = 3 * n;"));
  assert.deepEqual(after("f(1, 8);"), []);
  assert.deepEqual(after("x = 1e-6 + 2.5;"), ["x = 1e-6 - 2.5;"]);
});

test("what only looks like an operator stays", () => {
  const same = [
    "// a + b",
    'x = "a + b";',
    "#if A < B",
    "template <class T> std::vector<T*> f(const T& a, int* b);",
    "++i; p->q; x = -1; *p = ~a; a && b;",
    "x = ' + ';",
  ];
  for (const text of same) assert.deepEqual(after(text), [], text);
});

test("an operator at a line's end is one, and twins are told apart by number", () => {
  const found = mutantsOf("a.cpp", "x = a +\n    b;\ny = a;\nx = a +\n    c;\n");
  assert.deepEqual(
    found.map(({ line, name }) => [line, name]),
    [
      [1, "a.cpp: x = a -"],
      [4, "a.cpp: x = a - (2)"],
    ],
  );
  assert.equal(found[1].text, "x = a +\n    b;\ny = a;\nx = a -\n    c;\n");
});

test("what is listed as without effect is a change that can be made", () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
  for (const name of Object.keys(JSON.parse(read("equivalent.json")))) {
    const file = name.slice(0, name.indexOf(": "));
    const names = mutantsOf(file, read(`../../${file}`)).map((mutant) => mutant.name);
    assert.ok(names.includes(name), `${name} is no change of ${file} any more`);
  }
});
