import type { Checked } from "./check.js";
import type { Scenario } from "../state/scenario.js";
import type { Ended, Loaded } from "./interpreter/messages.js";
import type { Run } from "./interpreter/interpreter.js";
import type { LikelyMistake } from "./events.js";
import { explained } from "./mistakes.js";
import { formOf, readPrinted, round4, withoutNames } from "./printed.js";
import { pythonArguments } from "./python.js";
import { functionName, isClose, type Vector } from "./vectors.js";
import { wordsOf } from "./verdict.js";

/** Judges a function by the results of its calls: the first case that is wrong, and the feedback on it. */

/** One result of the case that is wrong. */
export interface JudgedResult {
  name: string;
  expected: number;
  /** Nothing where it could not be read. */
  got: number | undefined;
  right: boolean;
  /** The tutor's words, if it is wrong. */
  said: string;
}

/** The first case that is wrong. */
export interface Failed {
  name: string;
  inputs: Record<string, number>;
  /** The call, as Python writes it. */
  call: string;
  /** What is wrong with the function, or with what it returned as a whole. */
  said: string;
  /** Its results, if it returned any. */
  results: JudgedResult[];
  traceback: string;
  /** The line of the learner's code that Python stopped in. */
  line: number | undefined;
  printed: string;
}

export interface Judged {
  cases: number;
  right: number;
  /** Nothing where all are right. */
  failed: Failed | undefined;
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;

/** The feedback on a case, by result; under an empty name, on all of it. */
export const saidOf = ({ said, results }: Failed): (readonly [name: string, words: string])[] => [
  ...(said === "" ? [] : [["", said] as const]),
  ...results.filter((one) => one.said !== "").map((one) => [one.name, sentence(one.said)] as const),
];

/** The call of a case. */
export const callOf = ({ engine }: Scenario, { inputs }: Vector): string =>
  `${functionName}(${pythonArguments(engine.describe()[functionName]!.inputs, inputs)})`;

/** The line of the learner's code in which Python stopped; nothing where it was outside of it. */
function lineOf(traceback: string): number | undefined {
  const found = [...traceback.matchAll(/File "function\.py", line (\d+)/g)].at(-1);
  return found && Number(found[1]);
}

/** A traceback without the code that calls the learner's function. */
const ownFrames = (traceback: string): string =>
  traceback.replace(/(\(most recent call last\):\n)[\s\S]*?(?= *File "function\.py")/, "$1");

/** The feedback on an exception: where, which, and its likely cause. */
function stoppedBy(traceback: string, gpus: number | undefined): string {
  const line = lineOf(traceback);
  const error = traceback.trim().split("\n").at(-1)!.trim().slice(0, 200);
  const hints: [RegExp, string][] = [
    [/__xor__|for \^/, ` I${explained.caret_for_power.said.slice(1)}.`],
    [/^ZeroDivisionError/, gpus === 1 ? " One GPU has nothing to send: return zeros for it." : ""],
    [/^(?:Import|ModuleNotFound)Error/, " Only Python’s own modules are here, such as math; this needs none."],
    [
      /^(?:Syntax|Indentation)Error/,
      " The mistake may be at the end of the line before. (This is MicroPython: match and {**a} are unknown to it.)",
    ],
    [/recursion depth/, " The function calls itself without an end."],
  ];
  const hint = hints.find(([pattern]) => pattern.test(error))?.[1] ?? "";
  return `Python stopped${line === undefined ? "" : ` in line ${line}`}: ${error}.${hint}`;
}

/** What is wrong with the form of what a call returned; empty if it is fine. */
function wrongForm({ kind, text = "", types = {} }: Ended, printed: string, names: readonly string[]): string {
  const whole = names.slice(0, 1);
  if (kind === "NoneType" && readPrinted(printed, names).missing.length === 0)
    return "Your function printed the results and returned None. Return the dictionary instead of printing it.";
  if (kind !== "dict")
    return (
      withoutNames(text, names) ??
      `Your function returned a ${kind}. Return a dictionary with the names ${names.join(", ")}.`
    );
  const wrong = names.find((name) => !["int", "float", undefined].includes(types[name]));
  if (wrong) return `${wrong} is of type ${types[wrong]}, not a number.`;
  const others = Object.keys(types).filter((name) => !names.includes(name));
  if (others.length > 0 && names.every((name) => types[name]))
    return `The dictionary also has ${others.join(", ")}, which wasn’t asked for.`;
  return formOf(text, readPrinted(text, names), whole);
}

/** The value of each result of a call that returned all; nothing if it is not a number. */
function numbersOf({ kind, text = "", types = {} }: Ended, names: readonly string[]): Map<string, number> | undefined {
  if (kind !== "dict" || names.some((name) => types[name] === undefined)) return undefined;
  return new Map(Object.entries(readPrinted(text, names).texts).map(([name, value]) => [name, Number(value)]));
}

const isRight = (got: number | undefined, expected: number) => got !== undefined && isClose(got, expected);

/** The engine's feedback on a call's results that are wrong. */
function checkedOf(scenario: Scenario, { inputs, expected }: Vector, got: Map<string, number>): Map<string, Checked> {
  if (Object.entries(expected).every(([name, value]) => isRight(got.get(name), value))) return new Map();
  const given = Object.fromEntries([...got].map(([name, value]) => [`answer_${name}`, value]));
  const { answers } = scenario.engine.check_answers({ ...inputs, ...given } as never);
  return new Map(
    answers.filter(({ answer, expected: value }) => !isRight(answer, value)).map((row) => [row.name, row]),
  );
}

/** The mistakes, or combinations of mistakes, each of which gives an answer. */
const causesOf = ({ mistakes, or_mistakes }: Checked): string[] =>
  [mistakes.join("+"), ...or_mistakes].filter((cause) => cause !== "");

/** Whether an answer is wrong by itself, and may show why: whatever one GPU sends is wrong for the same reason. */
const isTelling = ({ verdict, mistakes }: Checked): boolean =>
  verdict === "unknown" || (verdict === "mistaken" && mistakes[0] !== "one_gpu_not_treated");

/** One answer with only the causes that explain it in every case: one that fits a single case by chance is no cause. */
function inAllCases(checked: Checked, cases: readonly Map<string, Checked>[]): Checked {
  if (!["mistaken", "unknown"].includes(checked.verdict)) return checked;
  const others = cases.flatMap((one) => one.get(checked.name) ?? []).filter(isTelling);
  const causes = causesOf(checked).filter((cause) => others.every((other) => causesOf(other).includes(cause)));
  const [first = "", ...rest] = causes;
  const mistakes = first.split("+").filter(Boolean) as LikelyMistake[];
  const sure = causes.length === 1 && mistakes.length === 1 && checked.answer !== 0;
  return { ...checked, mistakes, or_mistakes: rest as LikelyMistake[], sure };
}

/** The results of one case, each with the tutor's comment; `cases` has the feedback on all. */
function judgedResults(
  scenario: Scenario,
  { expected }: Vector,
  got: Map<string, number>,
  checked: Map<string, Checked>,
  cases: readonly Map<string, Checked>[],
): JudgedResult[] {
  return Object.entries(expected).map(([name, value]) => {
    const row = checked.get(name);
    const number = got.get(name);
    const said = row ? wordsOf(scenario, inAllCases(row, cases)) : "This is not a number.";
    const right = isRight(number, value);
    return {
      name,
      expected: value,
      got: number === undefined ? undefined : round4(number),
      right,
      said: right ? "" : said,
    };
  });
}

const nothingWrong = { said: "", results: [], traceback: "", line: undefined };

/** What kept the code from being called at all; nothing where it can be. */
function unloaded(loaded: Loaded): Partial<Failed> | undefined {
  if (loaded.stopped !== undefined)
    return {
      said: stoppedBy(loaded.stopped, undefined),
      traceback: ownFrames(loaded.stopped),
      line: lineOf(loaded.stopped),
    };
  return loaded.found ? undefined : { said: `There is no function ${functionName} in your code. Keep its name.` };
}

/** Why a run made no further calls. */
const ending = ({ late, failed = "" }: Run): string =>
  late
    ? "Your function was still running after 2 seconds and was ended. Does a loop never end?"
    : `Python itself ended: ${failed}`;

/** Judges a run over `vectors`. */
export function judged(scenario: Scenario, vectors: readonly Vector[], run: Run): Judged {
  const cases = vectors.length;
  const before = { ...nothingWrong, name: "", inputs: {}, call: "", printed: run.printed[0] ?? "" };
  const none = run.loaded ? unloaded(run.loaded) : { said: ending(run) };
  if (none) return { cases, right: 0, failed: { ...before, ...none } };
  const names = Object.keys(vectors[0]!.expected);
  const got = vectors.map((_, at) => run.calls[at] && numbersOf(run.calls[at]!, names));
  const checked = vectors.map((vector, at) => (got[at] ? checkedOf(scenario, vector, got[at]!) : new Map()));
  const printed = (at: number) => run.printed[at + 1] ?? "";
  /** What is wrong with the call as a whole; empty if only values are. */
  const wrong = (at: number): string | undefined => {
    const ended = run.calls[at];
    if (!ended) return ending(run);
    if (ended.stopped !== undefined) return stoppedBy(ended.stopped, vectors[at]!.inputs["num_gpus"]);
    const values = got[at] && (got[at]!.size < names.length || checked[at]!.size > 0);
    return values ? "" : wrongForm(ended, printed(at), names) || undefined;
  };
  const said = vectors.map((_, at) => wrong(at));
  const first = said.findIndex((words) => words !== undefined);
  const right = said.filter((words) => words === undefined).length;
  if (first < 0) return { cases, right, failed: undefined };
  const vector = vectors[first]!;
  const traceback = ownFrames(run.calls[first]?.stopped ?? "");
  return {
    cases,
    right,
    failed: {
      ...{ name: vector.name, inputs: vector.inputs, call: callOf(scenario, vector), said: said[first]! },
      results: got[first] ? judgedResults(scenario, vector, got[first]!, checked[first]!, checked) : [],
      ...{ traceback, line: lineOf(traceback), printed: printed(first) },
    },
  };
}
