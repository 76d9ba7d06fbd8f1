import type { ReadArgumentsResults } from "#engine";
import { choose } from "./chosen.js";
import { own, type OwnLaunch } from "./own.js";
import type { Scenario } from "./scenario.js";
import { servingName } from "./serving.js";
import { allPinned } from "./trained.js";

/** A launch of the reader’s own: it becomes the scenario, stands among their files, and is taken back. */

/** Says in a scenario what a launch says of its job. */
export function say(scenario: Scenario, { model, serves, texts }: Pick<OwnLaunch, "model" | "serves" | "texts">): void {
  if (model !== "") choose(scenario, "model", model);
  else if ("num_layers" in texts) scenario.set({ model: "" });
  // The cluster is what the degrees come to.
  const said = { gives_way: "cluster_gpus", ...texts };
  // A launch says its whole layout: none of it is left to a search.
  scenario.set(serves ? said : { ...said, ...allPinned(scenario, { ...scenario.texts(), ...said }) });
}

/** What a launch sets, by the scenario’s names of its inputs. */
function textsOf(scenario: Scenario, launch: ReadArgumentsResults): Record<string, string> {
  // A share of memory is counted by each stack in a way of its own: it stays with the launch.
  const { memory_share: ___, ...server } = launch.server as Record<string, unknown>;
  const { model: _, cluster_gpus: __, ...inputs } = { ...(launch.inputs as Record<string, unknown>), ...server };
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([input, value]) => {
      const field = launch.serves ? servingName(input) : input;
      return field && scenario.fields.has(field) ? [[field, String(value)] as const] : [];
    }),
  );
}

/** Takes a launch as the scenario, in the place of one that was given before. */
export function takeLaunch(scenario: Scenario, name: string, launch: ReadArgumentsResults): string {
  takeBack(scenario);
  const { serves, found, not_understood, not_said } = launch;
  const { model } = launch.inputs as Record<string, unknown>;
  const told = {
    model: typeof model === "string" ? model : "",
    serves,
    texts: textsOf(scenario, launch),
  };
  const before = scenario.texts();
  say(scenario, told);
  const missing = not_said.filter(({ value }) => value === "").map(({ field }) => field);
  const assumed = not_said.filter(({ value }) => value !== "").map(({ field, value }) => `${field} ${value}`);
  const options = not_understood.map(({ option }) => option);
  own.set("launch", {
    ...told,
    name,
    stack: launch.name,
    found: found.length,
    not_understood: options,
    not_said: missing,
    before,
    after: scenario.texts(),
  });
  return [
    `${name} is read as a launch of ${launch.name} (options of commit ${launch.commit}): ${found.length} inputs found.`,
    ...(options.length > 0 ? [`Not understood: ${options.join(", ")}.`] : []),
    ...(missing.length > 0 ? [`Not in it, and kept as they were: ${missing.join(", ")}.`] : []),
    ...(assumed.length > 0 ? [`Not in it, and as ${launch.name} has them: ${assumed.join(", ")}.`] : []),
  ].join(" ");
}

/** Takes the launch away: what it set is as it was before, unless it was changed since. */
export function takeBack(scenario: Scenario): void {
  const launch = own.get("launch");
  if (!launch) return;
  const { before, after } = launch;
  const now = scenario.texts();
  const texts = { ...now };
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[name] === after[name] || now[name] !== after[name]) continue;
    if (before[name] === undefined) delete texts[name];
    else texts[name] = before[name];
  }
  own.remove("launch");
  scenario.replace(texts);
}
