// The engine of the hosted page: its first calculations as soon as they are here, the rest behind them.
import type { Engine } from "#engine";
import createModule from "virtual:commcost-module";
import { first, descriptions } from "virtual:commcost-parts";
import { describedBy, engineOf } from "./load";

export { InvalidInputError } from "./invalid-input-error";

/** Where the two parts lie, as seen from this script. */
declare const FIRST_PART: string;
declare const REST_PART: string;

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

const asked = (file: string) => fetch(new URL(file, import.meta.url));

/** As a stream where the host calls the file what it is; some do not. */
async function instantiated(
  answer: Promise<Response>,
  imports: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm"))
    return WebAssembly.instantiateStreaming(response, imports);
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}

/** Stand in the first part's table for functions of the rest, which takes their places. */
const placeholders = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error("a function of the engine's second part was called before it was here");
    },
  },
) as WebAssembly.ModuleImports;

class Parts {
  private engine: Engine;
  private exports: WebAssembly.Exports | undefined;
  private rest: Promise<void> | undefined;
  private complete = false;
  private urge: () => void = () => {};
  private readonly urged = new Promise<void>((resolve) => (this.urge = resolve));

  private constructor(
    private readonly module: Awaited<ReturnType<typeof createModule>>,
    /** Kept once the rest may come in, unless somebody cannot go on without it. */
    private readonly behind: Promise<unknown> | undefined,
  ) {
    this.engine = engineOf(module, descriptions);
  }

  static async load(needed: string | undefined, behind: Promise<unknown> | undefined): Promise<Parts> {
    let exports: WebAssembly.Exports | undefined;
    const answer = asked(FIRST_PART);
    const early = needed !== undefined && !first.includes(needed) ? asked(REST_PART) : undefined;
    // Whoever waits for it is told.
    early?.catch(() => {});
    const module = await new Promise<Awaited<ReturnType<typeof createModule>>>((resolve, reject) => {
      const instantiateWasm = (imports: WebAssembly.Imports, take: (instance: WebAssembly.Instance) => void) => {
        instantiated(answer, { ...imports, placeholder: placeholders }).then(({ instance }) => {
          exports = instance.exports;
          take(instance);
        }, reject);
        return {};
      };
      createModule({ instantiateWasm }).then(resolve, reject);
    });
    const parts = new Parts(module, behind);
    parts.exports = exports;
    if (early) parts.whole(early).catch(() => {});
    return parts;
  }

  /** Kept once every calculation is here; a fetch that fails may be tried again. */
  whole(early?: Promise<Response>): Promise<void> {
    return (this.rest ??= this.loadRest(early ?? this.asked()).catch((error: unknown) => {
      this.rest = undefined;
      throw error;
    }));
  }

  /** What can be shown without it comes first. */
  private async asked(): Promise<Response> {
    await Promise.race([this.behind, this.urged]);
    await painted();
    return asked(REST_PART);
  }

  private async loadRest(answer: Promise<Response>): Promise<void> {
    await instantiated(answer, { primary: this.exports as WebAssembly.ModuleImports });
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
