import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { base, theme } from "../elements/theme.js";
import { apply, imported, keep } from "../state/calibration.js";
import { binaryBytes } from "../state/format.js";
import { own, ownKinds, type OwnKind } from "../state/own.js";
import { ownCurve } from "../state/own-log.js";
import { addRuns, isTrainingLog, ownRuns, readLog, stopFit } from "../state/own-runs.js";
import { choose, modelPresets } from "../state/presets.js";
import { problemsOf } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import styles from "./own-files.css?inline";
import { define } from "../elements/define.js";

const kindNames: Record<OwnKind, string> = { log: "nccl-tests log", trace: "profile", config: "model", runs: "your" };
/** Where each kind is shown. */
const viewOf: Record<OwnKind, string> = { log: "network", trace: "step", config: "plan", runs: "step" };

/** Of a file, as much is looked at to tell what it is. */
const head = 65536;
/** A configuration or a log is no longer than this. */
const longestText = 64 * 2 ** 20;

/** Whether a text begins as a profiler's trace does. */
const isTrace = (text: string) => /^\s*[{[]/.test(text) && /"(traceEvents|schemaVersion|ph)"\s*:/.test(text);
const isConfig = (text: string) => /^\s*\{/.test(text) && /"model_type"\s*:/.test(text);

/** Takes whatever is dropped or pasted on the page for what it is, and lists what is held. */
export class OwnFilesBar extends LitElement {
  static override properties = { scenario: { attribute: false }, status: { state: true }, over: { state: true } };

  declare scenario: Scenario;
  declare status: string;
  declare over: boolean;

  constructor() {
    super();
    this.status = "";
    this.over = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    own.addEventListener("change", this.onChange);
    addEventListener("dragover", this.onDragOver);
    addEventListener("drop", this.onDrop);
    addEventListener("paste", this.onPaste);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    own.removeEventListener("change", this.onChange);
    removeEventListener("dragover", this.onDragOver);
    removeEventListener("drop", this.onDrop);
    removeEventListener("paste", this.onPaste);
  }

  /** What is the reader's own stands in every view. */
  private readonly onChange = () => {
    this.requestUpdate();
    this.scenario.refresh();
  };

  private readonly onDragOver = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };

  private readonly onDrop = (event: DragEvent): void => {
    // A view's own place for files has taken it already.
    if (event.defaultPrevented) return;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void this.takeFile(file);
  };

  private readonly onPaste = (event: ClipboardEvent): void => {
    const target = event.composedPath()[0];
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text") ?? "";
    if (file) void this.takeFile(file);
    else if (text.includes("\n")) this.takeText("pasted", text);
  };

  private show(kind: OwnKind): void {
    this.dispatchEvent(new CustomEvent("open-view", { detail: viewOf[kind], bubbles: true, composed: true }));
  }

  private async takeFile(file: File): Promise<void> {
    const first = await file.slice(0, head).text();
    if (/\.gz$/.test(file.name) || isTrace(first)) {
      own.offerTrace(file);
      this.status = `${file.name} is read as a profile.`;
      this.show("trace");
      return;
    }
    if (file.size > longestText) {
      this.status = `${file.name} has ${binaryBytes(file.size)}: too long for a log or a configuration.`;
      return;
    }
    this.takeText(file.name, await file.text());
  }

  private takeText(name: string, text: string): void {
    const calibration = imported(text);
    if (calibration) {
      keep(calibration);
      apply(this.scenario, calibration);
      this.status = `“${calibration.name}” is in force.`;
    } else if (isConfig(text)) {
      this.takeConfig(name, text);
    } else if (isTrainingLog(text)) {
      const { runs, says } = readLog(this.scenario, name, text);
      if (runs.length > 0) {
        addRuns(runs);
        this.show("runs");
      }
      this.status = says;
    } else {
      own.set("log", { name, text });
      this.status = `${name} is read as a log of nccl-tests.`;
      this.show("log");
    }
  }

  private takeConfig(name: string, text: string): void {
    try {
      const { model, model_type, remarks, ...rest } = this.scenario.engine.read_model_config({ config: text });
      const fields = Object.entries(rest).filter(([field]) => this.scenario.fields.has(field));
      if (model) choose(this.scenario, "model", model);
      else
        this.scenario.set({ model: "", ...Object.fromEntries(fields.map(([field, value]) => [field, String(value)])) });
      own.set("config", { name, model_type });
      this.status = [`${name} is the model now.`, ...remarks.map(({ key, says }) => `${key}: ${says}.`)].join(" ");
    } catch (error) {
      this.status = problemsOf(error)
        .map(({ message }) => message)
        .join(" ");
    }
  }

  /** Of which collective the log is: it stands in the views' charts wherever they are of the same. */
  private logSays(): string {
    const curve = ownCurve(this.scenario);
    return curve ? `${curve.collective.replaceAll("_", "-")} on ${curve.num_gpus} GPUs` : "";
  }

  private forget(kind: OwnKind): void {
    if (kind === "runs") stopFit(this.scenario);
    own.remove(kind);
    if (kind === "config") this.scenario.change({}, ["model", ...this.modelFields()]);
    this.status = "";
  }

  /** The fields that a model fills. */
  private modelFields(): string[] {
    return Object.keys(modelPresets(this.scenario)[0]!.texts);
  }

  override render(): TemplateResult {
    const held = ownKinds.flatMap((kind) => {
      const file = own.get(kind);
      return file ? [{ kind, name: file.name }] : [];
    });
    return html`<section aria-label="Your own files" class="own small no-print">
      <span class="soft">Your own: drop or paste a log of nccl-tests or of training, a profile or a config.json anywhere.</span>
      ${held.map(
        ({
          kind,
          name,
        }) => html`<span class="held"><button class="plain" @click=${() => this.show(kind)}>${kindNames[kind]} ${name}</button>
          ${kind === "log" ? this.logSays() : kind === "runs" ? String(ownRuns().runs.length) : nothing}
          <button class="plain" aria-label=${`Remove the ${kindNames[kind]} ${name}`} @click=${() => this.forget(kind)}>×</button></span>`,
      )}
      <span role="status">${this.status}</span></section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-own-files", OwnFilesBar);
