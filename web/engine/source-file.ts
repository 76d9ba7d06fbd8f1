import type { Engine } from "#engine";
import type { Source } from "./source";

/** Where the engine's script lies, as seen from the page's. */
declare const ENGINE_FILE: string;

/** The hosted page's engine, which tells what it is made of. */
interface InParts {
  needed: (calculation?: string) => readonly string[];
  compiled: (part: string) => Promise<WebAssembly.Module>;
}
const inParts = (engine: Engine) => engine as unknown as InParts;

/** A worker makes its engine by that script, of the parts that the page has compiled: it fetches and compiles none. */
export const source: Source = {
  begin: async (engine) => ({
    address: new URL(ENGINE_FILE, import.meta.url).href,
    first: await inParts(engine).compiled("first"),
  }),
  needed: (calculation, engine) => inParts(engine).needed(calculation),
  part: (name, engine) => inParts(engine).compiled(name),
};
