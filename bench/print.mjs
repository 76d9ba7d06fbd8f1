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

/** The benchmarks of two commits. */
export function printAgainst({ commit, rows }) {
  console.log(`Against ${commit.slice(0, 12)}; a ratio above 1 is slower now.\n`);
  console.log("         ratio   noise       before          now");
  for (const { name, before_ns, now_ns, ratio, noise, verdict } of rows) {
    console.log(
      `${verdict.padEnd(8)} ${ratio.toFixed(3)}  ±${(100 * noise).toFixed(1).padStart(4)} % ${figure(before_ns, "ns").padStart(12)} ${figure(now_ns, "ns").padStart(12)}  ${name}`,
    );
  }
}

/** First answers of this build and of another one. */
export function printFirstAnswers(rows) {
  for (const { view, condition, here_ms, there_ms } of rows)
    console.log(
      `${`${view}, ${condition}`.padEnd(24)} ${here_ms.toFixed(0)} ms, there ${there_ms.toFixed(0)} ms, ${(here_ms / there_ms).toFixed(2)}x`,
    );
}
