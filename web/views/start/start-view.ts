import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { answerFrame, frameStyles } from "../../elements/answer-frame.js";
import { modelWords } from "../../elements/scenario-words.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { siteAddress } from "../../elements/site.js";
import { base, theme } from "../../elements/theme.js";
import { figureNamed } from "../../figures/catalog.js";
import "../../figures/figure.js";
// The first of the story is there with it.
import "../../figures/matrices-figure.js";
import { callsOf, expectation } from "../../state/expectation.js";
import { exact, milliseconds } from "../../state/format.js";
import { nodesInWords } from "../../state/machine.js";
import { restOf } from "../../state/parts.js";
import { completeInputs, run } from "../../state/run.js";
import { between } from "../../state/step.js";
import { chapters, type Chapter } from "./story.js";
import styles from "./start-view.css?inline";
import { define } from "../../elements/define.js";

/** How high a picture may get, px: eight GPUs have numbers in their chunks. */
const room = 430;

/** What is further down waits no longer than so for the first figure, which may be out of sight. */
const longest_ms = 2000;

const calculation = "tensor_parallel_allreduce_cost";

/** "The price of a layer": what tensor parallelism costs, told with figures that can be held. */
export class StartView extends ScenarioView {
  override get outcome() {
    return run(this.scenario, calculation);
  }

  static override properties = { ...ScenarioView.properties, begun: { state: true } };

  /** Whether the first figure is drawn, or out of sight: what is further down comes in behind it. */
  declare begun: boolean;
  private readonly first = new Promise<void>((resolve) => (this.begin = resolve));
  declare private begin: () => void;

  constructor() {
    super();
    this.begun = false;
    void this.first.then(() => {
      this.begun = true;
      this.fetchOthers();
    });
  }

  override get opened(): Promise<unknown> {
    return this.first;
  }

  protected override firstUpdated(): void {
    setTimeout(this.begin, longest_ms);
  }

  /** It is to be painted before anything else comes in. */
  private readonly onDrawn = (): void => {
    requestAnimationFrame(() => setTimeout(this.begin));
  };

  private fetchOthers(): void {
    const fetchAll = () =>
      chapters.forEach(
        ({ figure }) =>
          void figureNamed(figure)!
            .load()
            .catch(() => undefined),
      );
    const whenIdle = () =>
      "requestIdleCallback" in globalThis ? requestIdleCallback(fetchAll) : setTimeout(fetchAll, 1000);
    void Promise.resolve(restOf(this.scenario.engine)?.here).then(whenIdle);
  }

  /** What the story is about, in the reader's own numbers. */
  private lead(): TemplateResult | typeof nothing {
    const { results } = this.answer(calculation);
    if (!results) return nothing;
    const inputs = completeInputs(this.scenario, calculation) as Record<string, number>;
    const count = inputs["num_gpus"]!;
    const model = modelWords(this.scenario);
    if (count === 1)
      return html`<p class="under">${model} on one GPU pays nothing. Give the group a second one, below, and see what that costs.</p>`;
    const expected = expectation(this.scenario, inputs, results.message_size_bytes)?.results;
    const time = expected
      ? html`about <b class="number">${milliseconds(expected.total_ms, 2)}</b> (${between(expected.total_low_ms, expected.total_high_ms, 2)}) on ${nodesInWords(this.scenario, expected.nodes)}`
      : html`<b class="number">${milliseconds(results.total_comm_time_ms)}</b> at line rate`;
    return html`<p class="under">${model} on ${exact(count)} GPUs adds up <b class="number">${this.scenario.sizes.binaryBytes(results.message_size_bytes)}</b> across them,
      ${exact(callsOf(inputs))} times in a forward pass: ${time}. Six figures show why; move any of them.</p>`;
  }

  private chapter({ figure, title, text }: Chapter, index: number): TemplateResult {
    return html`<section class="chapter wide" aria-labelledby=${`chapter-${figure}`} data-chapter=${figure}>
      <h3 id=${`chapter-${figure}`}><span class="soft number">${index + 1}</span> ${title}</h3>
      <div class="text">${text}</div>
      <commcost-figure .of=${figure} .scenario=${this.scenario} .room=${room} .told=${true}
        .waits=${index > 0 && !this.begun} @drawn=${index === 0 ? this.onDrawn : nothing}></commcost-figure>
    </section>`;
  }

  /** Where to go on from here. */
  private end(): TemplateResult | typeof nothing {
    const formulas = siteAddress("formulas/index.html");
    const practice = siteAddress("practice.html");
    if (!formulas || !practice) return nothing;
    return html`<section class="wide end no-print" aria-label="Where to go on">
      <p>Can you say the four numbers yourself? <a href=${practice}>Practise</a>. Or read <a href=${formulas}>where every number comes from</a>.</p></section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { problems, stale } = this.answer(calculation);
    return answerFrame(this, {
      headline: html`<h2 part="headline" class="headline">The price of a layer</h2>`,
      under: this.lead(),
      rest: html`${chapters.map((chapter, index) => this.chapter(chapter, index))}${this.end()}`,
      problems,
      stale,
      calculations: [calculation, "predict_collective"],
    });
  }

  static override styles = [theme, base, frameStyles, unsafeCSS(styles)];
}

define("commcost-start", StartView);
