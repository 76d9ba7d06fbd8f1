import type { Engine } from "#engine";
import { begun, joined } from "./join";
import { type Descriptions, describedBy, engineOf } from "./load";
import type { Given } from "./source";

/** A worker's engine from the first part's bytes; `with` is the same with others joined, in order. */
export type FromParts = Engine & { with: (parts: Readonly<Record<string, Given>>) => Promise<FromParts> };

/** Makes it. */
export async function engineFrom({ first, descriptions }: { first: Given; descriptions: Descriptions }) {
  const { module, exports } = await begun(first);
  let known = { exports, descriptions };
  const engine = (): FromParts =>
    Object.freeze({
      ...engineOf(module, known.descriptions),
      with: async (parts: Readonly<Record<string, Given>>) => {
        for (const [name, part] of Object.entries(parts)) {
          known = await joined(part, known.exports, known.descriptions);
          if (name === "rest") known.descriptions = describedBy(module);
        }
        return engine();
      },
    });
  return engine();
}
