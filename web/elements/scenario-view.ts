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

  /** Hears of every view that comes to stand in a document; for those who embed views. */
  static connected: ((view: ScenarioView) => void) | undefined;

  declare scenario: Session;
  /** Only the answer, the inputs and the most telling table or picture, for a narrow place in an article. */
  declare compact: boolean;
  /** The reader cannot change the inputs. */
  declare readonly: boolean;
  /** Its colours where it stands alone; those of the page around it where this is not said. */
  declare colors: "light" | "dark" | undefined;
  /** The parts that are shown, with spaces between; all where this is not said. */
  declare parts: string | undefined;
  /** The address of the site, or of its page, that its link leads to where it stands alone; nothing for none. */
  declare base: string | undefined;
  private followed: Session | undefined;
  private readonly lastGood = new Map<string, unknown>();
  private readonly onChange = () => this.requestUpdate();

  constructor() {
    super();
    new ChosenParts(this);
    speaksFor(this, () => provenanceOf(this.scenario, this.words));
  }

  /** What its charts say of the scenario once they have left the page. */
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

  /** What the last answer that was drawn is of, in words. */
  lastAnswered: string | undefined;

  /** Says of what the answer is that is drawn now. */
  nameAnswer(): void {
    this.lastAnswered = this.words.join(" · ");
  }

  /** Kept once what the view opens with is drawn. */
  get opened(): Promise<unknown> {
    return this.updateComplete;
  }

  /** What the view has to say, in one: its main results with their inputs, or the problems; nothing while it still works. */
  get outcome(): Answer<unknown> | undefined {
    return undefined;
  }

  /** The results alone; nothing while the view still works, or where inputs are wrong. */
  get results(): unknown {
    return this.scenario && this.outcome?.results;
  }

  /** All that is wrong with the inputs. */
  get problems(): Problem[] {
    return (this.scenario && this.outcome?.problems) ?? [];
  }

  /** A part below the answer, which waits until it is in sight; where a page chose parts, it cannot wait to be chosen. */
  protected later(draw: SeenPart["draw"], place: "" | "wide" | "no-print" | "wide no-print" = ""): TemplateResult {
    return this.parts
      ? html`<div class=${place}>${draw() ?? nothing}</div>`
      : html`<commcost-seen-part class=${place} .draw=${draw}></commcost-seen-part>`;
  }

  /** The same of the pinned scenario: its answer with the inputs it was given; undefined where none is pinned, or it has none. */
  protected besides<Name extends CalculationName>(
    name: Name,
    overrides: Record<string, unknown> | ((pinned: Scenario) => Record<string, unknown>) = {},
  ): { scenario: Scenario; results: ResultsOf<Name>; inputs: Record<string, unknown> } | undefined {
    const scenario = this.scenario.pinned;
    if (!scenario) return undefined;
    const answer = run(scenario, name, typeof overrides === "function" ? overrides(scenario) : overrides);
    return answer.problems ? undefined : { scenario, ...answer };
  }

  /** The answer of a calculation; while inputs are wrong, the last good results stay beside the problems. */
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
