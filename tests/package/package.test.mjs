// The packed package without a browser: what it holds, that servers can import it, and its types.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { installPackage } from "../support/installed-package.mjs";

const root = new URL("../../", import.meta.url).pathname;
let folder, installed, tarball, remove;
before(() => ({ folder, installed, tarball, remove } = installPackage()));
after(() => remove());

const manifest = () => JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

/** What a module prints that stands in `cwd`. */
const printed = (source, { cwd = folder, flags = [] } = {}) =>
  execFileSync(process.execPath, [...flags, "--input-type=module", "-e", source], { cwd, encoding: "utf8" }).trim();

const asExample = `const engine = await loadEngine();
  process.stdout.write(String(engine.tensor_parallel_allreduce_cost({ hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 }).total_comm_time_ms));`;

test("is one package with notices, types and all that it exports", () => {
  const { version, exports, license } = manifest();
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(license, "MIT");
  const targets = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  for (const target of targets.filter((path) => !path.includes("*")))
    assert.ok(existsSync(join(installed, target)), target);
  for (const name of ["LICENSE", "README.md", "licenses.txt"]) assert.ok(existsSync(join(installed, name)), name);
  const notices = readFileSync(join(installed, "licenses.txt"), "utf8");
  for (const part of ["lit-html", "d3-scale", "Emscripten", "libc++", "musl"]) assert.ok(notices.includes(part), part);
});

test("each script that may be copied names the licences in it", () => {
  const head = (name) => readFileSync(`${root}build/site/${name}`, "utf8").slice(0, 400);
  assert.match(head("commcost-element-whole.js"), /Lit \(BSD-3-Clause.*d3 \(ISC.*licenses\.txt/);
  assert.match(head("commcost-element.js"), /^\/\*! .* elements\/ holds Lit \(BSD-3-Clause.*d3 \(ISC.*licenses\.txt/);
  assert.match(head("commcost.js"), /Emscripten, musl.*licenses\.txt/);
  assert.match(head("commcost-embed.js"), /^\/\*! commcost [\d.]+, MIT\. \*\//);
});

test("publint finds nothing in the packed file", async () => {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg, { color: false })),
    [],
  );
});

test("calculates in Node, whoever asks for it in which way", () => {
  assert.equal(printed(`import { loadEngine } from "commcost";\n${asExample}`), "50.108");
  assert.equal(
    printed(
      `import { createRequire } from "node:module";
    const { loadEngine } = createRequire(process.cwd() + "/x.js")("commcost");\n${asExample}`,
      { flags: ["--no-warnings"] },
    ),
    "50.108",
  );
});

test("the site's files work in a folder whose modules are CommonJS", () => {
  const project = join(folder, "commonjs");
  cpSync(`${root}build/site`, join(project, "commcost"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "commonjs" }');
  assert.equal(
    printed(`import { loadEngine } from "./commcost/commcost.js";\n${asExample}`, { cwd: project }),
    "50.108",
  );
  cpSync(`${root}build/site/commcost.js`, join(project, "commcost.mjs"));
  assert.equal(printed(`import { loadEngine } from "./commcost.mjs";\n${asExample}`, { cwd: project }), "50.108");
});

test("a server can import every module of it, which does nothing there", () => {
  const modules = [
    "commcost",
    "commcost/element",
    "commcost/embed",
    "commcost/react",
    "commcost/vue",
    "commcost/svelte",
  ];
  // Tags that have an older name as well have one module.
  const elements = readdirSync(join(installed, "element")).filter((file) => file.endsWith(".js"));
  assert.ok(elements.length > 5, elements.join());
  for (const file of elements) modules.push(`commcost/element/${file.slice(0, -".js".length)}`);
  const source = `for (const name of ${JSON.stringify(modules)}) await import(name);
    await import("${root}build/site/commcost-element.js"); await import("${root}build/site/commcost-embed.js");
    process.stdout.write(typeof globalThis.customElements);`;
  assert.equal(printed(source), "undefined");
  assert.equal(printed(source, { flags: ["--conditions=browser"] }), "undefined");
});

/** Compiles sources of a project that uses the package, as strictly as can be; what is wrong ends the test. */
function compile(name, files, { flags = [], modules = {} } = {}) {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  cpSync(join(folder, "node_modules"), join(project, "node_modules"), { recursive: true });
  for (const [module, source] of Object.entries(modules)) {
    if (source === undefined)
      cpSync(`${root}node_modules/${module}`, join(project, "node_modules", module), { recursive: true });
    else {
      mkdirSync(join(project, "node_modules", module), { recursive: true });
      writeFileSync(join(project, "node_modules", module, "index.d.ts"), source);
    }
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  const common = "--noEmit --strict --exactOptionalPropertyTypes --target es2022 --lib es2023,dom,dom.iterable";
  try {
    execFileSync(
      process.execPath,
      [
        join(root, "node_modules/typescript/bin/tsc"),
        ...common.split(" "),
        "--types",
        "",
        ...flags,
        ...Object.keys(files),
      ],
      { cwd: project, encoding: "utf8" },
    );
  } catch ({ stdout }) {
    assert.fail(stdout);
  }
}
const bundled = ["--module", "esnext", "--moduleResolution", "bundler"];

const usage = `import { mount, followHeight } from "commcost/embed";
import { define, type AnswerDetail, type Outcome } from "commcost/element";
import type { CollectiveCostResults } from "commcost";
import "commcost/element/ring";
const { frame, set, remove } = mount("#here", { view: "ring", inputs: { ranks: 8, latency_us: "3 us" }, colors: "dark", sandbox: null });
frame.addEventListener("answer", ({ detail }) => set({ ranks: detail.correct ? 4 : 8 }));
frame.addEventListener("change", ({ detail }) => console.log(detail.results, detail.problems?.[0]?.message));
followHeight(frame, { greatest: 900 })();
remove();
const calculator = document.createElement("commcost-calculator");
calculator.exercise = true;
calculator.seed = 7;
calculator.colors = "dark";
calculator.addEventListener("answer", ({ detail }) => { const answer: AnswerDetail = detail; console.log(answer.mistake === "missing_factor_2"); });
console.log(calculator.results?.total_comm_time_ms, calculator.problems[0]?.message);
document.querySelector("commcost-ring")!.addEventListener("change", ({ detail }) => {
  const outcome: Outcome<CollectiveCostResults> = detail;
  console.log(outcome.results?.rounds, outcome.problems?.[0]?.message);
});
// @ts-expect-error: results of one view are not another's
document.querySelector("commcost-plan")!.addEventListener("change", ({ detail }) => detail.results?.rounds);
// @ts-expect-error: nor here
document.querySelector("commcost-plan")!.results?.rounds;
// @ts-expect-error: no such algorithm
document.querySelector("commcost-ring")!.algorithm = "square";
// @ts-expect-error: no such colours
calculator.colors = "sepia";
void define("commcost-ring");
// @ts-expect-error: no such tag
void define("commcost-rings");
// @ts-expect-error: no such colours
mount("#here", { colors: "sepia" });
`;

test("has types that hold the examples and refuse what is wrong", () => {
  const main = readFileSync(join(installed, "examples/bundler/main.ts"), "utf8");
  compile("bundler", { "main.ts": main, "usage.ts": usage }, { flags: bundled });
  compile("node", { "usage.mts": usage }, { flags: ["--module", "nodenext"] });
});

test("React's JSX knows the elements, their inputs and their events", () => {
  const app = `import type {} from "commcost/react";
import { useRef } from "react";
import type { Elements } from "commcost/element";
export function Article() {
  const plan = useRef<Elements["commcost-plan"]>(null);
  return <>
    <commcost-calculator model="llama-3.1-70b" num_gpus={8} compact className="wide" id="a"
      onchange={({ detail }) => console.log(detail.results?.total_comm_time_ms, detail.problems?.length)} />
    <commcost-calculator exercise seed={42} onanswer={({ detail }) => console.log(detail.correct)} />
    <commcost-figure of="ring" num_gpus={8} step={7} watch={3} size={640} say="Half way" />
    <commcost-plan ref={plan} model="llama-3.1-8b" cluster_gpus="64" readonly colors="dark" />
    {/* @ts-expect-error: no such input */}
    <commcost-calculator num_gpu={8} />
    {/* @ts-expect-error: no such algorithm */}
    <commcost-ring algorithm="square" />
    {/* @ts-expect-error: a ring poses no exercise */}
    <commcost-ring exercise />
  </>;
}
`;
  compile(
    "react",
    { "app.tsx": app },
    {
      flags: [...bundled, "--jsx", "react-jsx"],
      modules: { "@types/react": undefined, csstype: undefined },
    },
  );
});

test("Vue's templates and Svelte's components know the elements", () => {
  // What each framework's checker looks into, as vue and svelte/elements declare it.
  const vue = "export interface GlobalComponents {}";
  const svelte = `export interface HTMLAttributes<Element> { class?: string; onclick?: (event: Event & { currentTarget: Element }) => void }
export interface SvelteHTMLElements { a: HTMLAttributes<HTMLAnchorElement>; [name: string]: { [name: string]: any } }`;
  const used = `import type {} from "commcost/vue";
import type {} from "commcost/svelte";
import type { GlobalComponents } from "vue";
import type { SvelteHTMLElements } from "svelte/elements";
declare const ring: InstanceType<GlobalComponents["commcost-ring"]>["$props"];
export const ranks: string | number | undefined = ring.ranks;
export const tag: SvelteHTMLElements["commcost-ring"] = { class: "wide", ranks: 8, onchange: ({ detail }) => detail.results?.rounds };
// @ts-expect-error: no such algorithm
export const wrong: SvelteHTMLElements["commcost-ring"] = { algorithm: "square" };
// @ts-expect-error: no such algorithm
export const alsoWrong: typeof ring = { algorithm: "square" };
`;
  compile("templates", { "used.ts": used }, { flags: bundled, modules: { vue, "svelte/elements": svelte } });
});
