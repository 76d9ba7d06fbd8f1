import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mutantsOf, withSwitches } from "./mutants.mjs";

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
    "std::array<int, (Sizes + ...)> all; sum = (... + sizes);",
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

test("a program with all changes as switches is as it was, until one is on", (t) => {
  const source = `#include <cstdio>
#include <string>
constexpr int in_advance = 2 * 3;
template <class T> bool few(T a) { return a <= 2 == true; }
int main() {
  std::string text = "a";
  text += "b";
  double parts[2] = {in_advance - 2, 0};
  double& x = *(parts + 0);
  x *= 30;
  std::printf("%s %g %d", text.c_str(), std::max<double>(x / 5 + 1, std::min({7, 5})), few(2));
}
`;
  const folder = mkdtempSync(join(tmpdir(), "commcost-switches-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const names = mutantsOf("a.cpp", source).map(({ name }) => name);
  const ids = new Map(names.map((name, id) => [name, id]));
  const header = new URL("switched.h", import.meta.url).pathname;
  const program = join(folder, "a");
  execFileSync("c++", ["-std=c++20", "-Wall", "-Werror", "-xc++", "-", "-o", program], {
    input: withSwitches("a.cpp", source, ids, header),
  });
  const said = (on) => execFileSync(program, { env: { COMMCOST_MUTANT: String(on) }, encoding: "utf8" });
  const same = "ab 25 1";
  assert.equal(said(-1), same);
  // What is computed while compiling, and what no text can do, stays.
  assert.deepEqual(
    [...names.keys()].map(said).map((text) => (text === same ? "" : text)),
    [
      "",
      "",
      "",
      "ab 25 0",
      "ab 25 0",
      "",
      "",
      "ab 49 1",
      "ab 19 1",
      "",
      "ab 5 1",
      "ab 5 1",
      "ab 5 1",
      "ab 601 1",
      "ab 23 1",
    ].concat(["", "ab 21 1", "ab 26 1"]),
  );
});

test("what is listed as without effect is a change that can be made", () => {
  const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
  for (const name of Object.keys(JSON.parse(read("equivalent.json")))) {
    const file = name.slice(0, name.indexOf(": "));
    const names = mutantsOf(file, read(`../../${file}`)).map((mutant) => mutant.name);
    assert.ok(names.includes(name), `${name} is no change of ${file} any more`);
  }
});
