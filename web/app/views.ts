import type { CalculationName } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { html, type TemplateResult } from "lit";

/** A view of the page: loaded when it is first opened. */
export interface View {
  id: string;
  title: string;
  /** One line under the title. */
  about: string;
  /** The calculation whose results it tells those who embed it; a view without one is no tab of the page. */
  calculation: CalculationName | undefined;
  load: () => Promise<unknown>;
  render: (scenario: Scenario) => TemplateResult;
}

/** Every view, in the order of the tabs. */
export const views: readonly View[] = [
  {
    id: "cost",
    title: "Cost",
    about: "What the all-reduces of tensor parallelism cost in one forward pass",
    calculation: "tensor_parallel_allreduce_cost",
    load: () => import("../views/cost/cost-view.js"),
    render: (scenario) => html`<commcost-cost .scenario=${scenario}></commcost-cost>`,
  },
  {
    id: "ring",
    title: "Ring",
    about: "Any collective, step by step, and what each step moves",
    calculation: "collective_cost",
    load: () => import("../views/ring/ring-view.js"),
    render: (scenario) => html`<commcost-ring .scenario=${scenario}></commcost-ring>`,
  },
  {
    id: "network",
    title: "Network",
    about: "How long a collective takes on real hardware, and how wrong that is",
    calculation: "predict_collective",
    load: () => import("../views/network/network-view.js"),
    render: (scenario) => html`<commcost-network .scenario=${scenario}></commcost-network>`,
  },
  {
    id: "overlap",
    title: "Overlap",
    about: "What compute hides of communication, and what it cannot",
    calculation: "overlap_ratio",
    load: () => import("../views/overlap/overlap-view.js"),
    render: (scenario) => html`<commcost-overlap .scenario=${scenario}></commcost-overlap>`,
  },
  {
    id: "training",
    title: "Training",
    about: "What every parallelism sends in one step, and what the step takes",
    calculation: "training_step",
    load: () => import("../views/training/training-view.js"),
    render: (scenario) => html`<commcost-training .scenario=${scenario}></commcost-training>`,
  },
  {
    id: "plan",
    title: "Plan",
    about: "The best layouts of a model on a cluster, and why the others lose",
    calculation: "plan",
    load: () => import("../views/plan/plan-view.js"),
    render: (scenario) => html`<commcost-plan .scenario=${scenario}></commcost-plan>`,
  },
  {
    id: "exercise",
    title: "Practice",
    about: "Exercises drawn for you, with the likely mistake named",
    calculation: undefined,
    load: () => import("../views/exercise/exercise-view.js"),
    render: (scenario) => html`<commcost-exercise .scenario=${scenario}></commcost-exercise>`,
  },
];
