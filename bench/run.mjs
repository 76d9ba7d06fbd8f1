// Measures every budget, prints a table with pass or MISS, and writes build/bench/budgets.json.
// Usage: node bench/run.mjs [part of a name]...                only what is named
//        node bench/run.mjs --save <machine> [part]...         also writes bench/results/<machine>.json
//        node bench/run.mjs --against <commit> [part]...       core, engine, first answer, edit: next to those of that commit; fails above 1.15, and where one fails to open
//        node bench/run.mjs --first-answer <build/site> [part] how soon a link shows its first answer, beside another build
//        node bench/run.mjs --growth [part of a name]          how time grows with GPUs, ranks and bytes
//        node bench/run.mjs --profile [part of a work's name]   where the time of calls, sweeps and plans goes, by room and function
//        node bench/run.mjs --peers                            the exercise by others, on this machine
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { against } from "./against.mjs";
import { budgets } from "./budgets.mjs";
import { passes } from "./compared.mjs";
import { machine } from "./machine.mjs";
import { files } from "./measure/bytes.mjs";
import { growth } from "./growth.mjs";
import { firstAnswers } from "./measure/first-answer.mjs";
import { peers } from "./peers.mjs";
import {
  printAgainst,
  printBudget,
  printFiles,
  printFirstAnswer,
  printGrowth,
  printPeers,
  printProfile,
} from "./print.mjs";
import { profiles } from "./profile.mjs";

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: "string" },
    "first-answer": { type: "string" },
    save: { type: "string" },
    growth: { type: "boolean" },
    profile: { type: "boolean" },
    peers: { type: "boolean" },
  },
});

async function measureBudgets() {
  const rows = [];
  for (const { measure, ...budget } of budgets.filter(
    ({ what }) => wanted.length === 0 || wanted.some((part) => what.includes(part)),
  )) {
    let row = budget;
    try {
      const measured = await measure();
      const within = measured <= (budget.at_most ?? Infinity) && measured >= (budget.at_least ?? -Infinity);
      row = { ...budget, measured, within };
    } catch (error) {
      row = { ...budget, error: error.message.split("\n")[0], within: false };
    }
    rows.push(row);
    printBudget(row);
  }
  return rows;
}

if (options.against) {
  const { rows } = await against(options.against, wanted, printAgainst);
  process.exitCode = rows.every(passes) ? 0 : 1;
} else if (options["first-answer"]) {
  await firstAnswers(options["first-answer"], wanted, printFirstAnswer);
} else if (options.growth) {
  await growth(wanted, printGrowth);
} else if (options.profile) {
  await profiles(wanted, printProfile);
} else if (options.peers) {
  printPeers(peers());
} else {
  const where = machine();
  const rows = await measureBudgets();
  const report = { machine: where, budgets: rows, ...(wanted.length === 0 && { peers: peers(), files: files() }) };
  if (report.peers) printPeers(report.peers);
  if (report.files) printFiles(report.files);
  const write = (folder, name) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  };
  write("build/bench", "budgets");
  if (options.save) write("bench/results", options.save);
  process.exitCode = rows.every(({ within }) => within) ? 0 : 1;
}
