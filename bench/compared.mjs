// One measure of this build and of a former one, in turn, so that what slows the machine down slows both.
import { Lacking } from "./measure/lacking.mjs";
import { median } from "./measure/statistics.mjs";

/**
 * The greatest allowed median of the paired ratios; smaller changes mean little, as the linker's placement of a loop
 * alone shifts it by half of that.
 */
const most = 1.15;

const said = (error) => error.message.split("\n")[0].slice(0, 120);

/** The ratios of some rounds, what comes first left out: it loads and compiles. */
async function measured(before, now, rounds) {
  await before();
  await now();
  const pairs = [];
  for (let round = 0; round < rounds; ++round) {
    // Whichever comes second finds a warmer machine: they take turns.
    const pair = {};
    for (const one of round % 2 ? ["before", "now"] : ["now", "before"])
      pair[one] = await (one === "now" ? now : before)();
    pairs.push(pair);
  }
  const ratio = median(pairs.map(({ before, now }) => now / before));
  return {
    ratio,
    before: median(pairs.map(({ before }) => before)),
    now: median(pairs.map(({ now }) => now)),
    verdict: ratio > most ? "SLOWER" : ratio < 1 / most ? "quicker" : "same",
  };
}

/**
 * A row {name, unit, rounds, before, now} compared. `before` and `now` open what is measured: {once, close?}, where `once` measures it once.
 * What the former build lacks is new; whatever else cannot be opened or measured, in either build, has FAILED.
 */
export async function compared({ name, unit, rounds, before, now }) {
  const opened = [];
  const open = async (build, which) => {
    try {
      const one = await which();
      opened.push(one);
      return one;
    } catch (error) {
      if (build === "before" && error instanceof Lacking) throw error;
      throw new Error(`${build}: ${said(error)}`);
    }
  };
  try {
    const here = await open("now", now);
    const there = await open("before", before);
    return { name, unit, ...(await measured(there.once, here.once, rounds)) };
  } catch (error) {
    return { name, unit, verdict: error instanceof Lacking ? "new" : "FAILED", why: said(error) };
  } finally {
    for (const { close } of opened) await close?.();
  }
}

/** Whether a verdict lets the build pass. */
export const passes = ({ verdict }) => verdict !== "SLOWER" && verdict !== "FAILED";
