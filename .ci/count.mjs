// Sums up what the runners wrote into build/test as JUnit's XML: node .ci/count.mjs FAILED_LANE... prints a line for each
// lane and "N passed, N failed" last. A lane that failed without naming a test counts as one failed test itself.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const results = new URL("../build/test/", import.meta.url).pathname;
const failedLanes = new Set(process.argv.slice(2));
const lanes = ["check", "build", "core", "engine", "page"];

const testcase = /<testcase\b[^>]*?(\/>|>([\s\S]*?)<\/testcase>)/g;

/** The reports of a lane: <lane>.xml, and all within the folder of that name. */
function reportsOf(lane) {
  const folder = `${results}${lane}`;
  const within = existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`) : [];
  return [`${folder}.xml`, ...within].filter((file) => file.endsWith(".xml") && existsSync(file));
}

function counted(lane) {
  let passed = 0;
  let failed = 0;
  for (const file of reportsOf(lane)) {
    for (const [all, , body = ""] of readFileSync(file, "utf8").matchAll(testcase)) {
      // CTest's word of a room, whose tests GoogleTest has named itself.
      if (/^<testcase name="core_tests\//.test(all)) continue;
      if (/<(?:failure|error)\b/.test(body)) ++failed;
      else if (!/<skipped\b/.test(body)) ++passed;
    }
  }
  if (failedLanes.has(lane)) failed ||= 1;
  else passed ||= 1;
  return { passed, failed };
}

let passed = 0;
let failed = 0;
for (const lane of lanes) {
  const sum = counted(lane);
  passed += sum.passed;
  failed += sum.failed;
  console.log(`${lane.padEnd(8)} ${String(sum.passed).padStart(6)} passed ${String(sum.failed).padStart(4)} failed`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
