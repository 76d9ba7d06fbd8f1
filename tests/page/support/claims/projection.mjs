// What Projection may say: of the measured pairs by the table and the formula alone, of a scenario by the engine's tables alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { digits, near, number } from "../claims.mjs";

const numbers = (row) => (name) => Number(row[name]);
const ring = (gpus) => (gpus - 1) / gpus;
const kept = (compute, communication, efficiency) => (compute + communication) / (compute + communication / efficiency);

/** The measured pairs as the table has them, each projected by the formula. */
const pairs = (() => {
  const [head, ...lines] = readFileSync(new URL("../../../../web/scoreboard/projection.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2]));
  return lines.map((cells) => {
    const row = Object.fromEntries(head.map((name, index) => [name, cells[index]]));
    const of = numbers(row);
    const bandwidths = of("to_bus_bandwidth_gb_per_sec") / of("from_bus_bandwidth_gb_per_sec");
    const efficiency = (bandwidths * ring(of("from_gpus"))) / ring(of("to_gpus"));
    return {
      model: row.model,
      gpus: of("to_gpus"),
      measured: of("measured"),
      predicted: of("predicted"),
      projected: kept(of("compute_share"), of("communication_share"), efficiency),
      several: of("from_gpus") > of("gpus_per_node"),
    };
  });
})();

/** The mean of squares of how far a guess is from what was measured, percent. */
const squared = (rows, guess) =>
  (100 * rows.reduce((sum, row) => sum + (guess(row) - row.measured) ** 2, 0)) / rows.length;
const projected = (row) => row.projected;

function checkPairs(claim) {
  const error = squared(pairs, projected);
  assert.ok(
    claim(
      "squared error",
      "mean squared error of {x} % over {n} measured runs: the claim of less than {n} % (holds|does not hold)",
      ([said, of, limit, verdict]) => {
        near(Number(said), error, digits[2], "squared error");
        assert.equal(number(of), pairs.length);
        // The slides' own figure.
        assert.equal(number(limit), 2);
        assert.equal(verdict, error < 2 ? "holds" : "does not hold");
      },
    ),
  );
  for (const [where, several] of [
    ["one node", false],
    ["several nodes", true],
  ])
    assert.ok(
      claim(`from ${where}`, `{x} % over {n} runs from ${where}`, ([said, of]) => {
        const rows = pairs.filter((row) => row.several === several);
        near(Number(said), squared(rows, projected), digits[2], where);
        assert.equal(number(of), rows.length);
      }),
    );
  claim("by itself", "Predicting each step by itself gives {x} %", ([said]) =>
    near(
      Number(said),
      squared(pairs, (row) => row.predicted),
      digits[2],
      "predicted",
    ),
  );
  const untouched = squared(pairs, () => 1);
  claim("nothing lost", "assuming that GPUs lose nothing {x} %", ([said]) =>
    near(Number(said), untouched, digits[2], "nothing lost"),
  );
  assert.equal(
    claim("easily met", "the claim is easily met, since most published runs lose little", () =>
      // Most: over half of them lose less than a tenth.
      assert.ok(pairs.filter(({ measured }) => measured > 0.9).length > pairs.length / 2),
    ),
    untouched < 2,
  );
  claim(
    "farthest off",
    "Farthest off: (.+?), .+? on {n} GPUs, projected {x} %, measured {x} %",
    ([model, gpus, guess, measured]) => {
      const off = (row) => Math.abs(row.projected - row.measured);
      const worst = pairs.find((row) => off(row) === Math.max(...pairs.map(off)));
      assert.equal(model, worst.model);
      assert.equal(number(gpus), worst.gpus);
      near(Number(guess), 100 * worst.projected, digits[3], "projected");
      near(Number(measured), 100 * worst.measured, digits[3], "measured");
    },
  );
}

/** A measured step elsewhere, by the formula alone. */
function checkScaling({ values }, claim) {
  const inputs = values("project_scaling");
  const [compute, communication] = [inputs.compute_share, inputs.communication_share];
  const bandwidths = inputs.to_bus_bandwidth_gb_per_sec / inputs.from_bus_bandwidth_gb_per_sec;
  const volumes = ring(inputs.from_gpus) / ring(inputs.to_gpus);
  const efficiency = inputs.efficiency > 0 ? inputs.efficiency : bandwidths * volumes;
  const speedup = kept(compute, communication, efficiency);
  claim(
    "elsewhere",
    "Communication takes {x}× as long: each GPU keeps {x} % of its throughput and (loses|gains) {x} %(?:; all GPUs together do (?:{x} times )?(as much))?",
    ([longer, keeps, verb, change, together, said]) => {
      near(Number(longer), 1 / efficiency, digits[4], "times as long");
      near(Number(keeps), 100 * speedup, digits[3], "keeps");
      const lost = 100 * (1 - speedup);
      assert.equal(verb, lost < 0 ? "gains" : "loses");
      assert.ok(
        Math.abs(Number(change) - Math.abs(lost)) <= digits[4] * Math.abs(lost) + 1e-9,
        `${change} for ${lost}`,
      );
      assert.equal(said !== undefined, inputs.from_gpus > 0 && inputs.to_gpus > 0);
      if (said) near(Number(together ?? 1), (speedup * inputs.to_gpus) / inputs.from_gpus, digits[4], "together");
    },
  );
  claim("at half", "At half the efficiency a GPU keeps {x} % of its throughput", ([said]) =>
    near(Number(said), 100 * kept(compute, communication, 0.5), digits[3], "at half"),
  );
}

function checkVolumes({ engine, values, scenario }, claim) {
  const gpus = scenario.number("cluster_gpus");
  claim(
    "which sends less",
    "Over {n} GPUs, (DP sends less: for each layer TP|TP sends less: for each layer DP) moves {x} times as much. A step of {n} tokens is (above|below|exactly) the {n} at",
    ([said, less, times, tokens, side, even]) => {
      assert.equal(number(said), gpus);
      const inputs = { ...values("data_or_tensor"), num_gpus: gpus };
      const sent = engine.data_or_tensor(inputs);
      const [tensor, data] = [sent.tensor_sent_bytes, sent.data_sent_bytes];
      assert.equal(less.startsWith("DP"), data < tensor);
      near(Number(times), Math.max(tensor, data) / Math.min(tensor, data), digits[3], "times");
      assert.equal(number(tokens), inputs.global_batch_size * inputs.sequence_length);
      // TP's bytes grow with the tokens, DP's do not: both are the same where the tokens are fewer by their ratio.
      near(number(even), Math.max(1, (number(tokens) * data) / tensor), 0.51 / number(even) + 1e-6, "even tokens");
      assert.equal(side, tensor > data ? "above" : "below");
    },
  );
}

/** ZeRO-3 over one node's GPUs and up to 128 times as many, each with the scenario's micro-batch. */
function checkGrid({ engine, values, scenario }, claim) {
  claim(
    "grid",
    "Each GPU keeps its {n} sequences? of {n} tokens; .+? against {n}. On {n} GPUs up to {x} % of a step is exposed",
    ([batch, length, node, most, share]) => {
      assert.equal(number(batch), scenario.number("batch_size"));
      assert.equal(number(length), scenario.number("sequence_length"));
      assert.equal(number(node), scenario.number("gpus_per_node"));
      assert.equal(number(most), 128 * number(node));
      const all = values("training_step");
      const machine = Object.fromEntries(
        engine
          .describe()
          .training_step.inputs.filter(({ group, name }) => (group === "machine" || name === "system") && name in all)
          .map(({ name }) => [name, all[name]]),
      );
      const shares = ["1.7b", "3.6b", "7.5b", "18.4b"].map((size) => {
        const step = engine.training_step({
          ...machine,
          recipe: "deepspeed",
          model: `megatron-${size}`,
          sequence_length: number(length),
          batch_size: number(batch),
          global_batch_size: number(batch) * number(most),
          data_parallel: number(most),
          zero_stage: 3,
          recompute: "full",
        });
        return step.traffic.reduce((sum, { exposed_ms }) => sum + exposed_ms, 0) / step.step_time_ms;
      });
      near(Number(share), 100 * Math.max(...shares), digits[2], "share");
    },
  );
}

export function projection(told) {
  const { claim } = told;
  checkPairs(claim);
  checkScaling(told, claim);
  checkVolumes(told, claim);
  checkGrid(told, claim);
}
