import { binaryOf } from "./wasm-text";

/** A sandboxed frame may fetch nothing of hosts that send no CORS, but scripts: each part of the engine is spelt in one. */
const scripts = {
  first: () => import("virtual:commcost-part/first"),
  rest: () => import("virtual:commcost-part/rest"),
};

export async function asked(part: keyof typeof scripts): Promise<Uint8Array<ArrayBuffer>> {
  return binaryOf((await scripts[part]()).spelt);
}

export const askedHelp = async (): Promise<readonly string[]> => (await import("virtual:commcost-help")).help;

/** What a worker makes its engine of. */
export async function source(): Promise<Record<keyof typeof scripts, Uint8Array<ArrayBuffer>>> {
  const [first, rest] = await Promise.all([asked("first"), asked("rest")]);
  return { first, rest };
}
