// Builds build/engine and build/site: each thing by its mode of web/vite.config.mjs, and what Vite does not make.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import configuration from "../vite.config.mjs";
import { cards } from "./cards.mjs";
import { licenses } from "./licenses.mjs";
import { keepOffline } from "./offline.mjs";
import { engineParts } from "./parts.mjs";
import { root } from "./plugins.mjs";
import { scoreboardFiles } from "./scoreboard.mjs";
import { singleFile } from "./single.mjs";

const site = `${root}build/site`;
const make = (mode, parts) => build({ configFile: false, ...configuration({ command: "build", mode, parts }) });

await make("engine");
writeFileSync(
  `${root}build/engine/commcost.d.ts`,
  execFileSync(process.execPath, [`${root}wasm/declarations.mjs`, `${root}build/engine/commcost.js`]),
);
await make("element");
await make("embed");
await make("site", await engineParts());
await make("single");
await make("frame");

for (const folder of ["engine", "scripts"]) cpSync(`${root}build/${folder}`, site, { recursive: true });
cpSync(`${root}build/parts`, `${site}/assets`, { recursive: true });
writeFileSync(`${site}/commcost.html`, singleFile(`${root}build/single/index.html`));
// A sandboxed frame has no origin that its host's files would be of: what it needs is in it.
writeFileSync(`${site}/embed.html`, singleFile(`${root}build/single/embed.html`));
writeFileSync(`${site}/licenses.txt`, licenses());
// Node takes the scripts for the modules they are wherever the folder is put.
writeFileSync(`${site}/package.json`, '{ "type": "module" }\n');
scoreboardFiles(site);
// Its examples are the engine's own numbers: it needs the engine that was just built.
(await import("./formulas.mjs")).formulas(site);
cards(site, process.env.COMMCOST_BASE);
keepOffline(site, [
  ...["index.html", "practice.html", "scoreboard.html", "licenses.txt", "icon.svg", "manifest.webmanifest"],
  ...readdirSync(`${site}/formulas`).map((name) => `formulas/${name}`),
  ...readdirSync(`${site}/assets`).map((name) => `assets/${name}`),
]);
for (const folder of ["scripts", "single", "parts"]) rmSync(`${root}build/${folder}`, { recursive: true });
