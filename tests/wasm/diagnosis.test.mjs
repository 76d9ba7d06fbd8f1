// Runs with a known cause: what the diagnosis says of their files, against what was put into them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { before, filesOf, healthy, later, more } from "../support/diagnosis/cases.mjs";
import { requestOf } from "../support/diagnosis/read.mjs";
import { load } from "../page/support/source.mjs";
import { engine } from "./support.mjs";

const { conclusionOf } = await load("state/diagnosis/words.ts");

const known = new Map();
/** The expected findings of a case's files, once. */
function judged(one) {
  if (!known.has(one)) known.set(one, judge(one));
  return known.get(one);
}
async function judge(one) {
  const { job, files, ...truth } = filesOf(engine, one);
  const found = engine.diagnose(await requestOf(engine, job, files));
  const said = found.losses
    .map(({ cause, loss_ms, rival }) => `${cause}${rival ? ` or ${rival}` : ""} ${loss_ms.toFixed(0)}`)
    .join(", ");
  const off = Math.abs(found.unexplained_ms - truth.unexplained_ms) / found.measured_ms;
  return {
    one,
    truth,
    found,
    named: found.losses.map(({ cause }) => cause),
    off,
    said: `${one.name}: ${found.verdict}, ${said || "no cause"}; unexplained ${found.unexplained_ms.toFixed(0)} ms of ${found.measured_ms.toFixed(0)}, known ${truth.unexplained_ms.toFixed(0)}`,
  };
}
const all = (cases) => Promise.all(cases.map(judged));

test("of fifteen runs with a known cause the first named is the largest in twelve at least", async (t) => {
  const fifteen = await all([...before, ...later]);
  assert.equal(fifteen.length, 15);
  assert.equal(fifteen.filter(({ one }) => one.causes.length === 2).length, 5);
  for (const { said } of fifteen) t.diagnostic(said);
  const right = fifteen.filter(({ one, named }) => named[0] === one.causes[0]);
  t.diagnostic(`named first: ${right.length} of 15`);
  assert.ok(right.length >= 12, fifteen.map(({ said }) => said).join("\n"));
  const both = fifteen.filter(
    ({ one, named }) => one.causes.length === 2 && one.causes.every((cause) => named.includes(cause)),
  );
  t.diagnostic(`both causes of two named: ${both.length} of 5`);
});

test("no cause is named that was not put in, whatever the noise", async () => {
  const cases = [...before, ...later, ...more];
  for (const { one, named, said } of await all([...cases, ...cases.map((one) => ({ ...one, seed: 222 }))]))
    assert.deepEqual(
      named.filter((cause) => !one.causes.includes(cause)),
      [],
      said,
    );
});

test("what is unexplained is right within 5 % of the step", async () => {
  for (const { off, said } of await all([...before, ...later, ...more, ...healthy])) assert.ok(off <= 0.05, said);
});

test("measured is expected, named losses and what is unexplained, to the last microsecond", async () => {
  for (const { found, said } of await all([...before, ...healthy])) {
    const sum = found.losses.reduce((total, { loss_ms }) => total + loss_ms, found.expected_ms + found.unexplained_ms);
    assert.ok(Math.abs(sum - found.measured_ms) < 1e-3, said);
  }
});

test("what a log’s last lines say of its rows is held against these", async () => {
  const { files } = filesOf(
    engine,
    before.find(({ nccl }) => nccl),
  );
  const { text } = files.find(({ name }) => name === "nccl.log");
  const said = (log) => conclusionOf(engine.fit_collective({ log }).conclusion);
  const [, average] = /Avg bus bandwidth +: ([\d.]+)/.exec(text);
  assert.match(said(text), /^Its rows come to the average of its last line, [\d.]+ GB\/s, without a wrong value\.$/);
  assert.ok(said(text).includes(Number(average).toPrecision(3)));
  // A third of the rows is missing, as from a pager or a copied screen.
  const rows = text.split("\n").filter((line) => /^ +\d+ +\d+ +float/.test(line));
  const cut = rows.slice(0, 7).reduce((left, row) => left.replace(`${row}\n`, ""), text);
  assert.match(
    said(cut),
    /^Its last line says [\d.]+ GB\/s on average, its rows come to [\d.]+ GB\/s: rows are missing/,
  );
  const wrong = text.replace("Out of bounds values : 0 OK", "Out of bounds values : 12 FAILED");
  assert.equal(said(wrong), "It counts 12 wrong values: find out why before you trust its times.");
  assert.equal(said(rows.join("\n")), "");
});

test("no cause is named in runs that are as they should be", async () => {
  for (const { named, found, said } of await all(healthy)) {
    assert.deepEqual(named, [], said);
    assert.equal(found.verdict, "as_expected", said);
    for (const { verdict } of found.networks) assert.equal(verdict, "as_expected", said);
  }
});

test("beyond the fifteen: a slow loader, slow links", async () => {
  for (const { one, named, said } of await all(more)) assert.equal(named[0], one.causes[0], said);
});

test("what a calibration in force has in what is expected explains no other slowdown", async () => {
  const cases = [...before, ...more].filter(({ nccl, faults }) => nccl && !faults.stalls);
  assert.ok(cases.length >= 2);
  for (const one of cases) {
    const { job, files } = filesOf(engine, one);
    const request = await requestOf(
      engine,
      job,
      files.filter(({ text }) => !/"ph"/.test(text)),
    );
    const found = engine.diagnose(request);
    assert.equal(found.losses[0].cause, one.causes[0], one.name);
    const { field, value } = found.parts[0];
    const calibrated = engine.diagnose({ ...request, [field]: value });
    assert.ok(calibrated.expected_ms > found.expected_ms, one.name);
    const slower = engine.diagnose({
      ...request,
      [field]: value,
      step_times_ms: request.step_times_ms.map((time) => 1.3 * time),
    });
    for (const { losses } of [calibrated, slower])
      assert.ok(!losses.some(({ cause }) => cause === one.causes[0]), one.name);
    const more = slower.unexplained_ms - calibrated.unexplained_ms;
    assert.ok(Math.abs(more / (slower.measured_ms - calibrated.measured_ms) - 1) < 0.01, `${one.name}: ${more}`);
  }
});
