// The command of the packed package, as `npx commcost` runs it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { loadEngine } from "../../build/engine/commcost.js";
import { before as knownRuns, filesOf } from "../support/diagnosis/cases.mjs";
import { load } from "../page/support/source.mjs";
import { installPackage } from "../support/installed-package.mjs";

const root = new URL("../../", import.meta.url).pathname;
const engine = await loadEngine();
const { fileUsage, helpOf } = await load("cli/help.ts");
let folder, remove;
before(() => ({ folder, remove } = installPackage()));
after(() => remove());

/** {out, error, code} of a run, with `input` on its standard input. */
function commcost(words, input = "") {
  const how = { cwd: folder, encoding: "utf8", input, maxBuffer: 2 ** 24, timeout: 120_000 };
  const run = spawnSync(join(folder, "node_modules/.bin/commcost"), words, how);
  return { out: run.stdout, error: run.stderr, code: run.status };
}

const right = (words, input) => {
  const { out, error, code } = commcost(words, input);
  assert.deepEqual([error, code], ["", 0], words.join(" "));
  return out;
};

/** The exit codes that help lists. */
const usage = 2;
const unfit = 3;

const usual = ["hidden_size=4Ki", "sequence_length=2048", "batch_size=8", "num_gpus=8", "num_layers=32"];
const exercise = { hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 };

test("npx finds it, and it says what there is", () => {
  const out = execFileSync("npx", ["--offline", "commcost"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  for (const [name, { help }] of Object.entries(engine.describe()))
    assert.match(out, new RegExp(`^${name} +${help.slice(0, 20)}`, "m"));
  assert.equal(right(["--help"]), out);
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules/commcost/package.json"), "utf8"));
  assert.equal(right(["--version"]), `${version}\n`);
});

test("export, figure, vectors and schema have help of their own", async () => {
  for (const [name, lines] of [
    [
      "export",
      [
        /^commcost export name=value… > run\.sh$/m,
        /^server .*one of vllm, sglang, tensorrt_llm$/m,
        /also tp, pp, .*gbs.*export_layout --help$/m,
      ],
    ],
    ["figure", [/^commcost figure of=… /m, /^of +required +The figure; one of fit, /m, /^step /m, /^colors /m]],
    ["vectors", [/^commcost vectors /m, /^count +20 /m, /^edition +\d/m]],
    ["schema", [/^commcost schema \[calculation\]$/m, /training_step/]],
  ]) {
    const out = right([name, "--help"]);
    for (const line of lines) assert.match(out, line, name);
    assert.match(out, new RegExp(`^For example: commcost ${name} `, "m"));
    assert.equal(right(["help", name]), out);
  }
  const { figureNames } = await load("figures/names.ts");
  const catalog = readFileSync(join(root, "web/figures/catalog.ts"), "utf8");
  assert.deepEqual(
    figureNames,
    [...catalog.matchAll(/^ {4}id: "(\w+)"/gm)].map(([, id]) => id),
  );
});

test("what a plan searches is said to be, before the model's shape", () => {
  const lines = helpOf("plan", engine.describe().plan, 120).split("\n");
  const at = (name) => lines.findIndex((line) => line.startsWith(`${name} `));
  for (const name of ["tensor_parallel", "pipeline_parallel", "zero_stage", "batch_size"]) {
    assert.match(lines[at(name)], /^\w+( \(\w+\))? +searched {2}/);
    assert.ok(at("model") < at(name) && at(name) < at("num_layers"), name);
  }
  assert.doesNotMatch(helpOf("training_step", engine.describe().training_step, 120), / {2}searched {2}/);
});

test("each calculation's help names every input, what it is without it, and every choice", () => {
  for (const [name, description] of Object.entries(engine.describe())) {
    const out = helpOf(name, description, 120, fileUsage[name]);
    for (const field of description.inputs) {
      const line = out.split("\n").find((one) => one.split(" ")[0] === field.name);
      assert.ok(line?.includes(field.help), `${name}: ${field.name}`);
      // A limit that only keeps numbers exact is no help.
      assert.doesNotMatch(line.split(field.help)[1], / to \d{5}/, `${name}: ${field.name}`);
      for (const choice of field.choices ?? []) assert.ok(out.includes(choice), `${name}: ${choice}`);
    }
  }
});

test("the command says that help, and as JSON the tables that it is made of", () => {
  const described = engine.describe();
  for (const name of ["plan", "predict_collective", "diagnose"]) {
    assert.equal(right([name.replaceAll("_", "-"), "--help"]), helpOf(name, described[name], 120, fileUsage[name]));
    assert.deepEqual(JSON.parse(right([name, "--help", "--json"])), JSON.parse(JSON.stringify(described[name])));
  }
});

test("answers as a table that is read, and as JSON that is the engine's", () => {
  const out = right(["tensor_parallel_allreduce_cost", ...usual]);
  assert.match(out, /^total_comm_time_ms +50\.108 ms /m);
  assert.match(out, /^total_comm_volume_bytes +15032385536 bytes /m);
  const expected = engine.tensor_parallel_allreduce_cost(exercise);
  for (const words of [
    usual,
    usual.map((word) => `--${word.replaceAll("_", "-")}`),
    usual.flatMap((word) => `--${word}`.split("=")),
  ])
    assert.deepEqual(JSON.parse(right(["tensor_parallel_allreduce_cost", "--json", ...words])), expected);
  const slower = ["tensor_parallel_allreduce_cost", ...usual, "bandwidth_gb_per_sec=900 Gb/s", "--json"];
  assert.equal(
    JSON.parse(right(slower)).total_comm_time_ms,
    engine.tensor_parallel_allreduce_cost({ ...exercise, bandwidth_gb_per_sec: 112.5 }).total_comm_time_ms,
  );
});

test("plans from ids alone, in a table no wider than a terminal", () => {
  const words = [
    "model=llama-3.1-8b",
    "system=dgx-h100",
    "cluster_gpus=16",
    "global_batch_size=64",
    "sequence_length=8192",
  ];
  const inputs = {
    model: "llama-3.1-8b",
    system: "dgx-h100",
    cluster_gpus: 16,
    global_batch_size: 64,
    sequence_length: 8192,
  };
  const expected = engine.plan(inputs);
  const planned = JSON.parse(right(["plan", ...words, "--json"]));
  assert.deepEqual(planned.layouts, expected.layouts);
  assert.deepEqual(planned.space, [...expected.space]);
  const step = (digits) => String(Number(expected.layouts[0].step_time_ms.toPrecision(digits)));
  const out = right(["plan", ...words]);
  const [subject, headline, , ...rows] = out.split("\n");
  assert.equal(
    subject,
    "Llama 3.1 8B · 16 GPUs · DGX H100 · Megatron-Core (assumed; recipe=… changes it) · gradients in BF16",
  );
  const [cloned] = right(["plan", ...words, "recipe=megatron-lm"]).split("\n");
  assert.match(cloned, / · Megatron-LM.* · gradients in FP32$/);
  assert.match(
    headline,
    /^(Fastest|Predicted fastest|Simplest within noise of the (predicted )?fastest): .*DP 16.*\) a step, [\d.]+ GiB per GPU\.$/,
  );
  assert.ok(rows.find((row) => /^ *1 /.test(row)).includes(step(4)), out);
  for (const row of rows.filter((text) => !text.startsWith("in all"))) assert.ok(row.length <= 120, row);
  const [, layouts] = right(["plan", ...words, "--all"]).split(/^layouts: /m);
  assert.ok(layouts.match(/^ *1 .*$/m)[0].includes(step(6)), layouts);
  // The trade's short names are as good.
  const short = words.map((word) => word.replace("cluster_gpus", "gpus").replace("global_batch_size", "gbs"));
  assert.equal(right(["plan", ...short.map((word) => word.replace("sequence_length", "seq"))]), out);
});

test("a plan ends with the line that asks for its first layout, which takes as long and as much memory", () => {
  const job = "gpus=16 gbs=64 seq=4096";
  for (const words of [
    `model=llama-3.1-70b system=dgx-h100 gpus=64 gbs=512 seq=8192`,
    `model=mixtral-8x7b system=dgx-h100 recipe=torchtitan ${job}`,
    `model=llama-3.1-8b system=dgx-b200 searched_settings=matmul_precision ${job}`,
    `model=llama-3.1-8b accelerator=tpu-v5p recipe=maxtext ${job}`,
  ]) {
    const plan = right(["plan", ...words.split(" ")]);
    const [best] = JSON.parse(right(["plan", ...words.split(" "), "--json"])).layouts;
    if (best.sequence_parallel) assert.match(plan.split("\n")[1], / · SP · /);
    const [program, verb, ...line] = plan.trimEnd().split("\n").at(-1).split(" ");
    assert.deepEqual([program, verb], ["commcost", words.includes("maxtext") ? "training_step" : "export"]);
    const { step_time_ms, memory_gib } = JSON.parse(right(["training_step", ...line, "--json"]));
    assert.deepEqual([step_time_ms, memory_gib], [best.step_time_ms, best.memory_gib], line.join(" "));
    if (verb === "export") assert.match(right([verb, ...line]), /^# /);
  }
});

test("the machine that is assumed is in the first line, and what doesn't fit has an exit code of its own", () => {
  const job = ["model=llama-3.1-70b", "sequence_length=8192", "batch_size=1"];
  const assumed = commcost(["training_step", ...job]);
  assert.match(assumed.out, /^Llama 3\.1 70B · A100 SXM 80 GB \(assumed; system=… or accelerator=… changes it\) · /);
  assert.match(assumed.out, /^A step takes .*: doesn’t fit in 78 GiB\. commcost plan searches for what does\.$/m);
  assert.equal(assumed.code, unfit);
  const given = commcost(["training_step", ...job, "accelerator=h200-sxm", "recipe=torchtitan", "tp=8"]);
  assert.match(given.out, /^Llama 3\.1 70B · H200 SXM[^(]* · torchtitan · gradients in FP32\nA step takes /);
  const tpu = ["model=llama-3.1-8b", "system=tpu-v5p-pod", "gpus=64", "gbs=64", "seq=4096"];
  assert.match(commcost(["plan", ...tpu]).out, /^Llama 3\.1 8B · 64 GPUs · TPU v5p pod[^·]* · MaxText \(assumed; /);
  assert.match(commcost(["export", ...tpu, "mbs=1", "tp=8", "dp=8"]).error, /^There is no launch for MaxText\./);
  const fork = commcost(["plan", "model=llama-3.1-8b", "system=mi300x-node", "gpus=8", "gbs=64", "seq=4096"]);
  assert.match(fork.out, /^Simplest within noise of the predicted fastest: .* wasn’t checked\.$/m);
  const system = commcost([
    "predict_collective",
    "collective=all_reduce",
    "gpus=8",
    "message_size_bytes=1GiB",
    "system=dgx-h100",
  ]);
  assert.match(
    system.out,
    /^8 GPUs · DGX H100\nAn all-reduce of 1 GiB over 8 GPUs takes [\d.]+ ms \([\d.]+ ms to [\d.]+ ms\); bus bandwidth \d+ GB\/s\.\n/,
  );
  const plan = commcost(["plan", "model=llama-3.1-405b", "gpus=8", "gbs=8", "seq=8192", "system=dgx-h100"]);
  assert.match(
    plan.out,
    /^No layout fits: the smallest needs 683 GiB per GPU more\. commcost plan_scaling finds how many GPUs it takes\.$/m,
  );
  assert.equal(plan.code, unfit);
  // Nobody reads hours in seconds.
  const long = commcost(["training_step", ...job, "system=dgx-h100", "tp=8", "gbs=1e6"]);
  assert.match(long.out, /^A step takes [\d.]+ d \([\d.]+ d to [\d.]+ d\); /m);
  // Nothing fits: no empty tables.
  assert.ok(plan.out.split("\n").length < 6, plan.out);
});

test("replicas that aren't given fill the cluster, and what can't is one problem with what to type", () => {
  const step = ["training_step", "model=deepseek-v3", "system=dgx-h100", "gpus=64", "seq=4096", "mbs=1", "ep=8"];
  const inputs = { model: "deepseek-v3", system: "dgx-h100", sequence_length: 4096, batch_size: 1, expert_parallel: 8 };
  const { out } = commcost([...step, "tp=2", "pp=4", "--json"]);
  const layout = { tensor_parallel: 2, pipeline_parallel: 4, data_parallel: 8 };
  assert.equal(JSON.parse(out).step_time_ms, engine.training_step({ ...inputs, ...layout }).step_time_ms);
  assert.equal(
    commcost([...step, "tp=2", "pp=3"]).error,
    "cluster_gpus must be tensor_parallel * context_parallel * pipeline_parallel * data_parallel (6); got 64; try pipeline_parallel 2 or 4\n",
  );
  assert.match(commcost([...step, "tp=2", "pp=4", "dp=4"]).error, /\(32\); got 64; try data_parallel 8\n$/);
  assert.match(commcost(["export", ...step.slice(1), "tp=8"]).out, /--nnodes 8 /);
  assert.match(commcost([...step, "vpp=5"]).error, /got 5; set pipeline_schedule to interleaved$/m);
});

test("a global batch that was meant in tokens is answered with what to type", () => {
  const job = ["plan", "model=llama-3.1-8b", "system=dgx-h100", "gpus=16", "seq=8192"];
  assert.match(commcost([...job, "gbs=4Mi"]).error, /^The global batch is in sequences: 4,194,304 .* type gbs=512 /);
  assert.equal(commcost([...job, "gbs=64"]).error, "");
});

test("a sweep is a row for each combination, as a table, as CSV and as JSON", () => {
  const step = ["training_step", "model=llama-3.1-8b", "system=dgx-h100", "seq=4096", "mbs=1"];
  const rows = JSON.parse(right([...step, "--sweep", "tp=1,2,3,8", "--sweep=mbs=1,2", "--json"]));
  const one = (tensor_parallel, batch_size) =>
    engine.training_step({
      model: "llama-3.1-8b",
      system: "dgx-h100",
      sequence_length: 4096,
      batch_size,
      tensor_parallel,
    });
  assert.deepEqual(
    rows.map((row) => [row.tensor_parallel, row.batch_size]),
    [1, 2, 3, 8].flatMap((degree) => [1, 2].map((batch) => [degree, batch])),
  );
  for (const row of rows)
    if (row.tensor_parallel === 3) assert.match(row.refused, /tensor_parallel/);
    else assert.equal(row.step_time_ms, one(row.tensor_parallel, row.batch_size).step_time_ms);
  const [head, first, ...rest] = right([...step, "--sweep", "tp=1,2", "--csv"])
    .trim()
    .split("\r\n");
  assert.match(head, /^tensor_parallel,step_time_ms,/);
  assert.equal(first.split(",")[1], String(one(1, 1).step_time_ms));
  assert.equal(rest.length, 1);
  assert.match(right([...step, "--sweep", "tp=1,2"]), /^2 +2 /m);
  // The machine that is assumed comes first here, too; of what is swept each row has its own.
  const assumed = commcost(["training_step", "model=llama-3.1-8b", "seq=8192", "mbs=1", "--sweep", "tp=1,2"]);
  assert.match(assumed.out, /^Llama 3\.1 8B · A100 SXM 80 GB \(assumed; .*\n\n[\s\S]*memory/);
  assert.equal(assumed.code, unfit);
  const machines = right([
    "predict_collective",
    "collective=all_reduce",
    "gpus=8",
    "message_size_bytes=1GiB",
    "--sweep=system=dgx-a100,dgx-h100",
  ]);
  assert.match(machines, /^8 GPUs\n\n[\s\S]*^1 +dgx-a100 [\s\S]*^2 +dgx-h100 /m);
  const models = right([
    "training_step",
    "tp=8",
    "mbs=1",
    "seq=4096",
    "system=dgx-h100",
    "--sweep=model=llama-3.1-8b,llama-2-13b",
  ]);
  assert.match(models, /^DGX H100 · Megatron-Core \(assumed[\s\S]*^2 +llama-2-13b /m);
  // A list is swept by its first row.
  const plan = ["plan", "model=llama-3.1-8b", "system=dgx-h100", "gbs=64", "seq=4096", "--sweep", "gpus=1,8"];
  const job = { model: "llama-3.1-8b", system: "dgx-h100", global_batch_size: 64, sequence_length: 4096 };
  const [best] = engine.plan({ ...job, cluster_gpus: 8 }).layouts;
  const [names, none, eight] = right([...plan, "--csv"]).split("\r\n");
  assert.match(names, /^cluster_gpus,layout,step_time_ms,step_time_low_ms,step_time_high_ms,memory_gib,/);
  assert.match(none, /^1,none,,,,,/);
  assert.match(eight, new RegExp(`^8,[^,]*DP 8[^,]*,${best.step_time_ms},.*`));
  assert.match(right(plan), /^1 +1 +none .*\n2 +8 +DP 8 · .* [\d.]+$/m);
  const served = ["plan_serving", "model=llama-3.1-8b", "system=dgx-h100", "isl=1024", "osl=256", "--sweep=gpus=1,8"];
  assert.match(right(served), /^2 +8 +\d+ servers? at TP \d+, \d+ sequences at once(?: each)? +best +[\d.]+ /m);
  const wrong = commcost([...step, "--sweep", "tensr=1,2"]);
  assert.deepEqual(
    [wrong.error, wrong.code],
    ["tensr is not an input of training_step; commcost training_step --help lists them\n", usage],
  );
  assert.equal(
    commcost([...step, "--sweep", "tpp=1,2"]).error,
    "tpp is not an input of training_step; did you mean tp?\n",
  );
  assert.equal(commcost([...step, "--sweep", "tp"]).error, "--sweep needs values: --sweep tp=1,2,4,8\n");
  assert.equal(commcost([...step, "--sweep"]).error, "--sweep needs values: --sweep tp=1,2,4,8\n");
  assert.match(commcost([...step, "--sweep", "tp=1,x"]).error, /got “x”/);
});

test("plan_serving says the best deployment first, or what keeps all from being in time", () => {
  const job = [
    "plan_serving",
    "model=llama-3.1-70b",
    "system=dgx-h100",
    "gpus=8",
    "prompt_tokens=1024",
    "output_tokens=256",
  ];
  const inputs = {
    model: "llama-3.1-70b",
    system: "dgx-h100",
    cluster_gpus: 8,
    prompt_tokens: 1024,
    output_tokens: 256,
  };
  const [best] = engine.plan_serving({ ...inputs, most_token_ms: 20 }).deployments;
  const [, headline] = right([...job, "most_token_ms=20"]).split("\n");
  assert.match(
    headline,
    new RegExp(
      `^Best.*: 1 server at TP ${best.tensor_parallel}, ${best.batch_size} sequences at once: .* requests/s, TPOT .* ms, TTFT .* ms\\.$`,
    ),
  );
  assert.match(
    right(["plan_serving", ...job.slice(1, 4), "isl=1024", "osl=256", "tpot=20", "ttft=1000"]),
    new RegExp(`^${headline.replaceAll(/[().]/g, "\\$&")}$`, "m"),
  );
  const late = commcost([...job, "most_token_ms=1"]);
  assert.match(late.out, /^No deployment meets these limits\. Allow a longer TPOT or TTFT, or add GPUs\.$/m);
  assert.equal(late.code, unfit);
  const large = commcost([...job.slice(0, 2).map((word) => word.replace("70b", "405b")), "system=dgx-h100", "gpus=1"]);
  assert.match(large.out, /^No deployment fits in memory\. /m);
});

test("machines and numbers of GPUs are told by name, layout and what each is worth", () => {
  const job = ["model=llama-3.1-8b", "system=dgx-h100", "gpus=16", "gbs=64", "seq=4096"];
  const inputs = {
    model: "llama-3.1-8b",
    system: "dgx-h100",
    cluster_gpus: 16,
    global_batch_size: 64,
    sequence_length: 4096,
  };
  const machines = [{ system: "dgx-a100", cluster_gpus: 32 }, { nic_gb_per_sec: 100 }];
  const words = ["plan_machines", ...job, `machines=${JSON.stringify(machines)}`];
  const out = right(words);
  const { rows } = engine.plan_machines({ ...inputs, machines });
  const short = (value) => String(Number(value.toPrecision(4)));
  for (const [row, machine] of [
    "DGX H100, 16 GPUs",
    "DGX A100, 32 GPUs",
    "DGX H100, 16 GPUs, nic_gb_per_sec 100",
  ].entries())
    assert.match(
      out,
      new RegExp(
        `^${row + 1}  ${machine} +${short(rows[row].layout[0].step_time_ms)} +${short(rows[row].worth)}  .*DP \\d+$`,
        "m",
      ),
    );
  assert.match(
    out.split("\n")[1],
    /^DGX \w+ \(.*\) pays (as long as|only if) its GPU-hour costs less than [\d.]+ times yours\.$|within noise of yours\.$/,
  );
  const [names, first] = right([...words, "--csv"]).split("\r\n");
  assert.match(names, /^machine,possible,.*,layout\.tensor_parallel,.*,layout\.step_time_ms,/);
  assert.match(first, new RegExp(`^"DGX H100, 16 GPUs",true,.*,${rows[0].layout[0].step_time_ms},`));
  const scaling = right(["plan_scaling", ...job, "gpu_counts=1,8,16"]);
  const { rows: counts } = engine.plan_scaling({ ...inputs, gpu_counts: [1, 8, 16] });
  assert.match(
    scaling.split("\n")[1],
    /^The model first fits on 8 GPUs\. Up to 16 GPUs, each GPU added is worth at least half /,
  );
  assert.match(scaling, /^1 +1 +- +- +- +- +none fits: [\d.]+ GiB more per GPU$/m);
  const { speedup, efficiency } = counts[2].gain;
  assert.match(
    scaling,
    new RegExp(
      `^3 +16 +${short(counts[2].step_time_ms)} +${short(speedup)} +${short(efficiency)} +yes  .*DP \\d+$`,
      "m",
    ),
  );
  assert.match(right(["plan_scaling", ...job, "--csv"]).split("\r\n")[0], /,gain\.speedup,.*,layout\.tensor_parallel,/);
  // Single values are the answer of a step, not one of its lists.
  const step = ["training_step", ...job.filter((word) => !/^g/.test(word)), "mbs=1", "tp=8", "--csv"];
  const [head, values, none] = right(step).split("\r\n");
  assert.match(head, /^step_time_ms,.*,parts\.compute_ms,/);
  assert.match(values, /^[\d.]+,/);
  assert.equal(none, "");
});

test("a server under load is told in one sentence, and at a percentile", () => {
  const job = ["model=llama-3.1-8b", "system=dgx-h100", "requests=1000"];
  const load = right(["serving_load", ...job, "rate=4", "mbs=64"]);
  const inputs = { model: "llama-3.1-8b", system: "dgx-h100", requests: 1000 };
  const { token } = engine.serving_load({ ...inputs, requests_per_sec: 4, batch_size: 64 });
  const tpot = Number(token.p50_ms.toPrecision(3));
  assert.match(
    load,
    new RegExp(`^[\\d.]+ requests/s: median TPOT ${tpot} ms \\(P99 .*\\), median TTFT .* \\(P99 .*\\)\\.$`, "m"),
  );
  assert.match(
    right(["serving_load", ...job, "rate=400", "mbs=8"]),
    /It can’t keep up: [\d.]+ % of the requests still wait/,
  );
  assert.match(
    right(["plan_goodput", ...job, "gpus=2", "latency_percentile=p95"]),
    /^Best.*: \d servers? at TP 1.*: .* requests\/s, P95 TPOT .* ms, P95 TTFT .* ms\.$/m,
  );
});

test("what a server is asked for is in the first line, with what was assumed of it", () => {
  const usual = (name) => engine.describe().plan_serving.inputs.find((field) => field.name === name).default;
  const [subject] = right(["plan_serving", "model=llama-3.1-8b"]).split("\n");
  const second = usual("most_first_token_ms") / 1000;
  assert.ok(
    subject.endsWith(
      ` · ${usual("cluster_gpus")} GPUs, ISL ${usual("prompt_tokens")}, OSL ${usual("output_tokens")}, TPOT up to ${usual("most_token_ms")} ms, TTFT up to ${second} s (assumed; gpus=… isl=… osl=… tpot=… ttft=… change them)`,
    ),
    subject,
  );
  const given = ["gpus=4", "isl=2048", "tpot=20", "ttft=0"];
  const [other] = right(["plan_serving", "model=llama-3.1-8b", ...given]).split("\n");
  assert.match(
    other,
    /^Llama 3\.1 8B · 4 GPUs · .* · ISL 2048, TPOT up to 20 ms, any TTFT · OSL 256 \(assumed; osl=… changes it\)$/,
  );
});

test("a server's precision that nobody gave is said next to the checkpoint's, which can be typed as it stands there", () => {
  const job = ["plan_serving", "model=deepseek-r1", "system=dgx-h200"];
  const [subject] = commcost(job).out.split("\n");
  const [, typed] = /BF16 \(assumed; published in FP8: (.*)\)$/.exec(subject);
  const [other, headline] = right([...job, ...typed.split(" ")]).split("\n");
  assert.doesNotMatch(other, /published/);
  assert.match(headline, /^Best/);
  const [ofHub] = commcost([...job, "model=Deepseek-AI/DeepSeek-R1"].toSpliced(1, 1)).out.split("\n");
  assert.equal(ofHub, subject, "however the model is named");
  assert.doesNotMatch(commcost(["plan_serving", "model=llama-3.1-8b"]).out, /published/);
});

test("a plan takes a model as huggingface.co names it, and says what is counted as what it is not", () => {
  const job = ["gpus=256", "gbs=1024", "seq=4096", "system=dgx-h200"];
  const [subject, headline] = right(["plan", "model=deepseek-ai/DeepSeek-V4-Flash", ...job]).split("\n");
  assert.match(subject, /^DeepSeek-V4 Flash \(attention counted as full, of full rank\) · 256 GPUs/);
  assert.match(headline, /^Predicted fastest: /);
});

test("export writes a launch that a shell can read, and its dry run", () => {
  const job = ["model=llama-3.1-8b", "system=dgx-h100", "gpus=8", "tp=8", "seq=8192", "mbs=1", "gbs=64"];
  for (const [words, line] of [
    [["export", ...job], /--tensor-model-parallel-size 8/],
    [["export", ...job, "--dry-run"], /--fake-process-group/],
    [["export", ...job, "recipe=torchtitan"], /--parallelism.tensor_parallel_degree[ =]8/],
    [["export", "model=llama-3.1-8b", "recipe=vllm", "tp=8", "mbs=32"], /vllm serve/],
  ]) {
    const { out: script, code } = commcost(words);
    assert.equal(code, 0);
    assert.match(script, line);
    writeFileSync(join(folder, "run.sh"), script);
    assert.equal(spawnSync("bash", ["-n", "run.sh"], { cwd: folder, encoding: "utf8" }).stderr, "", words.join(" "));
  }
  assert.equal(commcost(["export", "model=llama-3.1-8b", "tp=x"]).code, usage);
  // A stack that has no launch gets no other's unasked.
  const none = commcost(["export", ...job, "recipe=fsdp"]);
  assert.deepEqual([none.code, none.out], [usage, ""]);
  assert.match(
    none.error,
    /^There is no launch for .*FSDP.*\. For another stack’s, add format=…, one of megatron_lm, /,
  );
  assert.match(commcost(["export", ...job, "recipe=fsdp", "format=torchtitan"]).out, /degree[ =]8/);
  // What a server's launch doesn't take is no slip for something else.
  const server = ["export", "recipe=vllm", "model=llama-3.1-8b", "tp=8", "mbs=32"];
  assert.equal(
    commcost([...server, "gpus=8", "seq=4096"]).error,
    "A launch of vLLM takes no gpus or seq. It takes tp, pp, ep, mbs, isl and osl; commcost export_deployment --help lists all its inputs.\n",
  );
});

test("plan ranks a launch among the families of its job, and says why one has no rank", () => {
  const job = [
    "model=llama-3.1-8b",
    "system=dgx-h100",
    "gpus=16",
    "tp=8",
    "pp=2",
    "sequence_parallel=true",
    "zero_stage=1",
  ];
  writeFileSync(join(folder, "run.sh"), right(["export", ...job, "seq=8192", "mbs=1", "gbs=64", "recompute=full"]));
  const { out, error, code } = commcost(["plan", "run.sh", "system=dgx-h100"]);
  assert.deepEqual([error, code], ["", 0]);
  assert.match(out, /^run\.sh: a launch of Megatron-LM, \d+ inputs\./);
  const said =
    /^(?:(\d+)(?:st|nd|rd|th) of|Slower than all) (\d+) families(?: listed)?: the fastest, .+ takes ([\d.]+) % less\./m.exec(
      out,
    );
  assert.ok(said, out);
  const { launch, plan } = JSON.parse(commcost(["plan", "run.sh", "system=dgx-h100", "--json"]).out);
  const less = 100 * (1 - plan.fastest[0].step_time_ms / launch.step_time_ms);
  assert.ok(Math.abs(Number(said[3]) - less) < 0.06 * less);
  assert.equal(Number(said[2]), plan.layouts.length);
  const refused = commcost(["plan", "run.sh", "bar"]);
  assert.match(refused.error, /“bar” is neither name=value nor an existing file/);
  writeFileSync(join(folder, "serve.sh"), "vllm serve Qwen/Qwen2.5-7B -tp 2");
  assert.match(commcost(["plan", "serve.sh"]).error, /serve\.sh: not a training launch$/m);
});

test("a launch that doesn't fit says the mildest single change with which it would", () => {
  const job = ["model=llama-3.1-70b", "system=dgx-h100", "gpus=64", "tp=8", "pp=2", "dp=4", "zero_stage=1"];
  const launch = commcost(["export", ...job, "seq=8192", "mbs=1", "gbs=512"]);
  assert.match(
    launch.error,
    /^This launch doesn’t fit: [\d.]+ GiB per GPU, 78 available\. commcost plan searches for one that does\.\n$/,
  );
  assert.equal(launch.code, unfit);
  writeFileSync(join(folder, "unfit.sh"), launch.out);
  const { out, code } = commcost(["plan", "unfit.sh", "system=dgx-h100"]);
  assert.equal(code, unfit);
  assert.match(out, /^A step takes .*: doesn’t fit in 78 GiB\. It would with sequence parallelism\.$/m);
  const step = (words) => commcost(["training_step", ...job, "seq=8192", "mbs=1", "gbs=512", ...words]).code;
  assert.deepEqual([step([]), step(["sequence_parallel=true"])], [unfit, 0]);
});

test("a layout that its stack can't run is said to be one, by its step and by its launch", () => {
  const job = ["model=llama-3.1-8b", "system=dgx-h100", "seq=8192", "mbs=1", "gbs=64", "pp=2", "dp=2"];
  const rule = "Megatron-Core is not known to run ZeRO-2 or ZeRO-3 (Megatron-FSDP) with PP.";
  const [, headline] = right(["training_step", ...job, "zero_stage=3"]).split("\n");
  assert.ok(headline.endsWith(`GiB per GPU: fits. But ${rule}`), headline);
  assert.match(right(["training_step", ...job, "zero_stage=1"]), / GiB per GPU: fits\.\n/);
  const { out, error, code } = commcost(["export", ...job, "zero_stage=3"]);
  const [stack, ...why] = rule.split(" ");
  const note = `Not in ${stack}, which ${why.join(" ")} The launch’s first lines say what differs.\n`;
  assert.deepEqual([error, code], [note, 0]);
  assert.match(out, /^# /);
  const swept = right(["training_step", ...job, "--sweep", "zero_stage=1,3"]);
  assert.match(swept, /^1 +1 .* yes +[\d.]+ +-$/m);
  assert.match(swept, /^2 +3 .* yes +[\d.]+ +is not known to run ZeRO-2 or ZeRO-3 \(Megatron-FSDP\) with PP$/m);
});

test("a launch says which of its options were not taken, and what it is ranked without", () => {
  const job = ["model=llama-3.1-70b", "system=dgx-h100", "gpus=64", "tp=8", "pp=4", "dp=2", "sequence_parallel=true"];
  const launch = right(["export", ...job, "zero_stage=1", "seq=8192", "mbs=1", "gbs=512"]);
  const more = "--num-layers-per-virtual-pipeline-stage 3 --context-paralel-size 2 --wandb-project mine";
  writeFileSync(join(folder, "slips.sh"), launch.replace("--num-layers 80", `--num-layers 80 ${more}`));
  const [says, , without] = commcost(["plan", "slips.sh", "system=dgx-h100"]).out.split("\n");
  const chunks = "--num-layers-per-virtual-pipeline-stage 3 (the layers of a stage aren't a multiple of it)";
  assert.ok(
    says.endsWith(
      `Not understood: --context-paralel-size (did you mean --context-parallel-size?), --wandb-project, ${chunks}.`,
    ),
    says,
  );
  assert.equal(without, `Priced and ranked without ${chunks}.`);
});

test("schemas hold what describe() says, and the package has them as a file", () => {
  const whole = JSON.parse(right(["schema"]));
  assert.deepEqual(Object.keys(whole.$defs), Object.keys(engine.describe()));
  assert.deepEqual(JSON.parse(right(["schema", "plan"])), whole.$defs.plan);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, "node_modules/commcost/schema.json"), "utf8")), whole);
  const { inputs } = whole.$defs.tensor_parallel_allreduce_cost.properties;
  assert.deepEqual(inputs.required, ["hidden_size", "sequence_length", "batch_size", "num_gpus", "num_layers"]);
  for (const name of Object.keys(exercise)) assert.equal(inputs.properties[name].type, "integer");
  assert.equal(commcost(["schema", "pln"]).code, usage);
});

// What a schema allows and refuses, of the words that ours use.
function misfits(schema, value, path = "") {
  const all = [];
  const wrong = (what) => all.push(`${path}: ${what}`);
  const kind = Array.isArray(value) ? "array" : typeof value;
  const fits = { integer: Number.isInteger(value), array: kind === "array", object: kind === "object" };
  if (schema.type && !(fits[schema.type] ?? kind === schema.type)) return [`${path}: no ${schema.type}`];
  if (schema.enum && !schema.enum.includes(value)) wrong(`none of ${schema.enum.length}`);
  if (value < schema.minimum || value > schema.maximum) wrong("out of range");
  for (const name of schema.required ?? []) if (value[name] === undefined) wrong(`without ${name}`);
  for (const { anyOf } of schema.allOf ?? [])
    if (!anyOf.some((one) => misfits(one, value).length === 0)) wrong("none of either");
  for (const [name, member] of Object.entries(schema.properties ? value : {})) {
    if (schema.properties[name]) all.push(...misfits(schema.properties[name], member, `${path}/${name}`));
    else if (schema.additionalProperties === false) wrong(`has ${name}`);
  }
  if (schema.items) for (const item of value) all.push(...misfits(schema.items, item, `${path}/*`));
  return all;
}

test("schemas allow the calls and answers of the formula pages, and refuse what is missing", () => {
  const { $defs: schemas } = JSON.parse(right(["schema"]));
  const calls = readdirSync(join(root, "web/formulas"))
    .filter((name) => name.endsWith(".html"))
    .flatMap((name) => [
      ...readFileSync(join(root, "web/formulas", name), "utf8").matchAll(
        /data-calculation="(\w+)"\s+data-inputs='([^']*)'/g,
      ),
    ])
    .map(([, name, inputs]) => [name, JSON.parse(inputs)]);
  assert.ok(calls.length > 30, `${calls.length}`);
  for (const [name, inputs] of calls) {
    const results = JSON.parse(
      JSON.stringify(engine[name](inputs), (_, value) => (value instanceof Float64Array ? [...value] : value)),
    );
    const { properties } = schemas[name];
    assert.deepEqual(misfits(properties.inputs, inputs), [], name);
    assert.deepEqual(misfits(properties.results, results), [], name);
  }
  const step = schemas.training_step.properties.inputs;
  const asked = { sequence_length: 4096, batch_size: 1, num_layers: 32, hidden_size: 4096 };
  assert.deepEqual(misfits(step, asked), [": none of either"]);
  assert.deepEqual(misfits(step, { ...asked, num_heads: 32 }), []);
  assert.deepEqual(misfits(step, { ...asked, num_heads: 32, tp: 8 }), [": has tp"]);
});

test("answers are told by name where they are wrong, and refused words by the code for wrong usage", () => {
  const values = { ...exercise, answer_message_size_bytes: 67108864 };
  const told = right(["check_answers", ...Object.entries(values).map(([name, value]) => `${name}=${value}`)]);
  assert.match(told, /element_bytes_forgotten/);
  for (const [words, said] of [
    [["vectors", "levels=4"], /^level must be a whole number from 1 to 3; got 4$/m],
    [["vectors", "count=0"], /^count must be from 1 to 10000; got 0$/m],
    [["vectors", "count=1e7"], /^count must be/m],
    [["read_model_config", "config=@node_modules"], /^config can’t be read from the file “node_modules”: EISDIR$/m],
  ]) {
    const { error, code } = commcost(words);
    assert.match(error, said);
    assert.equal(code, usage, words.join(" "));
  }
});

test("an input's former name is read as it is, with a note beside the answer", () => {
  const layout = [
    "model=llama-3.1-8b",
    "system=dgx-h100",
    "sequence_length=4Ki",
    "batch_size=1",
    "data_parallel=8",
    "zero_stage=3",
  ];
  const now = right(["training_step", ...layout, "cluster_gpus=8"]);
  const { out, error, code } = commcost(["training_step", ...layout, "num_gpus=8x"]);
  assert.deepEqual([out, code], ["", usage], error);
  const filled = commcost(["training_step", ...layout.filter((word) => !word.startsWith("data_")), "num_gpus=8"]);
  assert.deepEqual([filled.out, filled.code], [now, 0]);
  const former = commcost(["training_step", ...layout, "num_gpus=8"]);
  assert.deepEqual([former.out, former.error, former.code], [now, "num_gpus is now called cluster_gpus\n", 0]);
  const told = JSON.parse(commcost(["training_step", ...layout, "num_gpus=8", "--json"]).out);
  assert.deepEqual(told.notes, ["num_gpus is now called cluster_gpus"]);
});

test("results of every shape can be shown: rows, lists of lists, texts, objects, plain numbers", () => {
  const layer = ["model=llama-3.1-8b", "system=dgx-h100", "tensor_parallel=8", "sequence_length=4096", "batch_size=1"];
  for (const [name, inputs, line] of [
    ["hardware_catalog", [], /a100-sxm-80gb +A100 SXM 80 GB +\S.* 80 /],
    ["measurements", [], /^and \d+ more: --json$/m],
    ["collective_schedule", ["ranks=4", "collective=all_reduce", "algorithm=ring"], /^rounds: .*\n6 lists: --json$/m],
    ["pose_exercise", ["track=ring_rounds", "seed=1"], /^question: .*\n.* How many rounds does that take.*$/m],
    ["bandwidth_conversions", ["rate_gb_per_sec=100", "num_gpus=8"], /175/],
    ["layer_timeline", layer, /^ *1 +compute +forward +norm/m],
    ["training_step", layer, /^parts: .*\n\w+ +[\d.]+ ms/m],
    ["export_layout", layer, /--tensor-model-parallel-size 8/],
    [
      "trace_breakdown",
      ["stream=0,0,1", "start_us=0,10,5", "duration_us=5 us,5,5", "communication=0,0,1"],
      /^total_us +15 us/m,
    ],
  ]) {
    const out = right([name, ...inputs]);
    assert.match(out, line, name);
    assert.doesNotMatch(out, /\[object|undefined|NaN/, name);
    // No lines of a heading that has fewer words, and no assumptions of none.
    if (!name.startsWith("export")) assert.doesNotMatch(out, /\n\n\n/, name);
    assert.doesNotMatch(out, /^assumed: .*\nnone$/m, name);
  }
});

test("all problems are said at once, with what was likely meant", () => {
  const { out, error, code } = commcost([
    "plan",
    "clustr_gpus=64",
    "model=llama-3.1-70",
    "sequence_length=8x",
    "recompute=ful",
    "bar",
    "foo=1",
  ]);
  assert.deepEqual([out, code], ["", usage]);
  for (const line of [
    "clustr_gpus is not an input of plan; did you mean cluster_gpus?",
    "model cannot be “llama-3.1-70”; did you mean llama-3.1-70b? commcost plan --help lists all",
    "sequence_length must be a number such as 4096, 4Ki or 1e6; got “8x”",
    "cluster_gpus is missing: GPUs of the cluster, all of them used; type gpus=…",
    "global_batch_size is missing: Sequences per step; type gbs=…",
    "“bar” is neither name=value nor an existing file",
    "foo is not an input of plan; commcost plan --help lists them",
  ])
    assert.ok(error.includes(line), `${line}\n${error}`);
  assert.ok(
    error.split("\n").every((line) => line.length < 200),
    error,
  );
  const { problems } = JSON.parse(commcost(["plan", "num_gpu=64", "--json"]).error);
  assert.ok(problems.some(({ field, code }) => field === "num_gpu" && code === "unknown_field"));
  assert.equal(commcost(["pln"]).error, "There is no “pln”; did you mean plan? commcost --help lists all.\n");
  assert.equal(
    commcost(["serve"]).error,
    "There is no “serve”; did you mean plan_serving or serving_step? commcost --help lists all.\n",
  );
  assert.equal(commcost(["searve"]).error, "There is no “searve”. commcost --help lists all.\n");
  assert.match(
    commcost(["plan", "model=llama70b"]).error,
    /^model cannot be “llama70b”; did you mean llama-3\.3-70b\?/m,
  );
  // What was refused for another reason is not proposed again.
  const tpu = ["model=llama-3.1-8b", "accelerator=tpu-v5p", "gpus=16", "gbs=64", "seq=4096", "recipe=megatron-core"];
  assert.match(
    commcost(["plan", ...tpu]).error,
    /^recipe \(megatron-core\) does not run on TPU v5p: .*\. Try recipe maxtext$/m,
  );
  const step = ["training_step", "model=llama-3.1-8b", "system=dgx-h100", "mbs=1", "seq=4096"];
  assert.match(commcost([...step, "matmul_precision=nvfp4"]).error, /, not nvfp4$/m);
  assert.match(commcost([...step, "matmul_precision=fp4"]).error, /got "fp4"; did you mean nvfp4\?$/m);
  assert.match(commcost(["diagnose"]).error, /^Usually called with files: commcost diagnose run\.log /m);
  assert.match(commcost(["vectors", "seeds=3"]).error, /vectors takes no seeds; did you mean seed\?/);
  assert.equal(commcost(["constructor"]).code, usage);
  assert.match(commcost(["plan", "--jsno"]).error, /^jsno is not an input of plan; did you mean --json\?$/m);
  assert.match(commcost(["diagnose", "run.lgo"]).error, /^run\.lgo: there is no such file$/m);
  const bare = commcost(["plan", "gpus=64", "gpus=8"]);
  assert.match(
    bare.error,
    /^model is missing: model=… fills num_layers, hidden_size, num_heads, or give these yourself$/m,
  );
  assert.match(bare.error, /^gpus is given twice; give it once, or try several values with --sweep gpus=…$/m);
  assert.match(commcost(["plan", "system=h200"]).error, /system cannot be “h200”; did you mean dgx-h200\?/);
  assert.match(commcost(["plan", "system=h100"]).error, /did you mean dgx-h100\?/);
  assert.match(commcost(["vectors", "count=abc"]).error, /^count must be a whole number; got “abc”$/m);
  assert.equal(right(["help", "plan"]), right(["plan", "--help"]));
  assert.equal(
    commcost(["--json", "plan", "gpus=8"]).error,
    "Options follow the calculation: commcost plan --json gpus=8\n",
  );
  assert.equal(commcost(["--json"]).error, "Options follow the calculation: commcost <calculation> --json\n");
  assert.equal(commcost([...step, "tp", "8"]).error, "Type tp=8, not tp 8\n");
  assert.equal(commcost([...step, "8"]).error, "“8” is not name=value\n");
  for (const [model, config] of [
    ["foo/bar", "config.json"],
    ["my.json", "my.json"],
  ])
    assert.match(
      commcost(["plan", `model=${model}`]).error,
      new RegExp(
        `^model cannot be “${model}”\\. .* For another model: commcost read_model_config config=@${config} gives its shape\\.$`,
        "m",
      ),
    );
  assert.match(commcost(["plan", "model=llama-31-70b"]).error, /“llama-31-70b”; did you mean llama-3\.1-70b\?/);
});

test("files and the standard input are read where a text or rows are asked for", () => {
  const config = readFileSync(`${root}tests/data/model_configs/llama-3-8b.json`, "utf8");
  writeFileSync(join(folder, "config.json"), config);
  const expected = engine.read_model_config({ config });
  for (const [words, input] of [[["config=@config.json"]], [["config=@-"], config]])
    assert.deepEqual(
      JSON.parse(right(["read_model_config", "--json", ...words], input)),
      JSON.parse(JSON.stringify(expected)),
    );
  const none = commcost(["read_model_config", "config=@none.json"]);
  assert.equal(none.error, "config can’t be read from the file “none.json”: there is no such file\n");
  assert.equal(none.code, usage);
});

test("vectors are a test that Python runs: a right function passes, a wrong one does not", () => {
  const vectors = JSON.parse(right(["vectors", "seed=7", "count=5", "levels=1,3", "--json"])).vectors;
  assert.deepEqual(
    vectors.filter(({ name }) => name.startsWith("seed")).map(({ name }) => name),
    [1, 3].flatMap((level) => [7, 8, 9, 10, 11].map((seed) => `seed ${seed}, level ${level}`)),
  );
  for (const { inputs, expected } of vectors) assert.deepEqual(engine.tensor_parallel_allreduce_cost(inputs), expected);
  writeFileSync(join(folder, "test_exercise.py"), right(["vectors", "count=40", "levels=1,2,3"]));
  const solution = (
    factor,
  ) => `def tensor_parallel_allreduce_cost(hidden_size, sequence_length, batch_size, num_gpus, num_layers,
                                   bytes_per_element=2, bandwidth_gb_per_sec=300.0, allreduces_per_layer=2):
    message = batch_size * sequence_length * hidden_size * bytes_per_element
    volume = ${factor} * (num_gpus - 1) * message / num_gpus
    total = volume * num_layers * allreduces_per_layer
    return {"message_size_bytes": message, "comm_volume_per_allreduce_bytes": round(volume, 4),
            "total_comm_volume_bytes": round(total, 4), "total_comm_time_ms": round(total / (bandwidth_gb_per_sec * 1e6), 4)}
`;
  const python = () => spawnSync("python3", ["-B", "-m", "unittest"], { cwd: folder, encoding: "utf8" });
  writeFileSync(join(folder, "solution.py"), solution(2));
  assert.equal(python().status, 0, python().stderr);
  writeFileSync(join(folder, "solution.py"), solution(1));
  assert.equal(python().status, 1);
});

test("diagnose reads the files of a run for what they are, and refuses what is none", () => {
  const { files } = filesOf(
    engine,
    knownRuns.find(({ name }) => name === "a power cap"),
  );
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const job = ["model=llama-3.1-8b", "system=dgx-h100"];
  const names = files.map(({ name }) => name);
  const out = right(["diagnose", ...names, ...job]);
  assert.match(out, /Cause: clocks that are held down \(\d+ ms of \d+ ms\)/);
  assert.match(out, /rank0\.pt\.trace\.json: a profile of rank 0, 2 steps/);
  assert.match(out, /To make sure: nvidia-smi -q -d CLOCK/);
  const { losses } = JSON.parse(right(["diagnose", ...names, ...job, "--json"]));
  assert.equal(losses[0].cause, "throttled_clocks");
  writeFileSync(join(folder, "notes.txt"), "hello\n");
  assert.match(commcost(["diagnose", "notes.txt", ...job]).error, /^notes\.txt: This is not a file that we can read/);
});

test("diagnose says what is missing where nothing can be compared", () => {
  const job = ["model=llama-3.1-8b", "system=dgx-h100", "seq=4096", "mbs=1"];
  writeFileSync(join(folder, "launch.sh"), right(["export", ...job, "tp=8"]));
  const { out, error, code } = commcost(["diagnose", "launch.sh", ...job]);
  assert.deepEqual([out, code], ["", usage]);
  assert.match(
    error,
    /^launch\.sh: a launch of .*\nNothing to compare: none of these files has a step’s time\. Add a training log or a PyTorch profile\.\n$/,
  );
});

test("diagnose says what a memory snapshot held, and what its job is predicted to need", () => {
  const script = join(root, "tests/page/support/snapshot.py");
  const write = (kind, name) =>
    writeFileSync(join(folder, name), spawnSync("python3", ["-B", script, "4", kind]).stdout);
  write("steps", "rank0.pickle");
  const held =
    /^rank0\.pickle: a memory snapshot of GPU 0\n\nPyTorch allocated up to 17\.3 GiB, of 25 GiB that its allocator reserved\./;
  assert.match(right(["diagnose", "rank0.pickle"]), held);
  const job = ["model=llama-3.1-8b", "system=dgx-h100", "tensor_parallel=8", "sequence_length=4096", "batch_size=1"];
  const out = right(["diagnose", "rank0.pickle", ...job]);
  assert.match(out, held);
  const { memory_gib } = JSON.parse(right(["training-step", ...job, "--json"]));
  const [, predicted] = /A step is predicted to need ([\d.]+) GiB/.exec(out);
  assert.ok(Math.abs(predicted / memory_gib - 1) < 0.01, `${predicted} and ${memory_gib}`);
  write("acts", "model.pickle");
  assert.match(commcost(["diagnose", "model.pickle"]).error, /^model\.pickle: .*would import or call something/);
});

// Its verdict is of the machine, and the same with any job.
test("diagnose judges a network's log without a job", () => {
  const { files, job } = filesOf(
    engine,
    knownRuns.find(({ name }) => name === "a network at an eighth"),
  );
  const { text } = files.find(({ name }) => name === "nccl.log");
  writeFileSync(join(folder, "nccl.log"), text);
  const networksOf = (given) => JSON.parse(right(["diagnose", "nccl.log", ...given, "--json"])).networks;
  const alone = networksOf(["system=dgx-h100"]);
  assert.equal(alone[0].verdict, "slower");
  assert.deepEqual(alone, networksOf(Object.entries(job).map(([name, value]) => `${name}=${value}`)));
  assert.match(right(["diagnose", "nccl.log", "system=dgx-h100"]), /bits and bytes mistaken/);
});

test("fit-serving reads a benchmark, sets it next to the prediction and prints what it calibrates", () => {
  const seed = readFileSync(join(root, "tests/fuzz/seeds/benchmark/sglang"), "utf8");
  writeFileSync(join(folder, "bench.jsonl"), seed);
  const job = ["model=llama-3.1-70b", "system=dgx-h200", "tp=4"];
  const out = right(["fit-serving", "bench.jsonl", ...job]);
  assert.equal(right(["fit-serving", "benchmark=@bench.jsonl", ...job]), out);
  const { loads, predicted, fit } = JSON.parse(right(["fit-serving", "bench.jsonl", ...job, "--json"]));
  const [load] = engine.read_benchmark({ benchmark: seed }).runs;
  assert.deepEqual(loads[0], JSON.parse(JSON.stringify(load)));
  const deployed = { model: "llama-3.1-70b", system: "dgx-h200", tensor_parallel: 4, batch_size: 1024 };
  const { requests_per_sec, max_concurrency, prompt_tokens, output_tokens } = load;
  const asked = { requests_per_sec, max_concurrency, prompt_tokens, output_tokens, requests: load.completed };
  const { token } = engine.serving_load({ ...deployed, ...asked, length_spread_percent: 0 });
  assert.equal(predicted[0].token.p50_ms, token.p50_ms);
  assert.match(
    out,
    new RegExp(`median TPOT ${load.token.p50_ms} ms measured, ${Number(token.p50_ms.toPrecision(3))} ms predicted`),
  );
  for (const { field, after } of fit.changes) assert.ok(out.includes(`${field}=${after}`), field);
  assert.doesNotMatch(out, /assumed/);
  assert.match(
    right(["fit-serving", "bench.jsonl", ...job.with(-1, "weight_bytes_per_element=1")]),
    / on TP 1 \(assumed; tp=… changes it\)$/m,
  );
  // What is no benchmark, and a load that cannot be, say what is wrong.
  const known = filesOf(
    engine,
    knownRuns.find(({ name }) => name === "a power cap"),
  ).files.find(({ name }) => name.endsWith(".log"));
  writeFileSync(join(folder, "no.log"), known.text);
  assert.match(
    commcost(["fit-serving", "no.log", ...job]).error,
    /^no\.log: not a server benchmark; give the JSON of vllm bench serve, SGLang, GenAI-Perf or GuideLLM$/m,
  );
  writeFileSync(join(folder, "notes.txt"), "nothing\n");
  assert.match(commcost(["fit-serving", "notes.txt", ...job]).error, /^notes\.txt: This is not a file/);
  const unfit = commcost(["fit-serving", "bench.jsonl", "model=llama-3.1-405b", "system=dgx-h200"]);
  assert.equal(unfit.code, usage);
  assert.notEqual(unfit.error, "");
  assert.match(right(["fit-serving", "--help"]), /commcost fit-serving bench\.json/);
});

test("a figure is drawn as an SVG that stands alone, or it says why not", () => {
  const svg = right(["figure", "of=ring", "num_gpus=4"]);
  assert.match(svg, /^<svg .*<\/svg>\n$/s);
  assert.match(
    svg,
    /<title>An all-reduce on a ring<\/title><desc>4 GPUs: 2 · \(4 − 1\) = 6 rounds of 1\/4 of the message/,
  );
  assert.match(svg, /prefers-color-scheme:dark/);
  assert.doesNotMatch(svg, /<script|var\(|class="(?!commcost-)/);
  const [still, later] = ["step=0", "step=3"].map((step) =>
    right(["figure", "of=ring", "num_gpus=4", step, "watch=2", "size=300", "say=Half way"]),
  );
  assert.match(later, /<title>Half way<\/title>/);
  assert.notEqual(later, still);
  assert.ok(Number(/height="(\d+)"/.exec(later)[1]) > Number(/height="(\d+)"/.exec(svg)[1]));
  const layout = right(["figure", "of=layout", "colors=light"]);
  assert.match(layout, /Predicted fastest on 64 GPUs/);
  assert.doesNotMatch(layout, /prefers-color-scheme/);
  const wrong = (words, message) => {
    const { out, error, code } = commcost(["figure", ...words]);
    assert.deepEqual([out, code], ["", usage], words.join(" "));
    assert.match(error, message);
  };
  wrong(["of=rig"], /no figure “rig”; did you mean ring\?/);
  wrong(
    ["of=ring", "num_gpu=8", "num_gpus=abc", "8"],
    /“8” has no name.*\n.*no num_gpu; did you mean num_gpus\?\nnum_gpus must be a number/,
  );
  wrong(
    ["of=ring", "colors=pink", "step=x", "--json"],
    /figure takes no --json; it writes an SVG\n.*colors must be auto, light or dark; got “pink”\nstep must be a number; got “x”/s,
  );
  wrong(["of=ring", "num_gpus=-3"], /num_gpus must be a whole number from 1/);
  wrong(["of=hide", "model=llama-3.1-70B"], /^There is no model “llama-3.1-70B”; did you mean llama-3.1-70b\?\n$/);
});

/** The command where that file is the browser. */
function drawnBy(browser, words) {
  const found = process.env.COMMCOST_BROWSER;
  process.env.COMMCOST_BROWSER = browser;
  const answer = commcost(words);
  if (found === undefined) delete process.env.COMMCOST_BROWSER;
  else process.env.COMMCOST_BROWSER = found;
  return answer;
}

test("a browser that a script starts ends with the figure", () => {
  // As Debian's does since 156: a signal ends the script, and leaves the browser.
  const script = join(folder, "browser.sh");
  const marks = join(folder, "browser.txt");
  writeFileSync(script, `#!/bin/sh\n/usr/bin/chromium-headless-shell "$@"\necho ended >> "${marks}"\n`, {
    mode: 0o755,
  });
  const { out, code } = drawnBy(script, ["figure", "of=ring", "num_gpus=4"]);
  assert.equal(code, 0);
  assert.match(out, /^<svg /);
  assert.equal(readFileSync(marks, "utf8"), "ended\n");
});

test("a figure without a browser to draw it says what it needs", () => {
  const { out, error, code } = drawnBy(join(folder, "package.json"), ["figure", "of=ring"]);
  assert.deepEqual([out, code], ["", 1]);
  assert.match(error, /COMMCOST_BROWSER is no program that can be run: .*package\.json/);
});
