import { isAcceptable } from "./entry.js";
import { formPins, formProducts, formServes } from "./link.js";
import { degreeNames } from "./layout.js";
import { hardware, linkPresets, presetNamed } from "./presets.js";
import type { Scenario } from "./scenario.js";
import { productNames, productsOf, servingRecipe, stepOf, withoutSign } from "./serving.js";

/**
 * What links, frames and attributes meant before the page had one scenario, in today's terms. Links written today pass
 * through unchanged.
 */

interface Modern {
  texts: Record<string, string>;
  /** Names of presets that no catalog has, and of a precision that the hardware lacks. */
  unknown: string[];
}

const greatestCommon = (one: number, other: number): number => (other === 0 ? one : greatestCommon(other, one % other));

/** Views in which the link's GPUs were the question, whatever degrees it carried along. */
const ofGroup: readonly (string | undefined)[] = [undefined, "", "cost", "network"];

/** `num_gpus` was the cluster in Plan, the tensor group elsewhere. */
function renamedGpus(texts: Record<string, string>, view: string | undefined): void {
  const gpus = texts["num_gpus"];
  delete texts["num_gpus"];
  if (gpus === undefined) return;
  if (view !== "plan") {
    if (ofGroup.includes(view) || texts["tensor_parallel"] === undefined) texts["tensor_parallel"] = gpus;
    return;
  }
  texts["cluster_gpus"] ??= gpus;
}

/** Numbers that became the inverse of what they were: `former_product` over them. */
function invertedNumbers(scenario: Scenario, texts: Record<string, string>): void {
  for (const [name, { formerly, former_product: product }] of scenario.fields) {
    if (!formerly || !product) continue;
    const former = name.slice(0, name.length - withoutSign(name).length) + formerly;
    const text = texts[former];
    if (text === undefined) continue;
    delete texts[former];
    if (Number(text) > 0) texts[name] ??= String(Number((product / Number(text)).toPrecision(4)));
  }
}

/** A cluster alone: the tensor group is the greatest one that divides it, up to the usual one. */
function grouped(scenario: Scenario, texts: Record<string, string>): void {
  const cluster = scenario.read("cluster_gpus", texts["cluster_gpus"] ?? "");
  const usual = Number(scenario.defaults["tensor_parallel"]);
  if (cluster >= 1 && cluster % usual !== 0)
    texts["tensor_parallel"] = String(greatestCommon(usual, Math.floor(cluster)));
}

/** The degrees used to be the whole layout, with eight replicas by default: now they are those of a cluster. */
function clustered(scenario: Scenario, texts: Record<string, string>): void {
  if (!degreeNames.some((name) => name in texts)) return grouped(scenario, texts);
  const usual: Record<string, string> = { tensor_parallel: scenario.defaults["tensor_parallel"]!, data_parallel: "8" };
  const texted = (name: string) => texts[name] ?? usual[name] ?? "1";
  const readable = (name: string) => isAcceptable(scenario.fields.get(name)!, texted(name));
  if (texts["cluster_gpus"] === undefined) {
    const degrees = degreeNames.map((name) => (readable(name) ? scenario.read(name, texted(name)) : 1));
    texts["cluster_gpus"] = String(degrees.reduce((all, one) => all * one, 1));
  }
  const yields = texts["gives_way"] ?? "data_parallel";
  if (yields in texts && readable(yields)) delete texts[yields];
}

/**
 * The meaning of a link to Serve from before a server's step, and its products, had fields of their own. It gave them
 * as training's; before layouts were searched, what it left out was the usual value, not the answer's, and any latency
 * was accepted. One that gives nothing else shows what is usual today.
 */
export function servedBefore(scenario: Scenario, given: Record<string, string>, form: number): Record<string, string> {
  if (form >= formProducts || Object.keys(given).length === 0) return given;
  const texts = { ...productsOf(given), ...given };
  if (form >= formServes) return texts;
  if (form >= formPins) return { ...stepOf((name) => texts[name] ?? ""), ...texts };
  const whole = scenario.saying(texts);
  return { most_token_ms: "0", most_first_token_ms: "0", ...stepOf((name) => whole.text(name)), ...texts };
}

/** The view that a link asks for: a step used to have the passes of a server, which are in Serve now. */
export const formerView = (
  view: string | undefined,
  texts: Record<string, string>,
  form: number,
): string | undefined =>
  form < formPins && ["training", "step"].includes(view ?? "") && ["prefill", "decode"].includes(texts["mode"] ?? "")
    ? "serve"
    : view;

/**
 * A link from before v=2 means what was usual then where it gives nothing: in Collectives a group of eight, even for a
 * model whose heads can't be divided by eight; everywhere Megatron-Core, even on a machine on which it does not run.
 */
export function usualBefore(
  scenario: Scenario,
  name: "tensor_parallel" | "recipe",
  texts: Record<string, string>,
): Record<string, string> {
  const usual = scenario.defaults[name] ?? String(scenario.fields.get(name)!.default);
  return scenario.saying(texts).text(name) === usual ? texts : { [name]: usual, ...texts };
}

/**
 * Which of them texts ask for in a precision that their accelerator lacks; `usual` has the defaults of what they leave
 * out.
 */
function lackingPrecisions(
  scenario: Scenario,
  texts: Record<string, string>,
  usual: (name: string) => string,
): string[] {
  const { accelerators, systems } = hardware(scenario);
  const system = systems.find(({ id }) => id === (texts["system"] ?? usual("system")));
  const id = texts["accelerator"] || system?.accelerator || usual("accelerator");
  const has = accelerators.find((one) => one.id === id)?.matmul_precisions.split(", ");
  if (!has) return [];
  return productNames.filter((name) => {
    const wanted = texts[name];
    const known = wanted && wanted !== "stored" && scenario.fields.get(name)!.choices!.includes(wanted);
    return known && !has.includes(wanted);
  });
}

/**
 * Texts that change a scenario which shows `view`, as this page sets them; `usual` has the defaults of what they leave
 * out.
 */
export function modernized(
  scenario: Scenario,
  given: Record<string, string>,
  view: string | undefined,
  usual = (name: string): string => scenario.text(name),
): Modern {
  const texts = { ...given };
  const unknown: string[] = [];
  for (const kind of ["model", "system"] as const) {
    const name = texts[kind];
    if (name === undefined || (name === "" && kind === "system")) continue;
    const known = presetNamed(scenario, kind, name);
    if (known) {
      texts[kind] = known.id;
      continue;
    }
    if (name !== "") unknown.push(kind);
    delete texts[kind];
  }
  const { link } = texts;
  delete texts["link"];
  if (link) {
    const rates = linkPresets(scenario).find(({ id }) => id === link)?.texts;
    if (rates) Object.assign(texts, { ...rates, ...texts });
    else unknown.push("link");
  }
  // A stack that serves was once a choice for training too.
  const { recipe } = texts;
  if (recipe !== undefined && presetNamed(scenario, "serving_recipe", recipe)) {
    delete texts["recipe"];
    if (view === "serve") texts[servingRecipe] ??= recipe;
    else unknown.push("recipe");
  }
  // An accelerator was typed into a machine without a name.
  if (texts["accelerator"] !== undefined) texts["system"] ??= "";
  for (const name of lackingPrecisions(scenario, texts, usual)) {
    unknown.push(name);
    delete texts[name];
  }
  renamedGpus(texts, view);
  invertedNumbers(scenario, texts);
  return { texts, unknown };
}

/** Texts of a whole link that opens `view`: what it leaves out is the usual value. */
export function modernizedLink(scenario: Scenario, given: Record<string, string>, view: string | undefined): Modern {
  const modern = modernized(scenario, given, view, (name) => scenario.defaults[name] ?? "");
  clustered(scenario, modern.texts);
  return modern;
}
