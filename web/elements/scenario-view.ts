import type { Problem } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { speaksFor } from "./provenance-request.js";
import { run, type Answer, type CalculationName, type ResultsOf } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import type { Session } from "../state/session.js";
import { ChosenParts } from "./chosen-parts.js";
import { EngineElement } from "./engine-element.js";
import { html } from "./html.js";
import { provenanceOf } from "./provenance.js";
import { scenarioWords } from "./scenario-words.js";
import "./seen-part.js";
import type { SeenPart } from "./seen-part.js";

/** A part of the page that shows a scenario and follows its changes. */
export abstract class ScenarioView extends EngineElement {
  static override properties = {
    scenario: { attribute: false },
    compact: { type: Boolean, reflect: true },
    readonly: { type: Boolean, reflect: true },
    colors: { reflect: true },
    parts: { reflect: true },
    base: {},
  };

  /** Called for every view that is added to a document, for embedders. */
  static connected: ((view: ScenarioView) => void) | undefined;

  declare scenario: Session;
  /** Only the answer, the inputs and the most telling table or picture, for a narrow place in an article. */
  declare compact: boolean;
  /** The reader cannot change the inputs. */
  declare readonly: boolean;
  /** Its colours if it is on its own; by default those of the page around it. */
  declare colors: "light" | "dark" | undefined;
  /** The parts that are shown, separated by spaces; by default all. */
  declare parts: string | undefined;
  /** The address of the site, or of its page, for its link if it is on its own; nothing for no link. */
  declare base: string | undefined;
  private followed: Session | undefined;
  private readonly lastGood = new Map<string, unknown>();
  private readonly onChange = () => this.requestUpdate();

  constructor() {
    super();
    new ChosenParts(this);
    speaksFor(this, () => provenanceOf(this.scenario, this.words));
  }

  /** What its charts state about the scenario once they have left the page. */
  protected get words(): readonly string[] {
    return scenarioWords(this.scenario);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    ScenarioView.connected?.(this);
    this.follow(this.scenario);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.follow(undefined);
  }

  protected override willUpdate(): void {
    if (this.isConnected) this.follow(this.scenario);
  }

  private follow(scenario: Session | undefined): void {
    if (this.followed === scenario) return;
    for (const event of ["change", "arrived"]) {
      this.followed?.removeEventListener(event, this.onChange);
      scenario?.addEventListener(event, this.onChange);
    }
    this.followed = scenario;
  }

  /** What the last drawn answer is about, in words. */
  lastAnswered: string | undefined;

  /** Says what the answer being drawn is about. */
  nameAnswer(): void {
    this.lastAnswered = this.words.join(" · ");
  }

  /** Resolved once the view's first content is drawn. */
  get opened(): Promise<unknown> {
    return this.updateComplete;
  }

  /**
   * The view's answer as one object: its main results with their inputs, or the problems; nothing while it is still
   * working.
   */
  get outcome(): Answer<unknown> | undefined {
    return undefined;
  }

  /** The results alone; nothing while the view is still working, or if inputs are wrong. */
  get results(): unknown {
    return this.scenario && this.outcome?.results;
  }

  /** All that is wrong with the inputs. */
  get problems(): Problem[] {
    return (this.scenario && this.outcome?.problems) ?? [];
  }

  /** A part below the answer, which waits until it is visible; if a page chose parts, it can't wait to be chosen. */
  protected later(draw: SeenPart["draw"], place: "" | "wide" | "no-print" | "wide no-print" = ""): TemplateResult {
    return this.parts
      ? html`<div class=${place}>${draw() ?? nothing}</div>`
      : html`<commcost-seen-part class=${place} .draw=${draw}></commcost-seen-part>`;
  }

  /** The same for the pinned scenario: its answer with its inputs; undefined if none is pinned, or it has none. */
  protected besides<Name extends CalculationName>(
    name: Name,
    overrides: Record<string, unknown> | ((pinned: Scenario) => Record<string, unknown>) = {},
  ): { scenario: Scenario; results: ResultsOf<Name>; inputs: Record<string, unknown> } | undefined {
    const scenario = this.scenario.pinned;
    if (!scenario) return undefined;
    const answer = run(scenario, name, typeof overrides === "function" ? overrides(scenario) : overrides);
    return answer.problems ? undefined : { scenario, ...answer };
  }

  /** The answer of a calculation; while inputs are wrong, the last good results stay next to the problems. */
  protected answer<Name extends CalculationName>(
    name: Name,
    overrides: Record<string, unknown> = {},
  ): { results: ResultsOf<Name> | undefined; problems: Problem[]; stale: boolean } {
    const answer: Answer<ResultsOf<Name>> = run(this.scenario, name, overrides);
    if (answer.problems) {
      return {
        results: this.lastGood.get(name) as ResultsOf<Name> | undefined,
        problems: answer.problems.map((problem) => this.scenario.renamed(name, problem)),
        stale: true,
      };
    }
    this.lastGood.set(name, answer.results);
    return { results: answer.results, problems: [], stale: false };
  }
}
