import { usualSandbox } from "../app/frame-options.js";
import type {
  AnswerDetail,
  ExerciseDetail,
  FunctionDetail,
  HintDetail,
  LessonDetail,
  ProgressDetail,
  TrackAnswerDetail,
} from "../exercise/events.js";
import { passedOn, version, type FrameMessage, type HostMessage } from "./protocol.js";

/** For pages that show commcost in a frame. Nothing here needs the calculator itself. */

/** Inputs as in a link: numbers, or texts with units such as "900 Gb/s". */
export type Inputs = Record<string, string | number | boolean>;

export interface HeightOptions {
  /** Heights, px, below and above which the frame does not follow. */
  least?: number;
  greatest?: number;
}

export interface MountOptions extends HeightOptions {
  /** The address of embed.html; by default next to this file. */
  src?: string;
  /** Which view: learn, cost, collectives, train, serve, diagnose, exercise, or a part of one: ring, network, plan, step, overlap. */
  view?: string;
  /** One figure instead of a view, by its name in EMBEDDING.md: ring, cliff, timeline, front… */
  figure?: string;
  /**
   * The figure's position (a ring's round), the GPU that it follows, your caption, and the greatest height of its
   * picture, px.
   */
  step?: number;
  watch?: number;
  say?: string;
  size?: number;
  /** The scenario, as in a link; of an exercise: seed, level, tolerance_percent and what is to be fixed. */
  inputs?: Inputs;
  /** The colours; by default those of the reader's system. */
  colors?: "light" | "dark";
  /** Only the answer, the inputs and the most telling table or picture. */
  compact?: boolean;
  /** The reader cannot change the inputs. */
  readonly?: boolean;
  /** The parts that are shown, with spaces between: "headline results". */
  parts?: string;
  /** The accessible name of the frame. */
  title?: string;
  /** The frame's sandbox; null for none. Without scripts nothing is shown. */
  sandbox?: string | null;
}

/** The detail of a view's `change` event: its inputs, and either results or the problems of the inputs. */
export interface ChangeDetail {
  inputs: Record<string, unknown>;
  results?: Record<string, unknown>;
  problems?: { field: string; code: string; message: string; allowed: string }[];
}

/** The events of a mounted frame, with the details of the element's events. */
export interface FrameEventMap {
  ready: CustomEvent<null>;
  change: CustomEvent<ChangeDetail>;
  exercise: CustomEvent<ExerciseDetail>;
  hint: CustomEvent<HintDetail>;
  answer: CustomEvent<AnswerDetail | TrackAnswerDetail>;
  function: CustomEvent<FunctionDetail>;
  progress: CustomEvent<ProgressDetail>;
  lesson: CustomEvent<LessonDetail>;
}

/** The iframe itself, which fires these events. */
export interface MountedFrame extends HTMLIFrameElement {
  addEventListener<Type extends keyof FrameEventMap>(
    type: Type,
    listener: (event: FrameEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (event: HTMLElementEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** A frame that was mounted. */
export interface Mounted {
  readonly frame: MountedFrame;
  /** Changes inputs; those not named stay. */
  set(inputs: Inputs): void;
  /** Removes the frame. */
  remove(): void;
}

/** Messages from this very frame and the origin that it must have; others are ignored. */
function listen(
  frame: HTMLIFrameElement,
  origin: string | undefined,
  heard: (message: FrameMessage) => void,
): () => void {
  const onMessage = (event: MessageEvent<FrameMessage | null>) => {
    // A sandboxed frame's origin is "null", like that of any other sandboxed frame: only the source tells them apart.
    if (event.source !== frame.contentWindow || (origin !== undefined && event.origin !== origin)) return;
    if (event.data?.v === version && typeof event.data.type === "string") heard(event.data);
  };
  addEventListener("message", onMessage);
  return () => removeEventListener("message", onMessage);
}

function fit(frame: HTMLIFrameElement, height: unknown, { least = 120, greatest = 12000 }: HeightOptions): void {
  if (typeof height === "number" && Number.isFinite(height))
    frame.style.height = `${Math.min(greatest, Math.max(least, height))}px`;
}

/** Lets the height of a frame that is there already follow its content. Returns a function that stops it. */
export function followHeight(frame: HTMLIFrameElement, options: HeightOptions = {}): () => void {
  return listen(frame, undefined, (message) => {
    if (message.type === "commcost:height") fit(frame, message.height, options);
  });
}

// Separate from new URL(): bundlers would take the pair for one of their files.
const here = import.meta.url;

/** Puts commcost into a sandboxed frame in `target` (an element or its selector). */
export function mount(target: Element | string, options: MountOptions = {}): Mounted {
  const place = typeof target === "string" ? document.querySelector(target) : target;
  if (!place) throw new Error(`There is no ${String(target)}`);
  const { view, inputs = {}, colors, title = "commcost: what tensor parallelism costs", src = "embed.html" } = options;
  const { sandbox = usualSandbox } = options;

  const address = new URL(src, options.src === undefined ? here : document.baseURI);
  const { figure, step, watch, say, size, compact, readonly, parts } = options;
  const asked = Object.entries({
    host: location.origin,
    colors,
    view,
    figure,
    step,
    watch,
    say,
    size,
    compact,
    readonly,
    parts,
    ...inputs,
  }).filter(([, value]) => value !== undefined);
  for (const [name, value] of asked) address.searchParams.set(name, String(value));

  const frame = document.createElement("iframe") as MountedFrame;
  frame.src = address.href;
  frame.title = title;
  frame.allow = "clipboard-write";
  frame.style.cssText = "display: block; width: 100%; height: 480px; border: 0";
  if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
  const opaque = sandbox !== null && !sandbox.split(/\s+/).includes("allow-same-origin");
  const origin = opaque ? "null" : address.origin;

  let ready = false;
  // A reloaded frame must be told all of them again.
  let said: Inputs = {};
  const send = (changed: Inputs): void => {
    const message: HostMessage = { type: "commcost:set", v: version, inputs: changed };
    // An opaque origin can't be addressed; the frame checks who is speaking.
    frame.contentWindow?.postMessage(message, opaque ? "*" : origin);
  };
  const set = (changed: Inputs): void => {
    said = { ...said, ...changed };
    if (ready) send(changed);
  };
  const stop = listen(frame, origin, (message) => {
    const name = message.type.replace("commcost:", "");
    if (message.type === "commcost:height") fit(frame, message.height, options);
    else if (message.type === "commcost:ready") {
      ready = true;
      if (Object.keys(said).length > 0) send(said);
      frame.dispatchEvent(new CustomEvent("ready"));
    } else if ((passedOn as readonly string[]).includes(name)) {
      frame.dispatchEvent(new CustomEvent(name, { detail: message.detail }));
    }
  });
  place.append(frame);
  return {
    frame,
    set,
    remove: () => {
      stop();
      frame.remove();
    },
  };
}
