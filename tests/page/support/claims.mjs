// What oracles of the page's sentences share: numbers as sentences write them, and how a claim is found and checked.
import assert from "node:assert/strict";

export const number = (text) => Number(text.replaceAll(",", "").replace("−", "-"));
/** Written with so many significant digits, a number is off by no more than this share. */
export const digits = { 1: 0.51, 2: 0.051, 3: 0.0051, 4: 0.00051 };
/** What the page says that a basis is. */
export const restsOn = { measured: "measured runs", similar: "similar runs", estimated: "no similar runs" };
const unitUs = { ns: 1e-3, µs: 1, ms: 1e3, s: 1e6, h: 3600e6, d: 86400e6 };
const unitBytes = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 };
for (const [index, name] of ["KiB", "MiB", "GiB", "TiB", "PiB"].entries()) unitBytes[name] = 2 ** (10 * (index + 1));

/** A time in us. */
export function timeOf(text) {
  if (text === "0") return 0;
  const [, value, unit] = /([\d.e-]+) (ns|µs|ms|s|h|d)$/.exec(text);
  return Number(value) * unitUs[unit];
}
/** The same in ms. */
export const ms = (text) => timeOf(text) / 1000;
export function bytesOf(text) {
  const [, value, unit] = /([\d.e-]+) ((?:[KMGTPk]i?)?B)$/.exec(text);
  return Number(value) * unitBytes[unit];
}
/** A server as sentences name it: "TP 4 × PP 2", "TP 8 × DP 2 + EP 16". */
export const nameOf = ({ tensor_parallel: tp, pipeline_parallel: pp, data_parallel: dp, expert_parallel: ep }) =>
  `TP ${tp}${pp > 1 ? ` × PP ${pp}` : ""}${ep > 1 ? `${dp > 1 ? ` × DP ${dp}` : ""} + EP ${ep}` : ""}`;
/** So many of it: "2 × TP 4". */
export const serversOf = (row) => `${row.replicas > 1 ? `${row.replicas} × ` : ""}${nameOf(row)}`;

/** "65–83 ms", "900 µs–1.2 ms": both ends in us. */
export function rangeOf(text) {
  const [low, high] = text.split("–");
  return [/[a-zµ]$/.test(low) ? timeOf(low) : timeOf(`${low} ${high.split(" ")[1]}`), timeOf(high)];
}
export const near = (said, is, share, what) =>
  assert.ok(Math.abs(said - is) <= share * Math.abs(is) + 1e-9, `${what}: ${said} for ${is}`);

const kept = new WeakMap();
/** A table of the engine that never changes, read once. */
export function table(engine, name) {
  const tables = kept.get(engine) ?? kept.set(engine, {}).get(engine);
  return (tables[name] ??= engine[name]());
}

const patterns = {
  time: String.raw`(0(?= )|[\d.e-]+ (?:ns|µs|ms|s|h|d)\b)`,
  range: String.raw`([\d.e-]+(?: (?:ns|µs|ms|s|h|d))?–[\d.e-]+ (?:ns|µs|ms|s|h|d)\b)`,
  bytes: String.raw`([\d.e-]+ (?:[KMGTPk]i?)?B)`,
  n: String.raw`([\d,]+)`,
  x: String.raw`([\d.e-]+)`,
};

/** Finds claims in a text: `claim(name, pattern, check)` checks the pattern's parts and says whether it was there. */
export function claimsIn(text) {
  const found = [];
  const claim = (name, pattern, check = () => undefined) => {
    const match = new RegExp(pattern.replaceAll(/\{(time|range|bytes|n|x)\}/g, (_, kind) => patterns[kind])).exec(text);
    if (!match) return false;
    found.push(name);
    try {
      check(match.slice(1));
    } catch (error) {
      error.message = `${name}: “${match[0]}”\n${error.message}`;
      throw error;
    }
    return true;
  };
  return { claim, found };
}
