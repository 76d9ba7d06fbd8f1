// The types of commcost-element.js, from describe() and the table of views.
import { build } from "esbuild";
import { rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { pascal } from "../../wasm/pascal.mjs";
import { root } from "./plugins.mjs";

const types = {
  whole: "number | string",
  real: "number | string",
  flag: "boolean | string",
  numbers: "number[] | string",
};

function typeOf(field) {
  if (field.choices && field.kind !== "list") return field.choices.map((choice) => JSON.stringify(choice)).join(" | ");
  return types[field.kind] ?? "string";
}

/** A source of the page that needs no document, as a module. */
async function imported(source) {
  const file = `${root}build/${source.replace(/\W+/g, "-")}.mjs`;
  await build({
    entryPoints: [`${root}web/${source}`],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    external: ["../views/*", "*-figure.js"],
    packages: "external",
  });
  const module = await import(pathToFileURL(file).href);
  rmSync(file);
  return module;
}

/** The declarations; `events` are those of the events' details. */
export async function elementTypes(events) {
  const { views } = await imported("app/views.ts");
  const { figures } = await imported("figures/catalog.ts");
  const { settingNames } = await imported("state/link.ts");
  const { loadEngine } = await import(`${root}build/engine/commcost.js`);
  const { servingFields } = await imported("state/serving.ts");
  const engine = await loadEngine();
  const tables = engine.describe();
  const served = servingFields(tables.plan_serving.inputs, tables.serving_step.inputs, engine.recipe_catalog().recipes);
  const fields = new Map(served.map((field) => [field.name, field]));
  for (const { inputs } of Object.values(tables)) {
    for (const field of inputs) if (!fields.has(field.name)) fields.set(field.name, field);
  }
  const settings = [...settingNames, "link"].filter((name) => name !== "view" && !fields.has(name));
  settings.push("gives_way");
  const told = views.filter(({ calculation }) => calculation);
  const results = ({ calculation }) => `${pascal(calculation)}Results`;
  return `${events.replace(/^import type [^;]*;\n/m, "").replace(/^export {};\n/m, "")}
import type { ${[...new Set(["CheckAnswersResults", "Problem", ...told.map(results)])].join(", ")} } from "./commcost.js";

/** What a view answers: its main results with the inputs they are of, or all that is wrong with the inputs. */
export type Outcome<Results> =
  | { inputs: Record<string, unknown>; results: Results; problems?: undefined }
  | { problems: Problem[]; results?: undefined };

/** Inputs of the scenario that each element has, as attributes or properties; texts may have units, as in "900 Gb/s". */
export interface ScenarioInputs {
${settings.map((name) => `  /** As in a link of the page. */\n  ${name}: string | number | undefined;`).join("\n")}
${[...fields.values()].map((field) => `  /** ${field.help}${field.unit && `; in ${field.unit}`}; ${field.allowed}. */\n  ${field.name}: ${typeOf(field)} | undefined;`).join("\n")}
}

export interface ViewEventMap<Results> {
  /** The view has something new to say. */
  change: CustomEvent<Outcome<Results>>;
  /** An exercise is posed. */
  exercise: CustomEvent<ExerciseDetail>;
  /** Answers to it were checked. */
  answer: CustomEvent<AnswerDetail>;
}

export interface ViewOptions {
  /** Only the answer, the inputs and the most telling table or picture. */
  compact: boolean;
  /** The reader cannot change the inputs. */
  readonly: boolean;
  /** Its colours; those of the page around it where this is not said. */
  colors: "light" | "dark" | undefined;
  /** The parts that are shown, with spaces between: headline, results, inputs, chart, derivation, check, call; all where this is not said. */
  parts: string | undefined;
  /** Where the site lies that its link back leads to; no link where this is not said. */
  base: string | undefined;
}

/** A view as an element. */
export interface ViewElement<Results> extends HTMLElement, ViewOptions, Omit<ScenarioInputs, keyof HTMLElement> {
  /** What it says now; nothing while it still works. */
  readonly outcome: Outcome<Results> | undefined;
  /** The results of that; nothing while it still works, or where inputs are wrong. */
  readonly results: Results | undefined;
  /** All that is wrong with its inputs; nothing where they are right. */
  readonly problems: Problem[];
  addEventListener<Type extends keyof ViewEventMap<Results>>(
    type: Type, listener: (event: ViewEventMap<Results>[Type]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type, listener: (event: HTMLElementEventMap[Type]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

/** The calculator; with \`exercise\`, the exercise: inputs posed, results kept back until they are answered. */
export interface CalculatorElement extends ViewElement<TensorParallelAllreduceCostResults> {
  exercise: boolean;
  /** How many hints there are to one exercise: a number, or "off"; all where this is not said. */
  hints: number | string | undefined;
}

/** One figure with its caption, its one control and a link. */
export interface FigureElement extends ViewElement<TensorParallelAllreduceCostResults> {
  /** How high its picture may get, px; as an attribute \`size\`. */
  room: number | undefined;
  /** The GPU that a ring follows. */
  watch: number | undefined;
  /** Its caption, in your words. */
  say: string | undefined;
  /** Which figure. */
  of: ${figures
    .flatMap(({ id, also }) => [id, ...also])
    .map((id) => JSON.stringify(id))
    .join(" | ")};
  /** The figure as a still SVG without scripts, in the colours of the reader's system where none are said; nothing before it is drawn. */
  still(colors?: "auto" | "light" | "dark"): string | undefined;
}

/** Every element by its tag. */
export interface Elements {
  "commcost-calculator": CalculatorElement;
  "commcost-figure": FigureElement;
${views
  .flatMap((view) =>
    [view.id, ...(view.also ?? [])].map(
      (id) => `  "commcost-${id}": ViewElement<${view.calculation ? results(view) : "never"}>;`,
    ),
  )
  .join("\n")}
}

/** What is written into a tag where a framework makes the elements: \`onchange\` and the like are called with the event. */
export type ElementAttributes<Element> = Partial<ScenarioInputs> & Partial<ViewOptions> &
  (Element extends CalculatorElement ? { exercise?: boolean; hints?: number | string } : unknown) &
  (Element extends FigureElement ? Pick<FigureElement, "of"> & { size?: number | string; watch?: number | string; say?: string } : unknown) &
  (Element extends ViewElement<infer Results>
    ? { [Type in keyof ViewEventMap<Results> as \`on\${Type}\`]?: (event: ViewEventMap<Results>[Type]) => unknown }
    : unknown);

/** Loads and defines an element by its tag; only needed where that is in a shadow root. */
export function define(tag: keyof Elements): Promise<unknown>;

declare global {
  interface HTMLElementTagNameMap extends Elements {}
}
`;
}
