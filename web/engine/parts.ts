// The engine of the hosted page: its first calculations as soon as they are here, the rest behind them.
import type { Engine } from "#engine";
import { asked, askedHelp } from "virtual:commcost-asked";
import type { Module } from "virtual:commcost-module";
import { first, descriptions } from "virtual:commcost-parts";
import { begun, joined, type Came } from "./join";
import { describedBy, engineOf } from "./load";
import { Part } from "./part";

export { InvalidInputError } from "./invalid-input-error";

/** Thrown by a calculation that is not here yet. */
class PartMissing extends Error {
  override readonly name = "PartMissing";

  constructor(
    calculation: string,
    /** What it waits for. */
    readonly rest: Part,
  ) {
    super(`${calculation} is still on its way`);
  }
}

/** A figure knows in the first frame that it is seen, in the second how wide it is, and is drawn in the third. */
const framesOfFigure = 3;

/** Kept once what is shown now has been painted; at once where nothing is. */
const painted = () =>
  new Promise<void>((resolve) => {
    if (globalThis.document?.visibilityState !== "visible") return resolve();
    const next = (left: number): unknown =>
      left > 0 ? requestAnimationFrame(() => next(left - 1)) : setTimeout(resolve);
    next(framesOfFigure);
  });

class Parts {
  private engine: Engine;
  /** What comes in behind the first part, and the help texts behind that. */
  private readonly rest: Part;
  private readonly help: Part;
  private urge: () => void = () => {};
  private readonly urged = new Promise<void>((resolve) => (this.urge = resolve));

  private constructor(
    private readonly module: Module,
    private readonly exports: WebAssembly.Exports,
    /** Kept once the rest may come in, unless somebody cannot go on without it. */
    private readonly behind: Promise<unknown> | undefined,
    early: Promise<Came> | undefined,
    /** What the browser has kept of any file may be no good. */
    again: boolean,
  ) {
    this.engine = engineOf(module, descriptions);
    this.rest = new Part("Part of the calculator", (attempt) =>
      this.loadRest(attempt > 1 ? asked("rest", true) : (early ?? this.asked(again))),
    );
    this.help = new Part("The help texts", async (attempt) => {
      const texts = askedHelp(again || attempt > 1);
      // Who waits for both is told of the rest.
      texts.catch(() => {});
      await this.rest.here;
      this.engine = engineOf(this.module, describedBy(this.module, await texts));
    });
    if (early) void this.rest.ask();
  }

  static async load(needed: string | undefined, behind: Promise<unknown> | undefined, again: boolean): Promise<Parts> {
    const answer = asked("first", again);
    const early = needed !== undefined && !first.includes(needed) ? asked("rest", again) : undefined;
    // Who waits for it is told.
    early?.catch(() => {});
    const { module, exports } = await begun(answer);
    return new Parts(module, exports, behind, early, again);
  }

  /** What can be shown without it comes first. */
  private async asked(again: boolean): Promise<Came> {
    await Promise.race([this.behind, this.urged]);
    await painted();
    return asked("rest", again);
  }

  private async loadRest(answer: Promise<Came>): Promise<void> {
    await joined(answer, this.exports);
    this.engine = engineOf(this.module, describedBy(this.module));
  }

  private has(calculation: unknown): boolean {
    return this.rest.state === "here" || first.includes(calculation as string);
  }

  private of(calculation: string): Engine {
    if (this.has(calculation)) return this.engine;
    // Once: whoever is told that it is missing draws anew, and would have it asked for without end.
    if (this.rest.state === "unasked") void this.rest.ask();
    throw new PartMissing(calculation, this.rest);
  }

  /** The engine as the page sees it: `ready` says when a calculation is here, `rest` and `help` are what comes in later. */
  view(): Engine {
    const call = (name: string) => (inputs: unknown) =>
      (this.of(name) as unknown as Record<string, (inputs: unknown) => unknown>)[name]!(inputs);
    return Object.freeze({
      ...Object.fromEntries(Object.keys(descriptions).map((name) => [name, call(name)])),
      sweep: call("sweep"),
      resolve_inputs: call("resolve_inputs"),
      prepare: (name: string, inputs: unknown) => this.of(name).prepare(name as "plan", inputs as never),
      in_pieces: (name: string) => this.of(name).in_pieces(name as "read_training_log"),
      describe: () => this.engine.describe(),
      ready: async (name: string, again = false) => {
        if (this.has(name)) return;
        this.urge();
        if (!(await (again ? this.rest.anew() : this.rest.ask()))) throw this.rest.error;
      },
      rest: this.rest,
      help: this.help,
    }) as unknown as Engine;
  }
}

let engine: Promise<Engine> | undefined;

/**
 * The engine, ready for its first calculations; loaded once, the same object for every caller. `needed`: what will be
 * asked first, whose part comes in beside the other. `behind` is kept once the reader has what the first part can show.
 * `again`: what was asked for before failed, or does not come.
 */
export function loadEngine(needed?: string, behind?: Promise<unknown>, again = false): Promise<Engine> {
  if (again) engine = undefined;
  return (engine ??= Parts.load(needed, behind, again).then(
    (parts) => parts.view(),
    (error: unknown) => {
      engine = undefined;
      throw error;
    },
  ));
}
