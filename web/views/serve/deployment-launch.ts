import type { PlanServingResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { define } from "../../elements/define.js";
import { EngineElement } from "../../elements/engine-element.js";
import { launchFold } from "../../elements/launch.js";
import { base, theme } from "../../elements/theme.js";
import { launchOf } from "../../state/launch.js";
import type { Session } from "../../state/session.js";
import { startedInWords, startedServers } from "./answer.js";
import { deploymentName } from "../../figures/deployment-name.js";
import styles from "./deployment-launch.css?inline";

type Row = PlanServingResults["deployments"][number];

/** The launch of a deployment, the best or another, in each stack that serves. */
export class DeploymentLaunch extends EngineElement {
  static override properties = {
    scenario: { attribute: false },
    rows: { attribute: false },
    chosen: { state: true },
  };

  declare scenario: Session;
  declare rows: readonly Row[];
  declare private chosen: string;

  constructor() {
    super();
    this.chosen = "";
  }

  private readonly onChange = (event: Event) => {
    this.chosen = (event.target as HTMLSelectElement).value;
  };

  private launches(row: Row): TemplateResult[] {
    const { tensor_parallel, pipeline_parallel, expert_parallel, batch_size, step_tokens } = row;
    const { choices } = this.scenario.engine
      .describe()
      ["export_deployment"]!.inputs.find(({ name }) => name === "server")!;
    return choices!.flatMap((server) => {
      const settings = { replicas: startedServers(row), batch_size, step_tokens, server };
      const deployment = { tensor_parallel, pipeline_parallel, expert_parallel, ...settings };
      // Each stack counts a share of memory in its own way: the text is about the one that serves.
      const counted = server === this.scenario.text("serving_recipe").replaceAll("-", "_") ? {} : { memory_share: 0 };
      const results = launchOf(this.scenario, "export_deployment", { ...deployment, ...counted });
      return results ? [launchFold(results)] : [];
    });
  }

  override render(): TemplateResult | typeof nothing {
    // What doesn't fit wouldn't start.
    const rows = this.rows.filter(({ verdict }) => verdict !== "does_not_fit");
    const row = rows.find((one) => deploymentName(one) === this.chosen) ?? rows[0];
    if (!row) return nothing;
    const started = startedInWords(row, this.scenario.number("requests_per_sec"));
    return html`<label>Launch of <select @change=${this.onChange}>${rows.map(
      (one) => html`<option value=${deploymentName(one)} ?selected=${one === row}>${deploymentName(one)}</option>`,
    )}</select></label>${started === "" ? nothing : html` <span data-started>${started}</span>`}
    <div class="exports no-print">${this.launches(row)}</div>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-deployment-launch", DeploymentLaunch);
