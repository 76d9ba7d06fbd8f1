import type { FitStepResults, ReadTrainingLogResults } from "#engine";
import { modelOfShape } from "./chosen.js";
import { say } from "./job-files.js";
import { degreeNames } from "./layout.js";
import { readNumber, unsigned } from "./number.js";
import { own, type OwnFiles, type OwnRun } from "./own.js";
import { problemsOf, type Answer } from "./run.js";
import type { Scenario } from "./scenario.js";
import { nameOf, short } from "./short-names.js";

/**
 * Steps that a reader measured, and the constants of the stack fitted to them. Each keeps the whole scenario that it
 * ran in, so that its meaning does not depend on what the page shows next. Once applied, the fit consists of fields of
 * the scenario: every view is priced by them, links carry them, a change takes them back.
 */

const none: OwnFiles["runs"] = { name: "runs", runs: [], applied: [] };
export const ownRuns = (): OwnFiles["runs"] => own.get("runs") ?? none;

/** What the present scenario sets, except for what a fit has set in it. */
export function unfitted(scenario: Scenario): Record<string, string> {
  const { applied } = ownRuns();
  return Object.fromEntries(Object.entries(scenario.texts()).filter(([name]) => !applied.includes(name)));
}

/** The present scenario with some inputs changed, as a run keeps it. */
function textsWith(scenario: Scenario, differs: Record<string, string>): Record<string, string> {
  const other = scenario.saying(unfitted(scenario));
  const divides = [...degreeNames, "cluster_gpus"].some((name) => name in differs);
  // The degrees are given, and the cluster is their product.
  other.set(divides ? { gives_way: "cluster_gpus", ...differs } : differs);
  return other.texts();
}

export function addRuns(runs: readonly OwnRun[]): void {
  const held = ownRuns();
  own.set("runs", { ...held, runs: [...held.runs, ...runs] });
}

export function removeRun(run: OwnRun): void {
  const held = ownRuns();
  own.set("runs", { ...held, runs: held.runs.filter((one) => one !== run) });
}

/** What was read, or why nothing was. */
export type Read = { runs: OwnRun[]; says: string };

const units: Record<string, number> = { ms: 1, s: 1e3 };
const lastNumber = new RegExp(`(?:^|\\s)(${unsigned})\\s*(ms|s)?\\s*$`, "i");

/** "tp=4 dp=16 5200 ms": the inputs that differ from the scenario, then what a step took. */
function readRow(scenario: Scenario, line: string): OwnRun | string {
  const time = lastNumber.exec(line);
  const measured = time ? readNumber(time[1]!)! * (units[(time[2] ?? "ms").toLowerCase()] ?? 1) : 0;
  if (!time || !(measured > 0 && Number.isFinite(measured)))
    return `“${line}” does not end in what a step took, such as 5200 ms.`;
  const differs: Record<string, string> = {};
  const before = line.slice(0, time.index).trim();
  const { inputs } = scenario.engine.describe().training_step!;
  for (const word of before.split(/[\s,;]+/).filter(Boolean)) {
    const [, key, text] = /^([a-z_]+)\s*=?\s*(\S+)$/i.exec(word) ?? [];
    const brief = key?.toLowerCase() ?? "";
    const name = brief in short ? nameOf(inputs, brief) : key;
    if (!name || !scenario.fields.has(name))
      return `“${word}” is no input of a step; write tp=4, or an input’s own name.`;
    differs[name] = text!;
  }
  return { name: before || "as the scenario", texts: textsWith(scenario, differs), measured_step_ms: measured };
}

/** Typed rows, one a line. */
export function readRows(scenario: Scenario, text: string): Read {
  const read = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => readRow(scenario, line));
  const bad = read.filter((one): one is string => typeof one === "string");
  if (bad.length > 0) return { runs: [], says: bad.join(" ") };
  return { runs: read as OwnRun[], says: "" };
}

/** How many steps of a log are kept, its first and its last ones. */
const keptSteps = 8192;

/** Times of a log's steps, in order, ms. */
export function timesOf({ steps }: Pick<ReadTrainingLogResults, "steps">): number[] {
  const times = steps.map(({ step_time_ms }) => Number(step_time_ms.toPrecision(6)));
  return times.length <= keptSteps ? times : [...times.slice(0, keptSteps / 2), ...times.slice(-keptSteps / 2)];
}

/** A training log as a run: the scenario with the log's own inputs. */
export function runOf(scenario: Scenario, name: string, log: ReadTrainingLogResults): Read {
  const said = Object.entries(log.inputs as Record<string, number | string | boolean>);
  const inputs = Object.fromEntries(
    said.map(([field, value]) => [field, field === "model" ? modelOfShape(scenario, String(value)) : String(value)]),
  );
  // Replicas follow from the GPUs, or these from them: degrees missing from a log then count as 1.
  const others = "data_parallel" in inputs ? degreeNames.filter((name) => !(name in inputs)) : [];
  const says = { recipe: log.recipe, ...Object.fromEntries(others.map((name) => [name, "1"])), ...inputs };
  const ran = scenario.saying(unfitted(scenario));
  say(ran, says);
  return {
    runs: [
      {
        name,
        texts: ran.texts(),
        measured_step_ms: Number(log.step_time_ms.toPrecision(5)),
        step_times_ms: timesOf(log),
        says,
      },
    ],
    says: [
      `${name}: ${log.counted_steps} steps of ${log.stack} after ${log.warm_up_steps} of warm-up.`,
      said.length > 0 ? `It says ${said.map(([field, value]) => `${field} ${value}`).join(", ")}.` : "",
      log.not_found.length > 0 ? `It does not say ${log.not_found.join(", ")}: taken as the scenario has it.` : "",
      log.slow_steps > 0 ? `${log.slow_steps} of the steps took half as long again.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  };
}

let fitted: { key: string; answer: Answer<FitStepResults> } | undefined;

/** The fit to the runs, compared with the present scenario's software; nothing without runs. */
export function fitOwnRuns(scenario: Scenario): Answer<FitStepResults> | undefined {
  const { runs, applied } = ownRuns();
  if (runs.length === 0 || scenario.alone) return undefined;
  const inputs = (texts: Record<string, string>) => {
    const { values } = scenario.saying(texts).inputs("fit_step");
    // The recipe fills in the values that a fit is drawn towards.
    return Object.fromEntries(Object.entries(values).filter(([name]) => !applied.includes(name)));
  };
  const request = {
    ...inputs(unfitted(scenario)),
    rows: runs.map(({ texts, measured_step_ms }) => ({ ...inputs(texts), measured_step_ms })),
  };
  const key = JSON.stringify(request);
  if (fitted?.key !== key) {
    let answer: Answer<FitStepResults>;
    try {
      const fit = scenario.engine.fit_step as unknown as (inputs: unknown) => FitStepResults;
      answer = { results: fit(request), inputs: request };
    } catch (error) {
      answer = { problems: problemsOf(error) };
    }
    fitted = { key, answer };
  }
  return fitted.answer;
}

/** Puts a fit's changes in force, as one change. */
export function applyFit(scenario: Scenario, { fields }: FitStepResults): void {
  const texts = Object.fromEntries(Object.entries(fields as Record<string, number>).map(([k, v]) => [k, String(v)]));
  const held = ownRuns();
  own.set("runs", { ...held, applied: Object.keys(texts) });
  scenario.change(
    texts,
    held.applied.filter((name) => !(name in texts)),
  );
}

/** Restores the software to its recipe. */
export function stopFit(scenario: Scenario): void {
  scenario.change({}, ownRuns().applied);
}

/** Whether the scenario's fields are those of the fit. */
export function fitInForce(scenario: Scenario, { fields }: FitStepResults): boolean {
  const set = Object.entries(fields as Record<string, number>);
  return set.length > 0 && set.every(([name, value]) => scenario.number(name) === value);
}
