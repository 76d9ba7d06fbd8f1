// What takes modules apart and puts them together (wasm/parts), on drawn ones: nothing is lost on the way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Bytes, count, custom, listed, moduleOf, named, sectionsOf, signed } from "../../wasm/parts/format.mjs";
import { randomNumbers } from "../support/random-numbers.mjs";

const seed = Number(process.env.COMMCOST_SEED ?? 27);
const next = randomNumbers(seed);
const below = (most) => Math.floor(next() * most);
const drawnBytes = (most) => Uint8Array.from({ length: below(most) }, () => below(256));

test("numbers come back as they went, at every length", (context) => {
  context.diagnostic(`COMMCOST_SEED=${seed}`);
  const ends = Array.from({ length: 33 }, (_, power) => [2 ** power - 1, 2 ** power, 2 ** power + 1]).flat();
  const drawn = Array.from({ length: 2000 }, () => below(2 ** below(33)));
  for (const value of [...ends, ...drawn].filter((value) => value < 2 ** 32))
    assert.equal(new Bytes(Uint8Array.from(count(value))).count(), value);
  for (const value of [...ends, ...drawn]
    .flatMap((value) => [value, -value || 0])
    .filter((value) => Math.abs(value) < 2 ** 31))
    assert.equal(new Bytes(Uint8Array.from(signed(value))).signed(), value);
});

test("names and lists come back as they went", () => {
  for (let round = 0; round < 500; round++) {
    const names = Array.from({ length: below(9) }, () => Buffer.from(drawnBytes(200)).toString("latin1"));
    const from = new Bytes(listed(names.map(named)));
    assert.deepEqual(
      from.list(() => from.name()),
      names,
    );
    assert.equal(from.left, 0);
  }
});

test("a module's sections come back as they went", () => {
  for (let round = 0; round < 500; round++) {
    const sections = Array.from({ length: below(12) }, () => {
      const id = below(13);
      const name = id === custom ? Buffer.from(drawnBytes(20)).toString("latin1") : undefined;
      return { id, name, content: Buffer.from(drawnBytes(below(2) ? 20 : 2000)) };
    });
    const module = moduleOf(sections);
    const read = sectionsOf(module).map((section) => ({ ...section, content: Buffer.from(section.content) }));
    assert.deepEqual(read, sections);
    assert.deepEqual(moduleOf(read), module);
  }
});
