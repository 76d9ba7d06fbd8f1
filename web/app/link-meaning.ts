import { calibratedFields, kept } from "../state/calibration.js";
import { formPins, readLink } from "../state/link.js";
import { degreeNames } from "../state/layout.js";
import { formerView, modernizedLink, servedBefore, usualBefore } from "../state/old-links.js";
import { pinName } from "../state/pins.js";
import type { Scenario } from "../state/scenario.js";
import { allPinned } from "../state/trained.js";
import { hasPins, viewNamed } from "./views.js";

type Texts = Record<string, string>;

/** What an address opens, in today's terms. */
export interface Meaning {
  /** Of the scenario, and of the one that it is compared with. */
  texts: Texts;
  pinned: Texts | undefined;
  view: string | undefined;
  units: string | undefined;
  colors: string | undefined;
  /** What is not understood in it, and its impossible values. */
  unknown: string[];
  wrong: string[];
}

const pinnable: readonly string[] = [...degreeNames, "expert_parallel"];

/**
 * Degrees that a link to Train gives without the cluster that the page would write next to them: the author of the link
 * pins them.
 */
function pinnedByHand(texts: Texts): Texts {
  if (texts["cluster_gpus"] !== undefined || texts["num_gpus"] !== undefined) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) =>
      pinnable.includes(name) && texts[pinName(name)] === undefined ? [pinName(name), text] : [name, text],
    ),
  );
}

/** What an address means for a page with this scenario. Never throws. */
export function meaningOf(scenario: Scenario, location: { search: string; hash: string }): Meaning {
  const { texts, settings, pinned, unknown, wrong, form } = readLink(location, scenario.fields);
  const { calibration } = settings;
  // Its scales are what counts, and links that use it carry them: the name alone has a meaning only where it is kept.
  const unkept =
    calibration &&
    !calibratedFields.some((field) => field in texts) &&
    !kept().some(({ name }) => name === calibration);
  if (unkept) delete settings["calibration"];
  const { view: named, units, colors, ...rest } = settings;
  const view = formerView(named, texts, form);
  if (view !== named) delete texts["mode"];
  const opens = viewNamed(view);
  const asTyped = (given: Texts) =>
    opens && hasPins(opens) && opens.id !== "diagnose" && form >= formPins && !scenario.alone
      ? pinnedByHand(given)
      : given;
  const modern = modernizedLink(scenario, { ...rest, ...asTyped(texts) }, view);
  const beside = pinned && modernizedLink(scenario, asTyped(pinned), view);
  const whole = (said: Texts): Texts => {
    const given = form >= formPins ? said : usualBefore(scenario, "recipe", said);
    if (opens?.tab === "serve") return servedBefore(scenario, given, form);
    if (form >= formPins) return given;
    if (opens?.tab === "collectives") return usualBefore(scenario, "tensor_parallel", given);
    // Links of a plan have always held pins alone, and a frame shows one view of its own.
    const laidOut = opens && hasPins(opens) && opens.id !== "plan" && !scenario.alone;
    return laidOut ? { ...allPinned(scenario, given), ...given } : given;
  };
  return {
    texts: whole(modern.texts),
    pinned: beside && whole(beside.texts),
    ...{ view, units, colors },
    // A stack that serves is noted as unknown, or chosen for the server.
    wrong: wrong.filter((said) => !said.startsWith("recipe=") || "recipe" in modern.texts),
    unknown: [
      ...unknown,
      ...modern.unknown.map((name) => `${name}=${settings[name] ?? texts[name]}`),
      ...(beside?.unknown ?? []).map((name) => `pin.${name}=${pinned![name]}`),
      ...(view === undefined || opens ? [] : [`view=${view}`]),
      ...(unkept ? [`calibration=${calibration}`] : []),
    ],
  };
}
