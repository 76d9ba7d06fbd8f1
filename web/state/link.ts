import type { Fields, Scenario } from "./scenario.js";

/** What a link says: texts for fields and page settings, and keys that are neither. */
export interface Link {
  texts: Record<string, string>;
  settings: Record<string, string>;
  unknown: string[];
}

/** Page settings that travel in links beside the fields: which view is open, which preset was chosen. */
export const settingNames = ["view", "model", "link", "system", "compare", "calibration", "show"] as const;

/** Pairs that are about the link or its frame, not about what is shown. */
const aside: readonly string[] = ["v", "", "host", "scheme"];

const version = "1";

/** Readable pairs: letters, digits and what needs no escape stay as they are, a space becomes "+". */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%20/g, "+").replace(/%(2C|3A|2F|40)/g, decodeURIComponent);
}

function pairs(query: string): [string, string][] {
  return [...new URLSearchParams(query.replace(/^[?#]/, ""))];
}

/** Reads the query and then the hash of an address; the hash wins. Never throws. */
export function readLink(location: { search: string; hash: string }, fields: Fields): Link {
  const link: Link = { texts: {}, settings: {}, unknown: [] };
  for (const [name, text] of [...pairs(location.search), ...pairs(location.hash)]) {
    if (fields.has(name)) link.texts[name] = text;
    else if ((settingNames as readonly string[]).includes(name)) link.settings[name] = text;
    else if (!aside.includes(name)) link.unknown.push(name);
  }
  return link;
}

/** The scenario as a hash: only what differs from the defaults, in a fixed order. */
export function writeLink(scenario: Scenario, settings: Record<string, string>): string {
  const chosen = settingNames.filter((name) => settings[name]).map((name): [string, string] => [name, settings[name]!]);
  const all = [...chosen, ...scenario.changes()];
  return all.length === 0 ? "" : `#v=${version}&${all.map(([name, text]) => `${name}=${encode(text)}`).join("&")}`;
}
