import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { llama, planLarge } from "./support/planning.mjs";
import { axeFindings, caughtUp, field, nonsense, openPage, site, unfold } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (hash, options = {}) => openPage(browser, host.address + hash, { ready: "commcost-plan", ...options });
const finished = (page) => page.getByText(/on this machine/).waitFor();

/** In an open Plan view: what the search has come to. */
const progressOf = (page) => page.locator("commcost-plan").evaluate(({ progress }) => progress);

const degrees = [
  "tensor_parallel",
  "context_parallel",
  "expert_parallel",
  "expert_tensor_parallel",
  "pipeline_parallel",
  "data_parallel",
];
const degreesOf = (row) => degrees.map((name) => row[name]);

test("plans the page's default scenario and says what it saw", async () => {
  const page = await open("#view=plan");
  await finished(page);
  assert.match(
    await page.locator(".headline").textContent(),
    /^(Predicted fastest|Predicted fastest with 8 % of memory free|Among the predicted fastest) on 64 GPUs: .* s, similar runs\) a step\./s,
  );
  assert.equal(await page.locator("table.layouts tbody tr").count(), 8);
  // A model without experts asks for no degree of theirs, unless a link pins one.
  await expect(field(page, "plan_pipeline_parallel")).toHaveCount(1);
  await expect(field(page, "plan_expert_parallel")).toHaveCount(0);
  const { found } = await progressOf(page);
  // Each row its band and its family; those that tie with the fastest are braced, and the sentence above counts them.
  const rows = await page.locator("table.layouts tbody tr").allTextContents();
  assert.match(rows[0], /TP|DP|PP/);
  assert.match(rows[0], /[\d.]+–[\d.]+ s, similar runs/);
  const tied = found.layouts.filter(({ tie }) => tie).length;
  assert.equal(await page.locator("table.layouts tr.tied").count(), tied);
  assert.match(
    await page.locator(".tie-line").textContent(),
    tied > 1 ? new RegExp(`${tied} are within noise`) : /No other family is within/,
  );
  assert.equal(new Set(found.layouts.map((row) => degreesOf(row).join())).size, found.layouts.length);
  // What was seen adds up.
  const seen = await page.locator(".progress [role=status]").textContent();
  const [all, ...parts] = seen
    .match(/[\d,]+(?= (?:layouts|priced|too large|ruled out))/g)
    .map((text) => Number(text.replaceAll(",", "")));
  assert.equal(
    all,
    parts.reduce((sum, part) => sum + part, 0),
  );
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("a family opens to its variants, of the same degrees, and one of them can be used", async () => {
  const page = await open("#view=plan");
  await finished(page);
  const { found } = await progressOf(page);
  const rows = page.locator("table.layouts tbody tr");
  const second = page.getByRole("button", { name: /variants of/ }).nth(1);
  await second.click();
  assert.equal(await second.getAttribute("aria-expanded"), "true");
  const { layouts } = found.families[1];
  const shown = Math.min(12, layouts);
  assert.equal(await rows.count(), found.layouts.length + shown);
  assert.match(await rows.nth(1).textContent(), new RegExp(` ${layouts - 1}: |GiB${layouts - 1}: `));
  const { variants } = await page.locator("commcost-plan").evaluate(({ scenario, progress }, names) => {
    const row = progress.found.layouts[1];
    const pins = Object.fromEntries(names.map((name) => [name, row[name]]));
    return scenario.engine.plan({ ...progress.inputs, ...pins, list_variants: 12 });
  }, degrees);
  assert.equal(variants.length, shown);
  for (const [at, { batch_size, zero_stage }] of variants.entries()) {
    const text = await rows.nth(2 + at).textContent();
    assert.match(text, new RegExp(`micro-batch ${batch_size}\\b`));
    if (zero_stage > 0) assert.match(text, new RegExp(`ZeRO-${zero_stage}`));
  }
  await second.click();
  assert.equal(await rows.count(), found.layouts.length);
  // What only tells variants apart is no reason why others lose.
  const losers = await page.getByRole("group", { name: "Why not …?" }).locator("tbody").textContent();
  assert.doesNotMatch(losers, /Micro-batch|Chunks/i);
  assert.ok(found.alternatives.some(({ decision }) => decision === "batch_size"));
  assert.deepEqual(await axeFindings(page), []);
  // One that is used is pinned: it alone is left, until the search gets its layout back.
  await second.click();
  await rows.nth(2).getByRole("button", { name: /^Use/ }).click();
  await rows.getByText("in use").first().waitFor();
  await page.getByRole("button", { name: /^Unpin all/ }).click();
  await expect.poll(() => rows.count()).toBe(found.layouts.length + shown);
  await page.done();
});

test("a family shows its step next to the families, part by part, without scrolling; on a phone below them", async () => {
  const page = await open("#view=plan&v=3&model=mixtral-8x7b&system=dgx-h100", {
    viewport: { width: 1440, height: 900 },
  });
  await finished(page);
  const step = page.locator("commcost-family-step");
  const names = page.locator("table.layouts tr.family button.name");
  await step.locator("h3").waitFor();
  await expect(names.first()).toHaveAttribute("aria-pressed", "true");
  await names.nth(2).scrollIntoViewIfNeeded();
  const scrolled = () => page.evaluate(() => scrollY);
  const before = await scrolled();
  await names.nth(2).click();
  const short = await names.nth(2).textContent();
  await expect(step.locator("h3")).toHaveText(`One step of ${short}`);
  assert.equal(await scrolled(), before);
  const [left, right] = [await names.nth(2).boundingBox(), await step.locator("h3").boundingBox()];
  assert.ok(right.x > left.x + left.width, "next to it");
  assert.ok(right.y >= 0 && right.y < 900, "in sight");
  // What it shows is the step of that layout: as many parts as the engine has, of its time and of its memory.
  const { row, found } = await page.locator("commcost-plan").evaluate(({ progress, scenario }) => {
    const row = progress.found.layouts[2];
    const known = new Set(scenario.engine.describe().training_step.inputs.map(({ name }) => name));
    const { cluster_gpus: _, ...asked } = progress.inputs;
    const inputs = Object.fromEntries(Object.entries({ ...asked, ...row }).filter(([name]) => known.has(name)));
    const { step_time_ms, memory } = scenario.engine.training_step(inputs);
    return { row: { step_time_ms: row.step_time_ms, parts: { ...row.parts } }, found: { step_time_ms, memory } };
  });
  assert.ok(Math.abs(found.step_time_ms / row.step_time_ms - 1) < 1e-9);
  const counted = (parts) => Object.values(parts).filter((value) => value > 0).length;
  const tables = step.locator("table");
  await expect(tables.nth(0).locator("tbody tr")).toHaveCount(counted(row.parts));
  await expect(tables.nth(1).locator("tbody tr")).toHaveCount(counted(found.memory));
  assert.equal(nonsense(await step.innerText()), undefined);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
  const phone = await open("#view=plan&v=3", { viewport: { width: 360, height: 640 } });
  await finished(phone);
  const below = phone.locator("commcost-family-step h3");
  await below.waitFor();
  await phone.locator("table.layouts tr.family button.name").nth(1).click();
  await expect(below).toBeInViewport();
  await phone.done();
});

test("the headline claims the fastest only where nothing is faster", async () => {
  const page = await open("#view=plan");
  await finished(page);
  const said = async () => (await page.locator(".headline").textContent()).trim();
  const check = async () => {
    const { found } = await progressOf(page);
    const [first] = found.layouts;
    const headline = await said();
    if (/^(Predicted f|F)astest on/.test(headline))
      assert.equal(first.step_time_ms, found.pareto_front[0].step_time_ms);
    else if (/^(Predicted f|F)astest with/.test(headline)) {
      assert.equal(first.step_time_ms, found.fastest[0].step_time_ms);
      assert.ok(found.pareto_front[0].step_time_ms < first.step_time_ms && first.headroom_percent >= 8);
    } else {
      assert.match(headline, /^Among the (predicted )?fastest on/);
      assert.ok(first.tie && first.step_time_ms > found.fastest[0].step_time_ms);
    }
    return headline.split(" on ")[0];
  };
  const leads = new Set();
  for (const [model, gpus, headroom] of [
    ["llama-3.1-8b", 64, 8],
    ["llama-3.1-70b", 64, 8],
    ["llama-3.1-70b", 64, 20],
    ["llama-3.1-405b", 1024, 8],
    ["mixtral-8x7b", 64, 8],
    ["mixtral-8x7b", 256, 40],
  ]) {
    const before = await page.locator("commcost-plan").evaluateHandle(({ progress }) => progress);
    await page.locator("commcost-plan").evaluate(({ scenario }, values) => scenario.set(values), {
      model,
      cluster_gpus: String(gpus),
      memory_headroom_percent: String(headroom),
      plan_zero_stage: "",
    });
    await page.waitForFunction((then) => {
      const { progress } = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
      return progress !== then && progress.state === "finished";
    }, before);
    leads.add(await check());
  }
  assert.ok(leads.size >= 2, [...leads].join());
  await page.done();
});

test("a large cluster: something first, then all of it, in a worker", async () => {
  const page = await open("#view=plan");
  await finished(page);
  // One for the layouts, which knows what it has found, and one for what else is searched.
  const [first] = page.workers();
  assert.ok(page.workers().length <= 2);
  const { first_ms, layouts_ms, all_ms } = await planLarge(page);
  assert.ok(first_ms <= layouts_ms && layouts_ms <= all_ms);
  assert.ok(page.workers().length <= 2 && page.workers().includes(first));
  assert.match(await page.locator(".headline").textContent(), /TP \d+ · .*PP \d+/);
  // Families lie together in the chart: each has its number, and no label covers another.
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const labels = page.locator("commcost-scatter-chart text:is(.number, .here-label)");
    await expect(labels.first()).toBeVisible();
    const boxes = await labels.evaluateAll((all) =>
      all.map((label) => ({ ...label.getBoundingClientRect().toJSON(), text: label.textContent })),
    );
    const numbers = boxes
      .flatMap(({ text }) => (/ s$/.test(text) ? [] : text.split(", ")))
      .map((part) => part.split("–").map(Number));
    const count = numbers.reduce((sum, [from, to = from]) => sum + to - from + 1, 0);
    assert.equal(count, 8);
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1))
        assert.ok(
          one.right <= other.left ||
            other.right <= one.left ||
            one.bottom <= other.top + 1 ||
            other.bottom <= one.top + 1,
          `${one.text} and ${other.text} at ${width}`,
        );
  }
  await page.done();
});

test("the answer only gets better while the search runs, and ends at what the engine finds at once", async () => {
  const page = await open("#view=plan");
  await finished(page);
  const { times, whole } = await page.evaluate(async () => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
    [...view.shadowRoot.querySelectorAll("button")].find(({ textContent }) => textContent.includes("405B")).click();
    const times = [];
    const before = view.progress;
    do {
      await new Promise(requestAnimationFrame);
      // One that leaves headroom comes before a quicker one that does not; the simplest that ties is listed first.
      const best = view.progress === before ? undefined : view.progress.found?.fastest[0];
      if (best) times.push(best.step_time_ms + (best.headroom_percent < 8 ? 1e9 : 0));
    } while (view.progress === before || view.progress.state !== "finished");
    const { values } = view.scenario.inputs("plan");
    return { times, whole: view.scenario.engine.plan(values).fastest[0].step_time_ms };
  });
  assert.ok(
    times.every((time, index) => index === 0 || time <= times[index - 1]),
    String(times),
  );
  assert.equal(times.at(-1), whole);
  await page.done();
});

test("fewer GPUs: the best layout at each number, as the engine says, and from where each one added is worth less than half", async () => {
  const page = await open(
    "#view=plan&model=llama-3.1-8b&system=dgx-h100&num_gpus=256&global_batch_size=16&sequence_length=2048",
  );
  await finished(page);
  const { scaling } = await progressOf(page);
  const whole = await page
    .locator("commcost-plan")
    .evaluate(({ scenario }) => scenario.engine.plan_scaling(scenario.inputs("plan_scaling").values));
  assert.deepEqual(
    scaling.map(({ cluster_gpus, step_time_ms, gain }) => ({ cluster_gpus, step_time_ms, gain })),
    whole.rows.map(({ cluster_gpus, step_time_ms, gain }) => ({ cluster_gpus, step_time_ms, gain })),
  );
  assert.deepEqual(
    scaling.map(({ cluster_gpus }) => cluster_gpus),
    // Up to sixteen times what there is.
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
  );
  const section = page.getByRole("region", { name: "Strong scaling" });
  await section
    .getByText(
      /Beyond \d+\sGPUs, each GPU added is worth less than half of one before it: [1-4]?\d(?:\.\d+)?\s% up to [\d,]+\./,
    )
    .waitFor();
  assert.match(await section.locator("tbody tr").first().textContent(), /needs [\d.]+ GiB more per GPU/);
  await section.getByRole("button", { name: "Plan for 64 GPUs" }).click();
  await page.getByText(/astest on 64\sGPUs/).waitFor();
  assert.equal(await field(page, "cluster_gpus").inputValue(), "64");
  await page.done();
});

test("a token budget is in the link, and says how long the whole run takes", async () => {
  const page = await open("#view=plan&token_budget=15T");
  await finished(page);
  const days = page.locator('[data-result="training_days"]');
  const long = parseFloat(/takes ([\d.]+ d)/.exec(await days.textContent())[1]);
  await unfold(page, "Precision and recomputation");
  await field(page, "token_budget").fill("30T");
  await page.waitForFunction(() => location.hash.includes("token_budget=30T"));
  await page.waitForFunction((before) => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
    return (
      Math.abs(
        parseFloat(
          /takes ([\d.]+ d)/.exec(view.shadowRoot.querySelector('[data-result="training_days"]').textContent)?.[1],
        ) /
          before -
          2,
      ) < 0.02
    );
  }, long);
  await page.done();
});

test("a layout taken over is in the link, and opens again from it", async () => {
  const page = await open("#view=plan");
  await finished(page);
  const use = page.getByRole("button", { name: /^Use layout 2:/ });
  const short = (await use.getAttribute("aria-label")).replace("Use layout 2: ", "");
  await use.click();
  await page.getByText("This layout is pinned").waitFor();
  await page.locator("commcost-plan .headline b", { hasText: short }).first().waitFor();
  await page.waitForFunction(
    () => location.hash.includes("plan_data_parallel=") || location.hash.includes("plan_zero_stage="),
  );
  const again = await open(new URL(page.url()).hash);
  await finished(again);
  await again.getByText("This layout is pinned").waitFor();
  assert.equal(await again.locator("commcost-plan .headline b").first().innerText(), short);
  await page.done();
  await again.done();
});

test("what pins leave no room for is said with them, in Layouts and in One step, and what to do", async () => {
  const pins =
    "plan_tensor_parallel=8&plan_pipeline_parallel=1&plan_zero_stage=1&plan_batch_size=4&plan_recompute=none";
  const page = await open(`#v=4&view=plan&model=llama-3.1-405b&system=dgx-h100&cluster_gpus=512&${pins}`);
  await finished(page);
  const said =
    "No layout fits with TP 8, PP 1, ZeRO stage 1, micro-batch 4, no recomputation: each GPU needs 121 GiB more.";
  await expect(page.locator(".headline")).toContainText(said);
  await expect(page.locator(".under").first()).toContainText(
    "(no recomputation), needs 199 GiB; 78 GiB is available. Unpin a part of the layout, or try GPUs with more memory.",
  );
  // The model fits on many of them: what is pinned does not.
  await expect(page.locator("commcost-plan section[aria-labelledby=gpus-title]")).toContainText(
    "No layout with TP 8, PP 1, ZeRO stage 1, micro-batch 4, no recomputation fits on any of these numbers of GPUs.",
  );
  await page.locator('a[data-view="step"]').click();
  await expect(page.locator("[role=status].headline")).toContainText(said);
  await page.done();
});

test("what cannot exist says what is short and by how much", async () => {
  const page = await open("#view=plan&model=llama-3.1-405b&system=dgx-h100&num_gpus=8");
  await finished(page);
  assert.match(await page.locator(".headline").textContent(), /No layout fits: each GPU needs [\d.]+ GiB more/);
  assert.match(await page.locator(".under").textContent(), /needs [\d.]+ GiB; [\d.]+ GiB is available/);
  // What is short is the difference of the two, and what the engine says.
  const { found } = await progressOf(page);
  assert.equal(found.possible, false);
  assert.ok(Math.abs(found.smallest[0].memory_gib - found.memory_limit_gib - found.deficit_gib) < 1e-9);
  assert.equal(
    parseFloat(/needs ([\d.]+)/.exec(await page.locator(".headline").textContent())[1]),
    Number(found.deficit_gib.toPrecision(3)),
  );
  // Up to 16 times as many are searched: on how many it first fits.
  const { fits_from_gpus } = await progressOf(page);
  assert.ok(fits_from_gpus > 8);
  await page.getByText(`The model first fits on ${fits_from_gpus} GPUs.`).first().waitFor();
  await page.done();
});

test("a search can be cancelled and taken up again", async () => {
  const page = await open("#view=plan");
  await finished(page);
  // Quicker than any pointer: a search may last for less time than a click.
  await page.locator("commcost-plan").evaluate(async ({ shadowRoot }) => {
    const button = (text) =>
      [...shadowRoot.querySelectorAll("button")].find(({ textContent }) => textContent.includes(text));
    button("405B").click();
    while (!button("Cancel")) await new Promise((resolve) => setTimeout(resolve));
    button("Cancel").click();
  });
  await page.getByText(/^Cancelled/).waitFor();
  await page.getByRole("button", { name: "Search again" }).click();
  await finished(page);
  await page.done();
});

test("wrong inputs are named, and the last plan stays", async () => {
  const page = await open("#view=plan");
  await finished(page);
  await field(page, "cluster_gpus").fill("0");
  await page.locator("#field-cluster_gpus-note").getByText("GPUs: enter 1 or more, not 0").waitFor();
  assert.match(await page.locator(".headline").textContent(), /[Ff]astest.* on/);
  await field(page, "cluster_gpus").fill("16");
  await page
    .getByText(/astest.* on 16\sGPUs/)
    .first()
    .waitFor();
  await page.done();
});

test("the page in one file plans in a worker too", async () => {
  const page = await openPage(browser, `file://${site}commcost.html#view=plan`, { ready: "commcost-plan" });
  await finished(page);
  assert.ok([1, 2].includes(page.workers().length));
  await page.done();
});

test("where there can be no worker, the page's own thread plans", async () => {
  const page = await open("#view=plan");
  await page.addInitScript(() => {
    globalThis.Worker = class {
      constructor() {
        throw new Error("no workers here");
      }
    };
  });
  await page.reload();
  await finished(page);
  assert.equal(page.workers().length, 0);
  assert.match(await page.locator(".headline").textContent(), /astest.* on 64 GPUs/);
  await page.done();
});

test("no horizontal scroll at 360 px, clean in the dark", async () => {
  const page = await open(llama, { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await finished(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("the layout is written as launches of other stacks, below what they cannot be told", async () => {
  const page = await open("#view=plan");
  await finished(page);
  const { found } = await progressOf(page);
  const best = found.layouts[0];
  const folds = page.locator("commcost-plan .exports > details");
  const stacks = await folds.locator("> summary").allInnerTexts();
  assert.deepEqual(stacks, ["Megatron-LM", "Megatron-Bridge", "torchtitan", "DeepSpeed"]);
  const launch = async (stack) => {
    await folds.nth(stacks.indexOf(stack)).locator("> summary").click();
    return folds.nth(stacks.indexOf(stack)).locator("pre").first().innerText();
  };
  const megatron = await launch("Megatron-LM");
  assert.match(megatron, new RegExp(`--tensor-model-parallel-size ${best.tensor_parallel} `));
  assert.match(megatron, new RegExp(`--pipeline-model-parallel-size ${best.pipeline_parallel} `));
  assert.match(megatron, /^# Megatron-LM @\w+ \([\d-]+\)\n/);
  assert.match(megatron, /^torchrun \\$/m);
  const flags = await launch("torchtitan");
  assert.match(flags, new RegExp(`--parallelism.tensor_parallel_degree ${best.tensor_parallel} `));
  await folds.first().getByText("Dry run", { exact: true }).click();
  await folds.first().getByText("--fake-process-group").waitFor();
  assert.match(await folds.first().textContent(), /checked against Megatron-LM at commit \w+ \(2026-[\d-]+\); nothing/);
  await page
    .getByText(/Every layout keeps the rules of Megatron-Core \(github\.com\/NVIDIA\/Megatron-LM @\w+, /)
    .waitFor();
  for (const { lost_ms, fits, tie, stack_rule } of found.alternatives)
    assert.ok(lost_ms >= 0 || tie || !fits || stack_rule !== "", "nothing that the stack runs is quicker");
  await page.done();
});

test("four levers, each with a curve through what is, the usual network too", async () => {
  const page = await open("#view=plan&nic_gb_per_sec=0");
  await page.getByText(/on this machine/).waitFor();
  await page.waitForFunction(() => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
    return view.progress?.state === "finished";
  });
  await caughtUp(page);
  const charts = page.locator("commcost-plan .levers commcost-line-chart");
  await expect(charts).toHaveCount(4);
  const specs = await charts.evaluateAll((charts) => charts.map(({ spec }) => spec));
  assert.deepEqual(
    specs.map(({ id }) => id.replace("commcost-lever-", "")),
    ["tensor", "node", "network", "gpus"],
  );
  // The layout is all that the search has chosen: what is not changed takes what the search says.
  const { found } = await progressOf(page);
  for (const { id, series, here } of specs) {
    assert.ok(series[0].points.length >= 2, id);
    assert.equal(here.y, found.layouts[0].step_time_ms, id);
    assert.ok(
      series[0].points.some(({ x, y }) => x === here.x && y === here.y),
      id,
    );
  }
  await page.done();
});

test("at 360 px the layout is on screen", async () => {
  const page = await open("#view=plan", { viewport: { width: 360, height: 640 } });
  await finished(page);
  const box = await page.locator("table.layouts tbody tr td.layout").first().boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
  await page.done();
});

const seen = (page) =>
  page.waitForFunction(() => {
    const view = document.querySelector("commcost-app").shadowRoot.querySelector("commcost-plan");
    return view.progress?.state === "finished";
  });

test("a pinned part of the layout holds in headline, table, chart, launch and link, until it is unpinned", async () => {
  const page = await open("#view=plan");
  await seen(page);
  const unpinned = (await progressOf(page)).found;
  await unfold(page, "Schedule, ZeRO, sequence");
  const degree = field(page, "plan_tensor_parallel");
  await expect(degree).toHaveAttribute("placeholder", String(unpinned.layouts[0].tensor_parallel));
  await degree.fill("2");
  await page.getByText(/astest on 64\sGPUs with TP\s2:/).waitFor();
  await field(page, "plan_pipeline_schedule").selectOption("interleaved");
  await field(page, "plan_pipeline_parallel").fill("4");
  await page.getByText(/astest on 64\sGPUs with TP\s2, PP\s4, Pipeline schedule interleaved/i).waitFor();
  await seen(page);
  const { found } = await progressOf(page);
  for (const row of [...found.layouts, ...found.pareto_front])
    assert.deepEqual([row.tensor_parallel, row.pipeline_parallel, row.pipeline_schedule], [2, 4, "interleaved"]);
  assert.ok(found.searched < unpinned.searched);
  for (const row of await page.locator("table.layouts tbody td.layout").allTextContents())
    assert.match(row, /TP 2 · .*PP 4/);
  assert.match(
    await page.locator("commcost-plan .exports pre").first().textContent(),
    /--tensor-model-parallel-size 2 /,
  );
  await page.waitForFunction(() => location.hash.includes("plan_tensor_parallel=2"));
  const again = await open(new URL(page.url()).hash);
  await again.getByText(/astest on 64\sGPUs with TP\s2, PP\s4/).waitFor();
  assert.equal(await field(again, "plan_tensor_parallel").inputValue(), "2");
  await again.done();
  // By keyboard: emptied, it is searched again; a button frees the rest.
  await degree.focus();
  await page.keyboard.press("Backspace");
  await page.getByText(/astest on 64\sGPUs with PP\s4/).waitFor();
  const release = page.getByRole("button", { name: "Unpin all 2" });
  await release.focus();
  await page.keyboard.press("Enter");
  await page.getByText(/astest on 64\sGPUs:/).waitFor();
  await seen(page);
  assert.deepEqual((await progressOf(page)).found.layouts, unpinned.layouts);
  assert.deepEqual(await axeFindings(page), []);
  await page.done();
});

test("pins that contradict the cluster say what to change, at the pin where it is one's own", async () => {
  const page = await open("#view=plan&plan_tensor_parallel=7&plan_data_parallel=3");
  await page
    .locator(".problems")
    .getByText(/must divide GPUs \(64\)/)
    .waitFor();
  await page
    .locator("#field-plan_tensor_parallel-note")
    .getByText(/TP must be a divisor of/)
    .waitFor();
  await page.done();
});

test("a link that narrows the schedules shows where, and one without pins nothing", async () => {
  const page = await open("#view=plan&allowed_schedules=interleaved&tensor_parallel=2");
  await finished(page);
  assert.equal(await field(page, "allowed_schedules").inputValue(), "interleaved");
  assert.equal(await page.locator('[data-result="pins"]').count(), 0);
  const plain = await open("#view=plan");
  await finished(plain);
  assert.equal(await plain.locator('[name="zero_bubble_2p"]').count(), 0);
  await page.done();
  await plain.done();
});

test("a setting that the search is let decide says what was chosen, and is typed once its layout is used", async () => {
  const page = await open("#view=plan&v=2&system=dgx-h100&model=mixtral-8x7b&cluster_gpus=16&global_batch_size=64");
  await finished(page);
  const given = (await progressOf(page)).found;
  assert.deepEqual(given.layouts[0].settings, []);
  await unfold(page, "Precision and recomputation");
  await page.getByRole("button", { name: "auto: let the search decide GEMM precision" }).click();
  const precision = field(page, "matmul_precision");
  await expect(precision.locator("option:checked")).toHaveText(/auto: FP8/);
  await finished(page);
  const { found } = await progressOf(page);
  const [best] = found.layouts;
  assert.deepEqual(best.settings, [{ name: "matmul_precision", value: "fp8", changed: true }]);
  assert.ok(best.step_time_ms < given.layouts[0].step_time_ms);
  assert.match(await page.locator(".under").first().textContent(), /GEMM precision FP8/);
  assert.match(page.url(), /searched_settings=matmul_precision/);
  assert.ok(found.alternatives.some(({ decision }) => decision === "matmul_precision"));
  await expect(page.getByRole("group", { name: "Why not …?" })).toContainText("GEMM precision");
  // Its launch says so.
  await expect(page.locator(".exports")).toContainText("# - GEMM precision: torchtitan converts linear layers to FP8");
  assert.deepEqual(await axeFindings(page), []);
  await page.locator("table.layouts tbody tr").first().getByRole("button", { name: /^Use/ }).click();
  await expect(precision).toHaveValue("fp8");
  await expect.poll(() => page.url()).toMatch(/matmul_precision=fp8/);
  assert.doesNotMatch(page.url(), /searched_settings/);
  await page.getByText("in use").first().waitFor();
  const used = (await progressOf(page)).found.layouts[0];
  assert.equal(used.step_time_ms, best.step_time_ms);
  await page.done();
});

test("a setting that is typed is no longer searched, and one with nothing else to try says why", async () => {
  const page = await open(
    "#view=plan&v=2&system=dgx-a100&searched_settings=matmul_precision,gradient_bytes_per_element",
  );
  await finished(page);
  const settings = page.locator('[data-result="settings"]');
  await expect(settings).toHaveText(/Nothing to search: GEMM precision \(A100 SXM 80\sGB has no other\)\./);
  await unfold(page, "What it does");
  const gradients = field(page, "gradient_bytes_per_element");
  await expect(gradients).toHaveValue("");
  await expect(gradients).toHaveAttribute("placeholder", /^[24]$/);
  await gradients.fill("4");
  await expect.poll(() => page.url()).toMatch(/searched_settings=matmul_precision(&|$)/);
  await finished(page);
  await expect(page.locator(".under").first()).toHaveText(/gradients in FP32/);
  // Too many are refused with what to leave out.
  const all = await open(
    "#view=plan&v=2&system=dgx-b200&model=deepseek-v3&cluster_gpus=256&global_batch_size=2048&searched_settings=matmul_precision,expert_exchange,context_scheme,overlap_tensor,overlap_data",
  );
  await all
    .getByText(/must leave at most 64 combinations of values to try; these have 144: leave out/)
    .first()
    .waitFor();
  await all.done();
  await page.done();
});
