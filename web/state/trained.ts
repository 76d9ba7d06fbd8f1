import type { PlanResults, Problem } from "#engine";
import { Asked } from "./asked.js";
import type { Background } from "./background.js";
import { gpusInUse } from "./layout.js";
import { pinName, searchedInputs } from "./pins.js";
import { textsOf, type PlanRow } from "./planned-layout.js";
import { Scenario, ScenarioEvent } from "./scenario.js";
import { Session } from "./session.js";
import { searchLayouts } from "./search-layouts.js";
import { searchable, searchedName, searchedSettings } from "./settings.js";

/**
 * The scenario as Train shows it: with the layout that its reader pinned, or that the search chose for what is left
 * open. A layout is an answer until it is touched, and every part of Train shows the same one.
 */

type Texts = Record<string, string>;

/** What a search decides, by its name in calculations. */
const searchedNames = ({ engine }: Scenario): string[] =>
  searchedInputs(engine.describe()["plan"]!.inputs).map(({ name }) => name);

/** How the search is done, not what it searches for. */
const ofSearch = ["best", "prune", "evaluations", "list_variants"];

/** Used only for a job of a model with experts. */
export const ofExperts: readonly string[] = [
  ...["expert_parallel", "expert_tensor_parallel"],
  ...[
    "expert_exchange",
    "overlap_expert",
    "expert_imbalance_percent",
    "expert_capacity_factor",
    "pad_expert_inputs",
    "grouped_experts",
    "release",
  ],
];

/** Edits in quicker succession than this, ms, are from continuing typing. */
const pause_ms = 150;

/** The pinned parts of a layout. */
const pinsOf = (scenario: Scenario): Texts =>
  Object.fromEntries(
    searchedNames(scenario).flatMap((name) => {
      const text = scenario.text(pinName(name));
      return text === "" ? [] : [[name, text]];
    }),
  );

/** Pins every part of a layout that other texts describe; its replicas are what the cluster leaves. */
export function allPinned(scenario: Scenario, texts: Readonly<Texts>): Texts {
  const laidOut = scenario.saying(texts);
  const pins = searchedNames(scenario)
    .filter((name) => name !== "data_parallel")
    .map((name) => [pinName(name), laidOut.text(name)]);
  // A degree that replaces the usual one, which does not divide the heads, has to divide the cluster too.
  const degree = laidOut.number("tensor_parallel");
  if (texts["tensor_parallel"] === undefined && laidOut.number("cluster_gpus") % degree > 0)
    pins.push([pinName("tensor_parallel"), "1"]);
  return { cluster_gpus: laidOut.text("cluster_gpus"), [searchedName]: "", ...Object.fromEntries(pins) };
}

/** Pins of a layout that a search has found, with the settings that it decided. */
export const pinsFor = (row: PlanRow, scenario: Scenario): Texts =>
  Object.fromEntries(
    Object.entries({ ...textsOf(row, scenario), [searchedName]: "" }).flatMap(([name, text]) =>
      name === searchedName || searchable(scenario.fields).includes(name)
        ? [[name, text]]
        : name !== "data_parallel" && searchedNames(scenario).includes(name)
          ? [[pinName(name), text]]
          : [],
    ),
  );

/** No pins. */
export const unpinned = (scenario: Scenario): Texts =>
  Object.fromEntries(searchedNames(scenario).map((name) => [pinName(name), ""]));

/**
 * The layout if pins leave nothing to search, and no setting is searched: the replicas follow from the cluster. Pins
 * that do not divide the cluster are no layout; a search says why.
 */
export function pinnedLayout(scenario: Scenario): Texts | undefined {
  if (searchedSettings(scenario).length > 0) return undefined;
  const pins = pinsOf(scenario);
  const dense = !(scenario.number("num_experts") > 1);
  const open = searchedNames(scenario).filter(
    (name) => !(name in pins) && name !== "data_parallel" && !(dense && ofExperts.includes(name)),
  );
  if (open.length > 0) return undefined;
  const { data_parallel: replicas, ...layout } = pins;
  const laidOut = scenario.saying({ cluster_gpus: scenario.text("cluster_gpus"), ...layout });
  const divides = gpusInUse(laidOut) === laidOut.number("cluster_gpus");
  return divides && (replicas === undefined || replicas === laidOut.text("data_parallel")) ? layout : undefined;
}

/** The scenario's texts with a layout replacing its own. */
function laidOut(scenario: Scenario, layout: Readonly<Texts>): Texts {
  const own = new Set(searchedNames(scenario).flatMap((name) => [name, pinName(name)]));
  const rest = Object.entries(scenario.everything()).filter(([name]) => !own.has(name) && name !== "gives_way");
  return { ...Object.fromEntries(rest), ...layout };
}

/** The search's inputs. */
interface Question {
  values: Record<string, unknown>;
  problems: Problem[];
  key: string;
}

export function questionOf(scenario: Scenario): Question {
  const { values, problems } = scenario.inputs("plan");
  for (const name of ofSearch) delete values[name];
  return { values, problems, key: JSON.stringify([values, problems]) };
}

/** The layout of one scenario, searched in the background unless it is completely pinned. */
class Chosen {
  /** The layout's texts. */
  layout: Texts | undefined;
  /** What the search has found; nothing if the layout is completely pinned. */
  found: PlanResults | undefined;
  searching = false;
  /** How much of the search is done, 0 to 1. */
  share = 0;
  /** Whether its reader stopped it. */
  cancelled = false;
  problems: Problem[] = [];
  private asked = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;
  /** It keeps what it knows from one question to the next. */
  private background: Background | undefined;
  /** The search whose answer is awaited. */
  private turn = {};

  /** `report` is called with another layout, `progress` with how far the search is. */
  constructor(
    private readonly report: () => void,
    private readonly progress: () => void = () => undefined,
  ) {}

  /** A search in which nothing fits. */
  get nothing(): PlanResults | undefined {
    return this.found?.layouts.length === 0 ? this.found : undefined;
  }

  /** Whether the layout belongs to the scenario that was followed last. */
  get isCurrent(): boolean {
    return !this.searching && !this.cancelled && this.problems.length === 0 && this.nothing === undefined;
  }

  /** Follows a scenario. */
  follow(scenario: Scenario, searches: boolean): void {
    const pinned = pinnedLayout(scenario);
    if (pinned) {
      this.stop();
      this.layout = pinned;
      return;
    }
    const question = questionOf(scenario);
    if (question.key === this.asked || !searches) return;
    this.stop();
    this.asked = question.key;
    this.problems = question.problems;
    if (question.problems.length > 0) return;
    this.searching = true;
    this.waiting = setTimeout(() => void this.search(scenario, question), this.layout ? pause_ms : 0);
  }

  /** Another search's result for a question; returns whether it is news. */
  know({ key }: Question, found: PlanResults, scenario: Scenario): boolean {
    if (pinnedLayout(scenario) || (key === this.asked && !this.searching && !this.cancelled)) return false;
    this.stop();
    this.asked = key;
    this.take(found, scenario);
    return true;
  }

  private take(found: PlanResults, scenario: Scenario): void {
    const best = found.layouts[0];
    this.found = found;
    if (best) this.layout = textsOf(best, scenario);
  }

  private async search(scenario: Scenario, { key, values }: Question): Promise<void> {
    // The code that searches loads after the first answer.
    const { Background } = await import("./background.js");
    if (key !== this.asked) return;
    this.background ??= new Background(scenario.engine);
    const turn = (this.turn = {});
    const wanted = () => turn === this.turn;
    let found: PlanResults | undefined;
    const report = (answer: PlanResults) => {
      found = answer;
      this.share = answer.progress;
      this.progress();
    };
    const problems = await searchLayouts(this.background, values, report, wanted);
    if (!wanted()) return;
    this.searching = false;
    this.problems = problems;
    if (found && problems.length === 0) this.take(found, scenario);
    this.report();
  }

  /** Stops the search; the question stays without an answer. What was found is kept for when it is resumed. */
  cancel(): void {
    const { asked } = this;
    this.stop();
    this.asked = asked;
    this.cancelled = true;
    this.report();
  }

  /** Resumes a stopped search. */
  again(): void {
    this.asked = "";
    this.report();
  }

  stop(): void {
    clearTimeout(this.waiting);
    this.turn = {};
    this.searching = false;
    this.cancelled = false;
    this.share = 0;
    this.problems = [];
    this.found = undefined;
    this.asked = "";
  }
}

/** A scenario to compare with, including its layout; a link names it by what its reader typed. */
class LaidOut extends Scenario {
  constructor(
    private readonly of: Scenario,
    layout: Texts,
  ) {
    super(of.engine, of.fields, of.defaults);
    this.sizes = of.sizes;
    this.fill(laidOut(of, layout));
  }

  override changes(): [string, string][] {
    return this.of.changes();
  }
}

/** The page's scenario with the layout of Train. */
export class Trained extends Session {
  private readonly chosen = new Chosen(
    () => this.sync(new ScenarioEvent([], true)),
    () => this.dispatchEvent(new Event("progress")),
  );
  private readonly theirs = new Chosen(() => this.sync(new ScenarioEvent(["pin"], true)));
  private beside: LaidOut | undefined;
  private searches = false;
  /** Whether it has ever had a layout. */
  known = false;

  constructor(readonly page: Session) {
    super(page.engine, page.fields, page.defaults);
    this.alone = page.alone;
    page.addEventListener("change", (event) => this.sync(event as ScenarioEvent));
    page.addEventListener("arrived", () => this.dispatchEvent(new Event("arrived")));
    this.sync(new ScenarioEvent([], true));
  }

  /** From now on, whatever is not pinned is searched. */
  search(): void {
    if (this.searches) return;
    this.searches = true;
    this.sync(new ScenarioEvent([], true));
  }

  /** The plan's result for its question. */
  know(question: Question, found: PlanResults): void {
    if (this.chosen.know(question, found, this.page)) this.sync(new ScenarioEvent([], true));
  }

  /**
   * How much of a search is done, 0 to 1; nothing if none runs: while one does, the previous scenario's answer is
   * shown.
   */
  get share(): number | undefined {
    return this.chosen.searching ? this.chosen.share : undefined;
  }

  /** Ends the search. */
  cancel(): void {
    this.chosen.cancel();
  }

  /** Resumes it. */
  again(): void {
    this.chosen.again();
  }

  /** Everything that the search of the layout has found; nothing if it is completely pinned. */
  get found(): PlanResults | undefined {
    return this.chosen.found;
  }

  /** The question: inputs of a plan. */
  get sought(): Readonly<Record<string, unknown>> {
    return questionOf(this.page).values;
  }

  /** Why there is no layout: what is wrong with the question. */
  get refused(): readonly Problem[] {
    return this.chosen.problems;
  }

  /** A search in which nothing fits. */
  get nothing(): PlanResults | undefined {
    return this.chosen.nothing;
  }

  /** Whether its answer belongs to the page's scenario. */
  get isCurrent(): boolean {
    return this.known && this.chosen.isCurrent;
  }

  /** Whether no part of the layout is open. */
  get isPinned(): boolean {
    return pinnedLayout(this.page) !== undefined;
  }

  private sync(event: ScenarioEvent): void {
    this.chosen.follow(this.page, this.searches);
    this.sizes = this.page.sizes;
    const { layout } = this.chosen;
    if (layout && this.chosen.isCurrent) {
      this.known = true;
      this.fill(laidOut(this.page, layout));
    }
    const { pinned } = this.page;
    if (!pinned) this.theirs.stop();
    else this.theirs.follow(pinned, this.searches);
    const besides = pinned && !this.theirs.searching ? this.theirs.layout : undefined;
    this.beside = besides && new LaidOut(pinned!, besides);
    this.dispatchEvent(new ScenarioEvent(event.names, event.whole));
  }

  override get pinned(): Scenario | undefined {
    return this.beside;
  }

  override get readonly(): boolean {
    return this.page.readonly;
  }

  override set readonly(locked: boolean) {
    this.page.readonly = locked;
  }

  /** Changes made in a part of Train are made in the page's scenario; a layout is pinned by them. */
  override change(given: Texts, forgotten: readonly string[]): void {
    const searched = new Set(searchedNames(this));
    const named = (name: string) => (searched.has(name) ? pinName(name) : name);
    this.page.change(
      Object.fromEntries(Object.entries(given).map(([name, text]) => [named(name), text])),
      forgotten.map(named),
    );
  }

  override unset(name: string): void {
    this.page.unset(searchedNames(this).includes(name) ? pinName(name) : name);
  }

  override changes(): [string, string][] {
    return this.page.changes();
  }
}

const held = new WeakMap<Session, Trained>();

/** The page's own scenario, also for Train's and its answers. */
export const pageOf = (scenario: Session): Session =>
  scenario instanceof Trained || scenario instanceof Asked ? scenario.page : scenario;

/** The page's scenario as Train shows it. */
export function trained(page: Session): Trained {
  if (page instanceof Trained) return page;
  const made = held.get(page) ?? new Trained(page);
  held.set(page, made);
  return made;
}
