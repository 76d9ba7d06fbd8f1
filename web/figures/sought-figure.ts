import type { PlanResults } from "#engine";
import type { PropertyValues } from "lit";
import { saidProblem } from "../elements/problem-words.js";
import { Background } from "../state/background.js";
import { SmallFigure } from "./small-figure.js";

/** Changes in quicker succession than this, ms, are from a continuing drag. */
const pause = 200;

/** Searches layouts in the background; nothing if another search has replaced it, or inputs are wrong. */
export type Seek = (given?: Record<string, unknown>) => Promise<PlanResults | undefined>;

/** A figure of layouts that need a search. */
export abstract class SoughtFigure<Found> extends SmallFigure {
  static override properties = { ...SmallFigure.properties, found: { state: true }, wrong: { state: true } };

  /** The last result; it stays until there is another. */
  declare found: Found | undefined;
  /** Why no search was possible. */
  declare wrong: string;
  private background: Background | undefined;
  private asked = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.wrong = "";
  }

  /** Everything that the figure shows. */
  protected abstract search(seek: Seek): Promise<Found | undefined>;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
    this.background?.stop();
    this.background = undefined;
    this.asked = "";
  }

  protected override updated(_: PropertyValues): void {
    const { values, problems } = this.scenario.inputs("plan");
    const asked = JSON.stringify([values, problems]);
    if (asked === this.asked) return;
    const first = this.asked === "";
    this.asked = asked;
    clearTimeout(this.waiting);
    if (problems.length > 0) this.wrong = saidProblem(this.scenario, problems[0]!.message);
    else this.waiting = setTimeout(() => void this.begin(values), first ? 0 : pause);
  }

  private async begin(values: Record<string, unknown>): Promise<void> {
    const { asked } = this;
    this.background ??= new Background(this.scenario.engine);
    const seek: Seek = async (given = {}) => {
      const answer = await this.background?.run("plan", { ...values, ...given });
      if (!answer || asked !== this.asked) return undefined;
      this.wrong = saidProblem(this.scenario, answer.problems?.[0]?.message ?? "");
      if (answer.problems) this.found = undefined;
      return answer.results;
    };
    this.found = (await this.search(seek)) ?? this.found;
  }
}
