const figure = (value, unit) =>
  value === undefined ? "–" : `${value >= 1000 ? Math.round(value) : value.toPrecision(3)} ${unit}`;

/** A budget, what was measured, and whether that is within. */
export function printBudget({ what, unit, at_most, at_least, measured, error, within }) {
  const limit = [at_least && `at least ${at_least}`, at_most && `at most ${at_most}`].filter(Boolean).join(", ");
  console.log(
    `${within ? "pass" : "MISS"}  ${what.padEnd(66)} ${(error ?? figure(measured, unit)).padEnd(14)} ${limit}`,
  );
}

/** What others take for the exercise. */
export function printPeers(peers) {
  console.log("\nThe exercise by                    a call   a point of a sweep");
  for (const { who, call_ns, point_ns, note } of peers) {
    console.log(
      `${who.padEnd(26)} ${figure(call_ns, "ns").padStart(14)} ${figure(point_ns, "ns").padStart(20)}${note ? `   ${note}` : ""}`,
    );
  }
}

/** What a reader downloads. */
export function printFiles(files) {
  console.log("\nFile                                     raw   brotli");
  for (const { name, raw, brotli } of files) {
    console.log(`${name.padEnd(34)} ${String(raw).padStart(9)} ${String(brotli).padStart(8)}`);
  }
}

/** One measure of another build and of this one; a ratio above 1 is slower now. */
export function printAgainst({ name, unit, before, now, ratio, verdict, why }) {
  if (why) return console.log(`${verdict.padEnd(8)} ${name}: ${why}`);
  const figures = [before, now].map((value) => figure(value, unit).padStart(12)).join(" ");
  console.log(`${verdict.padEnd(8)} ${ratio.toFixed(3)} ${figures}  ${name}`);
}

/** What takes how long at a size, and how that grew from the size before. */
export function printGrowth({ what, size, ms, exponent }) {
  const grew = exponent === undefined ? "" : `size^${exponent.toFixed(2)}`;
  console.log(`${what.padEnd(48)} ${size.toLocaleString("en").padStart(14)} ${figure(ms, "ms").padStart(10)}  ${grew}`);
}

/** A first answer of this build and of another one. */
export function printFirstAnswer({ view, condition, here_ms, there_ms }) {
  console.log(
    `${`${view}, ${condition}`.padEnd(24)} ${here_ms.toFixed(0)} ms, there ${there_ms.toFixed(0)} ms, ${(here_ms / there_ms).toFixed(2)}x`,
  );
}

/** Where the time of something goes: rooms in a line, and the functions that take most. */
export function printProfile({ what, rooms, functions }) {
  const share = ({ name, percent }) => `${name} ${percent.toFixed(0)} %`;
  console.log(
    `\n${what}: ${rooms
      .filter(({ percent }) => percent >= 1)
      .map(share)
      .join(", ")}`,
  );
  for (const { name, percent } of functions.slice(0, 12)) console.log(`${percent.toFixed(1).padStart(6)} %  ${name}`);
}
