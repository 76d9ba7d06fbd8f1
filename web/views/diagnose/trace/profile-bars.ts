import type { TraceBreakdownResults, TrainingStepResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../../elements/html.js";
import type { StackedBar, StackedBarsSpec, StackedPart } from "../../../charts/stacked-bars.js";
import { exact, millisecondUnits, ms, significant } from "../../../state/format.js";
import type { DeviceProfile, OwnFiles } from "../../../state/own.js";
import { exposedMs } from "../../../state/step.js";

type Trace = OwnFiles["trace"];

/** A GPU's activity, in ms of a step: the same four kinds for measurement and prediction. */
function fourParts(compute: number, both: number, communication: number, neither: number): StackedPart[] {
  return [
    { name: "compute alone", value: compute, color: "compute" },
    { name: "both", value: both, color: "overlapped" },
    { name: "communication alone", value: communication, color: "communication" },
    { name: "neither", value: neither, color: "waiting" },
  ];
}

function measured(
  { compute_only_us, overlapped_us, communication_only_us, idle_us }: TraceBreakdownResults,
  steps: number,
) {
  const each = (us: number) => us / 1e3 / steps;
  return fourParts(each(compute_only_us), each(overlapped_us), each(communication_only_us), each(idle_us));
}

/**
 * A predicted step in the same terms: what is hidden runs during compute; bubble, launches, stragglers and copies to
 * the host leave its kernels idle.
 */
function predicted(step: TrainingStepResults): StackedPart[] {
  const { compute_ms, recompute_ms, optimizer_ms, bubble_ms, launch_ms, straggler_ms, exposed_offload_ms } = step.parts;
  const work = compute_ms + recompute_ms + optimizer_ms;
  const hidden = Math.min(work, Math.max(0, step.none_hidden_ms - step.step_time_ms));
  return fourParts(work - hidden, hidden, exposedMs(step), bubble_ms + launch_ms + straggler_ms + exposed_offload_ms);
}

const total = (parts: readonly StackedPart[]) => parts.reduce((sum, { value }) => sum + value, 0);

/** Names of a profile's devices: there may be only one. */
const deviceName = ({ device }: DeviceProfile, trace: Trace): string =>
  trace.devices.length === 1 ? "measured" : `measured, GPU ${device}`;

function summary(trace: Trace, bars: readonly StackedBar[]): string {
  const { breakdown } = trace.devices[0]!;
  const kernels = trace.devices.reduce((sum, device) => sum + device.breakdown.kernels, 0);
  const streams = trace.devices.reduce((sum, device) => sum + device.breakdown.streams.length, 0);
  const said = `${exact(kernels)} kernels on ${streams} stream${streams === 1 ? "" : "s"}${
    trace.devices.length > 1 ? ` of ${trace.devices.length} GPUs` : ""
  }; communication is exposed for ${significant(100 * breakdown.communication_only_share, 3)} % of the time${
    trace.devices.length > 1 ? ` of GPU ${trace.devices[0]!.device}` : ""
  }.`;
  const [prediction, first] = bars.length > trace.devices.length ? [bars[0]!, bars[1]!] : [];
  if (!prediction || !first) return said;
  const more = 100 * (total(first.parts) / total(prediction.parts) - 1);
  return `${said} A step took ${ms(total(first.parts))}, ${
    Math.abs(more) < 0.5
      ? "as predicted"
      : `${significant(Math.abs(more), 2)} % ${more > 0 ? "more" : "less"} than predicted`
  }.`;
}

/** The predicted step and each device's measured one, a bar each. */
export function profileBars(trace: Trace, step: TrainingStepResults | undefined): StackedBarsSpec {
  const bars: StackedBar[] = [
    ...(step ? [{ label: "predicted", parts: predicted(step) }] : []),
    ...trace.devices.map((device) => ({
      label: deviceName(device, trace),
      parts: measured(device.breakdown, trace.steps),
    })),
  ];
  const names = bars[0]!.parts.map(({ name }) => name);
  return {
    id: "commcost-trace",
    title: "Predicted and measured.",
    summary: summary(trace, bars),
    bars,
    axis: "A step",
    units: millisecondUnits,
    format: ms,
    table: {
      header: ["step", ...names.map((name) => `${name.replaceAll(" ", "_")}_ms`)],
      rows: bars.map(({ label, parts }) => [label, ...parts.map(({ value }) => value)]),
    },
  };
}

const shown = 12;

/** The kernels that took most time, by name: for each device how long a step, and how often. */
export function kernelTable(trace: Trace): TemplateResult {
  const sums = new Map<string, number>();
  for (const { kernels } of trace.devices)
    for (const { name, time_us } of kernels) sums.set(name, (sums.get(name) ?? 0) + time_us);
  const names = [...sums].sort((one, other) => other[1] - one[1]).slice(0, shown);
  const of = (device: DeviceProfile, name: string) => device.kernels.find((kernel) => kernel.name === name);
  const communicates = (name: string) => trace.devices.some((device) => of(device, name)?.communication);
  return html`<div class="scroll tall" tabindex="0" role="group" aria-label="The kernels that took most time"><table class="kernels">
    <caption>The kernels that took most time, in a step${trace.steps > 1 ? ` of ${exact(trace.steps)}` : ""}.</caption>
    <thead><tr><th scope="col" class="text">Kernel</th><th scope="col" class="text">Kind</th>${trace.devices.map(
      (device) =>
        html`<th scope="col">${trace.devices.length === 1 ? "Time" : `GPU ${device.device}`}</th><th scope="col">Calls</th>`,
    )}</tr></thead>
    <tbody>${names.map(
      ([name]) => html`<tr><th scope="row" class="text"><code>${name}</code></th>
        <td class="text">${communicates(name) ? "communication" : "compute"}</td>${trace.devices.map((device) => {
          const kernel = of(device, name);
          return kernel
            ? html`<td>${ms(kernel.time_us / 1e3 / trace.steps)}</td><td>${significant(kernel.calls / trace.steps, 3)}</td>`
            : html`<td></td><td></td>`;
        })}</tr>`,
    )}</tbody></table></div>`;
}

/** The operators of the host whose kernels took most time on a device; nothing if its profile names none. */
function operatorsOf(device: DeviceProfile, trace: Trace): TemplateResult | typeof nothing {
  const { operators } = device;
  if (!operators) return nothing;
  const each = (us: number) => ms(us / 1e3 / (device.steps ?? trace.steps));
  const where = trace.devices.length > 1 ? ` of GPU ${device.device}` : "";
  return html`<div class="scroll tall" tabindex="0" role="group" aria-label=${`Operators that launched the kernels${where}`}><table class="operators kernels">
    <caption>Operators that launched the kernels${where}, in a step. A pause before them is time in which no kernel ran.</caption>
    <thead><tr><th scope="col" class="text">Operator</th><th scope="col">Kernels’ time</th><th scope="col">Kernels</th><th scope="col">Host time</th><th scope="col">Pauses before</th></tr></thead>
    <tbody>${operators.map(
      ({ name, kernels, time_us, host_us, pause_us }) =>
        html`<tr><th scope="row" class="text">${
          name === "" ? "no operator named" : html`<code>${name}</code>`
        }</th><td>${each(time_us)}</td><td>${significant(kernels / (device.steps ?? trace.steps), 3)}</td><td>${each(host_us)}</td><td>${each(pause_us)}</td></tr>`,
    )}</tbody></table></div>`;
}

/** The operators of each device. */
export const operatorTables = (trace: Trace): (TemplateResult | typeof nothing)[] =>
  trace.devices.map((device) => operatorsOf(device, trace));
