import type { Engine } from "#engine";
import type { LitElement } from "lit";
import { loadEngine } from "../engine/index.js";
import { Part } from "../engine/part.js";
import type { CalculationName } from "../state/run.js";

/** What the page does as its engine loads. */
interface Steps {
  /** Once it can calculate. */
  first: (engine: Engine) => Promise<void>;
  /** What is drawn first. */
  opened: () => Promise<unknown>;
  /** What may load after the first answer; resolved once nothing has to be waited for. */
  rest: (engine: Engine) => Promise<unknown>;
}

/** The engine as it loads: what the first answer needs and, once that is drawn, the rest. */
export class Loading {
  ready = false;
  /** Why the page will never calculate. */
  failure = "";
  /** The engine's first part. */
  part: Part | undefined;
  /** Kept once the page can calculate. */
  readonly started = new Promise<void>((resolve) => (this.begin = resolve));
  declare private begin: () => void;
  /**
   * Resolved once the whole engine has loaded, and what else loads after the first answer; or if it is not to be waited
   * for.
   */
  readonly whole = new Promise<void>((resolve) => (this.completed = resolve));
  declare private completed: () => void;

  constructor(private readonly host: LitElement) {}

  async start(needed: CalculationName | undefined, { first, opened, rest }: Steps): Promise<void> {
    let goOn!: (opened: unknown) => void;
    const drawn = new Promise<unknown>((resolve) => (goOn = resolve));
    let engine!: Engine;
    this.part = new Part("The calculator", async (attempt) => (engine = await loadEngine(needed, drawn, attempt > 1)));
    void this.part.ask();
    await this.part.here;
    try {
      await first(engine);
      this.ready = true;
      this.begin();
      this.host.requestUpdate();
      await this.host.updateComplete;
      goOn(opened());
      requestAnimationFrame(() => setTimeout(() => void drawn.then(() => rest(engine)).then(this.completed)));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
      this.host.requestUpdate();
      throw error;
    }
  }
}
