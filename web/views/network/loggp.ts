import type { FitCollectiveResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { formulaLink } from "../../elements/formula-link.js";
import { exact, percent, significant, us } from "../../state/format.js";
import { own } from "../../state/own.js";
import { problemsOf } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";

let known: { key: string; fit: FitCollectiveResults | undefined } | undefined;

/** The reader's own log, fitted for the scenario's machine. */
function fitOf(scenario: Scenario): FitCollectiveResults | undefined {
  const log = scenario.alone ? undefined : own.get("log");
  if (!log) return undefined;
  const { log: _, message_sizes_bytes: __, ...machine } = scenario.inputs("fit_collective").values;
  const key = JSON.stringify([log.text, machine]);
  if (known?.key !== key) {
    try {
      known = { key, fit: scenario.engine.fit_collective({ ...machine, log: log.text } as never) };
    } catch (error) {
      problemsOf(error);
      known = { key, fit: undefined };
    }
  }
  return known.fit;
}

/** Hockney's and the LogGP model of the reader's log, and whether the second says anything different. */
export function logModels(scenario: Scenario): TemplateResult | typeof nothing {
  const fit = fitOf(scenario);
  if (!fit || fit.loggp.ranks < 2) return nothing;
  const { loggp } = fit;
  const rows: [string, string, string][] = [
    ["L", us(loggp.latency_us), "a message on the wire: NCCL’s latency of a hop"],
    ["o", us(loggp.overhead_us), "a GPU busy with sending or receiving it"],
    ["g", us(loggp.gap_us), "between two messages that follow each other"],
    [
      "G",
      `${significant(loggp.gap_per_byte_ns, 3)} ns`,
      `a byte of a long message: ${significant(1 / loggp.gap_per_byte_ns, 3)} GB/s`,
    ],
    ["P", exact(loggp.ranks), "ranks"],
  ];
  return html`<section aria-labelledby="loggp-title" data-fact="loggp">
    <div class="titled"><h2 id="loggp-title">Your log as a model</h2>${formulaLink("fit_collective")}</div>
    <p>Hockney’s two constants fit it with a latency of <span class="number">${us(loggp.alpha_us)}</span> a message and
      <span class="number">${significant(loggp.bandwidth_gb_per_sec, 3)} GB/s</span>, off by ${percent(loggp.hockney_error_percent, 2)} in the median.
      ${
        loggp.differs
          ? html`LogGP, which also has a gap between messages, is off by ${percent(loggp.error_percent, 2)}:`
          : html`A gap between messages, which LogGP adds, explains no more: ${percent(loggp.error_percent, 2)}.`
      }</p>
    ${
      loggp.differs
        ? html`<table><tbody>${rows.map(
            ([name, value, about]) =>
              html`<tr><th scope="row">${name}</th><td>${value}</td><td class="text soft">${about}</td></tr>`,
          )}</tbody></table>`
        : nothing
    }
  </section>`;
}
