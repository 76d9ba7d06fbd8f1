// Three tasks of readers, walked in Chromium by mouse and by keyboard: how many inputs each takes, and how long until its answer stands.
// Usage: node bench/measure/tasks.mjs
import { deepStrictEqual, ok } from "node:assert";
import { openPage, serve, startBrowser } from "../../tests/page/support/browser.mjs";

/** A public log, as nccl-tests prints it. */
const log = `# nThread 1 nGpus 8 minBytes 67108864 maxBytes 268435456 step: 4(factor) warmup iters: 5 iters: 20
${Array.from({ length: 8 }, (_, rank) => `#  Rank  ${rank} Group  0 Pid  1 on node device  ${rank} [0x07] NVIDIA A100-SXM4-80GB`).join("\n")}
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
     1048576        262144     float     sum      -1    48.52   21.61   37.82      0    48.02   21.84   38.21      0
    16777216       4194304     float     sum      -1    170.3   98.52   172.4      0    169.9   98.75   172.8      0
    67108864      16777216     float     sum      -1    552.1   121.6   212.7      0    551.0   121.8   213.1      0
   134217728      33554432     float     sum      -1   1062.0   126.4   221.2      0   1060.0   126.6   221.6      0
   268435456      67108864     float     sum      -1   2044.0   131.3   229.8      0   2041.0   131.5   230.2      0
`;

/** Somebody at the page, whose every click, key and entry is counted; a text typed is one entry, however long. */
class Reader {
  inputs = 0;

  constructor(page, by) {
    this.page = page;
    this.by = by;
  }

  async press(key) {
    this.inputs++;
    await this.page.keyboard.press(key);
  }

  /** The name or text of what has the focus. */
  focused() {
    return this.page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at?.getAttribute("name") ?? at?.getAttribute("aria-label") ?? at?.id ?? "";
    });
  }

  /** By keyboard: Tab until it has the focus, Shift+Tab where it lies behind; by mouse a click. */
  async reach(target, name, back = false) {
    if (this.by === "mouse") {
      this.inputs++;
      await target.click();
      return;
    }
    for (let presses = 0; (await this.focused()) !== name; presses++) {
      ok(presses < 200, `${name} cannot be reached by Tab`);
      await this.press(back ? "Shift+Tab" : "Tab");
    }
  }

  async enter(name, text) {
    await this.reach(this.page.locator(`[name="${name}"]`).first(), name);
    this.inputs++;
    const field = this.page.locator(`[name="${name}"]`).first();
    await field.selectText();
    await this.page.keyboard.insertText(text);
  }

  /** Another view: its tab, or its number. */
  async open(title, key) {
    if (this.by === "mouse") await this.reach(this.page.getByRole("link", { name: title, exact: true }));
    else await this.press(key);
  }

  /** A preset by words: the first picker by its key, others from there. */
  async choose(label, words) {
    const box = this.page.getByRole("combobox", { name: label, exact: true });
    if (this.by === "mouse") {
      await this.reach(box);
    } else {
      if (label === "Model") await this.press("/");
      else await this.tabTo(box);
    }
    this.inputs++;
    await box.fill(words);
    await this.press("Enter");
  }

  async tabTo(target) {
    for (let presses = 0; !(await target.evaluate((element) => element.matches(":focus"))); presses++) {
      ok(presses < 200, "cannot be reached by Tab");
      await this.press("Tab");
    }
  }

  /** The marked point of a chart, one value on. */
  async move(name) {
    const knob = this.page.getByRole("slider", { name, exact: true });
    if (this.by === "keyboard") {
      await this.tabTo(knob);
      await this.press("ArrowRight");
      return;
    }
    await knob.scrollIntoViewIfNeeded();
    const box = await knob.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    this.inputs++;
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + 90, y, { steps: 6 });
    await this.page.mouse.up();
  }
}

const headline = (page, view) => page.locator(`commcost-${view} [part=headline]`).first();
/** Once the search has ended for what the address asks now. */
const searched = (page) =>
  page.waitForFunction(() => {
    const { scenario, shadowRoot } = document.querySelector("commcost-app");
    const outcome = shadowRoot.querySelector("commcost-plan")?.outcome;
    const asked = scenario.inputs("plan").values;
    return (
      outcome?.results?.unsearched === 0 &&
      Object.entries(outcome.inputs).every(([name, value]) => JSON.stringify(value) === JSON.stringify(asked[name]))
    );
  });

const tasks = {
  /** Which layout for Llama 3.1 70B on 64 H100, global batch 1024 of 8192 tokens; and with a network twice as quick? */
  async layout(reader) {
    const { page } = reader;
    await reader.open("Plan", "6");
    await page.locator("commcost-plan").waitFor();
    await reader.choose("Model", "3.1 70B");
    await reader.enter("global_batch_size", "1024");
    await reader.enter("sequence_length", "8192");
    await reader.choose("Machine", "DGX H100");
    await searched(page);
    const best = await headline(page, "plan").innerText();
    await reader.move("Network");
    await page.waitForFunction(() => /nic_gb_per_sec/.test(location.hash));
    await searched(page);
    return [best, `with another network: ${await headline(page, "plan").innerText()}`];
  },

  /** What my own log says of this model's all-reduces. */
  async own_log(reader) {
    const { page } = reader;
    reader.inputs++;
    await page.locator("commcost-own-files").waitFor();
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
    }, log);
    await page.locator("commcost-network").waitFor();
    await reader.open("Cost", "1");
    const said = page.locator("commcost-cost [data-own]");
    await said.waitFor();
    return [await said.innerText()];
  },

  /** What tensor parallelism costs on twice the GPUs, and whether my own four numbers are right. */
  async exercise(reader) {
    const { page } = reader;
    await reader.move("GPUs in the group");
    await page.waitForFunction(() => /tensor_parallel=\d+/.test(location.hash));
    const answer = await headline(page, "cost").innerText();
    const names = [
      "message_size_bytes",
      "comm_volume_per_allreduce_bytes",
      "total_comm_volume_bytes",
      "total_comm_time_ms",
    ];
    for (const name of names) {
      const right = await page.locator(`[data-result="${name}"]`).innerText();
      const box = page.locator(`#answer_${name}`);
      if (reader.by === "mouse") await reader.reach(box);
      else await reader.tabTo(box);
      reader.inputs++;
      await page.keyboard.insertText(right);
    }
    const agreed = await page.getByText("✓", { exact: false }).count();
    deepStrictEqual(agreed >= names.length, true, "four answers agree");
    return [answer, `${names.length} answers agree`];
  },
};

const browser = await startBrowser();
const host = await serve();
for (const [name, walk] of Object.entries(tasks)) {
  for (const by of ["mouse", "keyboard"]) {
    const page = await openPage(browser, `${host.address}#view=cost`, { viewport: { width: 1440, height: 900 } });
    await page.locator("commcost-own-files").waitFor();
    const reader = new Reader(page, by);
    const began = performance.now();
    const answers = await walk(reader);
    const seconds = (performance.now() - began) / 1e3;
    console.log(`${name} by ${by}: ${reader.inputs} inputs, ${seconds.toFixed(1)} s`);
    for (const answer of answers) console.log(`    ${answer.replace(/\s+/g, " ").slice(0, 220)}`);
    await page.done();
  }
}
await browser.close();
await host.stop();
