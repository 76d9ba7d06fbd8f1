// The explanations of the answer: pictures, derivation, call, a check of the reader's answers. Loaded once the answer
// is on the screen.
import type { TensorParallelAllreduceCostResults } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { besideLines } from "../../charts/beside.js";
import { download } from "../../elements/export.js";
import "../../charts/line-chart.js";
import { formulaLink } from "../../elements/formula-link.js";
import { derivation } from "../../elements/math.js";
import { costDerivation } from "../../exercise/derivation.js";
import { pythonCall } from "../../exercise/python.js";
import { costChart } from "../../figures/cost-chart.js";
import { volumeChart } from "../../figures/volume-chart.js";
import type { Scenario } from "../../state/scenario.js";
import "./answers.js";

const calculation = "tensor_parallel_allreduce_cost";

/** An answer with its scenario. */
interface Answered {
  scenario: Scenario;
  inputs: Record<string, number>;
  results: TensorParallelAllreduceCostResults;
}

/** The marked point was moved along the GPUs. */
const onMoved = (scenario: Scenario) => (event: CustomEvent<{ x: number }>) =>
  scenario.set({ tensor_parallel: String(event.detail.x) });

function chart(make: typeof costChart, answered: Answered, a: Answered | undefined): TemplateResult {
  const lines = ({ scenario, inputs, results }: Answered) => make(scenario, inputs, results);
  return html`<commcost-line-chart part="chart" @change=${onMoved(answered.scenario)} .spec=${besideLines(lines(answered), a && lines(a))}></commcost-line-chart>`;
}

/** How the time grows with the group, next to that of the pinned scenario. */
export const timePicture = (answered: Answered, a: Answered | undefined) => chart(costChart, answered, a);
/** How the volume grows. */
export const volumePicture = (answered: Answered, a: Answered | undefined) => chart(volumeChart, answered, a);

export function check({ scenario, inputs }: Answered): TemplateResult {
  return html`<section part="check" aria-labelledby="check-title">
      <div class="titled"><h2 id="check-title">Check your own answers</h2>${formulaLink("check_answers")}</div>
      <p class="small soft">Each is compared to four decimals; where it differs, the mistake that gives exactly your number is named.</p>
      <commcost-answer-check .scenario=${scenario} .inputs=${inputs}></commcost-answer-check>
    </section>`;
}

function call(
  { scenario, inputs, results }: Answered,
  copy: (what: string, text: string) => void,
  copied: string,
): TemplateResult {
  const described = scenario.engine.describe()[calculation]!;
  const python = pythonCall(calculation, described.inputs, inputs, described.results, results as never);
  const json = JSON.stringify({ calculation, inputs, results }, null, 2);
  return html`<section part="call" aria-labelledby="python-title">
      <h2 id="python-title">The call</h2>
      <pre class="code scroll" tabindex="0" role="group" aria-label="The call as Python"><code>${python}</code></pre>
      <p class="no-print">
        <button @click=${() => copy("Python", python)}>Copy as Python</button>
        <button @click=${() => copy("JSON", json)}>Copy as JSON</button>
        <button @click=${() => download("commcost.json", json, "application/json")}>Save JSON</button>
        <span role="status" class="small">${copied}</span>
      </p>
    </section>`;
}

/** The worked solution, and the answer as a call; `copied` says what was last copied. */
export function body(answered: Answered, copy: (what: string, text: string) => void, copied: string): TemplateResult {
  return html`<div class="aside">
        <section aria-labelledby="derivation-title">
          <div class="titled"><h2 id="derivation-title">Derivation</h2>${formulaLink(calculation)}</div>
          ${derivation(costDerivation(answered.scenario.sizes, answered.inputs, answered.results))}
        </section>
        ${call(answered, copy, copied)}
      </div>`;
}
