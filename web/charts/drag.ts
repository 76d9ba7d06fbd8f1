import { type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import type { ScaleKind } from "./units.js";
import styles from "./drag.css?inline";

/** What moving the marked point sets. */
export interface Drag {
  /** In words: "GPUs in the group". */
  label: string;
  /** Its possible values, ascending; any value between `least` and `most` if this is not given. */
  values?: readonly number[];
  least?: number;
  most?: number;
  /** Its value in words. */
  format: (value: number) => string;
}

const distance = (kind: ScaleKind, one: number, other: number) =>
  kind === "log" && one > 0 && other > 0 ? Math.abs(Math.log(one / other)) : Math.abs(one - other);

/** The value for a drag to `x`: the nearest there is. */
export function moved(
  drag: Drag,
  kind: ScaleKind,
  x: number,
  [low, high]: readonly [number, number],
): number | undefined {
  if (!Number.isFinite(x)) return undefined;
  if (!drag.values) return Math.min(drag.most ?? high, Math.max(drag.least ?? low, x));
  return drag.values.reduce<number | undefined>(
    (best, value) => (best === undefined || distance(kind, value, x) < distance(kind, best, x) ? value : best),
    undefined,
  );
}

/** The value that a key leads to: the next one, on a log scale twice or half; undefined if the key means nothing. */
export function keyed(drag: Drag, kind: ScaleKind, from: number, key: string): number | undefined {
  const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 4, PageDown: -4 }[key];
  const { values, least = -Infinity, most = Infinity } = drag;
  if (values) {
    if (key === "Home") return values[0];
    if (key === "End") return values.at(-1);
    if (way === undefined) return undefined;
    const above = values.findIndex((value) => value > from * (1 + 1e-9));
    const at = values.findIndex((value) => Math.abs(value - from) <= Math.abs(from) * 1e-9);
    const place = at >= 0 ? at + way : (above < 0 ? values.length : above) + (way > 0 ? way - 1 : way);
    return values[Math.min(values.length - 1, Math.max(0, place))];
  }
  if (key === "Home" && Number.isFinite(least)) return least;
  if (key === "End" && Number.isFinite(most)) return most;
  if (way === undefined) return undefined;
  const to = kind === "log" ? from * 2 ** way : from + (way * (most - least || 1)) / 50;
  return Math.min(most, Math.max(least, to));
}

interface DragActions {
  take: () => void;
  drag: (event: PointerEvent) => void;
  drop: () => void;
  key: (x: number | undefined) => void;
  scale: ScaleKind;
}

interface Knob {
  label: string;
  now: number;
  /** Its position, in words. */
  text: string;
  least: number;
  most: number;
  onKey: (event: KeyboardEvent) => void;
  onDrag: (event: PointerEvent) => void;
  onTake?: () => void;
  onDrop?: () => void;
}

/** The handle on a marked point: a slider for the keyboard, a knob for pointers. */
export function knob({ label, now, text, least, most, onKey, onDrag, onTake, onDrop }: Knob): TemplateResult {
  const onDown = (event: PointerEvent) => {
    const handle = event.currentTarget as HTMLElement;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    onTake?.();
  };
  const onMove = (event: PointerEvent) => {
    if ((event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) onDrag(event);
  };
  return html`<span class="handle no-print" tabindex="0" role="slider" aria-label=${label} aria-valuetext=${text}
    aria-valuenow=${now} aria-valuemin=${least} aria-valuemax=${most} title=${`Drag, or press an arrow key: ${label}`}
    @pointerdown=${onDown} @pointermove=${onMove} @pointerup=${() => onDrop?.()} @pointercancel=${() => onDrop?.()} @keydown=${onKey}></span>`;
}

/** The handle of a marked point that moves along one axis. */
export function dragHandle(drag: Drag, here: { x: number }, actions: DragActions): TemplateResult {
  const { values, least, most } = drag;
  return knob({
    label: drag.label,
    now: here.x,
    text: drag.format(here.x),
    least: values?.[0] ?? least ?? here.x,
    most: values?.at(-1) ?? most ?? here.x,
    onKey: (event) => {
      const to = keyed(drag, actions.scale, here.x, event.key);
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      actions.key(to);
    },
    onDrag: actions.drag,
    onTake: actions.take,
    onDrop: actions.drop,
  });
}

/** Lets a whole drawing be dragged when a native control next to it serves the keyboard. */
export function holdAnywhere({ take, drag, drop }: Pick<DragActions, "take" | "drag" | "drop">): TemplateResult {
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    take();
    drag(event);
  };
  const onMove = (event: PointerEvent) => {
    if ((event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) drag(event);
  };
  return html`<span class="hold no-print" @pointerdown=${onDown} @pointermove=${onMove} @pointerup=${drop} @pointercancel=${drop}></span>`;
}

/** Puts a chart's handle over a place of its drawing. */
export function placeHandle(
  root: HTMLElement | DocumentFragment,
  [x, y]: readonly [number, number],
  [width, height]: readonly [number, number],
): void {
  const handle = root.querySelector<HTMLElement>(".handle");
  if (!handle) return;
  handle.style.insetInlineStart = `${(100 * x) / width}%`;
  handle.style.insetBlockStart = `${(100 * y) / height}%`;
}

export const handleStyles = unsafeCSS(styles);
