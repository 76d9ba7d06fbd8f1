import assert from "node:assert/strict";
import { test } from "@playwright/test";
import {
  axeFindings,
  choosePreset,
  field,
  nonsense,
  openPage,
  result,
  settled,
  shownText,
} from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

test("answers the exercise's example before anything is touched", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  assert.equal(await result(page, "message_size_bytes").textContent(), "134217728");
  assert.equal(await result(page, "comm_volume_per_allreduce_bytes").textContent(), "234881024");
  assert.equal(await result(page, "total_comm_volume_bytes").textContent(), "15032385536");
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "50.108");
  await page.done();
});

test("understands units and says what it understood", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  for (const [name, text, echo] of [
    ["bandwidth_gb_per_sec", "900 Gb/s", "= 112.5 GB/s"],
    ["bandwidth_gb_per_sec", "16 GiB/s", "= 17.1799 GB/s"],
    ["sequence_length", "4k", "= 4,000 tokens"],
    ["sequence_length", "4Ki", "= 4,096 tokens"],
    ["hidden_size", "1.2e4", null],
  ]) {
    await field(page, name).fill(text);
    const note = page.locator(`#field-${name}-note`);
    if (echo) assert.ok((await note.textContent()).trim().startsWith(echo), text);
    assert.equal(await field(page, name).inputValue(), text, "the text stays as typed");
  }
  await page.done();
});

test("a model and a machine fill their fields; what is typed over says so, and goes back with one click", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await choosePreset(page, "Model", "llama 3.1 70b");
  await choosePreset(page, "Machine", "dgx h100");
  assert.equal(await field(page, "hidden_size").inputValue(), "8192");
  assert.equal(await field(page, "num_layers").inputValue(), "80");
  assert.equal(await field(page, "bandwidth_gb_per_sec").inputValue(), "450");
  assert.equal(await field(page, "nic_gb_per_sec").inputValue(), "50");
  await field(page, "num_layers").fill("40");
  await page.getByText("Typed over: Layers.").waitFor();
  await page.getByRole("button", { name: "Layers, back to Llama 3.1 70B: 80" }).click();
  assert.equal(await field(page, "num_layers").inputValue(), "80");
  assert.equal(await page.getByText("Typed over").count(), 0);
  await page.done();
});

test("wrong inputs are named, each beside its field, and the last answer stays", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  for (const [name, text, message] of [
    ["tensor_parallel", "1.5", "GPUs: enter a whole number, not 1.5"],
    ["tensor_parallel", "0", "GPUs: enter 1 or more, not 0"],
    ["tensor_parallel", "-8", "not -8"],
    ["tensor_parallel", "NaN", "not NaN"],
    ["tensor_parallel", "eight", "not “eight”"],
    ["tensor_parallel", "", "GPUs: enter a whole number, 1 or more"],
    ["tensor_parallel", "1e7", "GPUs: enter at most 1,048,576, not 10,000,000"],
    ["bandwidth_gb_per_sec", "300 GB", ": enter a bandwidth such as 300, 16 GiB/s or 900 Gb/s"],
  ]) {
    await field(page, name).fill(text);
    const note = page.locator(`#field-${name}-note`);
    assert.ok((await note.textContent()).includes(message), `${text}: ${await note.textContent()}`);
    assert.equal(await field(page, name).getAttribute("aria-invalid"), "true");
    assert.equal(await result(page, "total_comm_time_ms").textContent(), "50.108");
    await field(page, name).fill(name === "tensor_parallel" ? "8" : "300");
  }
  await field(page, "hidden_size").fill("9007199254740991");
  await page.getByRole("alert").getByText("Message size must be at most 9,007,199,254,740,991").waitFor();
  await field(page, "tensor_parallel").fill("0.5");
  await field(page, "hidden_size").fill("x");
  assert.equal(await page.getByRole("alert").first().getByRole("listitem").count(), 2);
  assert.equal(nonsense(await shownText(page)), undefined);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("checks answers and names the mistake", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const answer = (name) => page.locator(`#answer_${name}`);
  const verdict = (name) => page.locator(`#answer_${name}-verdict`);
  await answer("message_size_bytes").fill("134217728");
  assert.match(await verdict("message_size_bytes").textContent(), /agrees to four decimals/);
  await answer("comm_volume_per_allreduce_bytes").fill("117440512");
  assert.match(await verdict("comm_volume_per_allreduce_bytes").textContent(), /factor 2 is missing/);
  // 117440512 * 32 * 2: right from a volume that is not.
  await answer("total_comm_volume_bytes").fill("117440512*32*2");
  assert.match(await verdict("total_comm_volume_bytes").textContent(), /correct, given your volume per all-reduce/);
  await answer("comm_volume_per_allreduce_bytes").fill("14 * 2^24");
  assert.match(await verdict("comm_volume_per_allreduce_bytes").textContent(), /agrees/);
  // Half of the total, and the volume is right: it was the two sums a layer.
  assert.match(await verdict("total_comm_volume_bytes").textContent(), /one all-reduce per layer/);
  await answer("total_comm_volume_bytes").fill("14 GB");
  assert.match(await verdict("total_comm_volume_bytes").textContent(), /binary unit was taken for a decimal one/);
  await answer("total_comm_volume_bytes").fill("14 GiB");
  assert.match(await verdict("total_comm_volume_bytes").textContent(), /agrees/);
  await answer("total_comm_time_ms").fill("50.11");
  assert.match(await verdict("total_comm_time_ms").textContent(), /right as far as it goes: give more digits/);
  await answer("total_comm_time_ms").fill("46.6667");
  assert.match(await verdict("total_comm_time_ms").textContent(), /2³⁰/);
  await answer("total_comm_time_ms").fill("fast");
  assert.match(await verdict("total_comm_time_ms").textContent(), /We can’t read/);
  await page.done();
});

test("the numbers put into the derivation give the results shown", async () => {
  const page = await openPage(browser, `${host.address}#hidden_size=8192&num_gpus=6&bandwidth_gb_per_sec=450`);
  const lines = await page
    .locator(".derivation li")
    .evaluateAll((items) =>
      items.map((item) =>
        [...item.querySelectorAll(".lines > div")].map((line) =>
          [...line.querySelectorAll("mn")].map((n) => Number(n.textContent.replaceAll(",", ""))),
        ),
      ),
    );
  const [message, volume, total, time] = lines;
  assert.equal(
    message[1].reduce((a, b) => a * b),
    message[2][0],
  );
  const [two, gpus, one, below, size] = volume[1];
  assert.equal(Number(((two * (gpus - one) * size) / below).toFixed(4)), volume[2][0]);
  // What is shown is rounded to four decimals; the result was rounded only once, from the exact value.
  assert.ok(Math.abs(total[1].reduce((a, b) => a * b) - total[2][0]) <= 0.00005 * total[1][1] * total[1][2] + 0.0001);
  const [sent, rate, ten, six] = time[1];
  assert.equal((sent / (rate * ten ** six)).toFixed(4) * 1, time[2][0]);
  await page.done();
});

test("the chart is read by keyboard, and its numbers stand in a table", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const chart = page.getByRole("slider", { name: /Time against GPUs/ });
  await chart.focus();
  assert.match(await chart.getAttribute("aria-valuetext"), /^8 GPUs in the group: textbook formula 50.1 ms/);
  await page.keyboard.press("ArrowRight");
  assert.match(await chart.getAttribute("aria-valuetext"), /^9 GPUs/);
  await page.keyboard.press("Home");
  assert.match(await chart.getAttribute("aria-valuetext"), /^1 GPUs.*0 ms/);
  await page.getByText("Table").first().click();
  await page.getByRole("cell", { name: "50.108" }).first().waitFor();
  await page.done();
});

test("keyboard alone is enough", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const focused = () =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at?.getAttribute("name") ?? at?.id ?? at?.textContent;
    });
  let reached = false;
  for (let presses = 0; presses < 40 && !reached; presses++) {
    await page.keyboard.press("Tab");
    reached = (await focused()) === "tensor_parallel";
  }
  assert.ok(reached, "the tensor degree is reached by Tab");
  await page.keyboard.press("ArrowUp");
  assert.equal(await field(page, "tensor_parallel").inputValue(), "16");
  assert.equal(await result(page, "total_comm_time_ms").textContent(), "53.6871");
  await page.done();
});

test("copies the call as Python", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.getByRole("button", { name: "Copy as Python" }).click();
  await page.getByText("Python copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(
    copied,
    `>>> tensor_parallel_allreduce_cost(hidden_size=4096, sequence_length=2048, batch_size=8, num_gpus=8, num_layers=32)
{'message_size_bytes': 134217728,
 'comm_volume_per_allreduce_bytes': 234881024.0,
 'total_comm_volume_bytes': 15032385536.0,
 'total_comm_time_ms': 50.108}`,
  );
  await page.done();
});

test("says what to expect first, then what the formula gives, and why", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const headline = page.locator(".headline");
  const why = page.locator("[data-expected]");
  assert.match(
    await headline.innerText(),
    /^On one DGX A100 node, .* about \d+ ms \(\d+–\d+ ms\) to a forward pass\. The textbook formula gives 50\.11 ms\.$/s,
  );
  assert.match(
    await why.innerText(),
    /Each of 8 GPUs sends 15.03 GB in 64 all-reduces. A ring reaches .* \(published measurements of 128 MiB there: .*\)\./,
  );
  await choosePreset(page, "Machine", "dgx h100");
  assert.match(await headline.innerText(), /one DGX H100 node/);
  await field(page, "tensor_parallel").fill("16");
  assert.match(await headline.innerText(), /2 DGX H100 nodes/);
  // The reader's own rate does not explain the machine's time.
  await field(page, "bandwidth_gb_per_sec").fill("30");
  assert.match(
    await why.innerText(),
    /formula takes the 30 GB\/s given as link bandwidth; .* machine’s own links of 450 GB\/s/,
  );
  await field(page, "tensor_parallel").fill("1");
  assert.equal(await why.count(), 0);
  await page.done();
});

test("the marked point of the chart is moved, by pointer and by keys", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const handle = page.getByRole("slider", { name: "GPUs in the group", exact: true }).first();
  const box = await handle.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 240, box.y, { steps: 8 });
  await page.mouse.up();
  const degree = Number(await field(page, "tensor_parallel").inputValue());
  assert.ok(degree >= 16 && Number.isInteger(Math.log2(degree)), String(degree));
  await handle.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal(await field(page, "tensor_parallel").inputValue(), "2");
  await page.done();
});

test("a number is scrubbed by its label", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const box = await page.locator('label[for="field-tensor_parallel"]').boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 37, box.y + 5, { steps: 4 });
  await page.mouse.up();
  assert.equal(await field(page, "tensor_parallel").inputValue(), "32");
  await page.done();
});

test("exports the chart as CSV, SVG and PNG", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  const save = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    const chunks = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const csv = (await save("Time against GPUs. as CSV")).toString();
  const said = csv.split("\r\n").filter((line) => line.startsWith("# "));
  assert.deepEqual(
    [said[0], said.some((line) => line.includes("8 × DGX A100")), said.at(-1)],
    ["# Time against GPUs.", true, `# ${page.url()}`],
    said.join("\n"),
  );
  assert.ok(
    csv.includes(
      "\r\nnum_gpus,comm_volume_per_allreduce_bytes,total_comm_volume_bytes,total_comm_time_ms,expected_ms,expected_low_ms,expected_high_ms\r\n1,0,0,0,0,0,0\r\n",
    ),
  );
  assert.ok(csv.includes("\r\n8,234881024,15032385536,50.108,"));
  const svg = (await save("Time against GPUs. as SVG")).toString();
  assert.match(svg, /^<svg[^>]+xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.ok(!svg.includes("var(--"));
  for (const part of ["Time against GPUs.", "Computed with commcost", "80 % of measurements"])
    assert.ok(svg.includes(part), part);
  const png = await save("Time against GPUs. as PNG");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  await page.done();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}; 360 px and 200 % lose nothing`, async () => {
    const page = await openPage(browser, `${host.address}#view=cost`, { colorScheme });
    assert.deepEqual(await axeFindings(page), []);
    for (const width of [360, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${width} px`);
    }
    await page.done();
  });
}

test("prints on at most two pages", async () => {
  const page = await openPage(browser, `${host.address}#view=cost`);
  await page.emulateMedia({ media: "print" });
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  assert.ok((pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length <= 2);
  await page.done();
});
