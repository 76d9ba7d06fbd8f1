// Texts recorded in a file: the first of each shape, with the number of the scenario it is about. A text or a figure
// that changes is noticed, and is either intended (COMMCOST_RECORD=1 npx playwright test -c tests/page recorded-
// rewrites the files; read what changed) or a mistake.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "@playwright/test";
import { loadEngine } from "../../../build/engine/commcost.js";
import { loadAll } from "./source.mjs";

/** A sentence without its names and numbers. */
const withoutNames = (line) =>
  line
    .split(/\s+/)
    .filter((word) => !/[A-Z\d]/.test(word))
    .join(" ");

/** Where signs say as much as words do: a line without its digits. */
export const withoutDigits = (line) => line.replace(/\d[\d.,]*/g, "#");

async function recorded(count, linesOf, shapeOf) {
  const shapes = new Map();
  for (let number = 1; number <= count; ++number)
    for (const line of await linesOf(number)) {
      const shape = shapeOf(line);
      if (!shapes.has(shape)) shapes.set(shape, `${number}\t${line}\n`);
    }
  return [...shapes.values()].join("");
}

/** What is done where nothing was kept before: other tests of this process may have left a storage. */
async function onFirstVisit(act) {
  const { localStorage } = globalThis;
  delete globalThis.localStorage;
  try {
    return await act();
  } finally {
    if (localStorage) globalThis.localStorage = localStorage;
  }
}

/** A test that what `linesOf` says of numbers from 1 to `count` is what it was when it was last read. */
const recordedTest = (name, count, linesOf, shapeOf) =>
  test(`${name}: its sentences are what they were`, () =>
    onFirstVisit(async () => {
      const file = new URL(`../../data/words/${name}.tsv`, import.meta.url);
      if (process.env.COMMCOST_RECORD) writeFileSync(file, await recorded(count, linesOf, shapeOf));
      const lines = readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t"));
      assert.ok(lines.length >= 5, name);
      const now = new Map();
      for (const [number, line] of lines) {
        if (!now.has(number)) now.set(number, await linesOf(Number(number)));
        assert.ok(now.get(number).includes(line), `${name} of number ${number} no longer says: ${line}`);
      }
    }));

const engine = await loadEngine();

/** What makes such tests of modules of web/, by name: `linesOf` is given them, the engine and a number. */
export async function recorder(modules) {
  const page = await loadAll(modules);
  return (name, count, linesOf, shapeOf = withoutNames) =>
    recordedTest(name, count, (number) => linesOf(page, engine, number), shapeOf);
}
