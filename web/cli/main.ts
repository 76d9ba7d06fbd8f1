import type { CalculationDescription, Engine, FieldDescription, PlanResults, Problem } from "#engine";
import { readFileSync } from "node:fs";
import { csv } from "../elements/export.js";
import { loadEngine } from "../engine/index.js";
import { newestEdition } from "../exercise/edition.js";
import { asJson, asPytest, drawnVectors, vectors } from "../exercise/vectors.js";
import { significant } from "../state/format.js";
import { readNumber } from "../state/number.js";
import { isRefusal, problemsOf } from "../state/run.js";
import { nameOf } from "../state/short-names.js";
import { didYouMean } from "../state/suggest.js";
import { inputsOf, read, type Typed } from "./arguments.js";
import { briefOf, dataRows, decides, headlineOf, isUnfit, mainList, pointOf } from "./brief.js";
import { diagnoseFiles } from "./diagnose.js";
import { attributesOf, drawnFigure } from "./figure.js";
import { fitBenchmark, takesFiles } from "./fit-serving.js";
import { fileUsage, helpOf, helpOfOther, mostVectors, type Other, overview } from "./help.js";
import { launchExport } from "./launch-format.js";
import { doubts } from "./doubts.js";
import { planLaunch, takesLaunch } from "./plan-launch.js";
import { saidProblems, strayWords, untakenShort } from "./problems.js";
import { withReplicas } from "./replicas.js";
import { retyped } from "./retyped.js";
import { calculationSchema, wholeSchema } from "./schema.js";
import { type Asked, askedOf, subjectOf } from "./subject.js";
import { swept } from "./sweep.js";
import { briefDigits, flatColumns, shownResults, tableOf } from "./table.js";

/** The version of the package; its build says it. */
declare const VERSION: string;

/** Exit codes, as `commcost --help` lists them. */
const codes = { answered: 0, failed: 1, usage: 2, unfit: 3 } as const;

/** What a run of the command leaves: text for either stream, and its exit code. */
interface Said {
  out?: string;
  /** Caveats about an answer. */
  notes?: string;
  error?: string;
  code?: number;
}

const usualWidth = 120;
const width = (): number => process.stdout.columns ?? usualWidth;

const json = (value: unknown): string =>
  `${JSON.stringify(value, (_, member) => (member instanceof Float64Array ? [...member] : member), 2)}\n`;

function fromFile(text: string): string {
  if (!text.startsWith("@")) return text;
  return readFileSync(text === "@-" ? 0 : text.slice(1), "utf8");
}

/** A file of tests for a learner's function, over numbered exercises and the edge cases that these may miss. */
function testVectors(engine: Engine, { values, switches }: Typed): Said {
  const allowed = ["seed", "count", "levels", "edition"];
  const wrong = [...values.keys()]
    .filter((name) => !allowed.includes(name))
    .map((name) => `vectors takes no ${name}${didYouMean(name, allowed)}\n`);
  const numbers = (name: string, otherwise: string) =>
    (values.get(name) ?? otherwise).split(",").map((text) => {
      const number = readNumber(text.trim());
      if (!Number.isInteger(number)) wrong.push(`${name} must be a whole number; got “${text}”\n`);
      else if (name === "count" && !(number! >= 1 && number! <= mostVectors))
        wrong.push(`count must be from 1 to ${mostVectors}; got ${text}\n`);
      return number ?? NaN;
    });
  const [seed] = numbers("seed", "1");
  const [count] = numbers("count", String(drawnVectors));
  const [edition] = numbers("edition", String(newestEdition({ engine })));
  const levels = numbers("levels", "2");
  if (wrong.length > 0) return { error: wrong.join(""), code: codes.usage };
  try {
    const all = vectors(engine, { seed: seed!, levels, edition: edition!, count: count! });
    return { out: switches.has("json") ? asJson(all) : asPytest(engine, all) };
  } catch (error) {
    return refused(problemsOf(error), switches.has("json"));
  }
}

function refused(problems: readonly Problem[], asJson: boolean, hint = ""): Said {
  const error = asJson ? json({ problems }) : `${problems.map(({ message }) => `${message}\n`).join("")}${hint}`;
  return { error, code: codes.usage };
}

type Results = Record<string, unknown>;

/** Runs one calculation; problems are said as the command says them. */
function run(
  engine: Engine,
  name: string,
  inputs: Record<string, unknown>,
): { results?: Results; problems: Problem[] } {
  const description = engine.describe()[name]!;
  const calculation = (engine as unknown as Record<string, (inputs: unknown) => Results>)[name]!;
  try {
    return { results: calculation(withReplicas(description.inputs, inputs)), problems: [] };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { problems: saidProblems(name, description, error.problems, inputs) };
  }
}

/** Rows with their units in the header, as CSV. */
function asCsv(fields: readonly FieldDescription[], rows: readonly Results[]): string {
  const columns = flatColumns(fields);
  return csv(
    columns.map(([name]) => name),
    rows.map((row) =>
      columns.map(([, of]) => {
        const value = of(row);
        return typeof value === "number" ? value : String(value ?? "");
      }),
    ),
  );
}

/** The main rows of an answer, otherwise its single values as one row. */
function csvOf(name: string, { results: fields }: CalculationDescription, results: Results, asked: Asked): string {
  const main = mainList(name);
  const list = fields.find((field) =>
    main === undefined ? field.kind === "list" && field.columns : field.name === main,
  );
  if (!list?.columns) return asCsv(fields, [results]);
  const { columns, rows } = dataRows(name, list.columns, results[list.name] as Results[], asked);
  return asCsv(columns, rows);
}

function calculate(engine: Engine, name: string, typed: Typed): Said {
  const description = engine.describe()[name]!;
  const { switches, sweeps } = typed;
  const { inputs, problems: unread } = inputsOf(description.inputs, typed, fromFile);
  const stray = strayWords(description.inputs, typed.words, Object.hasOwn(ofFiles, name));
  const wrong = [...stray, ...unread];
  const missing = new Set(unread.map(({ field }) => field));
  if (sweeps.length > 0) {
    const axes = sweeps.map((axis) => ({ ...axis, name: nameOf(description.inputs, axis.name) }));
    const point = pointOf(name, description.results);
    const sweep = swept(name, description, inputs, axes, (given) => run(engine, name, given), point);
    if (wrong.length + sweep.problems.length > 0) return refused([...wrong, ...sweep.problems], switches.has("json"));
    const names = new Set(axes.map((axis) => axis.name));
    const code = sweep.rows.every(isUnfit) ? codes.unfit : codes.answered;
    if (switches.has("json")) return { out: json(sweep.rows), code };
    if (switches.has("csv")) return { out: asCsv(sweep.columns, sweep.rows), code };
    const answered = sweep.rows.find(({ refused }) => refused === "");
    const first = Object.fromEntries([...names].map((axis) => [axis, answered?.[axis]]));
    const subject = answered && subjectOf(engine, name, { ...inputs, ...first }, names);
    const kept = new Set([...names, "stack_rule", "refused"]);
    const columns = sweep.columns.filter(
      (column) => switches.has("all") || kept.has(column.name) || decides(name, column.name),
    );
    const digits = switches.has("all") ? undefined : briefDigits;
    const table = tableOf(columns, sweep.rows, width(), digits).join("\n");
    return { out: `${[subject, table].filter(Boolean).join("\n\n")}\n`, code };
  }
  const { results, problems } = run(engine, name, inputs);
  wrong.push(...problems.filter(({ field }) => !missing.has(field)));
  const hint = ofFiles[name]?.usually ? `Usually called with files: ${fileUsage[name]![0]}\n` : "";
  if (!results || wrong.length > 0) return refused(wrong, switches.has("json"), hint);
  const code = isUnfit(results) ? codes.unfit : codes.answered;
  const asked = askedOf(engine, name, inputs);
  if (switches.has("json")) return { out: json(results), code };
  if (switches.has("csv")) return { out: csvOf(name, description, results, asked), code };
  const { notes = [] } = results as { notes?: string[] };
  const [best] = name === "plan" ? (results as unknown as PlanResults).layouts : [];
  const brief = switches.has("all") ? undefined : briefOf(name, description.results, results, asked, width());
  const parts = [
    [subjectOf(engine, name, inputs), headlineOf(name, results, asked)].filter(Boolean).join("\n"),
    brief ?? shownResults(description.results, results, width()),
    brief === undefined ? "" : "--all shows every result; --json and --csv give data.",
    best && `The launch of layout 1:\n${retyped(engine, typed, inputs, best)}`,
  ];
  return {
    out: `${parts
      .filter(Boolean)
      .map((part) => part!.trimEnd())
      .join("\n\n")}\n`,
    notes: [...notes, ...doubts(inputs)].map((note) => `${note}\n`).join(""),
    code,
  };
}

/** What a reader should know about a training launch: that it doesn't fit, or that its own stack can't run it. */
function launchNotes(
  engine: Engine,
  inputs: Readonly<Record<string, unknown>>,
  text: string,
): Pick<Said, "notes" | "code"> {
  const fields = engine.describe()["training_step"]!.inputs;
  const taken = Object.fromEntries(Object.entries(inputs).filter(([name]) => fields.some((one) => one.name === name)));
  // The stack of a format that was asked for, whatever stack the job has.
  const own = String(inputs["format"] ?? "").replaceAll("_", "-");
  const recipe = engine.recipe_catalog().recipes.some(({ id }) => id === own) ? { recipe: own } : {};
  const job = { ...taken, ...recipe };
  const { results } = run(engine, "training_step", job);
  if (!results) return {};
  const { memory_gib: needed, memory_available_gib: available, fits, stack_rule: rule } = results;
  const gib = (value: unknown) => significant(value as number, 3);
  const notes = [
    ...(fits
      ? []
      : [
          `This launch doesn’t fit: ${gib(needed)} GiB per GPU, ${gib(available)} available. commcost plan searches for one that does.`,
        ]),
    ...(rule === ""
      ? []
      : [
          `Not in ${askedOf(engine, "training_step", job).stack}, which ${String(rule)}.${text.includes(String(rule)) ? " The launch’s first lines say what differs." : ""}`,
        ]),
  ];
  return { notes: notes.map((note) => `${note}\n`).join(""), code: fits ? codes.answered : codes.unfit };
}

/** A launch as a runnable file; the stack decides which export writes it. */
function exported(engine: Engine, typed: Typed): Said {
  const { name, inputs: fields, format, stack, own, none } = launchExport(engine, Object.fromEntries(typed.values));
  if (none && !typed.values.has(format.name))
    return {
      error: `There is no launch for ${stack!.name}. For another stack’s, add ${format.name}=…, one of ${format.choices!.join(", ")}.\n`,
      code: codes.usage,
    };
  const untaken = untakenShort(name, stack?.name ?? "this stack", fields, typed);
  if (untaken) return refused([untaken], typed.switches.has("json"));
  if (own !== undefined && !typed.values.has(format.name)) typed.values.set(format.name, own);
  const rehearsed = typed.values.delete("dry_run");
  const { inputs, problems: unread } = inputsOf(fields, typed, fromFile);
  const { results, problems } = run(engine, name, inputs);
  if (!results || unread.length > 0) return refused([...unread, ...problems], typed.switches.has("json"));
  const out = String(results[rehearsed ? "dry_run" : "text"]);
  return { ...(name === "export_layout" ? launchNotes(engine, inputs, out) : {}), out };
}

/** A figure of the page as an SVG file; what is typed is what its tag has as attributes. */
async function figure(engine: Engine, typed: Typed): Promise<Said> {
  const { attributes, wrong } = attributesOf(engine, typed);
  if (wrong.length > 0) return { error: wrong.map((line) => `${line}\n`).join(""), code: codes.usage };
  const drawn = await drawnFigure(attributes);
  if ("svg" in drawn) return { out: `${drawn.svg}\n` };
  return "wrong" in drawn
    ? { error: `${drawn.wrong}\n`, code: codes.usage }
    : { error: `${drawn.missing}\n`, code: codes.failed };
}

function schema(engine: Engine, [asked]: readonly string[]): Said {
  const calculations = engine.describe();
  const name = asked?.replaceAll("-", "_");
  if (name === undefined) return { out: json(wholeSchema(calculations, VERSION)) };
  const description = Object.hasOwn(calculations, name) ? calculations[name] : undefined;
  return description ? { out: json(calculationSchema(name, description)) } : unknown(name, Object.keys(calculations));
}

/** What goes by an everyday name. */
const everyday: Readonly<Record<string, string>> = {
  serve: "plan_serving or serving_step",
  serving: "plan_serving or serving_step",
  inference: "plan_serving or serving_step",
  train: "plan or training_step",
  training: "plan or training_step",
  all_reduce: "predict_collective",
};

function unknown(name: string, names: readonly string[]): Said {
  const meant = Object.hasOwn(everyday, name) ? `; did you mean ${everyday[name]}?` : didYouMean(name, names);
  return { error: `There is no “${name.slice(0, 40)}”${meant || "."} commcost --help lists all.\n`, code: codes.usage };
}

/** An option where the calculation belongs: the same words with the calculation first. */
function misplaced(option: string, rest: readonly string[], names: readonly string[]): Said {
  const at = rest.findIndex((word) => names.includes(word.replaceAll("-", "_")));
  const words = [rest[at] ?? "<calculation>", option, ...rest.filter((_, index) => index !== at)];
  return { error: `Options follow the calculation: commcost ${words.join(" ")}\n`, code: codes.usage };
}

type OfFiles = typeof diagnoseFiles | typeof fitBenchmark | typeof planLaunch;

/** For calculations that take files as words after the command, each read by its content; usually: called that way. */
const ofFiles: Readonly<Record<string, { answer: OfFiles; takes: (typed: Typed) => boolean; usually?: true }>> = {
  diagnose: { answer: diagnoseFiles, takes: takesFiles, usually: true },
  fit_serving: { answer: fitBenchmark, takes: takesFiles, usually: true },
  plan: { answer: planLaunch, takes: takesLaunch },
};

async function fromFiles(engine: Engine, asked: OfFiles, typed: Typed): Promise<Said> {
  const asJson = typed.switches.has("json");
  const answered = await asked(engine, typed, fromFile);
  if ("problems" in answered) return refused(answered.problems, asJson);
  const code = "unfit" in answered && answered.unfit ? codes.unfit : codes.answered;
  return { out: asJson ? json(answered.found) : answered.text, code };
}

function answer(engine: Engine, [name, ...rest]: readonly string[]): Said | Promise<Said> {
  const calculations = engine.describe();
  if (name === "--version" || name === "-V") return { out: `${VERSION}\n` };
  if (name === "help" && rest.length > 0) return answer(engine, [...rest, "--help"]);
  if (name === undefined || ["--help", "-h", "help"].includes(name)) return { out: overview(calculations, VERSION) };
  const typed = read(rest);
  const others: Readonly<Record<Other, () => Said | Promise<Said>>> = {
    figure: () => figure(engine, typed),
    vectors: () => testVectors(engine, typed),
    schema: () => schema(engine, typed.words),
    export: () => exported(engine, typed),
  };
  if (Object.hasOwn(others, name))
    return typed.switches.has("help")
      ? { out: helpOfOther(name as Other, calculations, width()) }
      : others[name as Other]();
  const asked = name.replaceAll("-", "_");
  const names = [...Object.keys(calculations), ...Object.keys(others)];
  if (name.startsWith("-")) return misplaced(name, rest, names);
  if (!Object.hasOwn(calculations, asked)) return unknown(asked, names);
  const files = ofFiles[asked];
  if (files?.takes(typed) && !typed.switches.has("help")) return fromFiles(engine, files.answer, typed);
  if (!typed.switches.has("help")) return calculate(engine, asked, typed);
  const description = calculations[asked]!;
  return {
    out: typed.switches.has("json") ? json(description) : helpOf(asked, description, width(), fileUsage[asked]),
  };
}

// A closed pipe, as by `head`, ends the command silently.
process.stdout.on("error", () => process.exit());
try {
  const {
    out = "",
    notes = "",
    error = "",
    code = codes.answered,
  } = await answer(await loadEngine(), process.argv.slice(2));
  process.stdout.write(out);
  process.stderr.write(notes + error);
  process.exitCode = code;
} catch (error) {
  // A file that cannot be read, say.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = codes.failed;
}
