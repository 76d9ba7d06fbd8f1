// The engine of the hosted page: its first calculations as soon as they are here, the rest behind them.
import type { Engine } from "#engine";
import { asked } from "virtual:commcost-asked";
import type { Module } from "virtual:commcost-module";
import { first, descriptions } from "virtual:commcost-parts";
import { begun, joined, type Came } from "./join";
import { describedBy, engineOf } from "./load";

export { InvalidInputError } from "./invalid-input-error";

/** Thrown by a calculation that is not here yet. */
class PartMissing extends Error {
  override readonly name = "PartMissing";

  constructor(
    calculation: string,
    /** Kept once it is. */
    readonly ready: Promise<void>,
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
  private rest: Promise<void> | undefined;
  private complete = false;
  private urge: () => void = () => {};
  private readonly urged = new Promise<void>((resolve) => (this.urge = resolve));

  private constructor(
    private readonly module: Module,
    private readonly exports: WebAssembly.Exports,
    /** Kept once the rest may come in, unless somebody cannot go on without it. */
    private readonly behind: Promise<unknown> | undefined,
  ) {
    this.engine = engineOf(module, descriptions);
  }

  static async load(needed: string | undefined, behind: Promise<unknown> | undefined): Promise<Parts> {
    const answer = asked("first");
    const early = needed !== undefined && !first.includes(needed) ? asked("rest") : undefined;
    // Whoever waits for it is told.
    early?.catch(() => {});
    const { module, exports } = await begun(answer);
    const parts = new Parts(module, exports, behind);
    if (early) parts.whole(early).catch(() => {});
    return parts;
  }

  /** Kept once every calculation is here; a fetch that fails may be tried again. */
  whole(early?: Promise<Came>): Promise<void> {
    return (this.rest ??= this.loadRest(early ?? this.asked()).catch((error: unknown) => {
      this.rest = undefined;
      throw error;
    }));
  }

  /** What can be shown without it comes first. */
  private async asked(): Promise<Came> {
    await Promise.race([this.behind, this.urged]);
    await painted();
    return asked("rest");
  }

  private async loadRest(answer: Promise<Came>): Promise<void> {
    await joined(answer, this.exports);
    this.engine = engineOf(this.module, describedBy(this.module));
    this.complete = true;
  }

  private has(calculation: unknown): boolean {
    return this.complete || first.includes(calculation as string);
  }

  private of(calculation: string): Engine {
    if (this.has(calculation)) return this.engine;
    throw new PartMissing(calculation, this.whole());
  }

  /** The engine as the page sees it: `ready` says when a calculation is here. */
  view(): Engine & { ready: (calculation: string) => Promise<void> } {
    const call = (name: string) => (inputs: unknown) =>
      (this.of(name) as unknown as Record<string, (inputs: unknown) => unknown>)[name]!(inputs);
    return Object.freeze({
      ...Object.fromEntries(Object.keys(descriptions).map((name) => [name, call(name)])),
      sweep: call("sweep"),
      resolve_inputs: call("resolve_inputs"),
      describe: () => this.engine.describe(),
      ready: async (name: string) => {
        if (this.has(name)) return;
        this.urge();
        await this.whole();
      },
    }) as unknown as Engine & { ready: (calculation: string) => Promise<void> };
  }
}

let engine: Promise<Engine> | undefined;

/**
 * The engine, ready for its first calculations; loaded once, the same object for every caller. `needed`: what will be
 * asked first, whose part comes in beside the other. `behind` is kept once the reader has what the first part can show.
 */
export function loadEngine(needed?: string, behind?: Promise<unknown>): Promise<Engine> {
  return (engine ??= Parts.load(needed, behind).then((parts) => parts.view()));
}
