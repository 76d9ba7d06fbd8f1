import type { TemplateResult } from "lit";
import { html } from "../elements/html.js";
import "../elements/copied-text.js";
import type { Scenario } from "../state/scenario.js";
import { pythonSignature } from "./python.js";
import { functionName } from "./vectors.js";

/** What each result is, in the task's words. */
const meanings: Readonly<Record<string, TemplateResult>> = {
  message_size_bytes: html`the activations that one all-reduce adds up, a tensor of shape <code>(batch_size, sequence_length, hidden_size)</code>`,
  comm_volume_per_allreduce_bytes: html`what each GPU sends for it with the ring algorithm`,
  total_comm_volume_bytes: html`the same over all layers`,
  total_comm_time_ms: html`how long that takes at the given bandwidth; 1 GB/s is 10⁹ bytes per second`,
};

/** The function as Python declares it, with an empty body. */
export const stub = ({ engine }: Scenario): string =>
  pythonSignature(functionName, engine.describe()[functionName]!.inputs);

/** The function that is to be written: what it takes and what it returns, with types and shapes. */
export function task(scenario: Scenario): TemplateResult {
  const { results } = scenario.engine.describe()[functionName]!;
  return html`<p>Tensor parallelism splits every matrix of a layer over the GPUs. Each GPU computes a partial result of the activations,
      and after attention and after the MLP an all-reduce adds these up. Write a function that says what this costs:</p>
    <commcost-copied-text .name=${"signature"} .text=${stub(scenario)}></commcost-copied-text>
    <p>It returns a dictionary:</p>
    <ul>${results.map(
      ({ name, kind }) =>
        html`<li><code>${name}</code> <span class="soft">(${kind === "whole" ? "int" : "float, rounded to 4 decimals"})</span>: ${meanings[name]}</li>`,
    )}</ul>
    <p>One GPU has nothing to communicate.</p>`;
}
