// What the chosen stack lacks is marked in Train's form, with the reason; the oracle asks the engine for a step of two stages.
import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { openPage } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();
const engine = await loadEngine();
const schedules = engine.describe().training_step.inputs.find(({ name }) => name === "pipeline_schedule").choices;

/** The rule of a stack that each schedule breaks. */
const rulesOf = (recipe) =>
  Object.fromEntries(
    schedules.map((pipeline_schedule) => [
      pipeline_schedule,
      engine.training_step({
        ...{ recipe, pipeline_schedule, model: "llama-3.1-8b", system: "dgx-h100" },
        ...{ sequence_length: 4096, batch_size: 1, global_batch_size: 16, pipeline_parallel: 2 },
      }).stack_rule,
    ]),
  );

const schedule = (page) => page.locator("commcost-scenario select[name=plan_pipeline_schedule]");

for (const [recipe, name] of [
  ["torchtitan", "torchtitan"],
  ["megatron-core", "Megatron-Core"],
]) {
  test(`schedules that ${name} lacks are marked, with the reason`, async () => {
    const page = await openPage(browser, `${host.address}#v=3&view=plan&model=llama-3.1-8b&recipe=${recipe}`, {
      ready: "commcost-plan",
    });
    const rules = rulesOf(recipe);
    assert.ok(Object.values(rules).includes("") && Object.values(rules).some(Boolean));
    for (const [choice, rule] of Object.entries(rules)) {
      const option = schedule(page).locator(`option[value="${choice}"]`);
      if (rule === "") continue;
      await expect(option).toHaveAttribute("title", `not in ${name}, which ${rule}`);
      await expect(option).toHaveAttribute("label", new RegExp(`\\(not in ${name}\\)$`));
      await expect(option).toBeEnabled();
    }
    for (const choice of schedules.filter((one) => rules[one] === ""))
      await expect(schedule(page).locator(`option[value="${choice}"]`)).not.toHaveAttribute("data-lacks");
    // In the colour of what stands back.
    const colors = await schedule(page).evaluate((select) =>
      [...select.options].map((option) => [option.hasAttribute("data-lacks"), getComputedStyle(option).color]),
    );
    const had = new Set(colors.filter(([lacks]) => !lacks).map(([, color]) => color));
    assert.ok(colors.every(([lacks, color]) => !lacks || !had.has(color)));
    await expect(schedule(page)).toHaveAttribute("aria-description", new RegExp(`not in ${name}, which `));
    await page.done();
  });
}

for (const [recipe, name, pinned] of [
  ["torchtitan", "torchtitan", {}],
  ["megatron-core", "Megatron-Core", { pipeline_parallel: 4 }],
]) {
  test(`ZeRO stages that ${name} lacks${pinned.pipeline_parallel ? " with PP" : ""} are marked, with the reason`, async () => {
    const pins = Object.entries(pinned).map(([input, value]) => `&plan_${input}=${value}`);
    const page = await openPage(
      browser,
      `${host.address}#v=3&view=plan&model=llama-3.1-8b&recipe=${recipe}${pins.join("")}`,
      { ready: "commcost-plan" },
    );
    const stages = page.locator("commcost-scenario select[name=plan_zero_stage]");
    const { least, greatest } = engine.describe().plan.inputs.find((input) => input.name === "zero_stage");
    const rules = Array.from({ length: greatest - least + 1 }, (_, at) => [
      String(least + at),
      engine.training_step({
        ...{ recipe, model: "llama-3.1-8b", system: "dgx-h100", sequence_length: 4096, batch_size: 1 },
        ...{ global_batch_size: 32, data_parallel: 2, zero_stage: least + at, ...pinned },
      }).stack_rule,
    ]);
    assert.ok(rules.some(([, rule]) => rule === "") && rules.some(([, rule]) => rule !== ""));
    for (const [stage, rule] of rules) {
      const option = stages.locator(`option[value="${stage}"]`);
      if (rule !== "") await expect(option).toHaveAttribute("title", `not in ${name}, which ${rule}`);
    }
    for (const [stage, rule] of rules)
      if (rule === "") await expect(stages.locator(`option[value="${stage}"]`)).not.toHaveAttribute("data-lacks");
    // What is chosen is pinned.
    await stages.evaluate((select) => (select.closest("details").open = true));
    await stages.selectOption("3");
    await expect.poll(() => page.evaluate(() => location.hash)).toContain("plan_zero_stage=3");
    await page.done();
  });
}

test("a link that pins what the stack lacks keeps it, and marks follow the stack", async () => {
  const page = await openPage(
    browser,
    `${host.address}#v=3&view=plan&model=llama-3.1-8b&recipe=torchtitan&plan_pipeline_schedule=zero_bubble&plan_pipeline_parallel=2`,
    { ready: "commcost-app" },
  );
  await expect(schedule(page)).toHaveValue("zero_bubble");
  const option = schedule(page).locator("option[value=dualpipe_v]");
  await expect(schedule(page).locator("option[value=zero_bubble]")).toHaveAttribute("data-lacks", "not in torchtitan");
  await expect(option).not.toHaveAttribute("data-lacks");
  await page.evaluate(() => (location.hash = location.hash.replace("recipe=torchtitan", "recipe=megatron-core")));
  await expect(option).toHaveAttribute("data-lacks", "not in Megatron-Core");
  await expect(page.locator("#main, commcost-app").first()).toContainText("runs 1F1B and the interleaved schedule");
  await page.done();
});
