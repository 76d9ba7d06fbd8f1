import { partNames, type PartName } from "./module-parts";
import { binaryOf } from "./wasm-text";

/** A sandboxed frame may fetch nothing of hosts that send no CORS, but scripts: each part of the engine is spelt in one. */
const scripts = {
  first: () => import("virtual:commcost-part/first"),
  practice: () => import("virtual:commcost-part/practice"),
  steps: () => import("virtual:commcost-part/steps"),
  serving: () => import("virtual:commcost-part/serving"),
  training: () => import("virtual:commcost-part/training"),
  rest: () => import("virtual:commcost-part/rest"),
};

export async function asked(part: PartName): Promise<Uint8Array<ArrayBuffer>> {
  return binaryOf((await scripts[part]()).spelt);
}

export const askedHelp = async (): Promise<readonly string[]> => (await import("virtual:commcost-help")).help;

/** What a worker makes its engine of. */
export const source = (): Promise<Uint8Array<ArrayBuffer>[]> => Promise.all(partNames.map(asked));
