// What the manuals show is so: links lead to files that a forge shows, figures are today's, examples answer what stands there.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { loadEngine } from "../../build/engine/commcost.js";

const root = new URL("../../", import.meta.url).pathname;
const read = (file) => readFileSync(root + file, "utf8");
const tracked = new Set(
  execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\n"),
);
const manuals = [...tracked].filter((file) => file.endsWith(".md") && !file.startsWith("tests/"));
const readme = read("README.md");

/** The texts of a manual's fenced blocks of one language. */
const blocks = (text, language) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(([, as]) => as === language).map(([, , block]) => block);

test("each link of a manual leads to a file that is kept, and shown as it is read", () => {
  assert.ok(manuals.length >= 8, manuals.join());
  for (const manual of manuals) {
    const text = read(manual)
      .replaceAll(/^```[\s\S]*?^```$/gm, "")
      .replaceAll(/`[^`\n]*`/g, "");
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue;
      const [path, anchor] = link.split("#");
      const file = path === "" ? manual : normalize(join(dirname(manual), path)).replace(/\/$/, "");
      const folder = [...tracked].some((one) => one.startsWith(`${file}/`));
      assert.ok(tracked.has(file) || folder, `${manual}: ${link} is not kept`);
      // A forge shows a page's source.
      assert.doesNotMatch(file, /\.html$/, `${manual}: ${link}`);
      const heads = anchor && [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, head]) => slug(head));
      if (anchor) assert.ok(heads.includes(anchor), `${manual}: ${link} names no heading`);
    }
  }
});

const slug = (head) =>
  head
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");

test("each file that a manual names is there, built or kept", () => {
  const folders = ["core", "wasm", "web", "tests", "bench", ".ci", "build"];
  for (const manual of manuals.filter((file) => file !== "CHANGELOG.md"))
    for (const [, name] of read(manual).matchAll(/`([\w.-]+(?:\/[\w.-]+)+)\/?`/g)) {
      if (!folders.includes(name.split("/")[0]) || name.startsWith("build/")) continue;
      const there = [...tracked].some((file) => file === name || file.startsWith(`${name}/`));
      assert.ok(there, `${manual}: ${name}`);
    }
});

test("each identifier that CONTRIBUTING.md names is in the code, and in the file named after it", () => {
  const text = read("CONTRIBUTING.md").replaceAll(/^```[\s\S]*?^```$/gm, "");
  const placed = /`([A-Za-z_]\w{3,})(?:\(\))?`,?\s+(?:\(|in\s+|of\s+)`([\w.-]+(?:\/[\w.-]+)+)`/g;
  const files = [...text.matchAll(placed)].filter(([, , file]) => tracked.has(file));
  assert.ok(files.length > 12, `${files.length} names with their files`);
  for (const [, name, file] of files) assert.match(read(file), new RegExp(`\\b${name}\\b`), file);
  const named = new Set([...text.matchAll(/`([A-Za-z_]\w{3,})`/g)].map(([, name]) => name));
  assert.ok(named.size > 80, [...named].join());
  for (const file of tracked) {
    if (named.size === 0) break;
    if (/\.md$/.test(file) || !existsSync(root + file) || !statSync(root + file).isFile()) continue;
    for (const [word] of read(file).matchAll(/\w{4,}/g)) named.delete(word);
  }
  assert.deepEqual([...named], []);
});

test("the README's example of the engine gives what stands below it", async () => {
  const engine = await loadEngine();
  const [example] = blocks(readme, "js");
  const [, name, inputs] = /console\.log\(engine\.(\w+)\((\{.*?\})\)\);/s.exec(example);
  const said = example
    .match(/^\/\/ .*$/gm)
    .join("\n")
    .replaceAll(/^\/\/ /gm, "");
  const value = (text) =>
    Object.fromEntries([...text.matchAll(/(\w+): ([\d.]+)/g)].map(([, key, number]) => [key, +number]));
  assert.deepEqual(engine[name](value(inputs)), value(said));
});

test("the README's example of the command answers what stands below it", () => {
  const block = blocks(readme, "").find((one) => one.startsWith("$ commcost "));
  const [command, ...said] = block.trimEnd().split("\n");
  const words = command.slice("$ commcost ".length).split(" ");
  const { stdout } = spawnSync("node", [join(root, "build/package/bin/commcost.js"), ...words], { encoding: "utf8" });
  assert.equal(said.at(-1), "…");
  assert.deepEqual(stdout.split("\n").slice(0, said.length - 1), said.slice(0, -1));
});

test("the README's errors are those that answers state", async () => {
  const engine = await loadEngine();
  const step = (recipe, accelerator, model = "llama-2-7b", tensor_parallel = 1) =>
    engine.training_step({ recipe, accelerator, model, sequence_length: 2048, batch_size: 1, tensor_parallel });
  const served = (recipe, accelerator) =>
    engine.serving_step({
      recipe,
      accelerator,
      model: "llama-2-70b",
      tensor_parallel: 4,
      batch_size: 8,
      sequence_length: 1024,
    });
  const sent = (system, num_gpus) =>
    engine.predict_collective({ system, num_gpus, collective: "all_reduce", message_size_bytes: 2 ** 28 });
  const experts = ["h100-sxm", "gb200", "gb300", "b300", "b200"];
  const stated = {
    "a dense training step": [
      step("megatron-2021", "a100-sxm-80gb", "gpt3-175b", 8),
      ...["h100-sxm", "gb200", "gb300"].map((accelerator) => step("megatron-core", accelerator)),
    ],
    "with experts, Megatron-Core": experts.map((accelerator) => step("megatron-core", accelerator, "mixtral-8x7b")),
    DeepSpeed: [
      step("deepspeed", "a100-sxm-80gb"),
      ...["fsdp", "nanotron", "torchtitan", "maxtext"].map((recipe) => step(recipe, "h100-sxm")),
      step("maxtext", "tpu-v5p"),
    ],
    "a stack without published runs": [step("other", "h100-sxm")],
    "a step of a server": [
      served("faster-transformer", "a100-sxm-80gb"),
      ...["vllm", "tensorrt-llm"].map((recipe) => served(recipe, "h100-sxm")),
    ],
    "a collective": [sent("dgx-h100", 8), sent("dgx-h100", 64), sent("perlmutter", 64), sent("gb200-nvl72", 72)],
  };
  for (const [begin, answers] of Object.entries(stated)) {
    const [, errors] = readme.match(new RegExp(`^\\| ${begin}.* \\| (.*) \\|$`, "m")) ?? [];
    const own = answers.map(({ measured_error_percent: error }) => `${Math.round(error)} %`);
    assert.equal(errors, own.join(" / "), begin);
  }
});

test("llms.txt names calculations and inputs that there are", async () => {
  const described = (await loadEngine()).describe();
  const calls = [...read("web/public/llms.txt").matchAll(/engine\.(\w+)\((?:\{ (.*?) \}|…)?\)/g)];
  assert.ok(calls.length >= 8);
  for (const [, name, inputs = ""] of calls.filter(([, name]) => name !== "describe")) {
    const names = described[name]?.inputs.map((field) => field.name);
    for (const input of inputs.split(", ").filter((word) => word && word !== "…"))
      assert.ok(names?.includes(input), `${name}: ${input}`);
    assert.ok(names, name);
  }
});

test("the data have a licence and a citation of their own, and each row names its source", () => {
  const citation = read("CITATION.cff");
  assert.match(citation, /type: data\n[\s\S]*license: CC-BY-4\.0/);
  for (const file of ["README.md", "tests/data/LICENSE.md", "web/scoreboard.html"])
    assert.match(read(file), /CC BY 4\.0/, file);
  for (const table of ["steps", "serving", "collectives"]) {
    const [head, ...rows] = read(`web/scoreboard/${table}.csv`).trimEnd().split("\n");
    const place = head.split(",").indexOf("source");
    for (const row of rows) assert.ok(row.match(/("[^"]*"|[^,]*)(,|$)/g)[place].length > 3, `${table}: ${row}`);
  }
});

test("the README counts the scoreboard's rows", () => {
  const rows = (table) => read(`web/scoreboard/${table}.csv`).trimEnd().split("\n").length - 1;
  const number = (count) => count.toLocaleString("en-US");
  const text = readme.replaceAll(/\s+/g, " ");
  const counts = `${number(rows("steps"))} training steps, ${number(rows("serving"))} serving times and ${number(rows("collectives"))} timed collectives`;
  assert.ok(text.includes(counts), counts);
});
