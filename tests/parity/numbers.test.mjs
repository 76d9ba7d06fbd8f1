// The page and the core read a number the same: whole, to the same bits, or not at all.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { load } from "../page/support/source.mjs";
import { randomNumbers } from "../support/random-numbers.mjs";

const { readNumber } = await load("state/number.ts");
const { readQuantity } = await load("state/units.ts");
const { readAnswer } = await load("exercise/expression.ts");

const program = new URL("../../build/native/tests/parity/parity", import.meta.url).pathname;
/** What the core makes of each text. */
function core(texts) {
  const said = execFileSync(program, ["numbers"], {
    input: `${texts.join("\n")}\n`,
    encoding: "latin1",
    maxBuffer: 1e9,
  });
  const view = new DataView(new ArrayBuffer(8));
  return said
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line === "none") return undefined;
      view.setBigUint64(0, BigInt(`0x${line}`));
      return view.getFloat64(0);
    });
}

/** Draws a text that is a number, or nearly. */
function spelling(next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const digits = (most) => Array.from({ length: 1 + Math.floor(next() * most) }, () => pick("0123456789")).join("");
  const separator = pick([",", "_", "'", "", "", pick(",_'")]);
  const grouped = () =>
    digits(3) +
    Array.from(
      { length: Math.floor(next() * 4) },
      () => separator + (next() < 0.9 ? digits(1) + digits(1) + digits(1) : digits(4)),
    ).join("");
  const integer = next() < 0.5 ? digits(6) : grouped();
  const parts = [
    pick(["", "", "", "-", "+"]),
    next() < 0.9 ? integer : "",
    next() < 0.5 ? `.${next() < 0.9 ? digits(9) : ""}` : "",
    next() < 0.4 ? pick(["e", "E"]) + pick(["", "-", "+"]) + (next() < 0.9 ? digits(3) : "") : "",
  ];
  let text = parts.join("");
  // A slip of the pen in a third of them.
  if (next() < 0.33) {
    const at = Math.floor(next() * (text.length + 1));
    text =
      text.slice(0, at) +
      pick(["", ".", ",", "_", "'", "e", "-", "+", "0", " ", "x", "k"]) +
      text.slice(at + Math.floor(next() * 2));
  }
  return text;
}

const texts = (seed, count) => {
  const next = randomNumbers(seed);
  return Array.from({ length: count }, () => spelling(next));
};
/** Beyond 19 digits and for numbers that are not normal the core promises an ulp or so. */
const near = (one, other) =>
  Object.is(one, other) ||
  one === other ||
  Math.abs(one - other) <= Math.abs(other) * 2 ** -52 ||
  Math.abs(other) < 1e-300;

test("20,000 spellings mean the same to the page and to the core", () => {
  const all = texts(26, 20_000);
  const read = core(all);
  let numbers = 0;
  for (const [at, text] of all.entries()) {
    const here = readNumber(text);
    assert.equal(here === undefined, read[at] === undefined, `${text}: ${here} here, ${read[at]} in the core`);
    if (here === undefined) continue;
    numbers++;
    assert.ok(near(read[at], here), `${text}: ${here} here, ${read[at]} in the core`);
  }
  assert.ok(numbers > 10_000 && numbers < 19_000, `${numbers}`);
});

test("what is written out is read back, by both", () => {
  const next = randomNumbers(27);
  const view = new DataView(new ArrayBuffer(8));
  const numbers = Array.from({ length: 5000 }, () => {
    view.setUint32(0, next() * 2 ** 32);
    view.setUint32(4, next() * 2 ** 32);
    return view.getFloat64(0);
  }).filter((number) => Number.isFinite(number) && Math.abs(number) > 1e-300);
  const spelled = numbers.flatMap((number) => [String(number), number.toExponential(), number.toPrecision(17)]);
  const read = core(spelled);
  for (const [at, text] of spelled.entries()) {
    assert.equal(readNumber(text), numbers[Math.floor(at / 3)]);
    assert.equal(read[at], numbers[Math.floor(at / 3)], text);
  }
});

test("fields of links, answers and the command line take the same spellings", () => {
  for (const text of texts(28, 5000)) {
    if (/[ kx]/.test(text)) continue;
    const number = readNumber(text);
    const reading = readQuantity(text, "");
    const fits = number !== undefined && Number.isFinite(number);
    assert.equal(reading.ok, fits, text);
    if (!fits) continue;
    assert.equal(reading.value, number, text);
    assert.equal(readAnswer({ unit: "bytes" }, text), number, text);
  }
});

test("people set digits apart by spaces as well", () => {
  for (const [text, value] of [
    ["4 096", 4096],
    ["1 000 000.5", 1000000.5],
    ["12\u202f345", 12345],
    ["7\u00a0890e1", 78900],
  ])
    assert.deepEqual(readQuantity(text, ""), { ok: true, value, plain: true });
  for (const text of ["1234 567", "1 0000", "1.000,000", "12,34", "0x10", "1e", "1..2", "five", "1,000_000"])
    assert.equal(readQuantity(text, "").ok, false, text);
  assert.equal(readAnswer({ unit: "bytes" }, "2 048 * 8"), 16384);
  assert.equal(readAnswer({ unit: "bytes" }, "8*2,048^2"), 8 * 2048 ** 2);
});

test("an answer is read in every unit of its kind, which multiplies what stands before it", () => {
  for (const [typed, unit, value] of [
    ["1/4 GiB", "bytes", 2 ** 28],
    ["2^8 MiB", "bytes", 2 ** 28],
    ["(1/4) GiB", "bytes", 2 ** 28],
    ["512 MiB / 2", "bytes", 2 ** 28],
    ["2 · 7/8 · 128 MiB", "MiB", 224],
    ["1 GiB - 512 MiB", "MiB", 512],
    ["8*2k*4k", "bytes", 64e6],
    ["0.125 GiB", "MiB", 128],
    ["80 GB", "MB", 80000],
    ["1.5 ms", "µs", 1500],
    ["3/4 s", "ms", 750],
    ["0.5 TB/s", "GB/s", 500],
    ["75 %", "%", 75],
    ["3/4 * 100 %", "%", 75],
    ["0,427", "", 0.427],
    ["12,5", "", 12.5],
  ])
    assert.equal(readAnswer({ unit }, typed), value, typed);
  for (const typed of ["1 GiB / 4 MiB", "2 GiB MiB", "5 parsecs", "2^^3"])
    assert.match(String(readAnswer({ unit: "bytes" }, typed)), /^We can’t read/);
  for (const unit of ["ms", "µs", ""]) assert.match(readAnswer({ unit }, "1,234"), /^Is that 1\.234 or 1234\?/);
});
