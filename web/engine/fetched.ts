import { Refused } from "./part";

/** Where the parts of the engine lie, as seen from this script. */
declare const PARTS: Readonly<Record<string, string>>;
declare const HELP_TEXTS: string;

/** `again`: what the browser has kept of it is no good. */
async function beside(file: string, again: boolean): Promise<Response> {
  const address = new URL(file, import.meta.url);
  const answer = await (again ? fetch(address, { cache: "reload" }) : fetch(address));
  if (!answer.ok) throw new Refused(answer);
  return answer;
}

/** Asks the host for a part of the engine. */
export const asked = (part: string, again = false): Promise<Response> => beside(PARTS[part]!, again);

/** Asks it for the help texts. */
export const askedHelp = async (again = false): Promise<readonly string[]> =>
  (await (await beside(HELP_TEXTS, again)).json()) as string[];
