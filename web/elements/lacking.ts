import type { TrainingStepResults } from "#engine";
import { fieldChoices } from "../state/fields.js";
import { pinName, pinnedInput, searchedInputs } from "../state/pins.js";
import { trainingPrecisions } from "../state/precision.js";
import { arrived } from "../state/parts.js";
import { isRefusal } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { notInStack, stackName } from "./stack-words.js";
import { whenIdle } from "./when-idle.js";

/** Marks in Train's form what the chosen stack lacks, by the engine's rules of the stack for a step with it. */

type Inputs = Readonly<Record<string, unknown>>;
type Step = Pick<TrainingStepResults, "stack_rule" | "step_time_ms">;

/** Each unpinned degree in turn is 2, so that every setting has an effect. */
const split: readonly Inputs[] = [
  {},
  { pipeline_parallel: 2 },
  { tensor_parallel: 2 },
  { context_parallel: 2 },
  { data_parallel: 2 },
  { expert_parallel: 2, data_parallel: 2 },
];
/** Enough to keep stages busy, and few enough to be simulated at once. */
const sequences = 16;

/** The scenario's step with what is pinned of its layout, and nothing of what is searched. */
function pinned(scenario: Scenario): { inputs: Inputs; pins: Inputs } {
  const tables = scenario.engine.describe();
  const taken = new Set(tables["training_step"]!.inputs.map(({ name }) => name));
  const { global_batch_size: _, ...inputs } = scenario.inputs("training_step").values;
  const pins: Record<string, unknown> = {};
  for (const { name } of searchedInputs(tables["plan"]!.inputs)) {
    delete inputs[name];
    if (taken.has(name) && scenario.text(pinName(name)) !== "") pins[name] = scenario.entry(pinName(name)).value;
  }
  return { inputs: { ...inputs, batch_size: 1, ...pins }, pins };
}

/** The step with some inputs; nothing where there can be none. */
function stepWith({ engine }: Scenario, inputs: Inputs): Step | undefined {
  const micro = Number(inputs["batch_size"]);
  const replicas = Number(inputs["data_parallel"] ?? 1);
  try {
    return engine.training_step({ ...inputs, global_batch_size: sequences * micro * replicas } as never);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/**
 * For each of some choices, the stack's rule that it breaks whatever is not pinned; empty if the stack has it, if it
 * has no effect, or if all choices break the same rule, which then belongs to another setting.
 */
function rulesBroken(scenario: Scenario, choices: readonly Inputs[]): string[] {
  const { inputs, pins } = pinned(scenario);
  const broken = choices.map(() => "");
  const kept = choices.map(() => false);
  for (const degrees of split) {
    if (Object.keys(degrees).some((name) => name in pins)) continue;
    const steps = choices.map((choice) => stepWith(scenario, { ...inputs, ...degrees, ...choice }));
    const rules = new Set(steps.flatMap((step) => (step ? [step.stack_rule] : [])));
    const said = (step: Step) => `${step.stack_rule} ${step.step_time_ms}`;
    steps.forEach((step, index) => {
      if (!step) return;
      if (step.stack_rule !== "") {
        if (rules.size > 1) broken[index] = step.stack_rule;
        return;
      }
      // A choice that takes as long as another has no effect here: ZeRO with one replica, a schedule with one stage.
      const alike = steps.filter((other) => other && said(other) === said(step)).length;
      if (alike === 1) kept[index] = true;
    });
  }
  return broken.map((rule, index) => (kept[index] ? "" : rule));
}

type Control = HTMLSelectElement | HTMLInputElement;

/**
 * What a control's choices set, each with its option, or what ticking a box sets; nothing if it does not concern the
 * stack.
 */
function choicesOf(scenario: Scenario, control: Control): { element: HTMLElement; sets: Inputs }[] {
  if (control.name === "precision")
    return [...(control as HTMLSelectElement).options].flatMap((element) => {
      const fields = trainingPrecisions.find(({ id }) => id === element.value)?.fields;
      return fields ? [{ element, sets: { matmul_precision: fields["matmul_precision"] } }] : [];
    });
  const input = pinnedInput(control.name);
  const field = scenario.engine.describe()["training_step"]!.inputs.find(({ name }) => name === input);
  if (!field || !["work", "layout", "recipe"].includes(field.group ?? "")) return [];
  if (control instanceof HTMLInputElement)
    return field.kind === "flag"
      ? [
          { element: control.ownerDocument.createElement("option"), sets: { [input]: false } },
          { element: control.labels![0] as HTMLElement, sets: { [input]: true } },
        ]
      : [];
  return [...control.options].flatMap((element) => {
    const { value } = element;
    const choices = field.kind === "flag" ? ["true", "false"] : fieldChoices(field);
    if (!choices?.includes(value)) return [];
    const sets = field.kind === "flag" ? value === "true" : field.kind === "whole" ? Number(value) : value;
    return [{ element, sets: { [input]: sets } }];
  });
}

const told = "data-lacks";

/** Says at a choice that the stack lacks it, and why; or removes that. */
function mark(scenario: Scenario, element: HTMLElement, rule: string): void {
  const label = element instanceof HTMLOptionElement;
  if (rule === "") {
    if (!element.hasAttribute(told)) return;
    for (const name of [told, "title", ...(label ? ["label"] : [])]) element.removeAttribute(name);
    return;
  }
  element.setAttribute(told, `not in ${stackName(scenario)}`);
  element.title = notInStack(scenario, rule);
  if (label) element.label = `${element.text.trim()} (not in ${stackName(scenario)})`;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(`[${told}] { color: var(--ink-soft); } label[${told}]::after { content: " (" attr(${told}) ")"; }`);

const idle = () => new Promise<void>((resolve) => whenIdle(resolve, 1000));

const pause_ms = 400;
const latest = new WeakMap<ShadowRoot, string>();

/** Marks a form's choices, one control at a time while the page is idle; a later call takes over. */
export async function markLacking(form: ShadowRoot, scenario: Scenario): Promise<void> {
  await arrived(scenario.engine, "training_step");
  const controls = [...form.querySelectorAll<Control>("select[name], input[type=checkbox][name]")];
  const of = JSON.stringify([pinned(scenario).inputs, stackName(scenario), controls.map(({ name }) => name)]);
  if (latest.get(form) === of) return;
  latest.set(form, of);
  if (!form.adoptedStyleSheets.includes(sheet)) form.adoptedStyleSheets.push(sheet);
  // Typing has priority.
  await new Promise((resolve) => setTimeout(resolve, pause_ms));
  for (const control of controls) {
    await idle();
    if (latest.get(form) !== of) return;
    // A control may have disappeared meanwhile, as another view does not use it.
    if (!control.isConnected) continue;
    const choices = choicesOf(scenario, control);
    if (choices.length === 0) continue;
    const rules = rulesBroken(
      scenario,
      choices.map(({ sets }) => sets),
    );
    choices.forEach(({ element }, index) => mark(scenario, element, rules[index]!));
    const reasons = [...new Set(rules.filter(Boolean))].map((rule) => notInStack(scenario, rule)).join("; ");
    if (reasons) control.setAttribute("aria-description", `Marked choices are ${reasons}`);
    else control.removeAttribute("aria-description");
  }
}
