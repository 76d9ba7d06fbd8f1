import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";

/** How a message about a file is shown: refusals in full; what a visible list already shows, only to screen readers. */
export type NewsKind = "told" | "refused" | "listed";

/** The fate of a file that is read: progress, or outcome. */
export class FileNews extends Event {
  static readonly type = "file-news";

  constructor(
    readonly says: string,
    readonly progress: TemplateResult | typeof nothing,
    readonly kind: NewsKind,
    readonly forget: () => void,
  ) {
    super(FileNews.type, { bubbles: true, composed: true });
  }
}

/** The same, over the answer that a reader looks at. */
export function fileNews(news: FileNews | undefined): TemplateResult {
  const { says = "", progress = nothing, kind = "told", forget } = news ?? {};
  const shown = progress !== nothing ? "told" : says === "" ? "" : kind === "listed" ? "visually-hidden" : kind;
  return html`<div class="news small no-print ${shown}">${progress}<span role="status">${says}</span>${
    shown === "" || shown === "visually-hidden" || says === ""
      ? nothing
      : html` <button class="plain" aria-label="Close this message" @click=${forget}>×</button>`
  }</div>`;
}
