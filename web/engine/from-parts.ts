import type { Engine } from "#engine";
import { begun, joined } from "./join";
import { describedBy, engineOf } from "./load";

type Binary = Uint8Array<ArrayBuffer>;

/** A worker's engine out of the bytes of both parts. */
export async function engineFrom({ first, rest }: { first: Binary; rest: Binary }): Promise<Engine> {
  const { module, exports } = await begun(first);
  await joined(rest, exports);
  return engineOf(module, describedBy(module));
}
