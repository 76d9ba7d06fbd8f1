import type { Engine } from "#engine";

/** What a worker is given of the engine: a part's bytes, or that part as the page has compiled it. */
export type Given = Uint8Array<ArrayBuffer> | WebAssembly.Module;

/** What a worker makes its engine of, which is like the page's own. */
export interface Source {
  /** What it begins with. */
  begin: (engine: Engine) => unknown;
  /**
   * The parts that a calculation needs besides that, in order; by default those of all calculations. Left out if the
   * engine is in one piece.
   */
  needed?: (calculation: string | undefined, engine: Engine) => readonly string[];
  part?: (name: string, engine: Engine) => Promise<Given>;
}
