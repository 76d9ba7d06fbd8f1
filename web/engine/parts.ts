// The engine of the hosted page: its first calculations as soon as they are loaded, the parts of others after them.
import type { Engine } from "#engine";
import { asked, askedHelp } from "virtual:commcost-asked";
import type { Module } from "virtual:commcost-module";
import { descriptions, takesFrom } from "virtual:commcost-parts";
import { chain, partNamed } from "./chain";
import { engineFrom } from "./from-parts";
import { begun, joined, type Came } from "./join";
import { describedBy, engineOf } from "./load";
import { Part } from "./part";

export { InvalidInputError } from "./invalid-input-error";

/** Thrown by a calculation that is not loaded yet. */
class PartMissing extends Error {
  override readonly name = "PartMissing";

  constructor(
    calculation: string,
    /** What it waits for. */
    readonly part: Part,
  ) {
    super(`${calculation} is still on its way`);
  }
}

/** A figure knows in the first frame that it is seen, in the second how wide it is, and is drawn in the third. */
const framesOfFigure = 3;

/** Resolved once what is shown now has been painted; at once if nothing is. */
const painted = () =>
  new Promise<void>((resolve) => {
    if (globalThis.document?.visibilityState !== "visible") return resolve();
    const next = (left: number): unknown =>
      left > 0 ? requestAnimationFrame(() => next(left - 1)) : setTimeout(resolve);
    next(framesOfFigure);
  });

class Parts {
  private engine: Engine;
  /** What loads after the first part, and the help texts after all of that. */
  private readonly later: Readonly<Record<string, Part>>;
  /** Those that have joined. */
  private readonly joined = new Set<string>();
  private readonly help: Part;
  /** For each of them, resolved once something can't continue without it, and the function that says so. */
  private readonly urged = new Map<string, Promise<void>>();
  private readonly urges = new Map<string, () => void>();

  /** Each loaded part. */
  private readonly compiled: Map<string, WebAssembly.Module>;

  private constructor(
    private readonly module: Module,
    first: WebAssembly.Module,
    private exports: WebAssembly.Exports,
    /** Resolved once others may load, unless something can't continue without one. */
    private readonly behind: Promise<unknown> | undefined,
    /** What was requested along with the first part. */
    private readonly early: ReadonlyMap<string, Promise<Came>>,
    /** The browser's cached copy of any file may be unusable. */
    again: boolean,
  ) {
    this.engine = engineOf(module, descriptions);
    this.compiled = new Map([["first", first]]);
    const names = Object.keys(takesFrom);
    for (const name of names) this.urged.set(name, new Promise((resolve) => this.urges.set(name, resolve)));
    this.later = Object.fromEntries(
      names.map((name) => [
        name,
        new Part("Part of the calculator", (attempt) => this.load(name, attempt, again || attempt > 1)),
      ]),
    );
    this.help = new Part("The help texts", async (attempt) => {
      const texts = askedHelp(again || attempt > 1);
      // Code that waits for both is told about the rest.
      texts.catch(() => {});
      await this.later["rest"]!.here;
      this.engine = engineOf(this.module, describedBy(this.module, await texts));
    });
    for (const name of early.keys()) void this.later[name]!.ask();
  }

  static async load(needed: string | undefined, behind: Promise<unknown> | undefined, again: boolean): Promise<Parts> {
    const first = asked("first", again);
    const early = new Map(
      chain(needed === undefined ? "first" : partNamed(needed)).map((name) => [name, asked(name, again)]),
    );
    // Code that waits for it is told.
    for (const came of early.values()) came.catch(() => {});
    const { module, compiled, exports } = await begun(first);
    return new Parts(module, compiled, exports, behind, early, again);
  }

  private async load(name: string, attempt: number, again: boolean): Promise<void> {
    // Whatever can be shown without it comes first.
    if (!this.early.has(name) && attempt === 1) {
      await Promise.race([this.behind, this.urged.get(name)]);
      await painted();
    }
    const answer = (attempt === 1 && this.early.get(name)) || asked(name, again);
    // Code that waits for both is told about its prerequisite.
    answer.catch(() => {});
    await Promise.all(takesFrom[name]!.map((other) => this.come(other, attempt > 1)));
    const came = await answer;
    // One after the other: each receives what all before it offer.
    const joining = this.joining.then(async () => {
      // If it is requested twice, it may arrive twice: its data are not initialised again.
      if (this.joined.has(name)) return;
      const together = await joined(came, this.exports, this.engine.describe());
      this.exports = together.exports;
      this.compiled.set(name, together.compiled);
      this.joined.add(name);
      // The rest describes everything.
      this.engine = engineOf(this.module, name === "rest" ? describedBy(this.module) : together.descriptions);
    });
    this.joining = joining.catch(() => {});
    await joining;
  }

  private joining: Promise<unknown> = Promise.resolve();

  /** Resolved once that part is loaded; rejects if it fails. */
  private async come(name: string, again: boolean): Promise<void> {
    const part = this.later[name]!;
    this.urges.get(name)!();
    if (part.state === "here") return;
    // It may load by a later request, if this one never ends.
    const came = Promise.race([again ? part.anew() : part.ask(), part.here.then(() => true)]);
    if (!(await came)) throw part.error;
  }

  /** What a calculation waits for; nothing if it can be called. */
  private missing(calculation: string): Part | undefined {
    const name = partNamed(calculation);
    const part = name === "first" ? undefined : this.later[name];
    return part?.state === "here" ? undefined : part;
  }

  private of(calculation: string): Engine {
    const part = this.missing(calculation);
    if (!part) return this.engine;
    // Once: a view that is told that it is missing redraws, and would request it endlessly.
    if (part.state === "unasked") void part.ask();
    throw new PartMissing(calculation, part);
  }

  /** Everything, once all of it is loaded. */
  private async whole(): Promise<Engine> {
    const explained = this.help.ask();
    await this.come("rest", false);
    if (!(await explained)) throw this.help.error;
    return this.engine;
  }

  /**
   * The engine as the page sees it: `ready` says when a calculation is here, or all of them where none is named, `part` what one comes with;
   * `rest` and `help` are what comes in last. A worker makes its engine of `compiled` parts, those that are `needed`.
   */
  view(): Engine {
    const call = (name: string) => (inputs: unknown) =>
      (this.of(name) as unknown as Record<string, (inputs: unknown) => unknown>)[name]!(inputs);
    return Object.freeze({
      ...Object.fromEntries(Object.keys(descriptions).map((name) => [name, call(name)])),
      // For one calculation, at many points.
      sweep: (request: { calculation: string }) => {
        this.of(request.calculation);
        return call("sweep")(request);
      },
      resolve_inputs: call("resolve_inputs"),
      prepare: (name: string, inputs: unknown) => this.of(name).prepare(name as "plan", inputs as never),
      in_pieces: (name: string) => this.of("in_pieces").in_pieces(name as "read_training_log"),
      describe: () => this.engine.describe(),
      ready: async (name = "all", again = false) => {
        if (this.missing(name)) await this.come(partNamed(name), again);
      },
      part: (name: string) => this.missing(name),
      rest: this.later["rest"],
      help: this.help,
      needed: (name = "all") => chain(partNamed(name)),
      compiled: async (name: string) => {
        if (name !== "first") await this.come(name, false);
        return this.compiled.get(name);
      },
      whole: () => this.whole(),
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

/** A worker's engine, of the first part that the page has compiled. */
export const engineOfCompiled = (first: WebAssembly.Module): Promise<Engine> => engineFrom({ first, descriptions });
