import {
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  svg,
  type TemplateResult,
  unsafeCSS,
} from "lit";
import { html } from "../elements/html.js";
import { shadeOf } from "../elements/colors.js";
import type { Subject } from "../elements/tokens.js";
import styles from "./legend.css?inline";

/** How something is drawn. */
type Mark = "line" | "dot" | "band" | "fill";

/** A mark with its name. */
export interface LegendEntry {
  label: string;
  subject: Subject;
  mark: Mark;
  dash?: string | undefined;
  quiet?: boolean | undefined;
  hollow?: boolean | undefined;
  /** Hatched: others wait for it. */
  marked?: boolean | undefined;
}

/** The mark itself, as wide as high fits a line of text. */
function key({ subject, mark, dash, quiet, hollow, marked }: LegendEntry): TemplateResult {
  return html`<svg class="key" viewBox="0 0 24 12" aria-hidden="true">${
    mark === "dot"
      ? svg`<circle class=${hollow ? `hollow line-${subject}` : `fill-${subject}`} cx="12" cy="6" r="3.5" />`
      : mark === "line"
        ? svg`<line class="line line-${subject} ${quiet ? "quiet" : ""}" stroke-dasharray=${dash ?? "none"} x2="24" y1="6" y2="6" />`
        : svg`<rect class="${hollow ? `hollow line-${subject}` : `${mark} fill-${subject}`} ${quiet ? "quiet" : ""}" width="24" height="12" />
          ${shadeOf(subject).texture ? svg`<rect class="texture" fill="url(#${shadeOf(subject).texture})" width="24" height="12" />` : nothing}
          ${marked ? svg`<rect class="marked" width="24" height="12" />` : nothing}`
  }</svg>`;
}

/** Marks with their names, under the drawing, and further notes on it. */
export function legendList(
  entries: readonly LegendEntry[],
  notes: readonly string[] = [],
): TemplateResult | typeof nothing {
  if (entries.length + notes.length === 0) return nothing;
  return html`<ul class="legend">${entries.map((entry) => html`<li>${key(entry)}<span>${entry.label}</span></li>`)}${notes.map(
    (note) => html`<li>${note}</li>`,
  )}</ul>`;
}

/** Shapes of a key, or of a drawing. */
const shapes = ':is(path:not([d=""]), line, rect, circle)';

/** Whether a drawing has a shape like one of a key: of its classes, its own or its group's, and its dashes. */
function isDrawn(root: ParentNode, shape: SVGElement): boolean {
  const kind = [...shape.classList].filter((name) => name !== "fill").map((name) => `.${name}`);
  const dash = shape.getAttribute("stroke-dasharray");
  const like = `${shapes}${dash ? `[stroke-dasharray="${dash}"]` : ""}`;
  const own = kind.join("");
  return root.querySelector(`svg:not(.key) ${like}${own}, svg:not(.key) g${own} > ${like}`) !== null;
}

/** A legend names only what is drawn: names without a mark in the drawing next to them are hidden. */
export class LegendOfDrawn implements ReactiveController {
  constructor(private readonly host: ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment }) {
    host.addController(this);
  }

  hostUpdated(): void {
    const { renderRoot } = this.host;
    for (const item of renderRoot.querySelectorAll<HTMLElement>(".legend li")) {
      const own = [...item.querySelectorAll<SVGElement>(`.key ${shapes}:not(.texture)`)];
      item.hidden = own.length > 0 && !own.some((shape) => isDrawn(renderRoot, shape));
    }
  }
}

/** The marks with their names that stand under a drawing, as they were drawn. */
export const legendIn = (root: ParentNode): { key: SVGSVGElement | null; label: string }[] =>
  [...root.querySelectorAll(".legend li:not([hidden])")].map((item) => ({
    key: item.querySelector("svg"),
    label: item.textContent!.trim(),
  }));

export const legendStyles = unsafeCSS(styles);
