/** The messages between a frame and its host. Every message names its type and the version of this protocol. */

export const version = 1;

/** Events of a view that a frame passes on to a host that has identified itself. */
export const passedOn = ["change", "exercise", "hint", "answer", "function", "progress", "lesson"] as const;

/** From the frame to its host; `detail` is that of the event of the same name. */
export type FrameMessage =
  | { type: "commcost:height"; v: typeof version; height: number }
  | { type: "commcost:ready"; v: typeof version }
  | { type: `commcost:${(typeof passedOn)[number]}`; v: typeof version; detail: unknown };

/** From the host to its frame. */
export type HostMessage = {
  type: "commcost:set";
  v: typeof version;
  inputs: Record<string, string | number | boolean>;
};
