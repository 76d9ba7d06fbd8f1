// What Train may say of a step and of a plan, by the engine's tables alone.
import assert from "node:assert/strict";
import { rowsOf } from "../../../../web/build/scoreboard.mjs";
import { missedBy } from "./measured.mjs";
import { bytesOf, claimsIn, digits, near, number, rangeOf, restsOn, table, timeOf } from "../claims.mjs";
import { checkRanges } from "./roofline.mjs";

const gib = 2 ** 30;
const partNames = ["weights", "gradients", "optimizer", "activations", "logits"];
const elasticityNames = {
  "GEMM speed": "matmul",
  "memory bandwidth": "hbm",
  "link bandwidth in the node": "link",
  "network bandwidth": "network",
  overlap: "overlap",
  "collective latency": "latency",
  "kernel launch rate": "launch",
};
const degrees = {
  TP: "tensor_parallel",
  CP: "context_parallel",
  EP: "expert_parallel",
  "expert TP": "expert_tensor_parallel",
  PP: "pipeline_parallel",
  DP: "data_parallel",
};
/** A layout's degrees and micro-batch as inputs: the scenario's own may be none that its model has. */
const degreesOf = (row) =>
  Object.fromEntries([...Object.values(degrees), "batch_size"].map((name) => [name, row[name]]));

const tokenScales = { trillion: 1e12, billion: 1e9, million: 1e6 };

/** What a step's gradients are kept and reduced in, bytes: typed, or its recipe's. */
function gradientBytes(engine, inputs) {
  if (inputs.gradient_bytes_per_element !== undefined) return inputs.gradient_bytes_per_element;
  const { recipes } = table(engine, "recipe_catalog");
  return recipes.find(({ id }) => id === (inputs.recipe ?? "megatron-core")).fills.gradient_bytes_per_element;
}

/** The sentence that every answer of Train has in its second line. */
function checkRates(engine, inputs, { model_tflops_per_gpu, mfu_percent }, claim) {
  claim("throughput", "{x} TFLOP/s per GPU, {x} % MFU \\((.+?)\\)", ([tflops, mfu, convention]) => {
    near(Number(tflops), model_tflops_per_gpu, digits[3], "TFLOP/s");
    near(Number(mfu), mfu_percent, digits[3], "MFU");
    assert.equal(convention, inputs.causal_attention ? "causal FLOPs only" : "all attention scores");
  });
  // A rule of the stack may name a type as well.
  claim("gradients", "(?<!(?:reduces|keeps) )[gG]radients in (BF16|FP8|FP32|{x} bytes)", ([said, bytes]) =>
    assert.equal(
      { BF16: 2, FP8: 1, FP32: 4 }[said] ?? Number(bytes),
      gradientBytes(engine, inputs) || (inputs.bytes_per_element ?? 2),
    ),
  );
}

function checkRun(scenario, { training_days, cluster_gpus }, claim) {
  claim(
    "run",
    "A run of {x}( trillion| billion| million)? tokens takes {time}: {n} GPU-hours(?:, {n} at {x} per GPU-hour)?\\.",
    ([count, scale, time, hours, cost, price]) => {
      near(
        Number(count) * (scale ? tokenScales[scale.trim()] : 1),
        scenario.number("token_budget"),
        digits[4],
        "tokens",
      );
      near(timeOf(time), training_days * 86400e6, digits[3], "days");
      const all = training_days * 24 * cluster_gpus;
      near(number(hours), all, digits[3], "GPU-hours");
      const given = scenario.number("price_per_gpu_hour");
      assert.equal(cost !== undefined, given > 0);
      if (cost) {
        near(Number(price), given, 1e-9, "price");
        near(number(cost), all * given, digits[3], "cost");
      }
    },
  );
}

/** One step of a layout. */
export function step({ engine, scenario, values, claim }) {
  const inputs = { ...values("training_step"), elasticities: true };
  const is = engine.training_step(inputs);
  const exposed = is.traffic.reduce((sum, { exposed_ms }) => sum + exposed_ms, 0);
  claim(
    "takes",
    "A step takes about {time} \\({range}, ([a-z ]+ runs)\\) on {n} GPUs?\\.",
    ([time, band, rests, gpus]) => {
      assert.equal(rests, restsOn[is.basis]);
      near(timeOf(time), is.step_time_ms * 1e3, digits[3], "step");
      const [low, high] = rangeOf(band);
      near(low, is.step_time_low_ms * 1e3, digits[3], "low");
      near(high, is.step_time_high_ms * 1e3, digits[3], "high");
      assert.equal(number(gpus), is.cluster_gpus);
    },
  );
  assert.equal(claim("nothing exposed", "No communication is exposed"), exposed === 0);
  const share = claim("exposed", "Exposed communication is {x} % of it", ([share]) =>
    near(Number(share), (100 * exposed) / is.step_time_ms, digits[3], "exposed"),
  );
  assert.equal(share, exposed > 0);
  assert.equal(claim("doesn’t fit", "It doesn’t fit\\."), !is.fits);
  assert.equal(claim("against the rules", "Not in .+?\\."), is.stack_rule !== "");
  checkRates(engine, inputs, is, claim);
  const also = claim("causal MFU", "\\(all attention scores\\), {x} % by causal FLOPs", ([mfu]) => {
    const flops = (causal_attention) =>
      engine.model_sizes({ ...values("model_sizes"), causal_attention }).step_flops.model;
    near(Number(mfu), (is.mfu_percent * flops(true)) / flops(false), digits[3], "causal MFU");
  });
  assert.equal(also, !inputs.causal_attention);
  checkRun(scenario, is, claim);
  claim(
    "needs",
    "The fullest GPU needs {bytes} of {bytes} available: {bytes} (free|more than fits)",
    ([needs, has, rest, what]) => {
      near(bytesOf(needs), is.memory_gib * gib, digits[3], "needed");
      near(bytesOf(has), is.memory_available_gib * gib, digits[3], "available");
      near(bytesOf(rest), Math.abs(is.memory_available_gib - is.memory_gib) * gib, digits[3], "rest");
      assert.equal(what === "free", is.fits);
    },
  );
  assert.equal(claim("stalls", "stall now and then"), is.run_kind === "staged");
  const hidden = exposed < 5e-4 * is.step_time_ms;
  assert.equal(claim("all hidden", "All communication is hidden"), is.cluster_gpus > 1 && hidden);
  assert.equal(claim("alone", "One GPU communicates with no other"), is.cluster_gpus === 1);
  const bare = claim(
    "bare",
    "Exposed communication takes {time}, {x} % of the step\\. If nothing overlapped, the step would take {time}",
    ([time, share, bare]) => {
      near(timeOf(time), exposed * 1e3, digits[3], "exposed");
      near(Number(share), (100 * exposed) / is.step_time_ms, digits[3], "share");
      near(timeOf(bare), is.none_hidden_ms * 1e3, digits[3], "bare");
    },
  );
  assert.equal(bare, is.cluster_gpus > 1 && !hidden);
  assert.equal(claim("fits", "It fits: {bytes} of {bytes} available"), is.memory_gib <= is.memory_available_gib);
  assert.equal(claim("bars don’t fit", "It doesn’t fit: it needs {bytes}"), is.memory_gib > is.memory_available_gib);
  claim("largest part", "The largest part: (\\w+)\\.", ([name]) => {
    const all = Object.entries(is.memory);
    const [most] = all.sort(([, a], [, b]) => b - a)[0];
    assert.equal(most, `${name}_gib`);
    assert.ok(partNames.includes(name));
  });
  const onHost = claim("host", "Host memory holds {bytes} more for it", ([held]) =>
    near(bytesOf(held), is.host_memory_gib * gib, digits[3], "host"),
  );
  assert.equal(onHost, is.host_memory_gib > 0);
  const sensitive = claim("most sensitive", "1 % more ([\\w ]+?) shortens the step most, by {x} %", ([name, by]) => {
    const value = -is.elasticities[elasticityNames[name]];
    near(Number(by), value, digits[2], "elasticity");
    assert.equal(value, Math.max(...Object.values(is.elasticities).map((one) => -one)));
  });
  const none = claim("nothing shortens", "1 % more of any of these shortens the step by less than 0\\.01 %", () =>
    assert.ok(Math.max(...Object.values(is.elasticities).map((one) => -one)) < 0.01),
  );
  assert.notEqual(sensitive, none);
  claim("no effect", "No effect: ([^.]+)\\.", ([names]) => {
    for (const name of names.split(", "))
      assert.ok(Math.abs(is.elasticities[elasticityNames[name]]) < 0.01, `${name} has an effect`);
  });
  const own = engine.training_step({ ...inputs, elasticities: false }).step_time_ms;
  const half = (scale) =>
    (100 * engine.training_step({ ...inputs, elasticities: false, ...scale }).step_time_ms) / own - 100;
  claim(
    "half the bandwidth",
    "With half the bandwidth of the (network|links in the node), the step takes {x} % longer",
    ([name, more]) => {
      const both = { network: half({ nic_gb_per_sec: scenario.number("nic_gb_per_sec") / 2 }) };
      both["links in the node"] = half({ bandwidth_gb_per_sec: linkOf(engine, scenario) / 2 });
      near(Number(more), both[name], digits[2], "longer");
      assert.equal(both[name], Math.max(...Object.values(both)));
    },
  );
  checkDecisions(engine, inputs, is, claim, scenario.number("nic_gb_per_sec"));
  checkHowSure(engine, inputs, is, claim);
  checkLedger(engine, scenario, values, claim);
  const layer = claim("layer", "The forward pass of one micro-batch takes {time}", ([time]) =>
    near(timeOf(time), engine.layer_roofline(values("layer_roofline")).forward_us, digits[3], "forward"),
  );
  if (layer) checkRanges(engine.layer_roofline(values("layer_roofline")), claim);
  // Of a tile, by what it loads for what it computes; of copies, by their own calculation.
  claim(
    "tile",
    "a tile of {n} × {n} outputs at once, whose sums take {bytes} of registers. So each byte from L2 serves {x} FLOPs, each byte from HBM {x}\\.",
    ([rows, columns, sums, l2, hbm]) => {
      const roofline = engine.layer_roofline(values("layer_roofline"));
      const { flops, hbm_bytes } = roofline.kernels.find(({ kernel }) => kernel === roofline.longest);
      near(bytesOf(sums), 4 * number(rows) * number(columns), digits[3], "sums");
      assert.ok(Number(l2) <= Number(hbm) * 1.01);
      // No tile of 16 bits and more serves more than with all of the result's traffic left out.
      assert.ok(Number(l2) <= (8 * number(rows) * number(columns)) / (number(rows) + number(columns)));
      if (
        roofline.longest.startsWith("mlp") &&
        scenario.number("num_experts") <= 1 &&
        values("layer_roofline").matmul_precision === "stored"
      )
        near(Number(hbm), flops / hbm_bytes, 0.02, "of HBM");
    },
  );
  claim(
    "copied",
    "copying them would take {time} pinned and {time} pageable, {x} and {x} times as long as multiplying",
    ([pinned, pageable, times, more]) => {
      const { levels } = engine.layer_roofline(values("layer_roofline"));
      const { bytes } = levels.find(({ level }) => level === "hbm");
      const typed = scenario.number("host_gb_per_sec");
      const copy = (host_memory) => {
        const inputs = { accelerator: scenario.text("accelerator"), host_memory, copied_bytes: bytes };
        const { copy_us, gb_per_sec } = engine.host_copy_time(inputs);
        if (!(typed > 0)) return copy_us;
        return bytes / (1e3 * (host_memory === "pinned" ? typed : Math.min(typed, gb_per_sec)));
      };
      near(timeOf(pinned), copy("pinned"), digits[3], "pinned");
      near(timeOf(pageable), copy("pageable"), digits[3], "pageable");
      near(Number(more) / Number(times), copy("pageable") / copy("pinned"), 2 * digits[2], "times");
    },
  );
  claim("filed", "Reading them from a file would take {time}", ([time]) => {
    const { levels } = engine.layer_roofline(values("layer_roofline"));
    const { bytes } = levels.find(({ level }) => level === "hbm");
    const [host, file] = ["host_gb_per_sec", "file_gb_per_sec"].map((name) => scenario.number(name));
    near(timeOf(time), bytes / (1e3 * (host > 0 ? Math.min(host, file) : file)), digits[3], "read");
  });
  const bubble = claim("bubble", "The gaps are the bubble: {time}, {x} % of the step", ([time, share]) => {
    near(timeOf(time), is.parts.bubble_ms * 1e3, digits[3], "bubble");
    near(Number(share), (100 * is.parts.bubble_ms) / is.step_time_ms, digits[3], "share");
  });
  assert.ok(!bubble || scenario.number("pipeline_parallel") > 1);
}

const linkOf = (engine, scenario) => {
  const typed = scenario.number("bandwidth_gb_per_sec");
  return typed > 0
    ? typed
    : table(engine, "hardware_catalog").accelerators.find(({ id }) => id === scenario.text("accelerator")).fills
        .bandwidth_gb_per_sec;
};

/** Decisions as their names say them, as inputs. */
function decided(engine, name, inputs) {
  const fields = engine.describe().training_step.inputs;
  const [label, choice] = name.split(": ");
  const field = fields.find((one) => one.label === label);
  const of = (text) => field.choices.find((id, index) => (field.choice_labels?.[index] ?? id) === text || id === text);
  const tensor = /^TP ([\d,]+), DP ([\d,]+)$/.exec(name);
  const node = /^([\d,]+) GPUs per node$/.exec(name);
  if (tensor) {
    const [degree, replicas] = tensor.slice(1).map(number);
    const one = degree === 1 || (inputs.tensor_parallel ?? 1) === 1;
    return {
      tensor_parallel: degree,
      data_parallel: replicas,
      ...(one ? { sequence_parallel: degree > 1 } : {}),
    };
  }
  if (node) return { gpus_per_node: number(node[1]) };
  if (name.startsWith("Gradients in ")) return { gradient_bytes_per_element: name.endsWith("BF16") ? 2 : 4 };
  if (label === "Network")
    return { nic_gb_per_sec: inputs.network * (number(choice.split(" ")[0]) > inputs.network ? 2 : 0.5) };
  assert.ok(field, name);
  if (field.kind === "whole" || field.kind === "real") return { [field.name]: number(choice) };
  return { [field.name]: field.choices ? of(choice) : choice === "on" };
}

/** What one decision saves, by running the step with it. */
function checkDecisions(engine, inputs, is, claim, network) {
  const stepWith = (name) => engine.training_step({ ...inputs, ...decided(engine, name, { ...inputs, network }) });
  claim("largest saving", "The largest saving is (.+?): {time}, {x} % of the step\\.", ([name, saved, share]) => {
    const other = stepWith(name);
    near(timeOf(saved), (is.step_time_ms - other.step_time_ms) * 1e3, 2 * digits[3], "saved");
    near(Number(share), (100 * (is.step_time_ms - other.step_time_ms)) / is.step_time_ms, digits[2], "share");
    assert.ok(other.fits, "does not fit");
    assert.ok(other.stack_rule === "" || is.stack_rule !== "", "the stack lacks it");
  });
  claim(
    "largest that is lacked",
    "(?:^|\\. )([^.]+), which [^.]+ lacks, would save {time}, {x} %\\.",
    ([name, saved]) => {
      const other = stepWith(name);
      near(timeOf(saved), (is.step_time_ms - other.step_time_ms) * 1e3, 2 * digits[3], "saved");
      assert.ok(other.fits, "does not fit");
      assert.ok(other.stack_rule !== "" && is.stack_rule === "", "the stack has it");
    },
  );
  claim("no saving", "None of them that fits(?: and that .+? has)? makes the step shorter", () => {
    const fp8 = (() => {
      try {
        return engine.training_step({ ...inputs, matmul_precision: "fp8" });
      } catch {
        return is;
      }
    })();
    const lacked = fp8.stack_rule !== "" && is.stack_rule === "";
    assert.ok(lacked || !fp8.fits || fp8.step_time_ms > is.step_time_ms * 0.9994);
  });
  claim("no difference", "No difference: (.+?)\\.(?:\n|$)", ([names]) => {
    for (const name of names.split("; ")) near(stepWith(name).step_time_ms, is.step_time_ms, 5.1e-4, name);
  });
}

/** What the range of a step rests on. */
function checkHowSure(engine, inputs, is, claim) {
  const recipe = inputs.recipe ?? "megatron-core";
  const accelerator =
    inputs.accelerator ??
    table(engine, "hardware_catalog").systems.find(({ id }) => id === inputs.system)?.fills.accelerator;
  const series = is.band_classes
    .filter((one) => one.recipe === recipe && one.accelerator === accelerator)
    .reduce((sum, one) => sum + one.measured_series, 0);
  assert.equal(claim("measured", "Measured runs: the range rests on"), is.basis === "measured");
  assert.equal(claim("similar", "Similar runs\\."), is.basis === "similar");
  assert.equal(claim("nothing similar", "No similar runs\\."), is.basis === "estimated");
  claim("rests on", "rests on {n} runs in {n} series of (?:{n} stacks)?", ([runs, all, stacks]) => {
    assert.equal(number(runs), is.measured_runs);
    assert.equal(number(all), is.measured_series);
    assert.ok(is.measured_runs > 0 && is.measured_series > 0);
    if (stacks) assert.equal(number(stacks), new Set(is.band_classes.map((one) => one.recipe)).size);
  });
  const ownRuns = is.band_classes
    .filter((one) => one.recipe === recipe && one.accelerator === accelerator)
    .reduce((sum, one) => sum + one.measured_runs, 0);
  const ofThem = claim("own runs", "Measured runs: [^.]+, {n} of them of [^.]+\\.", ([runs]) =>
    assert.equal(number(runs), ownRuns),
  );
  assert.equal(Boolean(ofThem), is.basis === "measured" && ownRuns < is.measured_runs);
  const told = claim(
    "missed alike",
    "If this prediction misses as those did, {n} of {n} would take {time} to {time}",
    ([within, of, low, high]) => {
      assert.ok(number(of) > 0 && number(within) <= number(of));
      assert.equal(number(of), is.measured_runs);
      near(timeOf(low), is.step_time_low_ms * 1e3, digits[3], "low");
      near(timeOf(high), is.step_time_high_ms * 1e3, digits[3], "high");
    },
  );
  assert.ok(told);
  claim("no run", "We have no run of ", () => assert.equal(series, 0));
  claim("few series", "We have (only )?{n} series of ", ([only, said]) => {
    assert.equal(number(said), series);
    assert.equal(only !== undefined, series < 3);
  });
  assert.equal(claim("beyond", "No run that we have goes as far in"), is.basis !== "measured" && is.beyond_runs !== "");
}

/** What a step sends, and which stage most. */
function checkLedger(engine, scenario, values, claim) {
  const ledgerOf = (stage) => engine.communication_ledger({ ...values("communication_ledger"), stage });
  const stages = scenario.number("pipeline_parallel");
  const busiest = ledgerOf("busiest");
  const ledgers =
    stages === 1 ? [busiest] : (stages === 2 ? ["first", "last"] : ["first", "inner", "last"]).map(ledgerOf);
  const sent = Object.fromEntries(ledgers.map((one) => [one.stage, one.sent_bytes_per_gpu]));
  const top = Math.max(...ledgers.map((one) => one.sent_bytes_per_gpu));
  claim("send most", "The ([a-z ]+?) stages? sends? most: {bytes} from each GPU", ([places, bytes]) => {
    const named = places.split(" and ");
    near(bytesOf(bytes), top, digits[4], "most");
    for (const [stage, one] of Object.entries(sent))
      if (named.includes(stage)) near(one, top, 1e-3, `${stage} sends most`);
      else assert.ok(one < top, `${stage} sends as much`);
  });
  claim("each sends", "Each of {n} GPUs sends {bytes} in a step", ([gpus, bytes]) => {
    assert.equal(number(gpus), busiest.cluster_gpus);
    for (const one of Object.values(sent)) near(bytesOf(bytes), one, digits[4], "sent by each");
  });
  claim("one sends nothing", "One GPU sends nothing\\. Raise", () => assert.equal(busiest.sent_bytes_per_gpu, 0));
  claim(
    "for",
    "in a step, {n} % of it for (\\w+) parallelism(, vocabulary included)?\\.",
    ([share, dimension, both]) => {
      const most = Math.max(...busiest.by_dimension.map((one) => one.sent_bytes_per_gpu));
      const named = busiest.by_dimension.find((one) => one.dimension === dimension);
      assert.equal(named.sent_bytes_per_gpu, most);
      const vocabulary = busiest.by_dimension.find((one) => one.dimension === "vocabulary");
      assert.equal(both !== undefined, dimension === "tensor" && vocabulary !== undefined);
      const sent = named.sent_bytes_per_gpu + (both ? vocabulary.sent_bytes_per_gpu : 0);
      assert.ok(Math.abs(number(share) - (100 * sent) / busiest.sent_bytes_per_gpu) <= 0.5 + 1e-9);
    },
  );
  claim("leaves the node", "{x} % of it leaves the node", ([share]) =>
    near(
      Number(share),
      busiest.sent_bytes_per_gpu ? (100 * busiest.network_bytes_per_gpu) / busiest.sent_bytes_per_gpu : 0,
      digits[3],
      "leaves",
    ),
  );
  claim("common size", "The most common size is {bytes} to {bytes}, with {n} calls?", ([from, to, calls]) => {
    const most = Math.max(...busiest.message_sizes.map((one) => one.calls));
    assert.equal(number(calls), most);
    const bin = busiest.message_sizes.find((one) => Math.abs(one.at_least_bytes / bytesOf(from) - 1) < 0.001);
    assert.equal(bin.calls, most);
    near(bytesOf(to), 2 * bin.at_least_bytes, digits[3], "to");
  });
}

const noise = (found) => 1 + found.noise_floor_percent / 100;

/** The layouts that a search found. */
export function plan({ engine, scenario, values, claim, text }) {
  const inputs = values("plan");
  const found = engine.plan(inputs);
  const [best] = found.layouts;
  assert.equal(
    claim("nothing fits", "No layout fits: each GPU needs {bytes} more", ([more]) =>
      near(bytesOf(more), found.deficit_gib * gib, digits[3], "deficit"),
    ),
    found.layouts.length === 0,
  );
  claim("smallest", "The smallest layout, .+? needs {bytes}; {bytes} is available", ([needs, has]) => {
    near(bytesOf(needs), found.smallest[0].memory_gib * gib, digits[3], "needed");
    near(bytesOf(has), found.memory_limit_gib * gib, digits[3], "available");
    assert.ok(found.smallest[0].memory_gib > found.memory_limit_gib);
  });
  if (!best) return;
  const fastest = found.fastest[0].step_time_ms;
  assert.ok(
    /^(Among the (predicted )?fastest|(Predicted f|F)astest( with [\d.]+ % of memory free)?) on /.test(text),
    text.slice(0, 80),
  );
  assert.equal(claim("as predicted", "^[^:]*[pP]redicted"), best.basis !== "measured");
  claim("among the fastest", "^Among the (?:predicted )?fastest on", () => {
    assert.ok(best.step_time_ms > fastest && best.step_time_ms <= fastest * noise(found) * 1.0001);
  });
  claim("fastest with headroom", "^(?:Predicted f|F)astest with {x} % of memory free on", ([free]) => {
    assert.equal(Number(free), scenario.number("memory_headroom_percent"));
    assert.equal(best.step_time_ms, fastest);
    assert.ok(
      found.pareto_front.some((row) => row.step_time_ms < fastest),
      "no layout with less headroom is faster",
    );
  });
  claim("fastest", "^(?:Predicted f|F)astest on", () => {
    const all = [...found.layouts, ...found.pareto_front, ...found.fastest].map((row) => row.step_time_ms);
    assert.equal(best.step_time_ms, Math.min(...all));
  });
  claim(
    "layout",
    "on {n} GPUs?: ([^,]+), {time} \\({range}, ([a-z ]+ runs)\\) a step",
    ([gpus, words, time, band, rests]) => {
      assert.equal(rests, restsOn[best.basis]);
      assert.equal(number(gpus), inputs.cluster_gpus);
      for (const [name, field] of Object.entries(degrees)) {
        const said = words.split(" · ").find((one) => one.startsWith(`${name} `));
        assert.equal(
          said ? Number(said.slice(name.length + 1)) : field === "expert_tensor_parallel" ? 0 : 1,
          best[field],
          words,
        );
      }
      near(timeOf(time), best.step_time_ms * 1e3, digits[3], "step");
      const [low, high] = rangeOf(band);
      near(low, best.step_time_low_ms * 1e3, digits[3], "low");
      near(high, best.step_time_high_ms * 1e3, digits[3], "high");
    },
  );
  const ties = found.layouts.filter((row) => row.step_time_ms <= fastest * noise(found)).length;
  claim("families within noise", "(?:The simplest of )?{n}\\+? families (?:are )?within noise", ([said]) =>
    assert.equal(number(said), ties),
  );
  claim("alone in its family", "The simplest layout of its family within noise", () => assert.ok(ties <= 1));
  claim("tied rows", "(All {n}|The first {n}) are within noise", ([lead, all, some]) => {
    assert.equal(number(all ?? some), ties);
    assert.equal(lead.startsWith("All"), ties === found.layouts.length);
  });
  claim("no other", "No other family is within {x} % of the fastest layout", () => {
    const others = found.layouts.slice(1).map((row) => row.step_time_ms);
    assert.ok(Math.min(...others) > fastest * noise(found) * 0.9999);
  });
  // What is as fast leaves less memory free than was asked for.
  claim(
    "no other with headroom",
    "No other family that leaves enough memory free is within {x} % of the fastest that does",
    () => {
      const near = found.layouts.slice(1).filter((row) => row.step_time_ms <= fastest * noise(found));
      assert.ok(near.length > 0);
      for (const row of near) assert.ok(row.headroom_percent < inputs.memory_headroom_percent);
    },
  );
  claim("micro-batch", "micro-batch {n}", ([size]) => assert.equal(number(size), best.batch_size));
  claim("ZeRO", "^[^;]*ZeRO-(\\d)", ([stage]) => assert.equal(Number(stage), best.zero_stage));
  const decided = Object.fromEntries(best.settings.map(({ name, value }) => [name, value]));
  const gradients = decided.gradient_bytes_per_element;
  const half = claim(
    "causal half",
    "counts the causal half today, and would print {x} TFLOP/s per GPU, {x} % MFU\\.",
    ([tflops, mfu]) => {
      const flops = (causal_attention) =>
        engine.model_sizes({ ...values("model_sizes"), ...degreesOf(best), causal_attention }).step_flops.model;
      const part = flops(true) / flops(false);
      near(Number(tflops), best.model_tflops_per_gpu * part, digits[3], "causal TFLOP/s");
      near(Number(mfu), best.mfu_percent * part, digits[3], "causal MFU");
    },
  );
  assert.equal(half, !inputs.causal_attention);
  checkRates(engine, gradients ? { ...inputs, gradient_bytes_per_element: Number(gradients) } : inputs, best, claim);
  checkSettings(engine, inputs, found, claim, text);
  checkRunnersUp(inputs, found, claim);
  checkRank(engine, values("training_step"), found, claim);
  checkPublished(scenario, found, claim);
  checkRun(scenario, { ...best, cluster_gpus: inputs.cluster_gpus }, claim);
  claim("free", "{x} % of {bytes} stays free", ([free, all]) => {
    near(Number(free), best.headroom_percent, digits[2], "free");
    near(bytesOf(all), found.memory_limit_gib * gib, digits[3], "limit");
  });
  checkStack(engine, scenario, claim);
  claim("computes for", "computes for {x} % of its step", ([share]) =>
    near(
      Number(share),
      (100 * (best.parts.compute_ms + best.parts.recompute_ms)) / best.step_time_ms,
      digits[2],
      "share",
    ),
  );
  claim("none on the line", "none is faster and smaller than those on the line", () => {
    for (const row of found.layouts)
      assert.ok(
        !found.pareto_front.some((one) => row.step_time_ms < one.step_time_ms && row.memory_gib < one.memory_gib),
      );
  });
  claim(
    "smaller for some time",
    "One needs {bytes} instead of the first’s {bytes} and takes (?:no longer|{x} % longer)",
    ([some, all, more]) => {
      near(bytesOf(all), best.memory_gib * gib, digits[3], "first");
      assert.ok(bytesOf(some) <= bytesOf(all) * 1.005);
      const longer = found.pareto_front
        .filter((row) => Math.abs((row.memory_gib * gib) / bytesOf(some) - 1) < digits[3])
        .map((row) => (100 * row.step_time_ms) / best.step_time_ms - 100);
      assert.ok(
        longer.some((one) => (more === undefined ? one < 0.05 : Math.abs(Number(more) - one) <= digits[2] * one)),
        `${longer}`,
      );
    },
  );
  claim(
    "less memory costs",
    "Less memory than the first layout’s {bytes} costs at least {x} % of time",
    ([, percent]) => {
      for (const row of found.pareto_front)
        if (row.memory_gib < best.memory_gib)
          assert.ok(row.step_time_ms > best.step_time_ms * (1 + Number(percent) / 100));
    },
  );
  claim("both", "One layout is both the fastest and the smallest", () => assert.ok(found.pareto_front.length < 2));
  found.alternatives.forEach((one, index) => {
    const lost = (100 * one.step_time_ms) / best.step_time_ms - 100;
    claim("alternative within noise", `alternative ${index} \\([^)]*\\): within noise`, () =>
      assert.ok(Math.abs(lost) <= found.noise_floor_percent * 1.04 + 0.2, `${lost}`),
    );
    claim("alternative doesn’t fit", `alternative ${index} \\([^)]*\\): doesn’t fit: needs {bytes} more`, ([more]) => {
      assert.ok(!one.fits && one.memory_gib > found.memory_limit_gib);
      near(bytesOf(more), one.deficit_gib * gib, digits[3], "deficit");
    });
    claim("alternative too tight", `alternative ${index} \\([^)]*\\): too little headroom`, () =>
      assert.ok(
        one.memory_gib > found.memory_limit_gib * (1 - scenario.number("memory_headroom_percent") / 100) * 0.9999,
      ),
    );
    claim("alternative against the rules", `alternative ${index} \\([^)]*\\): [Nn]ot in `, () =>
      assert.notEqual(one.stack_rule, ""),
    );
  });
  found.layouts.forEach((row, index) => {
    const more = (100 * row.step_time_ms) / best.step_time_ms - 100;
    claim("family slower", `family ${index}: ([+−])([\\d.e-]+) %`, ([sign, percent]) => {
      near(Number(percent), Math.abs(more), digits[2], "against the first");
      assert.equal(sign === "−", more < 0);
    });
    claim("family within noise", `family ${index}: within noise`, () =>
      assert.ok(row.step_time_ms <= fastest * noise(found) && best.step_time_ms <= fastest * noise(found)),
    );
  });
}

const partFields = {
  compute: "compute_ms",
  recompute: "recompute_ms",
  "TP communication": "exposed_tensor_ms",
  "CP communication": "exposed_context_ms",
  "EP communication": "exposed_expert_ms",
  "PP send/recv": "exposed_pipeline_ms",
  "DP communication": "exposed_data_ms",
  bubble: "bubble_ms",
  "host copies": "exposed_offload_ms",
  optimizer: "optimizer_ms",
  launches: "launch_ms",
  stragglers: "straggler_ms",
};

/** The rank of a launch: of the scenario's own layout. */
function checkRank(engine, inputs, found, claim) {
  const { layouts, fastest, noise_floor_percent, memory_limit_gib } = found;
  let own;
  try {
    own = engine.training_step(inputs);
  } catch {
    return;
  }
  const limit = 1 + noise_floor_percent / 100;
  const best = fastest[0].step_time_ms;
  const outcome = [
    claim("launch against the rules", "launch: Not in the stack, which ", () => assert.notEqual(own.stack_rule, "")),
    claim("launch doesn’t fit", "launch: Doesn’t fit: each GPU needs {bytes} more", ([more]) => {
      assert.ok(own.memory_gib > memory_limit_gib);
      near(bytesOf(more), (own.memory_gib - memory_limit_gib) * gib, digits[3], "more");
    }),
    claim("launch within noise", "launch: Within noise of the fastest of ", () =>
      assert.ok(own.step_time_ms <= best * limit * 1.0001 && best <= own.step_time_ms * limit * 1.0001),
    ),
    claim("launch faster", "launch: Faster than the fastest of ", () => assert.ok(own.step_time_ms * limit < best)),
    claim(
      "launch ranked",
      "launch: (?:({n})(?:st|nd|rd|th) of {n} families|(Of the only family)|(Slower than) (?:all {n} families|the only family) listed): the fastest, [^,]+, takes {x} % less",
      ([, first, of, only, , than, less]) => {
        const place = only ? "1" : first;
        const families = of ?? than;
        assert.equal(families ? number(families) : 1, layouts.length);
        near(Number(less), 100 * (1 - best / own.step_time_ms), digits[2], "less");
        const degree = (row) => row.expert_tensor_parallel || row.tensor_parallel;
        const before = layouts.filter(
          (row) =>
            row.step_time_ms * limit < own.step_time_ms &&
            !(
              ["tensor", "context", "expert", "pipeline", "data"].every(
                (name) => row[`${name}_parallel`] === inputs[`${name}_parallel`],
              ) && degree(row) === degree(inputs)
            ),
        ).length;
        if (place) assert.equal(number(place), before + 1);
        else assert.equal(before, layouts.length);
      },
    ),
  ];
  assert.equal(outcome.filter(Boolean).length, 1, "one thing is said of a launch");
  claim("rather", "Of the layouts that (?:are|fit), .+? takes {time}\\.", ([time]) =>
    near(timeOf(time), best * 1e3, digits[3], "fastest"),
  );
}

const spelt = (id) => id.toLowerCase().replaceAll(/[^a-z0-9.]/g, "");
const width = (precision) => (/fp8/.test(precision) ? 8 : /fp4/.test(precision) ? 4 : 16);
const measured = rowsOf("web/scoreboard/steps.csv").filter(
  (row) => row.doubtful === "0" && Number(row.global_batch_size) > 0,
);
/** 180,000 GPU-hours a trillion tokens (arXiv:2412.19437). */
const deepseek = {
  ...{ model: "deepseek-v3", accelerator: "h800-sxm", precision: "fp8", num_gpus: 2048, global_batch_size: 15360 },
  ...{ num_layers: 61, sequence_length: 4096, measured_ms: (180_000 * 3.6e6 * 15360 * 4096) / 1e12 / 2048 },
};

/** What published runs say about a plan: whether one was faster, and what the nearest one's error would make of it. */
function checkPublished(scenario, { layouts: [best], noise_floor_percent }, claim) {
  const rate = ({ global_batch_size, sequence_length, measured_ms, num_gpus }) =>
    (1000 * global_batch_size * sequence_length) / measured_ms / num_gpus;
  const decided = best.settings.find(({ name }) => name === "matmul_precision")?.value;
  const gpus = scenario.number("cluster_gpus");
  const faster = [...measured, deepseek].filter(
    (run) =>
      spelt(run.model) === spelt(scenario.text("model")) &&
      Number(run.num_layers) === scenario.number("num_layers") &&
      run.accelerator === scenario.text("accelerator") &&
      width(run.precision) === width(decided ?? scenario.text("matmul_precision")) &&
      Number(run.sequence_length) === scenario.number("sequence_length") &&
      run.num_gpus >= gpus &&
      run.num_gpus <= 2 * gpus &&
      run.global_batch_size / run.num_gpus <= scenario.number("global_batch_size") / gpus &&
      rate(run) > best.tokens_per_sec_per_gpu * (1 + noise_floor_percent / 100),
  );
  const said = claim(
    "faster run",
    "faster: A published run in .+? was faster: (.+?), {n} tokens/s/GPU; this layout is predicted at {n} \\({n}–{n}\\)\\.",
    ([, fast, own, least, most]) => {
      near(number(fast), Math.max(...faster.map(rate)), digits[3], "published");
      const { tokens_per_sec_per_gpu: tokens, step_time_ms: step } = best;
      for (const [name, is, ms] of [
        ["own", own, step],
        ["least", least, best.step_time_high_ms],
        ["most", most, best.step_time_low_ms],
      ]) {
        // Shown in whole tokens.
        const tokens_per_sec = (tokens * step) / ms;
        near(number(is), tokens_per_sec, Math.max(digits[3], 0.5 / tokens_per_sec), name);
      }
    },
  );
  assert.equal(said, faster.length > 0);
  for (const [index, ratios] of missedBy.entries()) {
    const steps = ratios.map((ratio) => best.step_time_ms / ratio).sort((one, other) => one - other);
    const said = claim(
      "as the nearest",
      `nearest ${index}: If this prediction misses as those of the nearest measured runs did, a step takes {range}(, which is not all within the range)?\\.`,
      ([range, outside]) => {
        const [least, most] = rangeOf(range);
        near(least, 1e3 * steps[0], digits[3], "least");
        near(most, 1e3 * steps.at(-1), digits[3], "most");
        const all = steps.every((step) => step >= best.step_time_low_ms && step <= best.step_time_high_ms);
        assert.equal(outside === undefined, all);
      },
    );
    assert.ok(said, "what the nearest say");
  }
}

/** Whether the stack that runs on the accelerator was checked: the hardware it runs on by itself, and whether it has rules. */
function checkStack(engine, scenario, claim) {
  const { vendor } = engine.hardware_catalog().accelerators.find(({ id }) => id === scenario.text("accelerator"));
  const { id, runs_on } = engine.recipe_catalog().recipes.find(({ id }) => id === scenario.text("recipe"));
  const makes = { NVIDIA: "NVIDIA", AMD: "AMD", Intel: "Gaudi", AWS: "Trainium", Google: "TPUs" }[vendor];
  const ruled = !["hai-llm", "other"].includes(id);
  const fork = claim("fork not checked", "The fork or plugin of .+? for .+? wasn’t checked\\.");
  assert.equal(fork, ruled && !runs_on.includes(makes));
  assert.equal(claim("rules not checked", "rules weren’t checked, so this layout may not start\\."), !ruled);
}

/** What of the searched settings was decided, left as it was, or had nothing else. */
function checkSettings(engine, inputs, { layouts: [best], searched_settings }, claim, text) {
  const fields = engine.describe().training_step.inputs;
  const fieldOf = (said) => fields.find(({ name, label }) => (label ?? name.replaceAll("_", " ")) === said);
  const asked = inputs.searched_settings ?? [];
  assert.deepEqual(searched_settings.map(({ name }) => name).sort(), [...asked].sort());
  const valueOf = (name) => best.settings.find((one) => one.name === name).value;
  const left = [];
  claim("settings left", "Searched and left as given: ([^.]+)\\.", ([labels]) => {
    for (const label of labels.split(", ")) {
      const { name } = fieldOf(label);
      left.push(name);
      assert.equal(valueOf(name), String(inputs[name]), name);
    }
  });
  claim("nothing to search", "Nothing to search: (.+?\\))\\.", ([all]) => {
    for (const one of all.split(/(?<=\)), /)) {
      const [, label, reason] = /^(.+) \((.+)\)$/.exec(one);
      const { name } = fieldOf(label);
      left.push(name);
      const said = searched_settings.find((row) => row.name === name);
      assert.equal(said.reason, reason);
      assert.equal(said.values, 1);
    }
  });
  const [, detail] = text.split("\n");
  for (const name of asked.filter((one) => !left.includes(one))) {
    const field = fields.find((one) => one.name === name);
    const value = valueOf(name);
    assert.notEqual(value, String(inputs[name]), name);
    const word = field.choices ? (field.choice_labels?.[field.choices.indexOf(value)] ?? value) : value;
    const flag = { true: "on", false: "off" }[value];
    assert.ok(detail.includes(`${field.label} ${flag ?? word}`), `${field.label} ${flag ?? word} in ${detail}`);
  }
}

/** Why a family of a decision record is not the first. */
function checkRunnersUp(inputs, found, claim) {
  const [best, ...others] = found.layouts;
  const ways = (row) =>
    ["tensor_parallel", "context_parallel", "expert_parallel", "pipeline_parallel", "data_parallel"].filter(
      (name) => row[name] > 1,
    ).length;
  others.forEach((row, at) => {
    const lead = `runner-up ${at + 1}: `;
    claim("more ways", `${lead}Within noise; it splits the job in {n} ways, the first in {n}`, (said) => {
      assert.deepEqual(said.map(number), [ways(row), ways(best)]);
      assert.ok(row.tie && ways(row) > ways(best));
    });
    const changed = ({ settings }) => settings.filter((one) => one.changed).length;
    claim("more changed", `${lead}Within noise; it changes {n} settings, the first {n}`, (said) => {
      assert.deepEqual(said.map(number), [changed(row), changed(best)]);
      assert.ok(row.tie && changed(row) > changed(best));
    });
    claim("less free", `${lead}Within noise; it leaves {x} % of memory free, the first {x} %`, (said) => {
      near(Number(said[0]), row.headroom_percent, digits[2], "free");
      near(Number(said[1]), best.headroom_percent, digits[2], "first");
      assert.ok(row.headroom_percent < best.headroom_percent);
    });
    claim("slower for", `${lead}([+−])([\\d.e-]+) %: ([^\n]+)\\.(?:\n|$)`, ([sign, percent, parts]) => {
      const more = (100 * row.step_time_ms) / best.step_time_ms - 100;
      near(Number(percent), Math.abs(more), digits[2], "slower");
      assert.equal(sign === "−", more < 0);
      for (const part of parts.split(", ")) {
        const [, name, up, ms] = /^(.+) ([+−])(.+)$/.exec(part);
        const is = row.parts[partFields[name]] - best.parts[partFields[name]];
        near(timeOf(ms), Math.abs(is) * 1e3, digits[3], name);
        assert.equal(up === "−", is < 0);
      }
    });
  });
  claim("asked", "Which layout trains .+? fastest on {n} GPUs? .+? with {n} sequences? of {n} tokens? a step", (said) =>
    assert.deepEqual(said.map(number), [inputs.cluster_gpus, inputs.global_batch_size, inputs.sequence_length]),
  );
  assert.equal(claim("rules kept", "whose rules every layout keeps"), found.stack_checked);
  assert.equal(claim("causal", "count the causal half"), inputs.causal_attention === true);
}

/** Which tensor degree is fastest where all else is open, and what the reader's own costs. */
export function layout({ engine, scenario, values, text }) {
  const found = [];
  /** A claim of any line. */
  const claim = (...of) => {
    for (const line of text.split("\n")) {
      const { claim: claimed, found: names } = claimsIn(line);
      claimed(...of);
      found.push(...names);
    }
  };
  const inputs = values("plan");
  /** What a search finds that is held to two degrees; nothing where there is no such layout. */
  const heldTo = (tensor_parallel, pipeline_parallel) => {
    try {
      return engine.plan({ ...inputs, best: 1, tensor_parallel, pipeline_parallel }).fastest[0];
    } catch {
      return undefined;
    }
  };
  const free = engine.plan({ ...inputs, best: 1 });
  const [best] = free.fastest;
  const tie = 1 + free.noise_floor_percent / 100;
  const headroom = inputs.memory_headroom_percent;
  const isTight = (row) => row.headroom_percent < headroom;
  const degrees = "^(?:flag TP {n}, PP {n}: )?Fastest.*Your (?:flag|TP and PP):";
  const own = [scenario.number("tensor_parallel"), scenario.number("pipeline_parallel")];
  const placed = (t, p) => (t === undefined ? own : [number(t), number(p)]);
  /**
   * The time of a layout that is called the best of its degrees: a tie of their fastest, represented by the simplest.
   */
  const bestOf = (t, p, ms) => {
    const held = heldTo(...placed(t, p));
    assert.ok(
      held && ms >= held.step_time_ms * (1 - 0.006) && ms <= held.step_time_ms * tie * 1.006,
      `${ms} of ${held?.step_time_ms}`,
    );
  };
  claim("same degrees", "Yours has the same TP and PP(\\.|, but the rest of it doesn’t fit)", ([end]) => {
    assert.deepEqual([best.tensor_parallel, best.pipeline_parallel], own);
    const { fits } = (() => {
      try {
        return engine.training_step(values("training_step"));
      } catch {
        return { fits: true };
      }
    })();
    assert.equal(end === ".", fits, "whether the reader’s own layout fits");
  });
  claim(
    "fastest",
    "(Predicted f|F)astest on (?:one GPU|{n} GPUs): .*?, {time} a training step",
    ([lead, gpus, time]) => {
      assert.equal(lead === "F", best.basis === "measured");
      assert.equal(gpus === undefined ? 1 : number(gpus), inputs.cluster_gpus);
      near(timeOf(time), best.step_time_ms * 1e3, digits[3], "fastest");
    },
  );
  claim("flag on the fastest", "^flag TP {n}, PP {n}: .*Your flag stands on it", ([t, p]) =>
    assert.deepEqual([best.tensor_parallel, best.pipeline_parallel], placed(t, p)),
  );
  claim("a tie", `${degrees} [^:]+? is within error of it`, ([t, p]) =>
    assert.ok(heldTo(...placed(t, p)).step_time_ms <= best.step_time_ms * tie),
  );
  claim("slower", `${degrees} [^:]+? takes {time}, {x} % longer`, ([t, p, time, more]) => {
    bestOf(t, p, timeOf(time) / 1e3);
    near(
      Number(more),
      (100 * timeOf(time)) / 1e3 / best.step_time_ms - 100,
      Math.max(0.06 * Number(more), 1),
      "longer",
    );
  });
  claim("leaves the node", "TP {n} leaves the node", ([t]) => assert.ok(number(t) > inputs.gpus_per_node));
  claim("nothing there", `${degrees} nothing fits`, ([t, p]) => assert.equal(heldTo(...placed(t, p)), undefined));
  claim("no headroom there", `${degrees} nothing there leaves {x} % of memory free`, ([t, p, share]) => {
    near(Number(share), headroom, digits[2], "headroom");
    assert.ok(isTight(heldTo(...placed(t, p))) && !isTight(best));
  });
  const tile = "tile TP {n}, PP {n}:";
  const cells = { asked: 0 };
  /** Every so many tiles are searched for by themselves. */
  const sampled =
    (check) =>
    ([t, p, ...rest]) => {
      if (cells.asked++ % 5 === 0) check(number(t), number(p), ...rest);
    };
  claim(
    "tile",
    `${tile} {x} % longer`,
    sampled((t, p, more) => {
      const held = heldTo(t, p);
      // Two digits are written.
      const half = 0.51 * 10 ** (Math.floor(Math.log10(Number(more))) - 1);
      const ms = (percent) => best.step_time_ms * (1 + percent / 100);
      const told = ms(Number(more) + half) >= held.step_time_ms && ms(Number(more) - half) <= held.step_time_ms * tie;
      assert.ok(told, `TP ${t}, PP ${p}: ${more} % for ${held.step_time_ms / best.step_time_ms}`);
    }),
  );
  claim(
    "tile that ties",
    `${tile} within error of the fastest`,
    sampled((t, p) => assert.ok(heldTo(t, p).step_time_ms <= best.step_time_ms * tie)),
  );
  claim(
    "tile where nothing fits",
    `${tile} nothing fits`,
    sampled((t, p) => assert.equal(heldTo(t, p), undefined)),
  );
  claim(
    "tile without headroom",
    `${tile} fits without headroom`,
    sampled((t, p) => assert.ok(isTight(heldTo(t, p)))),
  );
  claim("nothing fits", "^Nothing fits on", () => assert.equal(free.fastest.length, 0));
  return found;
}
