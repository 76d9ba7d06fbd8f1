import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/line-chart.js";
import { SeenView } from "../../elements/seen-view.js";
import { base, theme } from "../../elements/theme.js";
import { heldMemory } from "../../state/held-memory.js";
import { own } from "../../state/own.js";
import { run } from "../../state/run.js";
import { memoryChart } from "./memory-chart.js";
import section from "./section.css?inline";
import { define } from "../../elements/define.js";

/** The memory of PyTorch's allocator, from a memory snapshot or a profile, in front of the job's predicted memory. */
export class MemorySection extends SeenView {
  private readonly onOwn = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    own.addEventListener("change", this.onOwn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    own.removeEventListener("change", this.onOwn);
  }

  override render(): TemplateResult {
    const devices = heldMemory();
    return html`<section aria-labelledby="memory-title">
      <h2 id="memory-title">Memory of the run</h2>
      ${
        devices.length > 0
          ? html`<commcost-line-chart part="chart" .spec=${memoryChart(devices, run(this.scenario, "training_step").results)}></commcost-line-chart>`
          : nothing
      }
      <p class="small soft no-print">Drop what <code>torch.cuda.memory._dump_snapshot</code> wrote after <code>_record_memory_history()</code>, or a
        profile taken with <code>profile_memory=True</code>. Files are read as data: nothing in them is run.</p>
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(section)];
}

define("commcost-memory", MemorySection);
