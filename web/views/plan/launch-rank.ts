import type { PlanResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { stackName } from "../../elements/stack-words.js";
import { rankWords } from "../../figures/rank-words.js";
import { Background } from "../../state/background.js";
import { own } from "../../state/own.js";
import { rankOf } from "../../state/rank.js";
import { run } from "../../state/run.js";
import type { Session } from "../../state/session.js";
import { pinnedLayout, questionOf, trained, unpinned } from "../../state/trained.js";

/**
 * The rank of a launch among what the search finds with nothing of its layout given; `report` is called when it is
 * known.
 */
export class LaunchRank {
  private free: PlanResults | undefined;
  private asked = "";
  private background: Background | undefined;

  constructor(private readonly report: () => void) {}

  /** Searches while the scenario is that of a launch. */
  follow(scenario: Session): void {
    const launch = scenario.alone ? undefined : own.get("launch");
    if (!launch || launch.serves || !pinnedLayout(scenario)) return this.stop();
    const { key, values, problems } = questionOf(scenario.saying({ ...scenario.texts(), ...unpinned(scenario) }));
    if (key === this.asked) return;
    this.stop();
    this.asked = key;
    if (problems.length === 0) void this.search(scenario, values);
  }

  private async search(scenario: Session, values: Record<string, unknown>): Promise<void> {
    const background = (this.background = new Background(scenario.engine));
    const answer = await background.run("plan", values);
    background.stop();
    if (background !== this.background) return;
    this.free = answer?.results;
    this.report();
  }

  stop(): void {
    this.background?.stop();
    this.background = undefined;
    this.free = undefined;
    this.asked = "";
  }

  /** The sentence about it: nothing if no launch is pinned. */
  line(scenario: Session): TemplateResult | typeof nothing {
    const launch = own.get("launch");
    if (this.asked === "" || !launch) return nothing;
    if (!this.free)
      return this.background ? html`<p class="under soft" role="status">Ranking ${launch.name}…</p>` : nothing;
    const laidOut = trained(scenario);
    const { values } = laidOut.inputs("training_step");
    const { results } = run(laidOut, "training_step");
    if (!results) return nothing;
    const words = rankWords(rankOf(values, results, this.free), stackName(scenario), scenario.sizes.memory);
    return words === "" ? nothing : html`<p class="under" data-result="rank"><b>${launch.name}</b>: ${words}</p>`;
  }
}
