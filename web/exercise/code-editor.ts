import { LitElement, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { define } from "../elements/define.js";
import { base, theme } from "../elements/theme.js";
import styles from "./code-editor.css?inline";

const indent = "    ";
/** At least this many lines high, so that a short function leaves some to write in. */
const fewestLines = 14;

/**
 * A place to write Python: lines with numbers, Tab that indents until Escape releases it. Fires `edit`, and `run` for
 * Ctrl+Enter.
 */
export class CodeEditor extends LitElement {
  static override properties = { code: { attribute: false }, marked: { attribute: false } };

  declare code: string;
  /** The line with an error. */
  declare marked: number | undefined;
  /** Whether the next Tab leaves the editor. */
  private leaving = false;

  constructor() {
    super();
    this.code = "";
  }

  private get area(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea")!;
  }

  /** Replaces the selection by `text`, so that Ctrl+Z undoes it. */
  private put(text: string): void {
    const { area } = this;
    // The only way that keeps the browser's own undo.
    const done = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
    if (!done) area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    this.onInput();
  }

  /** The start of the line that the cursor is in, and the text from there to the cursor. */
  private get line(): { start: number; before: string } {
    const { value, selectionStart } = this.area;
    const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
    return { start, before: value.slice(start, selectionStart) };
  }

  private outdent(): void {
    const { area } = this;
    const { start } = this.line;
    const spaces = /^ {1,4}/.exec(area.value.slice(start))?.[0].length ?? 0;
    if (spaces === 0) return;
    const cursor = Math.max(start, area.selectionStart - spaces);
    area.setSelectionRange(start, start + spaces);
    this.put("");
    area.setSelectionRange(cursor, cursor);
  }

  private newLine(): void {
    const { before } = this.line;
    const spaces = /^ */.exec(before)![0];
    this.put(`\n${spaces}${/:\s*(?:#.*)?$/.test(before) ? indent : ""}`);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    if (isComposing) return;
    if (key === "Enter" && (ctrlKey || metaKey)) {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("run"));
    } else if (key === "Tab" && !this.leaving && !ctrlKey && !altKey) {
      event.preventDefault();
      if (shiftKey) this.outdent();
      else this.put(indent);
    } else if (key === "Enter" && !shiftKey && !altKey) {
      event.preventDefault();
      this.newLine();
    }
    // Shift is pressed before Shift+Tab.
    if (key !== "Shift" && key !== "Tab") this.leaving = key === "Escape";
  };

  private readonly onInput = (): void => {
    this.code = this.area.value;
    this.dispatchEvent(new CustomEvent("edit", { detail: this.code }));
  };

  /** Shows the line that is marked. */
  protected override updated(changed: PropertyValues): void {
    if (changed.has("marked") && this.marked !== undefined)
      this.renderRoot.querySelector(".marked")?.scrollIntoView?.({ block: "nearest" });
  }

  override render(): TemplateResult {
    const lines = Math.max(fewestLines, this.code.split("\n").length);
    const numbers = Array.from({ length: lines }, (_, index) => index + 1);
    return html`<label for="code">Your function</label>
      <div class="editor">
        <div class="numbers" aria-hidden="true">${numbers.map((line) => html`<span class=${line === this.marked ? "marked" : ""}>${line}</span>`)}</div>
        <textarea id="code" name="code" .value=${this.code} rows=${lines} wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off"
          aria-describedby="keys" @input=${this.onInput} @keydown=${this.onKey} @blur=${() => (this.leaving = false)}></textarea>
      </div>
      <p class="small soft" id="keys">Tab indents; Esc, then Tab, leaves the editor. Ctrl+Enter runs.</p>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-code-editor", CodeEditor);
