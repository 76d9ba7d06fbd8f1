// PyTorch's memory snapshots: pickles, as CPython writes them, read as data alone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { gzipSync } from "node:zlib";
import { openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";
import { load } from "./support/source.mjs";

hosted();

const gib = 2 ** 30;
const script = new URL("./support/snapshot.py", import.meta.url).pathname;
const written = new Map();

/** A snapshot of that kind as Python's protocol writes it. */
function snapshot(kind, protocol = 4) {
  const key = `${kind} ${protocol}`;
  if (!written.has(key)) {
    const { status, stdout, stderr } = spawnSync("python3", ["-B", script, String(protocol), kind]);
    assert.equal(status, 0, String(stderr));
    written.set(key, stdout);
  }
  return written.get(key);
}

let read, files;
test.beforeAll(async () => {
  const { readSnapshot } = await load("state/reader/snapshot.ts");
  files = await load("state/reader/read-file.ts");
  read = (bytes, size = bytes.length) =>
    readSnapshot(
      (async function* () {
        for (let at = 0; at < bytes.length; at += size) yield new Uint8Array(bytes.subarray(at, at + size));
      })(),
    );
});

test("a snapshot's timeline: what events and segments say, whatever the protocol", async () => {
  const known = await read(snapshot("steps", 2));
  const [{ device, memory }] = known.devices;
  assert.equal(known.devices.length, 1);
  assert.equal(device, 0);
  // 3 GiB of weights from before, 6 of optimizer state from the first step, 8 of activations, a gradient of a quarter.
  assert.equal(memory.peak_bytes, 17.25 * gib);
  assert.equal(memory.reserved_bytes, 25 * gib);
  assert.equal(memory.counted, undefined);
  assert.deepEqual(memory.at_peak, {
    told_by: "frames",
    parts: [
      { name: "before the recording", bytes: 3 * gib },
      { name: "forward pass", bytes: 8 * gib },
      { name: "backward pass", bytes: 0.25 * gib },
      { name: "optimizer step", bytes: 6 * gib },
    ],
  });
  assert.equal(Math.max(...memory.allocated_bytes), memory.peak_bytes);
  assert.equal(Math.max(...memory.reserved_at_bytes), memory.reserved_bytes);
  assert.equal(memory.allocated_bytes[0], 3 * gib);
  assert.equal(memory.allocated_bytes.at(-1), 9 * gib);
  assert.deepEqual(
    memory.at_us,
    [...memory.at_us].sort((one, other) => one - other),
  );
  for (const protocol of [3, 4, 5]) assert.deepEqual(await read(snapshot("steps", protocol)), known, `${protocol}`);
});

test("wherever a piece of a snapshot ends, it says the same", async () => {
  const bytes = snapshot("steps");
  const whole = await read(bytes);
  for (const size of [1, 2, 7, 64, 1000]) assert.deepEqual(await read(bytes, size), whole, `pieces of ${size}`);
});

test("what a snapshot does not say is not claimed", async () => {
  const of = async (kind) => (await read(snapshot(kind))).devices[0];
  const categories = await of("categories");
  assert.equal(categories.memory.at_peak.told_by, "category");
  assert.deepEqual(
    categories.memory.at_peak.parts.map(({ name }) => name),
    ["before the recording", "gradients", "optimizer", "activations"],
  );
  assert.equal((await of("second")).device, 1);
  assert.equal((await of("untimed")).memory.counted, true);
  // Without segments nothing says what was there before.
  assert.equal((await of("no-segments")).memory.peak_bytes, 14.25 * gib);
});

test("a file that would import or call something is refused in a sentence, and nothing of it runs", async () => {
  for (const protocol of [2, 3, 4, 5])
    await assert.rejects(
      read(snapshot("acts", protocol)),
      /^Error: This pickle does more than hold data: its (STACK_)?GLOBAL at byte \d+ would import or call something\. We run nothing of a file\./,
    );
  for (const [code, name] of [
    ["c", "GLOBAL"],
    ["i", "INST"],
    ["R", "REDUCE"],
    ["b", "BUILD"],
    ["o", "OBJ"],
    ["P", "PERSID"],
    ["Q", "BINPERSID"],
    ["\x81", "NEWOBJ"],
    ["\x82", "EXT1"],
    ["\x92", "NEWOBJ_EX"],
    ["\x93", "STACK_GLOBAL"],
  ])
    await assert.rejects(read(Buffer.from(`\x80\x04N${code}`, "latin1")), new RegExp(` its ${name} at byte 3 `));
});

test("what is no snapshot, or has no history, is told what to do", async () => {
  await assert.rejects(read(snapshot("no-history")), /no history\. Call torch\.cuda\.memory\._record_memory_history/);
  await assert.rejects(read(snapshot("itself")), /no history/);
  await assert.rejects(read(snapshot("others")), /is no memory snapshot: it has neither segments nor device_traces/);
  await assert.rejects(read(snapshot("bytes")), /is no memory snapshot: byte \d+ holds a kind of value/);
  await assert.rejects(read(snapshot("deep")), /nested too deeply/);
  const bytes = snapshot("steps");
  await assert.rejects(read(bytes.subarray(0, bytes.length - 1)), /ends in the middle/);
});

/** Numbers that look random, the same every time. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

const sentence = /^This (pickle|memory snapshot) .*[.?]$/;

test("of damaged snapshots a sentence is said, or what is left of them is read", async () => {
  const bytes = snapshot("steps");
  const random = numbers(32);
  const next = (below) => Math.floor(random.next().value * below);
  let refused = 0;
  for (let round = 0; round < 3000; round++) {
    const damaged = Buffer.from(bytes.subarray(0, round % 3 === 0 ? 2 + next(bytes.length - 2) : bytes.length));
    for (let at = 0; at <= next(6); at++) damaged[next(damaged.length)] = next(256);
    try {
      const { devices } = await read(damaged, 1 + next(500));
      for (const { memory } of devices) {
        assert.ok(memory.at_us.length <= 256);
        for (const column of [memory.at_us, memory.allocated_bytes, memory.reserved_at_bytes])
          assert.ok(
            column.every((value) => value >= 0 && Number.isFinite(value)),
            `round ${round}`,
          );
      }
    } catch (error) {
      refused++;
      assert.ok(error.constructor === Error && sentence.test(error.message), `round ${round}: ${error.stack}`);
    }
  }
  assert.ok(refused > 1000, `${refused}`);
});

/** What asks a reader for more than its file holds, n times over. */
const hostile = {
  "lists that wait": (n) => ["]".repeat(n)],
  "marks alone": (n) => ["(".repeat(n)],
  "one list within another": (n) => ["]".repeat(n), "a".repeat(n)],
  "values that may be meant again": (n) => ["]", "]\x94a".repeat(n), "."],
  "a place far off": (n) => ["]", "r\xff\xff\xff\x7f".repeat(n)],
  "a text without an end": (n) => ["X\xff\xff\xff\x7f", "x".repeat(n)],
  "a text of more bytes than there are": (n) => ["\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "x".repeat(n)],
  "an event again and again": (n) => ["](}\x8c\x06action\x8c\x05allocs\x94", "h\x00".repeat(n), "e."],
  "lists of themselves": (n) => ["]\x94(", "h\x00".repeat(n), "e."],
  "keys without an end": (n) => ["}(", "\x8c\x04sizeK\x01".repeat(n), "u."],
  "addresses, each once": (n) => [
    "](",
    ...Array.from({ length: n }, (_, at) => `}(\x8c\x06action\x8c\x05alloc\x8c\x04addrJ${le(at)}\x8c\x04sizeK\x01u`),
    "e.",
  ],
};
const le = (number) => String.fromCharCode(...[0, 8, 16, 24].map((by) => (number >> by) & 255));

for (const [what, of] of Object.entries(hostile))
  test(`hostile: ${what}`, async () => {
    for (const n of [1000, 40_000, 80_000]) {
      const bytes = Buffer.from(`\x80\x04${of(n).join("")}`, "latin1");
      await assert.rejects(read(bytes, 65_536), (error) => error.constructor === Error && sentence.test(error.message));
    }
  });

test("a snapshot is told by its first bytes, gzipped or not", async () => {
  for (const bytes of [snapshot("steps"), gzipSync(snapshot("steps"))]) {
    const { kind, devices } = await files.readFile(new Blob([bytes]), {}, () => {});
    assert.equal(kind, "memory");
    assert.equal(devices[0].memory.peak_bytes, 17.25 * gib);
  }
});

const give = (page, name, kind) =>
  page
    .getByLabel("files of the run, or drop them anywhere")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: snapshot(kind) });

test("Diagnose shows a snapshot in front of what the job is predicted to hold, part by part", async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-memory" });
  await give(page, "rank0.pickle", "steps");
  await page.getByText("rank0.pickle is read as a memory snapshot of GPU 0.").first().waitFor();
  const chart = page.locator("commcost-memory commcost-line-chart");
  await chart.locator("svg.drawing").waitFor();
  const { summary, series, rules } = await chart.evaluate(({ spec }) => JSON.parse(JSON.stringify(spec)));
  assert.match(
    summary,
    /^PyTorch allocated up to 17\.3 GiB, of 25 GiB that its allocator reserved\. A step is predicted to need [\d.]+ GiB: the run held [\d.]+ % (more|less)\. The peak by the code that allocated it: forward pass 8 GiB, optimizer step 6 GiB, before the recording 3 GiB, backward pass 0\.25 GiB\.$/,
  );
  // The parts are the engine's, one upon the other, and come to what the step needs.
  const memory = await page.locator("commcost-memory").evaluate(({ scenario }) => {
    const { elasticities: _, timeline: __, ...inputs } = scenario.inputs("training_step").values;
    return scenario.engine.training_step(inputs);
  });
  const bands = series.filter(({ kind }) => kind === "band");
  const parts = Object.values(memory.memory).filter((value) => value > 0);
  assert.equal(bands.length, parts.length);
  let low = 0;
  bands.forEach(({ points }, place) => {
    for (const point of points) {
      assert.ok(Math.abs(point.low - low) < 1e-6);
      assert.ok(Math.abs(point.high - low - parts[place]) < 1e-6);
    }
    low += parts[place];
  });
  assert.ok(Math.abs(rules[0].at - low) < 1e-6);
  assert.deepEqual(
    series.filter(({ kind }) => kind !== "band").map(({ name }) => name),
    ["reserved", "allocated"],
  );

  // Another GPU's joins it; both are kept, and taken away as one.
  await give(page, "rank1.pickle", "second");
  await page.getByText("memory snapshot of GPU 0 and 1").first().waitFor();
  await page.reload();
  await expect
    .poll(() => chart.evaluate(({ spec }) => spec.series.filter(({ kind }) => kind !== "band").map(({ name }) => name)))
    .toEqual(["GPU 1, allocated", "GPU 0, reserved", "GPU 0, allocated"]);
  await page.getByRole("button", { name: "Take 2 GPUs away" }).click();
  await chart.waitFor({ state: "detached" });
  await give(page, "model.pickle", "acts");
  await page.getByText("would import or call something").first().waitFor();
  await page.done();
});

test("a snapshot without times is drawn over its events, and categories stand next to their predictions", async () => {
  const page = await openPage(browser, `${host.address}#view=diagnose`, { ready: "commcost-memory" });
  const chart = page.locator("commcost-memory commcost-line-chart");
  await give(page, "untimed.pickle", "untimed");
  await chart.locator("svg.drawing").waitFor();
  assert.equal(await chart.evaluate(({ spec }) => spec.x.label), "Allocations and frees");
  await give(page, "categories.pickle", "categories");
  await expect.poll(() => chart.evaluate(({ spec }) => spec.x.label)).toBe("Time");
  assert.match(
    await chart.evaluate(({ spec }) => spec.summary),
    /The peak by PyTorch’s categories: activations 8 GiB \(predicted [\d.]+ GiB\), optimizer 6 GiB \(predicted [\d.]+ GiB\), before the recording 3 GiB, gradients 0\.25 GiB \(predicted [\d.]+ GiB\)\.$/,
  );
  await page.done();
});
