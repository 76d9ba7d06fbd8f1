import type { Engine } from "#engine";
import { LitElement, nothing, type TemplateResult } from "lit";
import { define } from "../elements/define.js";
import { html } from "../elements/html.js";
import { base, theme } from "../elements/theme.js";
import { capital } from "../state/format.js";
import { arrived } from "../state/parts.js";
import { problemsOf } from "../state/run.js";

/** What a link says about a model’s config.json, in sentences; if it says something else, why that is refused. */
function sentences(engine: Engine, left_out: string): string[] {
  try {
    return engine.model_remarks({ left_out }).remarks.map(({ says }) => `${capital(says)}.`);
  } catch (error) {
    return problemsOf(error).map(({ message }) => `${message}.`);
  }
}

/** Says over the answer what of the model is not counted, or counted as something similar. */
export class LeftOut extends LitElement {
  static override properties = { engine: { attribute: false }, said: { attribute: false }, here: { state: true } };

  declare engine: Engine;
  /** As read_model_config returned it, and as a link carries it. */
  declare said: string;
  declare here: boolean;

  protected override firstUpdated(): void {
    void arrived(this.engine, "model_remarks").then(() => (this.here = true));
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.here) return nothing;
    return html`<p class="small soft" role="status" data-not-counted>As its config.json was read: ${sentences(this.engine, this.said).join(" ")}</p>`;
  }

  static override styles = [theme, base];
}

define("commcost-left-out", LeftOut);
