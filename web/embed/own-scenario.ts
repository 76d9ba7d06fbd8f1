import type { Engine } from "#engine";
import { unsafeCSS } from "lit";
import { linkNotes } from "../app/link-notes.js";
import { viewNamed } from "../app/views.js";
import "../elements/missing-part.js";
import type { MissingPart } from "../elements/missing-part.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { loadEngine } from "../engine/index.js";
import { figureNamed } from "../figures/catalog.js";
import { Part } from "../engine/part.js";
import { settingNames } from "../state/link.js";
import { ready } from "../state/parts.js";
import { pageScenario } from "../state/page-scenario.js";
import { modernized, modernizedLink } from "../state/old-links.js";
import type { Scenario } from "../state/scenario.js";
import type { Session } from "../state/session.js";
import { Sizes, sizeUnits } from "../state/sizes.js";
import type { CalculationName } from "../state/run.js";
import { servedName } from "../state/serving.js";
import { nearest } from "../state/suggest.js";
import { announce } from "./announce.js";
import { linkBack } from "./link-back.js";
import styles from "./own-scenario.css?inline";

const frame = unsafeCSS(styles);

const owners = new WeakSet<ScenarioView>();

/** Gives a view in another page its own scenario, made from its attributes and properties. */
async function own(view: ScenarioView): Promise<void> {
  if (owners.has(view)) return;
  owners.add(view);
  // Its texts are English, whatever the language of the page around it.
  if (!view.lang) view.lang = "en";
  const notice = document.createElement("p");
  notice.setAttribute("role", "status");
  notice.textContent = "Loading the calculator…";
  await view.updateComplete;
  // Set before its script was loaded, and taken over by its first update.
  if (view.scenario) return;
  const root = view.shadowRoot!;
  root.adoptedStyleSheets.push(frame.styleSheet!);
  // Meanwhile the figure's author may have set this.
  if (!root.querySelector("slot") || view.childElementCount === 0) root.append(notice);
  const needs = opensWith(view);
  let engine!: Engine;
  const calculator = new Part("The calculator", async (attempt) => {
    engine = await loadEngine(needs.at(-1), undefined, attempt > 1);
    await Promise.all(needs.map((name) => ready(engine, name, attempt > 1)));
  });
  const missing = document.createElement("commcost-missing") as MissingPart;
  missing.of = calculator;
  calculator.addEventListener("change", () => (notice.hidden = calculator.state === "missing"));
  root.append(missing);
  void calculator.ask();
  await calculator.here;
  missing.remove();
  try {
    const scenario = pageScenario(engine);
    scenario.addEventListener("change", () => writeSizes(scenario));
    takeAttributes(view, scenario, sayNotes(root));
    takeProperties(view, scenario);
    scenario.alone = true;
    scenario.readonly = view.readonly;
    view.addController({ hostUpdate: () => (scenario.readonly = view.readonly) });
    announce(view);
    view.scenario = scenario;
    notice.remove();
    linkBack(view, scenario, viewOf(view));
    explainOnce(view, scenario);
  } catch (error) {
    root.append(notice);
    notice.setAttribute("role", "alert");
    notice.textContent = `The calculator could not start: ${error instanceof Error ? error.message : String(error)}`;
    throw error;
  }
}

/** The calculations without which none of it can be drawn. */
function opensWith(view: ScenarioView): readonly CalculationName[] {
  if (view.localName === "commcost-figure") return figureNamed(view.getAttribute("of") ?? "")?.needs ?? [];
  const shown = viewNamed(view.hasAttribute("exercise") ? "exercise" : viewOf(view));
  const needs = shown?.needs ?? shown?.calculation;
  return needs ? [needs] : [];
}

/** Fetches the help texts, and the engine's rest, once a reader uses the view: most read an answer and move on. */
function explainOnce(view: ScenarioView, scenario: Session): void {
  const turns = ["pointerenter", "focusin"];
  const explain = () => {
    for (const turn of turns) view.removeEventListener(turn, explain);
    void ready(scenario.engine).then(
      () => scenario.explain(),
      () => undefined,
    );
  };
  for (const turn of turns) view.addEventListener(turn, explain);
}

/** Applies an attribute's choice of size units. */
function writeSizes(scenario: Session): void {
  const units = sizeUnits.find((one) => one === scenario.text("units")) ?? "usual";
  if (units !== scenario.sizes.units) scenario.write(new Sizes(units));
}

/**
 * Settings of the page that are also attributes of an element, in addition to all inputs; a link used to be chosen by
 * its name.
 */
const settings: readonly string[] = [...settingNames, "link"];

/** Whether a scenario knows the name: an input, or a setting of the page such as a preset. */
function isKnown(scenario: Scenario, name: string): boolean {
  return scenario.fields.has(name) || settings.includes(name);
}

/** Which view's link corresponds to the element's attributes. */
const viewOf = (view: ScenarioView): string =>
  view.localName.replace("commcost-", "").replace(/^(calculator|figure)$/, "cost");

/** An input's name in the view's scenario: the GPUs of a plan are the cluster, a server's step has names of its own. */
function ownName(view: ScenarioView, name: string): string {
  if (viewOf(view) === "serve") return servedName(name);
  return name === "num_gpus" && viewOf(view) === "plan" ? "cluster_gpus" : name;
}

const named = (view: ScenarioView, texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [ownName(view, name), text]));

/** Sets what was changed, in the same way as a link. */
function set(view: ScenarioView, scenario: Scenario, texts: Record<string, string>): void {
  scenario.set(modernized(scenario, named(view, texts), viewOf(view)).texts);
}

/**
 * Shows sentences about mistyped attributes, and logs them where authors look; if there are fewer than before, they are
 * replaced.
 */
function sayNotes(root: ShadowRoot): (notes: readonly string[]) => void {
  const place = document.createElement("p");
  place.className = "author";
  place.setAttribute("role", "status");
  return (notes) => {
    const text = notes.join(" ");
    if (text === place.textContent) return;
    place.textContent = text;
    if (text === "") return place.remove();
    root.prepend(place);
    console.warn(`<${root.host.localName}>: ${text}`);
  };
}

/** Whether an unknown attribute is meant for us: it looks like an input, or almost, and no HTML tag has it. */
function isMistyped(view: ScenarioView, scenario: Scenario, name: string): boolean {
  const others = /^(?:_|data-|aria-|on|ng-|v-|x-)|[:.@]/;
  if (
    others.test(name) ||
    name in HTMLInputElement.prototype ||
    (view.constructor as typeof ScenarioView).observedAttributes.includes(name)
  )
    return false;
  return name.includes("_") || nearest(name, [...scenario.fields.keys(), ...settings]) !== undefined;
}

/** The attributes that are not understood. */
function unknownAttributes(view: ScenarioView, scenario: Scenario, unknown: readonly string[]): string[] {
  const names = [...view.attributes].map(({ name }) => name).filter((name) => !isKnown(scenario, name));
  return [
    ...names.filter((name) => isMistyped(view, scenario, name)),
    ...unknown.map((name) => `${name}=${view.getAttribute(name)}`),
  ];
}

/** Reads the attributes that are inputs, now and whenever they change. Removing one restores the default. */
function takeAttributes(view: ScenarioView, scenario: Scenario, say: (notes: readonly string[]) => void): void {
  // Some inputs share their name with an attribute that every element has.
  const taken = (name: string) => isKnown(scenario, name) && name !== "part";
  const texts = () =>
    named(
      view,
      Object.fromEntries(
        [...view.attributes].filter(({ name }) => taken(name)).map(({ name, value }) => [name, value]),
      ),
    );
  const check = () => {
    const { unknown } = modernizedLink(scenario, texts(), viewOf(view));
    say(linkNotes(scenario, unknownAttributes(view, scenario, unknown), [], "tag"));
  };
  scenario.set(modernizedLink(scenario, texts(), viewOf(view)).texts);
  check();
  new MutationObserver((records) => {
    for (const name of new Set(records.map(({ attributeName }) => attributeName!).filter(taken))) {
      const text = view.getAttribute(name);
      if (text === null) scenario.unset(ownName(view, name));
      else set(view, scenario, { [name]: text });
    }
    check();
  }).observe(view, { attributes: true });
}

/** Turns inputs into properties, unless every element has one with that name; those set before are taken over. */
function takeProperties(view: ScenarioView, scenario: Scenario): void {
  const early = view as unknown as Record<string, unknown>;
  for (const name of [...scenario.fields.keys(), ...settings]) {
    const given = Object.hasOwn(view, name) ? early[name] : undefined;
    if (given === undefined && name in view) continue;
    Object.defineProperty(view, name, {
      get: () => scenario.entry(ownName(view, name)).value,
      set: (value: unknown) => {
        if (value === undefined || value === null) scenario.unset(ownName(view, name));
        else set(view, scenario, { [name]: String(value) });
      },
      configurable: true,
      enumerable: true,
    });
    if (given !== undefined) early[name] = given;
  }
}

// Before any element is defined: one that is already in the document is connected by its definition.
ScenarioView.connected = (view) => {
  if (!view.scenario) void own(view);
};
