import type { ReadArgumentsResults } from "#engine";
import { jobFiles, type JobFile, say } from "./job-files.js";
import { notTaken } from "./launch.js";
import { own, type OwnFiles } from "./own.js";
import { pinName, pinnedInput } from "./pins.js";
import type { Scenario } from "./scenario.js";
import { servingName } from "./serving.js";
import type { Session } from "./session.js";
import { allPinned, pageOf, trained } from "./trained.js";

/**
 * Files that describe a job become the scenario: column, link and prediction are of one job. Each can be taken back
 * with its file.
 */

type Texts = Record<string, string>;

/** The scenario before any file describes a job: as it is, and with the layout that was pinned or found. */
function unsaid(page: Session): OwnFiles["job"] {
  const laidOut = page.alone ? page : trained(page);
  const known = laidOut === page || trained(page).isCurrent;
  return { name: "job", page: page.texts(), laid: (known ? laidOut : page).texts() };
}

/** The scenario’s texts if these files describe its job. */
function textsWith(page: Session, before: OwnFiles["job"], files: readonly JobFile[]): Texts {
  if (files.length === 0) return before.page;
  const trains = files.some(({ serves }) => !serves);
  const job = page.saying(trains ? before.laid : before.page);
  for (const { says } of files) say(job, says);
  // A run has a complete layout: none of it is left to a search.
  if (trains) job.set(allPinned(job, job.texts()));
  return job.texts();
}

/**
 * Changes which files there are, and with them the scenario, as one change; what was typed since stays, except for what
 * `says` sets.
 */
export function changeFiles(scenario: Session, change: () => void, says: JobFile["says"] = {}): void {
  const page = pageOf(scenario);
  const before = own.get("job") ?? unsaid(page);
  const old = textsWith(page, before, jobFiles());
  change();
  const files = jobFiles();
  const texts = textsWith(page, before, files);
  const now = page.texts();
  const stated = new Set(Object.keys(says).flatMap((name) => [name, pinName(name)]));
  const next = { ...now };
  for (const name of new Set([...Object.keys(old), ...Object.keys(texts), ...stated])) {
    const typed = now[name] !== old[name];
    if (!stated.has(name) && (typed || old[name] === texts[name])) continue;
    if (texts[name] === undefined) delete next[name];
    else next[name] = texts[name];
  }
  if (files.length > 0) own.set("job", before);
  else if (own.get("job")) own.remove("job");
  if (JSON.stringify(next) !== JSON.stringify(now)) page.replace(next);
}

/** Restores the job as in a file, if something else was typed since. */
export const sayAgain = (scenario: Session, { says }: JobFile): void => changeFiles(scenario, () => {}, says);

/** Whether nothing in the scenario was chosen: in a link that names none, a layout is pinned at its defaults. */
function isUsual(page: Session): boolean {
  const usual = page.saying({});
  return page.changes().every(([name, text]) => pinnedInput(name) !== name && usual.text(pinnedInput(name)) === text);
}

let opened = false;

/** Restores the job from files kept from an earlier visit, if this one gives none. */
export function resumeJob(scenario: Session): void {
  const page = pageOf(scenario);
  const files = jobFiles();
  const says = opened || page.alone || !isUsual(page);
  opened = true;
  if (says || files.length === 0) return;
  const before = unsaid(page);
  own.set("job", before);
  page.replace(textsWith(page, before, files));
}

/** The inputs in a launch, by the scenario’s names. */
function saidBy(scenario: Scenario, launch: ReadArgumentsResults): Texts {
  const inputs = { ...(launch.inputs as Record<string, unknown>), ...(launch.server as Record<string, unknown>) };
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([input, value]) => {
      const field = launch.serves ? servingName(input) : input;
      return field && (field === "model" || scenario.fields.has(field)) ? [[field, String(value)] as const] : [];
    }),
  );
}

/** Takes a launch as the scenario, replacing an earlier one. */
export function takeLaunch(scenario: Session, name: string, launch: ReadArgumentsResults): string {
  const { serves, found, not_said } = launch;
  const says = saidBy(scenario, launch);
  const missing = not_said.filter(({ value }) => value === "").map(({ field }) => field);
  const assumed = not_said.filter(({ value }) => value !== "").map(({ field, value }) => `${field} ${value}`);
  const options = notTaken(launch);
  changeFiles(
    scenario,
    () =>
      own.set("launch", {
        name,
        stack: launch.name,
        serves,
        says,
        found: found.length,
        not_understood: options,
        not_said: missing,
      }),
    says,
  );
  return [
    `${name} is read as a launch of ${launch.name} (options of commit ${launch.commit}): ${found.length} inputs found.`,
    ...(options.length > 0 ? [`Not understood: ${options.join(", ")}.`] : []),
    ...(missing.length > 0 ? [`Not in it, and kept as they were: ${missing.join(", ")}.`] : []),
    ...(assumed.length > 0 ? [`Not in it, and as ${launch.name} has them: ${assumed.join(", ")}.`] : []),
  ].join(" ");
}
