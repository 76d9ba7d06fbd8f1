import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { FileNews } from "./file-news.js";
import { FileReading } from "../elements/file-reading.js";
import { base, theme } from "../elements/theme.js";
import { own, ownKinds, type ListedKind } from "../state/own.js";
import { ownCurve } from "../state/own-log.js";
import { stopServingFit } from "../state/own-benchmark.js";
import { ownRuns, stopFit } from "../state/own-runs.js";
import { modelPresets } from "../state/presets.js";
import type { Session } from "../state/session.js";
import { changeFiles } from "../state/take-job.js";
import styles from "./own-files.css?inline";
import { define } from "../elements/define.js";
import { openView } from "../elements/view-link.js";

const kindNames: Record<ListedKind, string> = {
  log: "nccl-tests log",
  trace: "profile",
  memory: "memory snapshot",
  samples: "nvidia-smi",
  launch: "launch",
  config: "model",
  runs: "your",
  benchmark: "benchmark",
};
/** Where each kind is shown. */
const viewOf: Record<ListedKind, string> = {
  log: "diagnose",
  trace: "diagnose",
  memory: "diagnose",
  samples: "diagnose",
  launch: "plan",
  config: "plan",
  runs: "diagnose",
  benchmark: "serve",
};

/** The kinds that Diagnose does not list. */
const unlisted: readonly ListedKind[] = ["config", "benchmark"];

/** Recognises whatever is dropped or pasted on the page, takes it, and lists what is held. */
export class OwnFilesBar extends LitElement {
  static override properties = { scenario: { attribute: false }, diagnoses: { attribute: false } };

  declare scenario: Session;
  /** Whether Diagnose is shown. */
  declare diagnoses: boolean;
  private readonly reading = new FileReading(this);
  private listed = false;
  private told = "";
  private toldProgress = false;

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

  /** The reader's own data appears in every view. */
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
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.takeAll(files);
  };

  private readonly onPaste = (event: ClipboardEvent): void => {
    const target = event.composedPath()[0];
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text") ?? "";
    if (file) void this.take(file, file.name);
    else if (text.trim() !== "") void this.take(new Blob([text]), "pasted");
  };

  private show(kind: ListedKind): void {
    const serves = kind === "launch" && own.get("launch")?.serves;
    this.open(serves ? "serve" : viewOf[kind]);
  }

  private open(view: string): void {
    openView(this, view);
  }

  /** One after the other: reading a file aborts the reading of another. */
  private async takeAll(files: readonly File[]): Promise<void> {
    for (const file of files) await this.take(file, file.name);
  }

  private async take(file: Blob, name: string): Promise<void> {
    this.listed = false;
    const taken = await this.reading.take(this.scenario, file, name);
    // Diagnose lists every file of a run with what was found in it.
    this.listed = this.diagnoses && taken?.kind !== undefined && !unlisted.includes(taken.kind);
    this.requestUpdate();
    // A configuration is visible wherever it is dropped, and a launch in Diagnose, which lists it.
    if (!taken?.kind || taken.kind === "config" || (taken.kind === "launch" && this.diagnoses)) return;
    this.open(taken.view ?? viewOf[taken.kind]);
  }

  /** Which collective the log is about: it appears in the views' charts of the same collective. */
  private logSays(): string {
    const curve = ownCurve(this.scenario);
    return curve ? `${curve.collective.replaceAll("_", "-")} on ${curve.num_gpus} GPUs` : "";
  }

  /** The fate of a file is shown above the answer: the list may be below the first screen. */
  protected override updated(): void {
    const { says } = this.reading;
    const kind = this.reading.refused ? "refused" : this.listed ? "listed" : "told";
    const news = new FileNews(says, this.reading.progress(), kind, () => this.reading.say(""));
    const told = `${kind} ${says}`;
    if (told !== this.told || news.progress !== nothing || this.toldProgress) this.dispatchEvent(news);
    this.told = told;
    this.toldProgress = news.progress !== nothing;
  }

  private forget(kind: ListedKind): void {
    if (kind === "runs") stopFit(this.scenario);
    if (kind === "benchmark") stopServingFit(this.scenario);
    changeFiles(this.scenario, () => own.remove(kind));
    if (kind === "config") this.scenario.change({}, ["model", ...this.modelFields()]);
    this.reading.say("");
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
      <span class="soft">Have your own data? Drop or paste an nccl-tests log, a training log, a profile, a memory snapshot, a server’s benchmark, a launch or a config.json anywhere on the page.</span>
      ${held.map(
        ({
          kind,
          name,
        }) => html`<span class="held"><button class="plain" @click=${() => this.show(kind)}>${kindNames[kind]} ${name}</button>
          ${kind === "log" ? this.logSays() : kind === "runs" ? String(ownRuns().runs.length) : nothing}
          <button class="plain" aria-label=${`Remove the ${kindNames[kind]} ${name}`} @click=${() => this.forget(kind)}>×</button></span>`,
      )}</section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-own-files", OwnFilesBar);
