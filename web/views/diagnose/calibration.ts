import type { DiagnoseResults, FitStepResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { scalesInWords, scaleWords } from "../../elements/calibration-note.js";
import { define } from "../../elements/define.js";
import { download } from "../../elements/export.js";
import { formulaLink } from "../../elements/formula-link.js";
import { labelOf } from "../../elements/labels.js";
import { SeenView } from "../../elements/seen-view.js";
import { base, theme } from "../../elements/theme.js";
import {
  apply,
  applyParts,
  errorNow,
  exported,
  forget,
  inForce,
  keep,
  kept,
  outOfDate,
  remove,
  type Calibration,
} from "../../state/calibration.js";
import { partOf } from "../../state/diagnosis/words.js";
import { capital, dashed, exact, percent, significant } from "../../state/format.js";
import { applyFit, fitInForce, fitOwnRuns, stopFit } from "../../state/own-runs.js";
import given from "../../elements/given.css?inline";
import styles from "./calibration.css?inline";
import { comparedLogs } from "./measured.js";

type Part = DiagnoseResults["parts"][number];

const choices: Record<FitStepResults["choice"], string> = {
  recipe: "Your steps change nothing: the software’s own constants predict them best.",
  one_scale: "A single factor on all times fits your steps best.",
  constants: "Constants of the software, drawn towards those of its preset, fit your steps best.",
};

const kept4 = (value: number): number => Number(value.toPrecision(4));

/** The calibration by the files, part by part: each with its held-out error, to be used in every view or not. */
export class Calibrations extends SeenView {
  static override properties = {
    ...SeenView.properties,
    found: { attribute: false },
    name: { state: true },
    status: { state: true },
  };

  declare found: DiagnoseResults | undefined;
  declare name: string;
  declare status: string;

  constructor() {
    super();
    this.name = "";
    this.status = "";
  }

  /** The file behind a part. */
  private fileOf({ log }: Part): string {
    if (log === 0) return "the profile";
    const from = comparedLogs(this.scenario)[log - 1];
    return from ? `${from.name} (${dashed(from.collective)} on ${exact(from.num_gpus)} GPUs)` : "a log";
  }

  private line(part: Part): TemplateResult {
    const { scenario } = this;
    const { field, value, verdict } = part;
    const used = field in scenario.texts() && scenario.number(field) === kept4(value);
    const button = used
      ? html`<button class="no-print" ?disabled=${scenario.readonly} @click=${() => remove(scenario, [field])}>Stop using it</button>`
      : verdict === "offered"
        ? html`<button class="no-print" ?disabled=${scenario.readonly} @click=${() => applyParts(scenario, { [field]: kept4(value) })}>Use in every view</button>`
        : nothing;
    return html`<li data-part=${field} data-verdict=${verdict}><p><b>${capital(scaleWords[field] ?? labelOf(scenario, field))}</b>
      × <b class="number">${significant(value, 3)}</b>, from ${this.fileOf(part)}. ${partOf(part)} ${used ? "It is in force." : nothing} ${button}</p></li>`;
  }

  private software(fit: FitStepResults): TemplateResult {
    const { scenario } = this;
    const used = fitInForce(scenario, fit);
    const { median_error_percent: after, recipe_error_percent: before } = fit;
    const better = after === null || after < before!;
    return html`<li data-part="software"><p><b>Software</b>, from ${exact(fit.rows.length)} measured ${fit.rows.length === 1 ? "step" : "steps"}. ${choices[fit.choice]} ${
      after === null
        ? "A second run would say how well."
        : better
          ? `On runs left out, predictions are off by ${percent(after, 2)} in the median instead of ${percent(before!, 2)}.`
          : `Not offered: on runs left out, predictions would be off by ${percent(after, 2)} in the median instead of ${percent(before!, 2)}.`
    } ${
      fit.changes.length === 0
        ? nothing
        : used
          ? html`It is in force. <button class="no-print" ?disabled=${scenario.readonly} @click=${() => stopFit(scenario)}>Stop using it</button>`
          : better
            ? html`<button class="no-print" ?disabled=${scenario.readonly} @click=${() => applyFit(scenario, fit)}>Use in every view</button>`
            : nothing
    }</p>${
      fit.changes.length > 0
        ? html`<ul class="changes">${fit.changes.map(
            ({ field, before, after }) =>
              html`<li>${labelOf(scenario, field)}: ${significant(before, 4)} → <b class="number">${significant(after, 4)}</b></li>`,
          )}</ul>`
        : nothing
    }</li>`;
  }

  /** The parts worth using, each field once. */
  private offered(): Record<string, number> {
    const scales: Record<string, number> = {};
    for (const { field, value, verdict } of this.found?.parts ?? [])
      if (verdict === "offered") scales[field] ??= kept4(value);
    return scales;
  }

  private keepAll(scales: Record<string, number>): void {
    const { scenario } = this;
    const [log] = comparedLogs(scenario);
    const { values } = scenario.inputs("predict_collective");
    const filled = scenario.engine.resolve_inputs({ calculation: "predict_collective", inputs: values });
    const whole = {
      name: this.name.trim() || this.placeholder(),
      collective: log?.collective ?? "",
      num_gpus: log?.num_gpus ?? 0,
      accelerator: scenario.text("accelerator"),
      gpus_per_node: scenario.number("gpus_per_node"),
      nic_gb_per_sec: scenario.number("nic_gb_per_sec"),
      network: String(filled["network"]?.value ?? ""),
      launch: String(filled["launch"]?.value ?? ""),
      scales,
      message_size_bytes: [...(log?.message_size_bytes ?? [])],
      time_us: [...(log?.time_us ?? [])],
    };
    const calibration: Calibration = { ...whole, scaled_error_percent: errorNow(whole, scenario.engine) };
    keep(calibration);
    applyParts(scenario, scales, calibration.name);
    this.status = `“${calibration.name}” is kept, and in force in every view.`;
  }

  private placeholder(): string {
    const [first] = comparedLogs(this.scenario);
    return first ? first.name.replace(/\.[^.]*$/, "") : "my machine";
  }

  private keeping(): TemplateResult | typeof nothing {
    const scales = this.offered();
    if (Object.keys(scales).length === 0 || this.scenario.readonly) return nothing;
    return html`<p class="row no-print"><label for="calibration-name">Name</label>
      <input id="calibration-name" type="text" autocomplete="off" .value=${this.name} placeholder=${this.placeholder()}
        @input=${(event: Event) => (this.name = (event.target as HTMLInputElement).value)} />
      <button @click=${() => this.keepAll(scales)}>Keep, and use in every view</button></p>`;
  }

  private shelf(): TemplateResult | typeof nothing {
    const calibrations = kept();
    const used = inForce(this.scenario);
    if (calibrations.length === 0) return nothing;
    return html`<h3>Kept on this machine</h3><ul class="kept no-print">${calibrations.map(
      (one) => html`<li>
      <span><b>${one.name}</b> <span class="soft small">${scalesInWords(one.scales)}${
        one.time_us.length > 0 ? `; ${one.time_us.length} sizes on ${one.num_gpus} GPUs` : ""
      }${
        outOfDate(one, this.scenario.engine)
          ? "; out of date: predictions have changed since, so read its log again"
          : ""
      }</span></span>
      <span class="buttons">
        ${
          used?.whole === one
            ? html`<button @click=${() => remove(this.scenario)} aria-label=${`Stop using ${one.name}`}>Stop using</button>`
            : html`<button @click=${() => apply(this.scenario, one)} aria-label=${`Use ${one.name}`}>Use</button>`
        }
        <button class="plain" aria-label=${`Export ${one.name}`} @click=${() => download(`${one.name.replace(/[^\w.-]+/g, "-")}.json`, exported(one), "application/json")}>Export</button>
        <button class="plain" aria-label=${`Forget ${one.name}`} @click=${() => {
          if (used?.whole === one) remove(this.scenario);
          forget(one.name);
          this.requestUpdate();
        }}>Forget</button></span></li>`,
    )}</ul>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const parts = this.found?.parts ?? [];
    const fit = fitOwnRuns(this.scenario)?.results;
    if (parts.length === 0 && !fit && kept().length === 0) return nothing;
    return html`<section aria-labelledby="calibration-title" class=${parts.length > 0 || fit ? "" : "no-print"}>
      <div class="titled"><h2 id="calibration-title">Calibration</h2>${formulaLink("diagnose")}</div>
      <ul class="parts">${parts.map((part) => this.line(part))}${fit ? this.software(fit) : nothing}</ul>
      ${this.keeping()}
      <p role="status" class="status small">${this.status}</p>
      ${this.shelf()}
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(given), unsafeCSS(styles)];
}

define("commcost-calibration", Calibrations);
