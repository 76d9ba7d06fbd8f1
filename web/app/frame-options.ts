/** What a frame may do: calculate, save, and open the whole page; nothing of its host. */
export const usualSandbox = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox";

/** What a frame's host asks of the view in it, as an element's attributes do. */
export interface FrameOptions {
  compact?: boolean;
  readonly?: boolean;
  parts?: string;
  /** One figure instead of a view. */
  figure?: string;
  /** What that figure shows: the GPU that it follows, its author's caption, how high its picture may get. */
  watch?: number;
  say?: string;
  size?: number;
}

/** A flag as an attribute: set, unless its value is "false" or "0". */
const isSet = (text: string): boolean => text !== "false" && text !== "0";

/** A number given to a figure; nothing if it is none. */
const number = (text: string): number | undefined =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;

/** The options in an address, or in a message. */
export function frameOptions(query: string): FrameOptions {
  const said = new URLSearchParams(query.replace(/^[?#]/, ""));
  const [compact, readonly] = [said.get("compact"), said.get("readonly")];
  const [parts, figure] = [said.get("parts"), said.get("figure")];
  const [watch, say, size] = [said.get("watch"), said.get("say"), said.get("size")];
  return {
    ...(compact !== null && { compact: isSet(compact) }),
    ...(readonly !== null && { readonly: isSet(readonly) }),
    ...(parts !== null && { parts }),
    ...(figure !== null && { figure }),
    ...(watch !== null && { watch: number(watch) }),
    ...(say !== null && { say: say === "" ? undefined : say }),
    ...(size !== null && { size: number(size) }),
  };
}
