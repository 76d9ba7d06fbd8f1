import { descriptions } from "virtual:commcost-parts";
import { scripts } from "virtual:commcost-spelt";
import { chain, partNamed } from "./chain";
import type { Source } from "./source";
import { binaryOf } from "./wasm-text";

export async function asked(part: string): Promise<Uint8Array<ArrayBuffer>> {
  return binaryOf((await scripts[part]!()).spelt);
}

export const askedHelp = async (): Promise<readonly string[]> => (await import("virtual:commcost-help")).help;

export const source: Source = {
  begin: async () => ({ first: await asked("first"), descriptions }),
  needed: (calculation) => chain(calculation === undefined ? "rest" : partNamed(calculation)),
  part: asked,
};
