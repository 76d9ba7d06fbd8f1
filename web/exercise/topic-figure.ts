import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import "../elements/missing-part.js";
import { Part } from "../engine/part.js";
import { pageDefaults } from "../state/page-scenario.js";
import { Scenario } from "../state/scenario.js";
import type { Posed, Track } from "./track.js";

/** Which small figure illustrates a kind of exercise, and how its scenario follows from the exercise's numbers. */

const script = new Part("The figure", () => import("../figures/figure.js"));

type Given = Readonly<Record<string, number>>;

/** A message in the shape of a layer's activations: that many tokens of 1,024 numbers in two bytes. */
const messageOf = (bytes: number): Record<string, string> => ({
  batch_size: "1",
  hidden_size: "1024",
  sequence_length: String(bytes / 2048),
});

const topics: Partial<Record<Track, { figure: string; texts: (given: Given) => Record<string, string> }>> = {
  ring_rounds: { figure: "ring", texts: ({ n }) => ({ tensor_parallel: String(n) }) },
  partition: {
    figure: "matrices",
    texts: ({ n, h, tokens }) => ({
      tensor_parallel: String(n),
      hidden_size: String(h),
      batch_size: "1",
      sequence_length: String(tokens),
    }),
  },
  latency: {
    figure: "ideal",
    texts: ({ n, s }) => ({ tensor_parallel: String(n), ...messageOf(s! * 2 ** 10) }),
  },
  utilization: {
    figure: "ideal",
    texts: ({ n, s }) => ({ tensor_parallel: String(n), ...messageOf(s! * 2 ** 20) }),
  },
  node_border: {
    figure: "cliff",
    texts: ({ g = 8, b, nic }) => ({
      gpus_per_node: String(g),
      bandwidth_gb_per_sec: String(b),
      nic_gb_per_sec: String(nic! / 8),
      tensor_parallel: String(g),
    }),
  },
  layout: { figure: "layout", texts: ({ g, t }) => ({ cluster_gpus: String(g), tensor_parallel: String(t) }) },
};

/** The figure for an exercise: with the exercise's numbers, on the machine that the page has most data on. */
export function topicFigure(scenario: Scenario, track: Track, posed: Posed): TemplateResult | typeof nothing {
  const topic = topics[track];
  if (!topic) return nothing;
  void script.ask();
  const own = new Scenario(scenario.engine, scenario.fields, pageDefaults);
  own.set(topic.texts(Object.fromEntries(posed.given.map(({ name, value }) => [name, value]))));
  own.alone = true;
  own.sizes = scenario.sizes;
  return html`<commcost-missing .of=${script}></commcost-missing><commcost-figure part="figure" .of=${topic.figure} .scenario=${own}></commcost-figure>`;
}
