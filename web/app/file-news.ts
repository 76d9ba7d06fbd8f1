import { html, nothing, type TemplateResult } from "lit";

/** What becomes of a file that is read: how far it is, or what came of it. */
export class FileNews extends Event {
  static readonly type = "file-news";

  constructor(
    readonly says: string,
    readonly progress: TemplateResult | typeof nothing,
    readonly refused: boolean,
    readonly forget: () => void,
  ) {
    super(FileNews.type, { bubbles: true, composed: true });
  }
}

/** The same, over the answer that a reader looks at. */
export function fileNews(news: FileNews | undefined): TemplateResult {
  const { says = "", progress = nothing, refused, forget } = news ?? {};
  return html`<div class="news small no-print ${says === "" && progress === nothing ? "" : refused ? "told refused" : "told"}">${progress}<span role="status">${says}</span>${
    says === "" ? nothing : html` <button class="plain" aria-label="Close this message" @click=${forget}>×</button>`
  }</div>`;
}
