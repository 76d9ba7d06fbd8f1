// Builds build/engine and build/site: each thing by its mode of web/vite.config.mjs, and what Vite does not make.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import configuration from "../vite.config.mjs";
import { firstScript } from "./boot.mjs";
import { cards } from "./cards.mjs";
import { framePage } from "./classic.mjs";
import { earlyFiles } from "./early.mjs";
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
const { loadEngine } = await import(pathToFileURL(`${root}build/engine/commcost.js`).href);
const descriptions = (await loadEngine()).describe();
const parts = await engineParts(descriptions);
const { output } = await make("site", parts);
await make("single");
await make("frame", descriptions);
await make("elements", descriptions);

for (const folder of ["engine", "scripts", "elements"]) cpSync(`${root}build/${folder}`, site, { recursive: true });
cpSync(`${root}build/parts`, `${site}/assets`, { recursive: true });
writeFileSync(`${site}/commcost.html`, singleFile(`${root}build/single/index.html`));
writeFileSync(`${site}/embed.html`, await framePage(`${root}build/frame`));
cpSync(`${root}build/frame/scripts`, `${site}/frame`, { recursive: true });
writeFileSync(`${site}/licenses.txt`, licenses());
// Lets Node treat the scripts as modules wherever the folder is put.
writeFileSync(`${site}/package.json`, '{ "type": "module" }\n');
scoreboardFiles(site);
const boot = await firstScript(site, ["index", "practice", "scoreboard"], await earlyFiles(site, output, parts));
// Its examples are the engine's own numbers: it needs the engine that was just built.
await (await import("./formulas.mjs")).formulas(site);
cards(site, process.env.COMMCOST_BASE);
keepOffline(site, [
  ...[
    "index.html",
    "practice.html",
    "scoreboard.html",
    "embed.html",
    "licenses.txt",
    "icon.svg",
    "manifest.webmanifest",
  ],
  boot,
  ...["formulas", "assets", "frame"].flatMap((folder) =>
    readdirSync(`${site}/${folder}`).map((name) => `${folder}/${name}`),
  ),
]);
for (const folder of ["scripts", "single", "parts", "frame", "elements"])
  rmSync(`${root}build/${folder}`, { recursive: true });
