// The tutor of the exercise: what is said of answers that belong together, hints, and what may be typed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "@playwright/test";
import { axeFindings, openPage } from "./support/browser.mjs";
import { browser, hosted, host as site } from "./support/hosted.mjs";
import { engine } from "../wasm/support.mjs";

hosted();

const open = (hash, options = {}) =>
  openPage(browser, `${site.address}#view=exercise&${hash}`, { ready: "commcost-exercise form", ...options });
const names = [
  "message_size_bytes",
  "comm_volume_per_allreduce_bytes",
  "total_comm_volume_bytes",
  "total_comm_time_ms",
];
/** Types the four answers, empty ones too, and returns what is said of each. */
async function judged(page, ...answers) {
  for (const [at, text] of answers.entries()) await page.locator(`#answer_${names[at]}`).fill(text);
  await page.getByRole("button", { name: "Check" }).click();
  return Promise.all(names.map(async (name) => (await page.locator(`#answer_${name}-verdict`).innerText()).trim()));
}

test("what follows from a wrong answer is said to, and one mistake is named once", async () => {
  const page = await open("seed=1&level=1");
  const right = engine.tensor_parallel_allreduce_cost(engine.draw_exercise({ seed: 1, level: 1 }).inputs);
  const half = names.map((name) => `${right[name]} / 2`);
  const [message, volume, total, time] = await judged(page, ...half);
  assert.match(message, /Did you count elements instead of bytes/);
  assert.match(volume, /correct, given your message size: fix that, and this follows/);
  assert.match(total, /correct, given your volume per all-reduce/);
  assert.match(time, /correct, given your total volume/);
  const verdicts = await judged(page, ...names.map((name) => String(right[name])));
  assert.deepEqual(verdicts, Array(4).fill("✓ right"));
  await page.done();
});

test("a volume is drawn as laps of the ring", async () => {
  const page = await open("seed=1&level=1"); // four GPUs
  const { message_size_bytes: message } = engine.tensor_parallel_allreduce_cost(
    engine.draw_exercise({ seed: 1, level: 1 }).inputs,
  );
  for (const [volume, said] of [
    [`${message} * 3/4`, "This is one lap of the ring. It takes two of 3 rounds each"],
    [`${message} * 2`, "This is 2.7 laps of the ring."],
    [`${message} * 6/4`, "Two laps of 3 rounds: one adds up, one hands round."],
  ]) {
    await judged(page, String(message), volume);
    await page.locator(".laps", { hasText: said }).waitFor();
  }
  await page.done();
});

test("sums, powers, units and fewer digits are understood; what cannot be is said", async () => {
  const page = await open("hidden_size=8192&sequence_length=2048&batch_size=8&num_gpus=8&num_layers=32");
  for (const [text, said] of [
    ["8*2048*8192*2", /^✓ right$/],
    ["8 · 2048 · 2¹⁴", /^✓ right$/],
    ["2^28", /^✓ right$/],
    ["2**28", /^✓ right$/],
    ["(2^9/2) * 1 MiB", /^✓ right$/],
    ["268,435,456", /^✓ right$/],
    ["256 MiB", /^✓ right$/],
    ["256 MB", /binary unit was taken for a decimal one/],
    ["256", /larger unit/],
    ["2(9-1)*2^24", /^✓ right$/],
    ["(4)(4)2^24", /^✓ right$/],
    ["270 MB", /right as far as it goes/],
    ["268 MB", /right as far as it goes: give more digits/],
    ["1/4 GiB", /^✓ right$/],
    ["-5", /Nothing here can be negative/],
    ["2^^3", /We can’t read/],
    ["8*(2", /We can’t read/],
    ["1/0", /We can’t read/],
    ["fetch('x')", /We can’t read/],
  ]) {
    const [message] = await judged(page, text);
    assert.match(message, said, text);
  }
  await page.done();
});

test("a slip is said where nothing else gives it, and asked about where something might", async () => {
  const page = await open("hidden_size=8192&sequence_length=2048&batch_size=4&num_gpus=8&num_layers=32");
  const { message_size_bytes: message, total_comm_time_ms: time } = engine.tensor_parallel_allreduce_cost({
    hidden_size: 8192,
    sequence_length: 2048,
    batch_size: 4,
    num_gpus: 8,
    num_layers: 32,
  });
  const right = (name) =>
    String(
      engine.tensor_parallel_allreduce_cost({
        hidden_size: 8192,
        sequence_length: 2048,
        batch_size: 4,
        num_gpus: 8,
        num_layers: 32,
      })[name],
    );
  const lastOf = async (text) => (await judged(page, ...names.slice(0, 3).map(right), text))[3];
  assert.match(
    (await judged(page, `${message} / 2048`))[0],
    /^✗ That is one token per sequence; the sequence length is missing\.$/,
  );
  assert.match((await judged(page, `${message} / 8192`))[0], /Did you leave out the hidden size\?/);
  // Alone, it may be of any answer before it.
  assert.match(
    (await judged(page, "", "", "", `${time} * 2`))[3],
    /^✗ Answer the boxes above it too to see which slip this is\. Did you multiply by 2 once more than needed, .*, or count the backward pass too\?$/,
  );
  assert.match((await judged(page, `${message} * 2 / 3`))[0], /Not right, and not a slip we recognize/);
  // An eighth: bits, or GPUs.
  assert.match(await lastOf(`${time} / 8`), /Did you take bytes for bits, or divide the time by the GPUs\?/);
  assert.match(await lastOf(`${time} * 1e9`), /the bandwidth is in GB\/s/i);
  assert.match(
    await lastOf(`${right("total_comm_volume_bytes")} / (300 * 3) * 1000`),
    /Did you write 10\^9, which is 3 in Python/,
  );
  // As it is written elsewhere.
  assert.match(await lastOf(time.toFixed(4).replace(".", ",")), /^✓ right$/);
  assert.match(await lastOf(`${(time / 1000).toPrecision(2)} s`), /right as far as it goes/);
  assert.match(await lastOf("21,475"), /Is that 21\.475 or 21475\?/);
  await page.done();
});

test("an exercise of before keeps its numbers; a new draw says its edition", async () => {
  const page = await open("seed=7&level=2");
  const posed = engine.draw_exercise({ seed: 7, level: 2, edition: 1 });
  await page.getByText(posed.model, { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "New exercise" }).click();
  await page.waitForFunction(() => location.hash.includes("seed=8") && location.hash.includes("edition=2"));
  await page.done();
});

test("hints go from the idea to the formula to the numbers, for the first answer that is not right", async () => {
  const page = await open("seed=1&level=1", { viewport: { width: 360, height: 800 } });
  const { inputs } = engine.draw_exercise({ seed: 1, level: 1 });
  await page.evaluate(() => {
    window.heard = [];
    addEventListener("hint", ({ detail }) => window.heard.push(detail));
  });
  const hint = page.getByRole("button", { name: "Hint" });
  for (const words of ["The idea.", "The formula.", "With your numbers."]) {
    await hint.click();
    await page.getByText(words).waitFor();
  }
  await page.getByText(inputs.hidden_size.toLocaleString("en"), { exact: false }).last().waitFor();
  assert.equal(await page.locator(".hint").count(), 3);
  const right = engine.tensor_parallel_allreduce_cost(inputs);
  await judged(page, String(right.message_size_bytes));
  await hint.click();
  const heard = await page.evaluate(() => window.heard);
  assert.deepEqual(
    heard.map(({ result, step, hints }) => [result, step, hints]),
    [
      ["message_size_bytes", 1, 1],
      ["message_size_bytes", 2, 2],
      ["message_size_bytes", 3, 3],
      ["comm_volume_per_allreduce_bytes", 1, 4],
    ],
  );
  assert.deepEqual(await axeFindings(page), []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out");
  await page.done();
});

/** What Python prints for the four results, as different hands print it. */
const spelled = {
  dict: (right) => `{${names.map((name) => `'${name}': ${right[name]}`).join(", ")}}`,
  json: (right) => JSON.stringify(right, null, 2),
  numpy: (right) => `{${names.map((name) => `'${name}': np.float64(${right[name]})`).join(", ")}}`,
  decimal: (right) => `{${names.map((name) => `'${name}': Decimal('${right[name]}')`).join(", ")}}`,
  lines: (right) => names.map((name) => `${name} = ${right[name]}`).join("\n"),
};

test("what a function printed wrongly gets its own answer, and no tick outlives its number", async () => {
  const page = await open("seed=3&level=2");
  const right = engine.tensor_parallel_allreduce_cost(engine.draw_exercise({ seed: 3, level: 2 }).inputs);
  await page.locator("summary", { hasText: "Write the function" }).click();
  const box = page.locator("#printed");
  const ticks = () => page.locator('[id$="-verdict"]', { hasText: "✓" }).count();
  const values = names.map((name) => right[name]);
  for (const [text, said, ticked] of [
    [spelled.dict(right), /All four were read; they are judged above$/, 4],
    ["None", /returned None/, 0],
    [
      spelled.dict({ ...right, message_size_bytes: `${right.message_size_bytes}.0` }),
      /message_size_bytes should be an int/,
      4,
    ],
    [
      'Traceback (most recent call last):\n  File "solution.py", line 3\nZeroDivisionError: division by zero',
      /Python stopped: ZeroDivisionError/,
      0,
    ],
    [`(${values.join(", ")})`, /That is a tuple/, 0],
    [`[${values.join(", ")}]`, /That is a list/, 0],
    [
      spelled.dict(right).replace("'message_size_bytes'", "'message_size'"),
      /Not found: message_size_bytes\. There is message_size;/,
      3,
    ],
    [
      spelled.dict({ ...right, total_comm_time_ms: `${right.total_comm_time_ms.toFixed(4)}00001` }),
      /Round total_comm_time_ms to four decimals/,
      4,
    ],
    ["hello", /found none of the four results/, 0],
  ]) {
    await box.fill(text);
    await box.blur();
    await page.locator("#printed-said", { hasText: said }).waitFor();
    assert.equal(await ticks(), ticked, text);
  }
  await page.done();
});

test("what one's function printed is judged at once, however it is printed", async () => {
  const page = await open("seed=3&level=2");
  const right = engine.tensor_parallel_allreduce_cost(engine.draw_exercise({ seed: 3, level: 2 }).inputs);
  await page.evaluate(() => {
    window.heard = [];
    addEventListener("answer", ({ detail }) => window.heard.push(detail));
  });
  await page.locator("summary", { hasText: "Write the function" }).click();
  const box = page.locator("#printed");
  for (const [name, spell] of Object.entries(spelled)) {
    await box.fill(spell({ ...right, total_comm_volume_bytes: right.total_comm_volume_bytes / 2 }));
    await box.blur();
    await page.getByText("All four were read").waitFor();
    assert.match(await page.locator("#answer_total_comm_volume_bytes-verdict").innerText(), /one all-reduce/, name);
    await box.fill(spell(right));
    await box.blur();
    await page.getByText("All four are right").waitFor();
  }
  await box.fill("{'message_size_bytes': 5}");
  await box.blur();
  await page.getByText("Not found: comm_volume_per_allreduce_bytes").waitFor();
  await box.fill("Traceback (most recent call last)");
  await box.blur();
  await page.getByText("Python stopped").waitFor();
  const heard = await page.evaluate(() => window.heard);
  assert.equal(heard.length, 2 * Object.keys(spelled).length + 1);
  assert.deepEqual([heard[0].correct, heard[0].mistake, heard[1].correct], [false, "allreduces_forgotten", true]);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

/** A function as a learner might write it, with one expression to go wrong. */
const solution = (
  volume,
) => `def tensor_parallel_allreduce_cost(hidden_size, sequence_length, batch_size, num_gpus, num_layers,
                                   bytes_per_element=2, bandwidth_gb_per_sec=300.0, allreduces_per_layer=2):
    message = batch_size * sequence_length * hidden_size * bytes_per_element
    volume = ${volume}
    total = volume * num_layers * allreduces_per_layer
    return {"message_size_bytes": message, "comm_volume_per_allreduce_bytes": round(volume, 4),
            "total_comm_volume_bytes": round(total, 4),
            "total_comm_time_ms": round(total / (bandwidth_gb_per_sec * 1e6), 4)}
`;

test("saved tests pass a right function in Python and fail those that get by on the example", async () => {
  const page = await open("seed=1&level=3");
  await page.locator("summary", { hasText: "Write the function" }).click();
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    return [download.suggestedFilename(), Buffer.concat(chunks).toString()];
  };
  const [file, tests] = await saved("Save tests for pytest");
  const folder = mkdtempSync(join(tmpdir(), "commcost-vectors-"));
  writeFileSync(join(folder, file), tests);
  const passes = (volume) => {
    writeFileSync(join(folder, "solution.py"), solution(volume));
    return spawnSync("python3", ["-B", "-m", "unittest", file], { cwd: folder, encoding: "utf8" });
  };
  const right = passes("2 * (num_gpus - 1) * message / num_gpus");
  assert.equal(right.status, 0, right.stderr);
  for (const wrong of [
    "2 * (num_gpus - 1) / num_gpus * message if num_gpus > 2 else 2 * message",
    "(num_gpus - 1) / num_gpus * message",
    "2.0 * message",
    "1.75 * message",
    "2 * (num_gpus - 1) * message // num_gpus",
  ])
    assert.notEqual(passes(wrong).status, 0, wrong);
  rmSync(folder, { recursive: true });

  const [, json] = await saved("Save as JSON");
  const { vectors } = JSON.parse(json);
  for (const { name, inputs, expected } of vectors)
    assert.deepEqual(engine.tensor_parallel_allreduce_cost(inputs), expected, name);
  assert.ok(vectors.some(({ inputs }) => inputs.num_gpus === 1) && vectors.some(({ inputs }) => inputs.num_gpus === 2));
  await page.done();
});
