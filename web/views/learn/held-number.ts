import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { keyed, type Drag } from "../../charts/drag.js";
import { groupStops } from "../../figures/group-stops.js";
import { exact } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import type { HeldNumber } from "./prose.js";

/** How far a number is dragged from one value to the next, px. */
const stride = 24;

const powers = (least: number, most: number): number[] =>
  Array.from({ length: Math.log2(most / least) + 1 }, (_, power) => least * 2 ** power);

const labels: Readonly<Record<HeldNumber["field"], string>> = {
  tensor_parallel: "GPUs that share each matrix",
  batch_size: "Sequences at a time",
  sequence_length: "Tokens in a sequence",
  cluster_gpus: "GPUs in the cluster",
};

function stopsOf(scenario: Session, field: HeldNumber["field"]): readonly number[] {
  if (field === "tensor_parallel") return groupStops(scenario);
  if (field === "batch_size") return powers(1, 64);
  if (field === "sequence_length") return powers(512, 131072);
  const group = Math.max(8, scenario.number("tensor_parallel") || 1);
  return powers(group, group * 128);
}

/** A number in a sentence: dragged across, or moved with the arrow keys. */
export function heldNumber(scenario: Session, { field, text }: HeldNumber): TemplateResult {
  const now = scenario.number(field);
  const values = stopsOf(scenario, field);
  const drag: Drag = { label: labels[field], values, format: exact };
  const set = (value: number | undefined) => {
    if (value !== undefined && value !== now && !scenario.readonly) scenario.set({ [field]: String(value) });
  };
  const onKey = (event: KeyboardEvent) => {
    const to = keyed(drag, "log", now, event.key);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(to);
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const handle = event.currentTarget as HTMLElement;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const nearest = values.findIndex((value) => value >= now);
    const from = nearest < 0 ? values.length - 1 : nearest;
    const onMove = (moved: PointerEvent) => {
      const place = from + Math.round((moved.clientX - event.clientX) / stride);
      const value = values[Math.min(values.length - 1, Math.max(0, place))]!;
      if (value !== scenario.number(field) && !scenario.readonly) scenario.set({ [field]: String(value) });
    };
    handle.addEventListener("pointermove", onMove);
    const drop = () => handle.removeEventListener("pointermove", onMove);
    handle.addEventListener("lostpointercapture", drop, { once: true });
  };
  return html`<span class="held" role="slider" tabindex="0" aria-label=${labels[field]} aria-valuenow=${now}
    aria-valuemin=${values[0]!} aria-valuemax=${values.at(-1)!} aria-valuetext=${text}
    title=${`Drag, or press an arrow key: ${labels[field]}`} @pointerdown=${onDown} @keydown=${onKey}>${text}</span>`;
}
