// The engine whose functions keep their names, for profiles: the module before it is split into the page's parts, as optimized as those.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { build } from "esbuild";

const root = new URL("../../", import.meta.url).pathname;
const wasm = `${root}build/wasm/wasm/parts`;
const core = `${root}build/wasm/core/`;
const folder = `${root}build/bench`;

/** The binary, optimized where that was not done yet. */
function binary() {
  const made = `${folder}/named.wasm`;
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(`${wasm}.wasm`).mtimeMs) {
    mkdirSync(folder, { recursive: true });
    execFileSync("wasm-opt", [`${wasm}.wasm`, "-o", made, "-O3", "--all-features", "-g"]);
  }
  return readFileSync(made);
}

export async function namedEngine() {
  const contents = `import createModule from "virtual:commcost-module";
    import { describedBy, engineOf } from "./load";
    export async function load(wasmBinary) {
      const module = await createModule({ wasmBinary });
      return engineOf(module, describedBy(module));
    }`;
  const glue = {
    name: "glue",
    setup: ({ onResolve }) => onResolve({ filter: /^virtual:commcost-module$/ }, () => ({ path: `${wasm}.mjs` })),
  };
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${root}web/engine`, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    plugins: [glue],
  });
  const { load } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
  );
  return load(binary());
}

/** Names as the sources have them, out of the module's: there may be a part and a number before each. */
export function sourceNames(names) {
  const input = names.map((name) => name.replace(/^\w+\|\d+\|/, "")).join("\n");
  return execFileSync("llvm-cxxfilt", { input, encoding: "utf8", maxBuffer: 1e9 }).split("\n");
}

let known;

/** The room that a function is of; undefined where several compile it, as templates are. */
export function roomOf(name) {
  known ??= rooms();
  return known.get(name);
}

function rooms() {
  const found = new Map();
  for (const file of readdirSync(core).filter((file) => file.endsWith(".a"))) {
    const room = /_(\w+)\.a$/.exec(file)[1];
    const symbols = execFileSync("llvm-nm", ["--defined-only", "--format=posix", core + file], {
      encoding: "utf8",
      maxBuffer: 1e9,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const mangled = [...symbols.matchAll(/^(_Z\S+) [tTwW] /gm)].map(([, symbol]) => symbol);
    for (const name of sourceNames(mangled))
      found.set(name, found.has(name) && found.get(name) !== room ? undefined : room);
  }
  return found;
}
