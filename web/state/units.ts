import { closeGroups, readNumber, unsigned } from "./number.js";

/** Converts people's spellings of a quantity ("4k", "16 GiB/s", "900 Gb/s") into the number its field takes. */

export type Reading = { ok: true; value: number; plain: boolean } | { ok: false; message: string };

/** The longest text that is read as one quantity: ten times any reasonable one. */
const longest = 400;

const prefixes = new Map(
  Object.entries({
    "": 1,
    k: 1e3,
    K: 1e3,
    M: 1e6,
    G: 1e9,
    T: 1e12,
    P: 1e15,
    Ki: 2 ** 10,
    Mi: 2 ** 20,
    Gi: 2 ** 30,
    Ti: 2 ** 40,
    Pi: 2 ** 50,
  }),
);

const seconds = new Map(Object.entries({ s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 }));

/** What a unit measures. */
const kinds = ["time", "rate", "data", "count"] as const;
type Kind = (typeof kinds)[number];

/** The size of `suffix` in SI base units (bytes, bytes a second, seconds, or a plain count), or nothing. */
function sizeOf(suffix: string, kind: Kind): number | undefined {
  if (kind === "time") return seconds.get(suffix);
  if (kind === "count") return prefixes.get(suffix);
  const body = kind === "rate" ? suffix.replace(/(\/s|ps)$/, "") : suffix;
  if (kind === "rate" && body === suffix) return undefined;
  const [, prefix, unit] = /^([KMGTPk]?i?)(B|b|bytes?|bits?)$/.exec(body) ?? [];
  const size = prefix === undefined ? undefined : prefixes.get(prefix);
  if (size === undefined || unit === undefined) return undefined;
  return unit === "b" || unit.startsWith("bit") ? size / 8 : size;
}

const examples: Record<Kind, string> = {
  data: "a size such as 128 MiB or 1e6",
  rate: "a bandwidth such as 300, 16 GiB/s or 900 Gb/s",
  time: "a time such as 5 us or 0.2 ms",
  count: "a number such as 4096, 4Ki or 1e6",
};

const quantity = new RegExp(`^([+-]?${unsigned}|NaN|[+-]?Infinity)\\s*([A-Za-zµμ/%]*)$`);

/** Reads `text` for a field of `unit`; spaces, digit groups and exponents may be written freely. */
export function readQuantity(text: string, unit: string): Reading {
  const kind = kinds.find((one) => sizeOf(unit, one) !== undefined) ?? "count";
  const size = sizeOf(unit, kind) ?? 1;
  const refused = { ok: false as const, message: `must be ${examples[kind]}; got “${text.slice(0, 40)}”` };
  if (text.length > longest) return refused;
  const match = quantity.exec(closeGroups(text.trim()));
  if (!match) return refused;
  const spelled = readNumber(match[1]!);
  // Beyond the greatest number; "NaN" and "Infinity" are kept for the engine to refuse.
  if (spelled !== undefined && !Number.isFinite(spelled)) return refused;
  const number = spelled ?? Number(match[1]);
  const suffix = match[2]!;
  if (suffix === "" || suffix === unit) return { ok: true, value: number, plain: suffix === "" };
  const prefix = kind === "count" ? undefined : prefixes.get(suffix);
  const factor = sizeOf(suffix, kind) ?? (prefix === undefined ? undefined : prefix * size);
  if (factor === undefined || !Number.isFinite((number * factor) / size)) return refused;
  return { ok: true, value: clean((number * factor) / size), plain: false };
}

/** 0.30000000000000004 is not what was typed: a product's last bits are dropped if fewer digits mean the same. */
function clean(value: number): number {
  return Number(value.toPrecision(15));
}
