import { scripts } from "virtual:commcost-spelt";
import { binaryOf } from "./wasm-text";

export async function asked(part: string): Promise<Uint8Array<ArrayBuffer>> {
  return binaryOf((await scripts[part]!()).spelt);
}

export const askedHelp = async (): Promise<readonly string[]> => (await import("virtual:commcost-help")).help;

/** What a worker makes its engine of: all parts, in their order. */
export const source = (): Promise<Uint8Array<ArrayBuffer>[]> => Promise.all(Object.keys(scripts).map(asked));
