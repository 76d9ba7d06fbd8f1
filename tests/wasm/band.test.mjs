import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { scoreboard } from "../../web/build/scoreboard.mjs";
import { engine } from "./support.mjs";

/** The errors that "How sure?" draws, as its build packs them. */
async function drawnErrors() {
  const source = await scoreboard().load.call({ addWatchFile() {} }, "\0virtual:step-errors");
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).errors;
}

test("every band is made of runs that the page has: as many as the engine counts, and never none", async () => {
  const errors = await drawnErrors();
  const base = { model: "llama-3.1-8b", sequence_length: 4096, batch_size: 1, data_parallel: 8 };
  for (const { id: accelerator } of engine.hardware_catalog().accelerators) {
    for (const { id: recipe } of engine.recipe_catalog().recipes.filter(({ use }) => use === "training")) {
      for (const more of [{}, { pipeline_parallel: 2 }, { model: "mixtral-8x7b" }, { data_parallel: 4096 }]) {
        const given = { ...base, accelerator, recipe, ...more };
        const { band_classes, measured_runs, measured_series, basis, beyond_runs } = engine.training_step(given);
        const told = `${accelerator} ${recipe} ${JSON.stringify(more)}`;
        const drawn = band_classes.flatMap((one) => errors[`${one.recipe} ${one.accelerator} ${one.kind}`]);
        assert.equal(drawn.length, measured_runs, told);
        assert.ok(drawn.length > 0 && drawn.every((error) => error > -100), told);
        const series = (classes) => classes.reduce((sum, one) => sum + one.measured_series, 0);
        assert.equal(series(band_classes), measured_series, told);
        const own = band_classes.filter((one) => one.recipe === recipe);
        if (basis === "measured") {
          assert.ok(series(own.filter((one) => one.accelerator === accelerator)) >= 3, told);
          assert.equal(beyond_runs, "", told);
        } else if (basis === "similar") assert.ok(own.length > 0, told);
        else assert.ok(own.length < band_classes.length, told);
      }
    }
  }
});

test("a server’s own runs are those of its stack on its GPU on the scoreboard", () => {
  const [header, ...rows] = readFileSync(new URL("../../web/scoreboard/serving.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.match(/(?:^|,)("[^"]*"|[^,]*)/g).map((cell) => cell.replace(/^,|"/g, "")));
  const runs = rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
  const { accelerators } = engine.hardware_catalog();
  for (const { id: recipe } of engine.recipe_catalog().recipes.filter(({ use }) => use === "serving")) {
    const ofStack = runs.filter((run) => run.recipe === recipe);
    for (const { id: accelerator } of accelerators) {
      const given = { model: "llama-3.1-8b", sequence_length: 1024, batch_size: 8, recipe, accelerator };
      const { measured_runs, stack_runs, own_runs } = engine.serving_step(given);
      const told = `${recipe} ${accelerator}`;
      assert.equal(own_runs, ofStack.filter((run) => run.accelerator === accelerator).length, told);
      assert.ok(own_runs <= stack_runs && stack_runs <= ofStack.length && stack_runs <= measured_runs, told);
    }
  }
});

test("an accelerator of the catalog is of one of its generations, and multiplies in what a step takes", () => {
  const { accelerators, generations } = engine.hardware_catalog();
  const step = { model: "llama-3.1-8b", sequence_length: 4096, batch_size: 1 };
  const { choices } = engine.describe().training_step.inputs.find(({ name }) => name === "matmul_precision");
  for (const { id, name, generation, vendor, matmul_precisions } of accelerators) {
    assert.equal(generations.find((one) => one.id === generation)?.vendor, vendor, id);
    for (const precision of choices) {
      const ask = () => engine.training_step({ ...step, accelerator: id, matmul_precision: precision });
      if (precision === "stored" || matmul_precisions.split(", ").includes(precision))
        assert.ok(ask().step_time_ms > 0);
      else
        assert.throws(ask, ({ problems: [problem] }) => {
          assert.equal(problem.field, "matmul_precision");
          assert.match(
            problem.message,
            new RegExp(`${name.replace(/[()]/g, "\\$&")} multiplies in .*not ${precision}$`),
          );
          return true;
        });
    }
  }
});
