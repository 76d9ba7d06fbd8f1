// Random garbage only ever gives results or an InvalidInputError whose problems are whole.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, InvalidInputError, randomNumbers } from "./support.mjs";

const calls_each = 5000;
const random = randomNumbers(2024);
const below = (end) => Math.floor(random() * end);
const pick = (list) => list[below(list.length)];

const numbers = [0, -0, 1, 2, 8, -1, 0.5, 1e-7, 300, 4096, 2 ** 20, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, NaN];
const texts = ["", "8", "ring", "all_reduce", "h100-sxm", "NaN", "\u0000", "\ud800", "ü".repeat(30), "x".repeat(5000)];
const odd = [
  undefined,
  null,
  true,
  false,
  Infinity,
  8n,
  Symbol("s"),
  () => 8,
  new Date(0),
  new Map(),
  /x/,
  new Error(),
];

function number() {
  return random() < 0.5 ? pick(numbers) : (random() - 0.2) * 2 ** below(70);
}

function value(depth = 0) {
  const kind = below(depth > 3 ? 8 : 12);
  if (kind < 5) return number();
  if (kind < 7) return pick(texts);
  if (kind < 8) return pick(odd);
  if (kind < 10) return Array.from({ length: below(5) }, () => value(depth + 1));
  if (kind < 11) return Float64Array.from({ length: below(5) }, number);
  return Object.fromEntries(Array.from({ length: below(4) }, () => [pick(texts), value(depth + 1)]));
}

/** A value that the field may well take. */
function fitting(field) {
  if (field.choices && field.kind === "choice") return pick(field.choices);
  if (field.kind === "flag") return random() < 0.5;
  if (field.kind !== "whole" && field.kind !== "real") return value();
  const drawn = Math.min(field.greatest, Math.max(field.least, 2 ** (random() * Math.log2(field.greatest + 1))));
  return field.kind === "whole" ? Math.floor(drawn) : drawn;
}

/** Inputs of which most fit, some do not, some are absent and some too many. */
function inputs(fields) {
  if (random() < 0.05) return value();
  const given = {};
  const garbage = random() < 0.5 ? 0 : 0.2;
  for (const field of fields) {
    if (random() > 0.1 || field.required) given[field.name] = random() < garbage ? value() : fitting(field);
  }
  if (random() < 0.05) given[pick(texts)] = value();
  return given;
}

/** Whether the call was answered. */
function answers(call) {
  try {
    assert.equal(typeof call(), "object");
    return true;
  } catch (error) {
    assert.ok(error instanceof InvalidInputError, error?.stack ?? String(error));
    assert.ok(error.problems.length > 0);
    for (const { field, code, message, allowed } of error.problems) {
      assert.equal(typeof field, "string");
      assert.match(code, /^[a-z_]+$/);
      assert.ok(message.length > 0 && message.length < 100_000);
      assert.equal(typeof allowed, "string");
    }
    return false;
  }
}

for (const [name, calculation] of Object.entries(engine.describe())) {
  test(`${name} takes garbage`, () => {
    const heavy = calculation.results.some(({ kind }) => kind === "list");
    const calls = calculation.inputs.length === 0 ? 100 : heavy ? calls_each / 10 : calls_each;
    for (let call = 0; call < calls; ++call) {
      const given = inputs(calculation.inputs);
      answers(() => engine[name](given));
    }
  });

  test(`sweep of ${name} takes garbage`, () => {
    for (let call = 0; call < calls_each / 20; ++call) {
      const axes = Array.from({ length: below(4) }, () => {
        const field = calculation.inputs.length ? pick(calculation.inputs) : { name: "none", kind: "text" };
        const values = Array.from({ length: below(6) }, () => (random() < 0.9 ? fitting(field) : value()));
        return random() < 0.9 ? { field: field.name, values: random() < 0.9 ? values : value() } : value();
      });
      const request = { calculation: name, inputs: inputs(calculation.inputs), axes: random() < 0.9 ? axes : value() };
      answers(() => engine.sweep(random() < 0.95 ? request : value()));
    }
  });
}

test("the engine still answers afterwards", () => {
  assert.ok(answers(() => engine.hardware_catalog()));
});
