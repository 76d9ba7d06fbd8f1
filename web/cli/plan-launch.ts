import type { Engine, PlanResults, Problem, TrainingStepResults } from "#engine";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { rankWords } from "../figures/rank-words.js";
import { gib } from "../state/format.js";
import { notTaken } from "../state/launch.js";
import { searchedInputs } from "../state/pins.js";
import { rankOf } from "../state/rank.js";
import { readFile } from "../state/reader/read-file.js";
import { isRefusal } from "../state/run.js";
import { type FromFile, inputsOf, type Typed } from "./arguments.js";
import { headlineOf, stepHeadline } from "./brief.js";
import { fittingChange } from "./fitting.js";
import { openFile } from "./open-file.js";
import { askedOf, subjectOf } from "./subject.js";

/**
 * What a plan says about a launch, as `--json` prints it: its step, and what is found if nothing of its layout is
 * given.
 */
interface Found {
  launch: TrainingStepResults;
  plan: PlanResults;
}

type Inputs = Record<string, unknown>;

const unread = (name: string, message: string): Problem => ({
  field: name,
  code: "malformed",
  message: `${name}: ${message}`,
  allowed: "the arguments of Megatron-LM, or a configuration of torchtitan or DeepSpeed",
});

/** Whether the words after the command are files. */
export const takesLaunch = ({ words }: Typed): boolean => words.length > 0 && words.every((word) => existsSync(word));

/** What a launch says about its job. */
async function jobOf(engine: Engine, path: string): Promise<{ job: Inputs; says: string; without: string }> {
  const name = basename(path);
  const reading = await readFile(await openFile(path), engine, () => {});
  if (reading.kind !== "launch" || reading.launch.serves) throw new Error("not a training launch");
  const { inputs, found, not_understood, not_said } = reading.launch;
  const untaken = notTaken(reading.launch);
  const searched = new Set(searchedInputs(engine.describe()["plan"]!.inputs).map((input) => input.name));
  const lacking = untaken.filter((_, at) => searched.has(not_understood[at]!.field));
  const missing = not_said.filter(({ value }) => value === "").map(({ field }) => field);
  const says = [
    `${name}: a launch of ${reading.launch.name}, ${found.length} inputs.`,
    ...(untaken.length > 0 ? [`Not understood: ${untaken.join(", ")}.`] : []),
    ...(missing.length > 0 ? [`Not in it: ${missing.join(", ")}.`] : []),
  ].join(" ");
  const without = lacking.length > 0 ? `Priced and ranked without ${lacking.join(", ")}.` : "";
  return { job: { ...(inputs as object) }, says, without };
}

/** Those inputs that a calculation takes. */
function taken(engine: Engine, calculation: string, inputs: Readonly<Inputs>): Inputs {
  const names = new Set(engine.describe()[calculation]!.inputs.map(({ name }) => name));
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => names.has(name)));
}

/** `commcost plan launch.sh system=dgx-h100`: the rank of a launch among the families that are found for its job. */
export async function planLaunch(
  engine: Engine,
  typed: Typed,
  fromFile: FromFile,
): Promise<{ problems: Problem[] } | { found: Found; text: string; unfit: boolean }> {
  const description = engine.describe()["plan"]!;
  const { inputs, problems } = inputsOf(description.inputs, { ...typed, words: [] }, fromFile);
  if (typed.words.length > 1)
    problems.push(unread(basename(typed.words[1]!), "commcost plan ranks one launch at a time"));
  const [path] = typed.words as [string];
  try {
    const { job, says, without } = await jobOf(engine, path);
    if (problems.length > 0) return { problems };
    const whole = { ...job, ...inputs };
    const step = engine.training_step as unknown as (inputs: unknown) => TrainingStepResults;
    const plan = engine.plan as unknown as (inputs: unknown) => PlanResults;
    const asStep = taken(engine, "training_step", whole);
    const launch = step(asStep);
    const change = launch.fits ? undefined : fittingChange(step, asStep);
    const searched = new Set(searchedInputs(description.inputs).map(({ name }) => name));
    const open = Object.entries({ cluster_gpus: launch.cluster_gpus, ...whole }).filter(
      ([name]) => !searched.has(name) || name in inputs,
    );
    const asked = taken(engine, "plan", Object.fromEntries(open));
    const found = { launch, plan: plan(asked) };
    const { recipes } = engine.recipe_catalog();
    const stack = recipes.find(({ id }) => id === whole["recipe"])?.name ?? "this stack";
    const rank = rankWords(rankOf(whole, launch, found.plan), stack, gib);
    const text = [
      says,
      subjectOf(engine, "plan", asked),
      without,
      stepHeadline(
        launch as unknown as Inputs,
        change ? `It would with ${change}` : "No single change of its layout makes it fit",
      ),
      rank,
      headlineOf("plan", found.plan as unknown as Inputs, askedOf(engine, "plan", asked)),
    ];
    return { found, text: `${text.filter(Boolean).join("\n")}\n`, unfit: !launch.fits };
  } catch (error) {
    if (isRefusal(error)) return { problems: [...error.problems] };
    return { problems: [unread(basename(path), (error as Error).message)] };
  }
}
