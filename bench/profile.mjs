// Where the time of a call, a sweep or a plan goes, by room of the core and by function.
import { Session } from "node:inspector/promises";
import { once, works } from "./measure/boundary.mjs";
import { namedEngine, roomOf, sourceNames } from "./measure/named-engine.mjs";

const interval_us = 200;
/** So long is a work repeated at least. */
const least_ms = 3000;

/** Milliseconds by the place that samples were taken in: {name, script}. */
async function sampled(engine, work) {
  const [times, call, , before] = work;
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: interval_us });
  // What comes first compiles.
  for (let round = 0; round < 3; ++round) once(engine, work);
  await session.post("Profiler.start");
  const until = performance.now() + least_ms;
  while (performance.now() < until) {
    before?.(engine);
    for (let time = 0; time < times; ++time) call(engine);
  }
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const places = new Map();
  profile.samples.forEach((id, at) => {
    const { functionName: name, url: script } = frames.get(id);
    const key = `${name} ${script}`;
    const place = places.get(key) ?? { name, script, ms: 0 };
    place.ms += profile.timeDeltas[at] / 1e3;
    places.set(key, place);
  });
  // Neither this file nor the profiler.
  return [...places.values()].filter(
    ({ name, script }) => !["(idle)", "dispatch"].includes(name) && !/^(node|file):/.test(script),
  );
}

/** Where a function belongs. */
function owner(name, script) {
  if (name === "(garbage collector)" || name === "(program)") return "Node";
  if (!script.startsWith("wasm:")) return "JavaScript";
  return roomOf(name) ?? (name.startsWith("commcost::") ? "several rooms" : "libraries");
}

/** `name` without what it takes, what it gives and whose templates it is made of. */
function brief(name) {
  let depth = 0;
  const kept = [...name.replaceAll("(anonymous namespace)::", "").replaceAll("std::__2::", "std::")].filter(
    (letter) => {
      if (letter === "<" || letter === "(") depth++;
      const outside = depth === 0;
      if (letter === ">" || letter === ")") depth--;
      return outside;
    },
  );
  const plain = kept.join("").replaceAll(" const", "").replaceAll("::operator", "").replaceAll("commcost::", "");
  return plain.replace(/^.* (?=\S+$)/, "") || "(nameless)";
}

/** Shares of a work's time, the largest first: {rooms, functions}, each a list of {name, percent}. */
async function profileOf(engine, work) {
  const places = await sampled(engine, work);
  const inWasm = places.filter(({ script }) => script.startsWith("wasm:"));
  sourceNames(inWasm.map(({ name }) => name)).forEach((name, at) => {
    if (inWasm[at]) inWasm[at].name = name;
  });
  const whole = places.reduce((sum, { ms }) => sum + ms, 0);
  const shares = (nameOf) => {
    const sums = new Map();
    for (const place of places) sums.set(nameOf(place), (sums.get(nameOf(place)) ?? 0) + place.ms);
    return [...sums]
      .map(([name, ms]) => ({ name, percent: (100 * ms) / whole }))
      .sort((one, other) => other.percent - one.percent);
  };
  return {
    rooms: shares(({ name, script }) => owner(name, script)),
    functions: shares(({ name, script }) => `${owner(name, script)}: ${brief(name)}`),
  };
}

/** The profile of each named work, passed to `print` as soon as it is taken. */
export async function profiles(wanted, print) {
  const engine = await namedEngine();
  for (const [what, work] of Object.entries(works))
    if (wanted.length === 0 || wanted.some((part) => what.includes(part)))
      print({ what, ...(await profileOf(engine, work)) });
}
