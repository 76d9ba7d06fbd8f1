import type { TemplateResult } from "lit";
import { html } from "./html.js";
import "./copied-text.js";

/** A launch as export_layout and export_deployment return it. */
export interface Launch {
  text: string;
  dry_run: string;
  name: string;
  commit: string;
  date: string;
}

/** A launch and its dry run, ready to copy; differences from the layout are listed above both. */
export function launchFold({ text, dry_run, name, commit, date }: Launch): TemplateResult {
  return html`<details class="export"><summary>${name}</summary>
    <commcost-copied-text .text=${text} .name=${"launch"}></commcost-copied-text>
    <details><summary>Dry run</summary><commcost-copied-text .text=${dry_run} .name=${"dry run"}></commcost-copied-text></details>
    <p class="small soft">Options checked against ${name} at commit ${commit} (${date}); nothing here was run.</p>
  </details>`;
}
