// Another page, on its own origin, that embeds what the site offers.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./browser.mjs";

/**
 * Serves a page with `body` and `script` that forbids eval and inline style; the site at `address` may give it
 * scripts, and frames where `frames` is set; where `workers` is set, scripts may run beside the page, and without `wasm` no WebAssembly may. `css` is a sheet of its own; `scheme` are its colours.
 */
export async function hostPage(
  address,
  body,
  script,
  { frames = false, workers = false, wasm = true, css, scheme = "light dark" } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "commcost-host-"));
  const origin = new URL(address).origin;
  const policy = `default-src 'none'; script-src 'self' ${origin}${wasm ? " 'wasm-unsafe-eval'" : ""}; style-src ${css ? "'self'" : "'none'"}; ${frames ? `frame-src ${origin};` : ""} ${workers ? "worker-src blob:" : ""}`;
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
    <meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="${scheme}">
    ${css ? '<link rel="stylesheet" href="host.css">' : ""}<script type="module" src="host.js"></script></head>
    <body><main><h1>An article</h1>${body}</main></body></html>`,
  );
  writeFileSync(join(folder, "host.js"), script);
  if (css) writeFileSync(join(folder, "host.css"), css);
  return serve("/", folder);
}

/** What a page that keeps its events in `heard` has heard of a type, from one sender or from all. */
export const heard = (page, type, from) =>
  page.evaluate(
    ([wanted, sender]) =>
      heard.filter((event) => event.type === wanted && (!sender || event.from === sender)).map(({ detail }) => detail),
    [type, from],
  );
/** Waits until it has heard so many. */
export const hears = (page, type, count = 1) =>
  page.waitForFunction(
    ([wanted, least]) => heard.filter((event) => event.type === wanted).length >= least,
    [type, count],
  );
