import type { CalculationName } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { html, type TemplateResult } from "lit";

/** A view of the page: loaded when it is first opened. */
export interface View {
  id: string;
  /** Other names of it in links and tags. */
  also?: readonly string[];
  title: string;
  /** One line under the title. */
  about: string;
  /** The calculation whose results it tells those who embed it; a view without one is no tab of the page. */
  calculation: CalculationName | undefined;
  /** The calculation without which it cannot be drawn at all, where that is another. */
  needs?: CalculationName;
  /** Whether it is read from start to end: the scenario is a line above it, not a column. */
  article?: boolean;
  load: () => Promise<unknown>;
  render: (scenario: Scenario) => TemplateResult;
}

/** Every view, in the order of the tabs. */
export const views: readonly View[] = [
  {
    id: "learn",
    also: ["start"],
    title: "Learn",
    about: "What it costs to split a model: an article in thirteen short chapters",
    calculation: "tensor_parallel_allreduce_cost",
    article: true,
    load: () => import("../views/learn/learn-view.js"),
    render: (scenario) => html`<commcost-learn .scenario=${scenario}></commcost-learn>`,
  },
  {
    id: "cost",
    title: "Cost",
    about: "What tensor parallelism costs in communication",
    calculation: "tensor_parallel_allreduce_cost",
    load: () => import("../views/cost/cost-view.js"),
    render: (scenario) => html`<commcost-cost .scenario=${scenario}></commcost-cost>`,
  },
  {
    id: "ring",
    title: "Ring",
    about: "A collective, round by round",
    calculation: "collective_cost",
    load: () => import("../views/ring/ring-view.js"),
    render: (scenario) => html`<commcost-ring .scenario=${scenario}></commcost-ring>`,
  },
  {
    id: "network",
    title: "Network",
    about: "What a collective takes on real hardware",
    calculation: "predict_collective",
    load: () => import("../views/network/network-view.js"),
    render: (scenario) => html`<commcost-network .scenario=${scenario}></commcost-network>`,
  },
  {
    id: "overlap",
    title: "Overlap",
    about: "What compute hides of communication",
    calculation: "overlap_ratio",
    load: () => import("../views/overlap/overlap-view.js"),
    render: (scenario) => html`<commcost-overlap .scenario=${scenario}></commcost-overlap>`,
  },
  {
    id: "step",
    also: ["training"],
    title: "Step",
    about: "Where the time and the memory of one step go",
    calculation: "training_step",
    load: () => import("../views/step/step-view.js"),
    render: (scenario) => html`<commcost-step .scenario=${scenario}></commcost-step>`,
  },
  {
    id: "serve",
    title: "Serve",
    about: "What a token takes, and what tensor parallelism brings",
    calculation: "serving_step",
    load: () => import("../views/serve/serve-view.js"),
    render: (scenario) => html`<commcost-serve .scenario=${scenario}></commcost-serve>`,
  },
  {
    id: "plan",
    title: "Plan",
    about: "The best layouts of a model on a cluster",
    calculation: "plan",
    load: () => import("../views/plan/plan-view.js"),
    render: (scenario) => html`<commcost-plan .scenario=${scenario}></commcost-plan>`,
  },
  {
    id: "exercise",
    title: "Practice",
    about: "Exercises drawn for you, with the likely mistake named",
    calculation: undefined,
    needs: "pose_exercise",
    load: () => import("../views/exercise/exercise-view.js"),
    render: (scenario) => html`<commcost-exercise .scenario=${scenario}></commcost-exercise>`,
  },
];

/** The view of a name, today's or an older one. */
export const viewNamed = (name: string | null | undefined): View | undefined =>
  views.find(({ id, also }) => id === name || also?.includes(name ?? ""));

/** What a first visit opens, and what a link opens that names no view. */
export const [firstView, usualView] = ["learn", "cost"].map((id) => viewNamed(id)!) as [View, View];
