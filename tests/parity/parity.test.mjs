// Native and WebAssembly builds agree on random inputs of every calculation.
// COMMCOST_PARITY: inputs of each calculation (2,500; a fraction where each takes a search or more).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const count = Number(process.env.COMMCOST_PARITY ?? 2_500);
/** Calculations that do as much work as so many others. */
const as = {
  fit_step: 5,
  plan: 10,
  plan_serving: 10,
  plan_scaling: 10,
  fit_serving: 20,
  plan_machines: 25,
  serving_load: 50,
  plan_goodput: 100,
};
const inputsOf = (calculation) => Math.ceil(count / (as[calculation] ?? 1));
/** Inputs between two comparisons, which bounds the file between the builds. */
const at_once = 20_000;

const build = new URL("../../build/", import.meta.url).pathname;
const native = (...args) => execFileSync(`${build}native/tests/parity/parity`, args, { encoding: "utf8" });
const wasm = (...args) => {
  try {
    return execFileSync(process.execPath, [`${build}wasm/tests/parity/parity.cjs`, ...args], { encoding: "utf8" });
  } catch (error) {
    return assert.fail(error.stdout || error.message);
  }
};

const folder = mkdtempSync(join(tmpdir(), "commcost-parity-"));
const answers = join(folder, "answers");
after(() => rmSync(folder, { recursive: true }));

const calculations = native("list").trim().split("\n");

test("both builds offer the same calculations", () => {
  assert.deepEqual(wasm("list").trim().split("\n"), calculations);
});

for (const calculation of calculations) {
  test(`${calculation} agrees`, (context) => {
    const sum = { inputs: 0, accepted: 0 };
    const inputs = inputsOf(calculation);
    for (let begin = 0; begin < inputs; begin += at_once) {
      const block = [calculation, Math.min(at_once, inputs - begin), begin + 1, answers].map(String);
      native("write", ...block);
      const compared = JSON.parse(wasm("compare", ...block));
      sum.inputs += compared.inputs;
      sum.accepted += compared.accepted;
    }
    context.diagnostic(`${calculation}: ${JSON.stringify(sum)}`);
    // Agreement on refusals alone would say little.
    assert.ok(sum.accepted > sum.inputs / 20, "too few of the random inputs are accepted");
  });
}
