import type { TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { formula, type Derivation } from "../elements/math.js";

/** A result's hints, in the order in which they are given. */
export const hintKinds = ["The idea", "The formula", "With your numbers"] as const;

/** How many hints an author allows for one exercise: a number, "off" for none; by default all. */
export function hintsIn(text: string | number | undefined): number {
  const said = String(text ?? "").trim();
  if (said === "off") return 0;
  return /^\d+$/.test(said) ? Number(said) : Infinity;
}

/** What the learner has to see to get there. */
const ideas: Record<string, string> = {
  message_size_bytes:
    "Each GPU holds a partial sum of the whole activation: every hidden value of every token of every sequence, each in so many bytes.",
  comm_volume_per_allreduce_bytes:
    "Cut the message into one chunk per GPU. In the first lap the chunks are added up; in the second the totals reach every GPU. Each lap takes n − 1 rounds, and in each round a GPU sends one chunk.",
  total_comm_volume_bytes:
    "The same all-reduce happens again and again: several times in a layer for each pass, and in every layer.",
  total_comm_time_ms:
    "Bytes over bytes a second are seconds. 1 GB/s is 10⁹ bytes a second; the answer is in milliseconds.",
};

/** One hint, 1 to 3, to the result that `step` derives. */
export function hint(step: Derivation, which: number): TemplateResult {
  const content = which === 1 ? ideas[step.name] : formula(which === 2 ? step.symbolic : step.substituted);
  return html`<p class="hint small"><b>${hintKinds[which - 1]}.</b> ${content}</p>`;
}
