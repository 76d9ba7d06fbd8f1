// What `npm run dev` needs besides Vite: a rebuild of the core when one of its sources changes, and what only a build
// makes.
import { spawn } from "node:child_process";
import sirv from "sirv";
import { root } from "./plugins.mjs";

/** Builds the wasm module; the compiler's words where it fails. */
function buildModule(preset) {
  return new Promise((resolve) => {
    const build = spawn("cmake", ["--build", "--preset", preset, "--target", "commcost_wasm"], { cwd: root });
    let said = "";
    for (const stream of [build.stdout, build.stderr]) stream.on("data", (text) => (said += text));
    build.on("close", (code) => resolve(code === 0 ? undefined : said));
  });
}

/**
 * Rebuilds the module when a source of core/ or wasm/ is saved, and reloads the page: its scenario is in its address.
 */
export function coreRebuilt(preset) {
  return {
    name: "core-rebuilt",
    apply: "serve",
    configureServer({ watcher, ws, config: { logger }, moduleGraph }) {
      const sources = /\/(?:core|wasm)\/.*\.(?:cpp|h)$/;
      let building = false;
      let again = false;
      const rebuild = async () => {
        again = building;
        if (building) return;
        building = true;
        const began = performance.now();
        const failure = await buildModule(preset);
        building = false;
        if (again) return rebuild();
        if (failure) {
          logger.error(failure);
          return;
        }
        logger.info(`the core was built in ${((performance.now() - began) / 1000).toFixed(1)} s`, { timestamp: true });
        moduleGraph.invalidateAll();
        ws.send({ type: "full-reload" });
      };
      watcher.add([`${root}core`, `${root}wasm`]);
      watcher.on("change", (file) => sources.test(file) && void rebuild());
    },
  };
}

/** The formula pages, the scoreboard's tables and the notices, which no module makes, as they were last built. */
export function builtSite() {
  return {
    name: "built-site",
    apply: "serve",
    configureServer({ middlewares }) {
      const files = sirv(`${root}build/site`, { dev: true });
      middlewares.use((request, response, next) =>
        /^\/(?:formulas\/|scoreboard\/.*\.csv|licenses\.txt)/.test(request.url)
          ? files(request, response, next)
          : next(),
      );
    },
  };
}
