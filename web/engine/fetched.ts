import { Refused } from "./part";

/** The address of the engine's parts, relative to this script. */
declare const PARTS: Readonly<Record<string, string>>;
declare const HELP_TEXTS: string;

/** `again`: the browser's cached copy is not usable. */
async function beside(file: string, again: boolean): Promise<Response> {
  const address = new URL(file, import.meta.url);
  const answer = await (again ? fetch(address, { cache: "reload" }) : fetch(address));
  if (!answer.ok) throw new Refused(answer);
  return answer;
}

/** Requests a part of the engine from the host. */
export const asked = (part: string, again = false): Promise<Response> => beside(PARTS[part]!, again);

/** Requests the help texts. */
export const askedHelp = async (again = false): Promise<readonly string[]> =>
  (await (await beside(HELP_TEXTS, again)).json()) as string[];
