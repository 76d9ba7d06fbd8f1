import type { PlanMachinesResults, Problem } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { bandwidth, exact, significant } from "../../state/format.js";
import { inputsOf, readMachines, writeMachines, type OtherMachine } from "../../state/other-machines.js";
import { chosenPreset, hardware, systemPresets } from "../../state/presets.js";
import type { Background } from "../../state/background.js";
import { run } from "../../state/run.js";
import type { Session } from "../../state/session.js";
import { pageOf } from "../../state/trained.js";
import { rounded, stepFigures } from "../../state/step.js";
import { type MachineFound, machinesSummary } from "../../state/plan-sentences.js";
import { inShort } from "../../figures/layout-words.js";
import { saidProblem } from "../../elements/problem-words.js";

type Row = PlanMachinesResults["rows"][number];

/** A machine compared with the reader's own, and what was found for it. */
interface Compared extends OtherMachine {
  row: Row | undefined;
  problem: Problem | undefined;
}

/** The best layouts on other machines, searched once the own one's are known; `report` is called when they are. */
export class OtherMachines {
  /** The own machine's row, then one for each of the others. */
  own: Row | undefined;
  others: Compared[] = [];
  /** The scenario that they belong to. */
  of: Session | undefined;
  private asked = "";

  constructor(private readonly report: () => void) {}

  /** Searches those of `of`, whose plan has these inputs, unless that is known. */
  follow(background: Background, inputs: Readonly<Record<string, unknown>>, of: Session): void {
    const machines = machinesOf(of);
    const asked = JSON.stringify([inputs, machines]);
    this.of = of;
    if (asked === this.asked) return;
    this.asked = asked;
    this.own = undefined;
    this.others = machines.map((machine) => ({ ...machine, row: undefined, problem: undefined }));
    void this.search(background, inputs);
  }

  /** Whether these are the answer to the last question. */
  get settled(): boolean {
    return this.own !== undefined || this.others.every(({ problem }) => problem);
  }

  private async search(background: Background, inputs: Readonly<Record<string, unknown>>): Promise<void> {
    const { asked, others } = this;
    // Refused machines say why; the rest are compared without them.
    for (let open = others; open.length > 0; open = others.filter(({ problem }) => !problem)) {
      const answer = await background.run("plan_machines", { ...inputs, machines: open.map(inputsOf) });
      if (asked !== this.asked) return;
      // After a stop, the search may be asked for again.
      if (!answer) return void (this.asked = "");
      if (answer.results) {
        this.own = answer.results.rows[0];
        open.forEach((one, index) => (one.row = answer.results!.rows[index + 1]));
        break;
      }
      for (const problem of answer.problems) {
        const at = /^machines\[(\d+)\]/.exec(problem.field);
        for (const one of at ? [open[Number(at[1])]!] : open) one.problem ??= problem;
      }
    }
    this.report();
  }
}

/** Twice and half the network, its switches' reduction if they have one, and every system. */
function offered(scenario: Session): { what: string; name: string }[] {
  const network = scenario.number("nic_gb_per_sec");
  const reduces =
    scenario.text("in_network_reduction") !== "off" &&
    !run(scenario, "predict_collective", { in_network_reduction: "on", collective: "all_reduce" }).problems;
  return [
    ...(network > 0 ? [2, 0.5].map((factor) => `network:${network * factor}`) : []),
    ...(reduces ? ["reduction:off"] : []),
    ...systemPresets(scenario).map(({ id }) => id),
  ].map((what) => ({ what, name: nameOf(scenario, what) }));
}

function nameOf(scenario: Session, what: string): string {
  const [kind, value] = what.split(":");
  if (kind === "network" && value) return `Yours with ${bandwidth(Number(value), 3)} a GPU between nodes`;
  if (kind === "reduction") return "Yours, switches not reducing";
  return systemPresets(scenario).find(({ id }) => id === what)?.name ?? what;
}

/** The machines in the link; by default the own one with twice the network. */
function machinesOf(scenario: Session): readonly OtherMachine[] {
  const named = readMachines(scenario.text("machines")) ?? [];
  const network = scenario.number("nic_gb_per_sec");
  return named.length > 0 || !(network > 0) ? named : [{ what: `network:${2 * network}`, price: "" }];
}

/** The own machine and the others, in the form that sentences need. */
const foundOf = (scenario: Session, { own, others }: OtherMachines): MachineFound[] =>
  [
    { name: "yours", row: own, cost: costOf(own, scenario.text("price_per_gpu_hour")) },
    ...others.map(({ what, row, price }) => ({ name: nameOf(scenario, what), row, cost: costOf(row, price) })),
  ].map(({ name, row, cost }) => ({
    name,
    possible: row?.possible ?? false,
    tie: row?.tie ?? false,
    worth: row?.worth ?? 0,
    cost,
  }));

/** The run's cost there, at the price typed for it; 0 without one: the engine would bill the own machine's. */
const costOf = (row: Row | undefined, price: string): number => (Number(price) > 0 ? (row?.layout[0]?.cost ?? 0) : 0);

const costWords = (cost: number): string => (cost > 0 ? rounded(cost) : "–");

/** `listed` are the page's machines, which may have changed by now. */
function line(
  scenario: Session,
  one: Compared,
  listed: readonly OtherMachine[],
  change: (machines: OtherMachine[]) => void,
) {
  const { row, problem, what, price } = one;
  const name = nameOf(scenario, what);
  return html`<tr><th scope="row" class="text">${name}${
    scenario.readonly
      ? nothing
      : html` <button class="plain no-print" aria-label=${`Leave out ${name}`} @click=${() => change(listed.filter((other) => other.what !== what))}>×</button>`
  }</th>${cells(scenario, row, problem)}
    <td><input type="text" inputmode="decimal" size="5" autocomplete="off" aria-label=${`Price per GPU-hour: ${name}`} .value=${price} ?readonly=${scenario.readonly}
      @change=${({ target }: Event) => change(listed.map((other) => (other.what === what ? { what, price: (target as HTMLInputElement).value.trim().replace(",", ".") } : other)))} /></td>
    <td>${costWords(costOf(row, price))}</td></tr>`;
}

function worth(row: Row): string {
  if (row.worth === 0) return "–";
  return `${significant(row.worth, 3)} ×${row.tie && row.worth !== 1 ? ", within noise" : ""}`;
}

function cells(scenario: Session, row: Row | undefined, problem: Problem | undefined): TemplateResult {
  if (problem) return html`<td colspan="3" class="text bad">${saidProblem(scenario, problem.message)}</td>`;
  if (!row) return html`<td colspan="3" class="text soft">Searching…</td>`;
  const [best] = row.layout;
  if (!best)
    return html`<td colspan="3" class="text soft">needs ${scenario.sizes.memory(row.deficit_gib)} more per GPU</td>`;
  return html`<td><b>${stepFigures.time(best)}</b> <span class="soft">${stepFigures.range(best)}</span></td>
    <td>${worth(row)}</td>
    <td class="text">${inShort(best)}</td>`;
}

/**
 * The same job on other machines: the step there, and the break-even price of a GPU-hour on each. `older` says what an
 * older answer is about.
 */
export function machinesSection(
  found: OtherMachines,
  older: TemplateResult | typeof nothing,
): TemplateResult | typeof nothing {
  const { of: scenario } = found;
  if (!scenario || found.others.length === 0) return nothing;
  const listed = machinesOf(pageOf(scenario));
  const change = (machines: OtherMachine[]) => scenario.set({ machines: writeMachines(machines) });
  const system = chosenPreset(scenario, "system");
  const gpu = hardware(scenario).accelerators.find(({ id }) => id === scenario.text("accelerator"))?.name;
  const left = offered(scenario).filter(({ what }) => !found.others.some((other) => other.what === what));
  return html`<section class=${older === nothing ? "" : "stale"} data-machines aria-labelledby="machines-title" aria-busy=${found.settled ? "false" : "true"}>
    <h2 id="machines-title">On other machines</h2>
    ${older}
    <p data-verdict>${found.settled ? machinesSummary(foundOf(scenario, found)) : "Searching…"}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="The same job on other machines"><table class="gpus machines">
      <thead><tr><th scope="col" class="text">Machine</th><th scope="col">Step</th>
        <th scope="col">Worth</th><th scope="col" class="text">Best layout</th><th scope="col">Price per GPU-hour</th><th scope="col">Run costs</th></tr></thead>
      <tbody><tr><th scope="row" class="text">Yours: ${system?.name ?? gpu}</th>${cells(scenario, found.own, undefined)}
        <td>${scenario.number("price_per_gpu_hour") > 0 ? scenario.text("price_per_gpu_hour") : "–"}</td><td>${costWords(costOf(found.own, scenario.text("price_per_gpu_hour")))}</td></tr>
        ${found.others.map((one) => line(scenario, one, listed, change))}</tbody></table></div>
    ${
      scenario.readonly
        ? nothing
        : html`<p class="no-print"><label>Compare with <select @change=${({ target }: Event) => {
            const chosen = target as HTMLSelectElement;
            change([...listed, { what: chosen.value, price: "" }]);
            chosen.value = "";
          }}><option value="" selected>a machine…</option>${left.map(({ what, name }) => html`<option value=${what}>${name}</option>`)}</select></label></p>`
    }
    <p class="small soft">“Worth” is the job’s GPU-hours on your machine over those on the other: at that many times the price both cost the same.
      Each machine runs its own best layout on ${exact(scenario.number("cluster_gpus"))} GPUs.</p>
  </section>`;
}
