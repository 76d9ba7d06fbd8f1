// What Compare may say of two scenarios, by the engine's tables alone.
import assert from "node:assert/strict";
import { digits, near, number, rangeOf, timeOf } from "../claims.mjs";
import { comparedWith } from "../told.mjs";

const train = (one) => ({ value: one.step_time_ms, low: one.step_time_low_ms, high: one.step_time_high_ms });
const first = (one) => ({ value: one.first_token_ms, low: one.first_token_low_ms, high: one.first_token_high_ms });
/** A rate's range: the time's, the other way round. */
const rate = (name) => (one) => ({
  value: one[name],
  low: (one[name] * one.step_time_ms) / one.step_time_high_ms,
  high: (one[name] * one.step_time_ms) / one.step_time_low_ms,
});
const taken = (of) => (one, scenario) => ({
  value: of(one, scenario),
  low: (of(one, scenario) * one.step_time_low_ms) / one.step_time_ms,
  high: (of(one, scenario) * one.step_time_high_ms) / one.step_time_ms,
});
const gpuHours = (one) => one.training_days * 24 * one.cluster_gpus;
const alone = (one) => ({ value: one.memory_gib });

/** Each row by its name: of which calculation, and its figure with its range. */
const rows = {
  "Step time": ["training_step", train],
  "TFLOP/s per GPU": ["training_step", rate("model_tflops_per_gpu")],
  MFU: ["training_step", rate("mfu_percent")],
  Memory: ["training_step", alone],
  "Tokens/s/GPU": ["training_step", rate("tokens_per_sec_per_gpu")],
  Run: ["training_step", taken((one) => one.training_days)],
  "GPU-hours": ["training_step", taken(gpuHours)],
  "Price of the run": [
    "training_step",
    taken((one, scenario) => gpuHours(one) * scenario.number("price_per_gpu_hour")),
  ],
  "served: Decode step": ["serving_step", train],
  "served: TTFT": ["serving_step", first],
  "served: Tokens/s per user": ["serving_step", rate("tokens_per_sec_per_user")],
  "served: Tokens/s/GPU": ["serving_step", rate("tokens_per_sec_per_gpu")],
  "served: Memory": ["serving_step", alone],
};

/** The widest that the difference of two independent predictions can be taken for, as ratios, or as points of MFU. */
function spread(a, b, inPoints) {
  const far = (from, to) => (inPoints ? to - from : Math.log(to / from));
  const between = far(a.value, b.value);
  return [
    between - Math.sqrt(far(b.low, b.value) ** 2 + far(a.value, a.high) ** 2),
    between + Math.sqrt(far(b.value, b.high) ** 2 + far(a.low, a.value) ** 2),
  ];
}

/** What a text says of a difference: "−45 %" → −45. */
const signed = (text) => number(text.replace("+", ""));

function checkRow(what, said, a, b, oneTime) {
  const inPoints = what === "MFU";
  const [, then, now, words, range, known] =
    /^A (.+?) \((?:.*?)\), B (.+?) \((?:.*?)\), (.+?) \((.*?)\)(, known)?$/.exec(said);
  if (/time|TTFT|Decode/.test(what)) {
    near(timeOf(then), a.value * 1e3, digits[3], `${what} of A`);
    near(timeOf(now), b.value * 1e3, digits[3], `${what} of B`);
    const [low, high] = rangeOf(/B .+? \((.+?)\)/.exec(said)[1]);
    near(low, b.low * 1e3, digits[3], `${what}, low`);
    near(high, b.high * 1e3, digits[3], `${what}, high`);
  }
  // What is a bare number, with its range.
  for (const [of, is] of [
    ["A", a],
    ["B", b],
  ]) {
    const bare = new RegExp(`${of} ([\\d.,]+) \\(([\\d.,]+)–([\\d.,]+)\\)`).exec(said);
    if (!bare) continue;
    for (const [at, end] of [is.value, is.low, is.high].entries())
      assert.ok(Math.abs(number(bare[at + 1]) - end) <= Math.max(digits[3] * end, 0.5), `${what} of ${of}: ${said}`);
  }
  const same = Math.abs(a.value - b.value) <= 1e-9 * Math.max(a.value, b.value);
  assert.equal(words === "same", same, `${what}: ${said}`);
  if (same) return assert.equal(known, undefined);
  const is = inPoints ? b.value - a.value : (100 * b.value) / a.value - 100;
  // Two digits are written, of hundredths at most.
  const off = (value) => 0.051 * Math.abs(value) + 1e-6;
  if (a.low === undefined) {
    assert.equal(known, undefined, `${what} has no range that it could be known by`);
    return assert.ok(Math.abs(signed(words.split(" ")[0]) - is) <= off(is), `${what}: ${words} for ${is}`);
  }
  // What differs at one time, as a price of one run, is no prediction's error.
  if (oneTime) {
    assert.ok(known !== undefined && range === "", said);
    return assert.ok(Math.abs(signed(words.split(" ")[0]) - is) <= off(is), `${what}: ${words} for ${is}`);
  }
  const [low, high] = spread(a, b, inPoints);
  assert.equal(words === "within error", low <= 0 && high >= 0, `${what}: ${words}`);
  assert.equal(known !== undefined, low > 0 || high < 0, `${what}: ${words}`);
  if (known) assert.ok(Math.abs(signed(words.split(" ")[0]) - is) <= off(is), `${what}: ${words} for ${is}`);
  const [from, to] = range.split(" to ").map((end) => signed(end.split(" ")[0]));
  const ends = [low, high].map((end) => (inPoints ? end : 100 * Math.expm1(end)));
  assert.ok(Math.abs(from - ends[0]) <= off(ends[0]) && Math.abs(to - ends[1]) <= off(ends[1]), `${what}: ${range}`);
}

/** Names of precisions by what their fields say, where they say one. */
const trained = { stored: "BF16", fp8: "FP8", mxfp8: "MXFP8", nvfp4: "NVFP4" };

function checkDifferences(scenario, then, text) {
  const said = [...text.matchAll(/^differs: (.*) (\S.*?) → (.*)$/gm)];
  const of = (one) =>
    one.text("searched_settings").includes("matmul_precision") ? "auto" : trained[one.text("matmul_precision")];
  const precision = said.filter(([line]) => /precision/i.test(line));
  const differ = of(scenario) !== of(then);
  const served = ["weight_bytes_per_element", "serving_matmul_precision", "kv_bytes_per_element"].some(
    (name) => scenario.text(name) !== then.text(name),
  );
  // A choice is listed once, by its name; a server with fields that no choice has is listed by these.
  if (differ) {
    const line = precision.find(([one]) => one.startsWith("differs: Precision "));
    assert.ok(line?.[0].endsWith(` ${of(then)} → ${of(scenario)}`), text);
  }
  if (!served) assert.equal(precision.length, differ ? 1 : 0, text);
  if (
    served &&
    scenario.text("weight_bytes_per_element") === "0" &&
    scenario.text("serving_matmul_precision") === "stored"
  )
    assert.match(text, /^differs: Serving precision FP8, FP8 KV cache → BF16$/m);
  assert.doesNotMatch(text, /\bstored →|→ stored\b|_/);
}

export function compared({ engine, scenario, text }) {
  const then = comparedWith(scenario);
  const found = [];
  checkDifferences(scenario, then, text);
  let within = false;
  let ranged = false;
  let differs = false;
  for (const line of text.split("\n")) {
    const what = Object.keys(rows).find((name) => line.startsWith(`${name}: A `));
    if (!what) continue;
    const [calculation, of] = rows[what];
    const tables = [then, scenario].map((one) => engine[calculation](one.inputs(calculation).values));
    const [a, b] = tables.map((results, at) => of(results, [then, scenario][at]));
    const oneTime = ["step_time_ms", "step_time_low_ms", "step_time_high_ms"].every(
      (name) => Math.abs(tables[0][name] - tables[1][name]) <= 1e-9 * tables[0][name],
    );
    checkRow(what, line.slice(what.length + 2), a, b, oneTime && !/time|TTFT|Decode/.test(what));
    within ||= line.includes("within error");
    ranged ||= !line.includes(", same (") && a.low !== undefined && !oneTime;
    differs ||= !line.includes(", same (");
    found.push(what);
  }
  assert.ok(found.includes("Step time") && found.includes("GPU-hours"));
  const priced = [then, scenario].every((one) => one.number("price_per_gpu_hour") > 0);
  assert.equal(found.includes("Price of the run"), priced);
  assert.equal(text.includes("Nothing that differs changes these figures."), !differs);
  assert.equal(text.includes("if both err independently"), ranged);
  assert.equal(text.includes("within error when its range includes zero"), within);
  return found;
}
