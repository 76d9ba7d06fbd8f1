import type { Engine } from "#engine";
import { begun, joined } from "./join";
import { describedBy, engineOf } from "./load";

type Binary = Uint8Array<ArrayBuffer>;

/** A worker's engine out of the bytes of all parts, in their order. */
export async function engineFrom([first, ...later]: [Binary, ...Binary[]]): Promise<Engine> {
  const { module, exports } = await begun(first);
  let offered = exports;
  for (const part of later) offered = await joined(part, offered);
  return engineOf(module, describedBy(module));
}
