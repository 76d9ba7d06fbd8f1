import type { Engine, Problem } from "#engine";
import { readFileSync } from "node:fs";
import { loadEngine } from "../engine/index.js";
import { newestEdition } from "../exercise/edition.js";
import { asJson, asPytest, drawnVectors, vectors } from "../exercise/vectors.js";
import { readNumber } from "../state/number.js";
import { isRefusal } from "../state/run.js";
import { didYouMean } from "../state/suggest.js";
import { inputsOf, read, type Typed } from "./arguments.js";
import { helpOf, overview } from "./help.js";
import { saidProblem } from "./problems.js";
import { shownResults } from "./table.js";

/** The version of the package; its build says it. */
declare const VERSION: string;

/** What a run of the command leaves: text for either stream, and whether it did what it was asked. */
interface Said {
  out?: string;
  /** What should be known of an answer all the same. */
  notes?: string;
  error?: string;
}

const usualWidth = 120;
const width = (): number => process.stdout.columns ?? usualWidth;

const json = (value: unknown): string =>
  `${JSON.stringify(value, (_, member) => (member instanceof Float64Array ? [...member] : member), 2)}\n`;

function fromFile(text: string): string {
  if (!text.startsWith("@")) return text;
  return readFileSync(text === "@-" ? 0 : text.slice(1), "utf8");
}

/** A file of tests for a function of the exercise, over numbered exercises and what is true by chance on them. */
function testVectors(engine: Engine, { values, switches }: Typed): Said {
  const allowed = ["seed", "count", "levels", "edition"];
  const unknown = [...values.keys()].filter((name) => !allowed.includes(name));
  if (unknown.length > 0)
    return { error: unknown.map((name) => `vectors takes no ${name}${didYouMean(name, allowed)}\n`).join("") };
  const read = (text: string) => readNumber(text.trim()) ?? NaN;
  const number = (name: string, otherwise: number) => read(values.get(name) ?? String(otherwise));
  const levels = (values.get("levels") ?? "2").split(",").map(read);
  const all = vectors(engine, {
    seed: number("seed", 1),
    levels,
    edition: number("edition", newestEdition({ engine })),
    count: number("count", drawnVectors),
  });
  return { out: switches.has("json") ? asJson(all) : asPytest(engine, all) };
}

function refused(problems: readonly Problem[], asJson: boolean): Said {
  return { error: asJson ? json({ problems }) : problems.map(({ message }) => `${message}\n`).join("") };
}

/** Runs one calculation, or says what is wrong with its inputs: all of it. */
function calculate(engine: Engine, name: string, { values, switches, words }: Typed): Said {
  const description = engine.describe()[name]!;
  const { inputs, problems: unread } = inputsOf(description.inputs, values, fromFile);
  const stray = words.map((word) => ({
    field: "",
    code: "malformed",
    message: `“${word}” has no name: name=value`,
    allowed: "",
  }));
  const wrong = [...stray, ...unread];
  let results: Record<string, unknown> | undefined;
  try {
    results = (engine as unknown as Record<string, (inputs: unknown) => Record<string, unknown>>)[name]!(inputs);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const missing = new Set(unread.map(({ field }) => field));
    wrong.push(
      ...error.problems
        .filter(({ field }) => !missing.has(field))
        .map((problem) => saidProblem(name, description, problem, inputs[problem.field])),
    );
  }
  if (!results || wrong.length > 0) return refused(wrong, switches.has("json"));
  if (switches.has("json")) return { out: json(results) };
  const { notes = [] } = results as { notes?: string[] };
  return {
    out: shownResults(description.results, results, width()),
    notes: notes.map((note) => `${note}\n`).join(""),
  };
}

function answer(engine: Engine, [name, ...rest]: readonly string[]): Said {
  const calculations = engine.describe();
  const typed = read(rest);
  if (name === "--version") return { out: `${VERSION}\n` };
  if (name === undefined || ["--help", "-h", "help"].includes(name)) return { out: overview(calculations, VERSION) };
  if (name === "vectors" && !typed.switches.has("help")) return testVectors(engine, typed);
  if (name === "vectors") return { out: overview(calculations, VERSION) };
  const asked = name.replaceAll("-", "_");
  if (!Object.hasOwn(calculations, asked)) {
    const names = [...Object.keys(calculations), "vectors"];
    return { error: `There is no “${name.slice(0, 40)}”${didYouMean(asked, names)} commcost --help lists all.\n` };
  }
  if (!typed.switches.has("help")) return calculate(engine, asked, typed);
  const description = calculations[asked]!;
  return { out: typed.switches.has("json") ? json(description) : helpOf(asked, description, width()) };
}

// A pipe that was closed, as by `head`, ends the command without a word.
process.stdout.on("error", () => process.exit());
try {
  const { out = "", notes = "", error } = answer(await loadEngine(), process.argv.slice(2));
  process.stdout.write(out);
  process.stderr.write(notes);
  if (error !== undefined) {
    process.stderr.write(error);
    process.exitCode = 1;
  }
} catch (error) {
  // A file that cannot be read, say.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
