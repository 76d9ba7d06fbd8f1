import { isAcceptable } from "./entry.js";
import { presetNames, type Fields } from "./fields.js";
import { readMachines } from "./other-machines.js";
import type { Scenario } from "./scenario.js";
import type { Session } from "./session.js";

/**
 * The content of a link: texts for fields and page settings, the scenario to compare with, and what was not understood.
 */
export interface Link {
  texts: Record<string, string>;
  settings: Record<string, string>;
  /** Texts of the pinned scenario; undefined if none is pinned. */
  pinned: Record<string, string> | undefined;
  /** Keys and values that were left out, as the link writes them. */
  unknown: string[];
  /** Impossible values of fields: kept, so that the form says why. */
  wrong: string[];
  /** Its version: `formPins`, `formServes` and later ones carry less than those before. */
  form: number;
}

/** The colours that can be asked of a page; by default those of the reader's system. */
export const colorChoices = ["light", "dark"] as const;
export type Colors = (typeof colorChoices)[number];

/** Settings in links besides the fields: which view is open, which presets were chosen, how things are shown. */
export const settingNames = ["view", ...presetNames, "compare", "show", "step", "units", "machines"] as const;

/** The allowed values of a setting, if they do not depend on the catalogs. */
const isColors = (text: string) => (colorChoices as readonly string[]).includes(text);
const allowed = new Map<string, (text: string, fields: Fields) => boolean>(
  Object.entries({
    compare: (text: string, fields: Fields) => text === "" || fields.get("algorithm")!.choices!.includes(text),
    calibration: (text: string) => text.length <= 200,
    left_out: (text: string) => /^[a-z_\d.,]{0,2000}$/.test(text),
    show: (text: string) => ["", "bandwidth", "function"].includes(text),
    step: (text: string) => /^\d{1,6}$/.test(text),
    machines: (text: string) => readMachines(text) !== undefined,
    units: (text: string) => text === "decimal" || text === "binary",
    colors: isColors,
  }),
);

/** What links contained before there were recipes: all but classic mean the usual recipe. */
const softwares: readonly string[] = ["usual", "classic", "current", "given"];

/** Pairs that are about the link or its frame, not about what is shown. */
const aside: readonly string[] = [
  "v",
  "",
  "host",
  "no-sw",
  "compact",
  "readonly",
  "parts",
  "figure",
  "watch",
  "say",
  "size",
  "chapter",
];

/**
 * From this version on a link holds only what was pinned of a layout; before, what it says about one, and what it
 * leaves out, is pinned.
 */
export const formPins = 2;
/** From this version on a server's step has its own fields; before, training's were used. */
export const formServes = 3;
/** From this version on a server's products have their own precision; before, training's was meant. */
export const formProducts = 4;
const forms = [1, formPins, formServes, formProducts];
const pin = "pin";

/** Readable pairs: letters, digits and what needs no escape stay as they are, a space becomes "+". */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/%20/g, "+")
    .replace(/%(2C|3A|2F|40)/g, decodeURIComponent);
}

/** Half a surrogate pair can't be part of an address: it is written as what browsers show for it. */
const whole = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** Characters of a query or hash that are read: a bit more than the longest list of numbers takes. */
const longest = 100_000;
/** Listed as unknown: the rest of a link that is longer. */
export const beyondLongest = "…";

function pairs(query: string): [string, string][] {
  const text = query.replace(/^[?#]/, "");
  if (text.length <= longest) return [...new URLSearchParams(text)];
  // At the end of a pair: half a value would be a different one.
  return [...new URLSearchParams(text.slice(0, Math.max(0, text.lastIndexOf("&", longest))))];
}

/** Whether an address does not say what to show: a first visit, not a link. */
export const saysNothing = (location: { search: string; hash: string }): boolean =>
  [...pairs(location.search), ...pairs(location.hash)].every(([key]) => key !== "" && aside.includes(key));

/** Reads the query and then the hash of an address; the hash wins. Never throws. */
export function readLink(location: { search: string; hash: string }, fields: Fields): Link {
  const link: Link = { texts: {}, settings: {}, pinned: undefined, unknown: [], wrong: [], form: 1 };
  const unknown = new Set<string>();
  const said = (name: string, text: string) => `${name}=${text}`;
  // Queries used to call the colours "scheme", which is an input of the overlap: none of its values is "light" or
  // "dark".
  const query = pairs(location.search).map(
    ([key, text]) => [key === "scheme" && isColors(text) ? "colors" : key, text] as const,
  );
  for (const [key, text] of [...query, ...pairs(location.hash)]) {
    if (key === "v") link.form = forms.find((form) => String(form) === text) ?? 1;
    const pinned = key === pin || key.startsWith(`${pin}.`);
    const name = pinned ? key.slice(pin.length + 1) : key;
    if (pinned) link.pinned ??= {};
    if (name === "software" && softwares.includes(text)) {
      if (text === "classic") (pinned ? link.pinned! : link.texts)["recipe"] = "megatron-2021";
      continue;
    }
    if (fields.has(name)) {
      // The pinned scenario has no form to correct things in: impossible values are left out.
      if (!pinned) link.texts[name] = text;
      else if (isAcceptable(fields.get(name)!, text)) link.pinned![name] = text;
      else unknown.add(said(key, text));
    } else if ((pinned ? [...presetNames, "link"] : [...settingNames, "link", "colors"]).includes(name as never)) {
      if (allowed.get(name)?.(text, fields) === false) unknown.add(said(key, text));
      else (pinned ? link.pinned! : link.settings)[name] = text;
    } else if (key === pin ? text !== "yes" : !aside.includes(key)) unknown.add(key);
  }
  if (Math.max(location.search.length, location.hash.length) > longest + 1) unknown.add(beyondLongest);
  link.unknown = [...unknown];
  link.wrong = Object.entries(link.texts)
    .filter(([name, text]) => !isAcceptable(fields.get(name)!, text))
    .map(([name, text]) => said(name, text));
  return link;
}

/** The pinned scenario's part of a link: `pin.` before each name, `pin=yes` where it is the page's own example. */
function pinnedPairs(pinned: Scenario | undefined): [string, string][] {
  if (!pinned) return [];
  const all = pinned.changes().map(([name, text]): [string, string] => [`${pin}.${name}`, text]);
  return all.length > 0 ? all : [[pin, "yes"]];
}

/** The scenario as a link to one of the page's views. */
export const linkTo = (scenario: Session, view: string): string =>
  writeLink(scenario, { ...Object.fromEntries(settingNames.map((name) => [name, scenario.text(name)])), view });

/** The scenario as a hash: only what differs from the defaults, in a fixed order; after it the pinned one. */
export function writeLink(scenario: Session, settings: Record<string, string>): string {
  const chosen = settingNames
    .filter((name) => settings[name] && !scenario.owns(name))
    .map((name): [string, string] => [name, settings[name]!]);
  const all = [...chosen, ...scenario.changes(), ...pinnedPairs(scenario.pinned)];
  return all.length === 0
    ? ""
    : `#v=${formProducts}&${all.map(([name, text]) => `${name}=${encode(whole(text))}`).join("&")}`;
}
