import type { Problem } from "#engine";
import type { CalculationName } from "../state/run.js";
import { servingPrecisionFields } from "../state/precision.js";
import type { Session } from "../state/session.js";
import type { TemplateResult } from "lit";
import { html } from "../elements/html.js";

/** The questions that the page answers, in the order of its tabs. */
export const tabs = {
  learn: "Learn",
  practice: "Practice",
  cost: "Cost",
  collectives: "Collectives",
  train: "Train",
  serve: "Serve",
  diagnose: "Diagnose",
} as const;
export type TabId = keyof typeof tabs;

/** A view of the page: loaded when it is first opened. */
export interface View {
  id: string;
  /** The tab that it belongs to; the views of one tab are its parts, the first of them opens with it. */
  tab: TabId;
  /** Whether its tab links to it as a page, rather than having it as a part. */
  aside?: boolean;
  /** Its other names in links and tags. */
  also?: readonly string[];
  title: string;
  /** One line under the title. */
  about: string;
  /** The calculation whose results it reports to pages that embed it; a view without one is no tab of the page. */
  calculation: CalculationName | undefined;
  /** The calculation without which it can't be drawn at all, if that is another. */
  needs?: CalculationName;
  /** Whether it is read from start to end: the scenario is a line above it, not a column. */
  article?: boolean;
  load: () => Promise<unknown>;
  /** The calculations whose inputs the scenario's form shows; none: it has no form. */
  asks: readonly CalculationName[];
  /** Other inputs of that form: some of the former follow these by default. */
  asksToo?: readonly string[];
  /** The inputs that only it asks for, in the form with what others share, once it is here. */
  question?: (scenario: Session, problems: readonly Problem[]) => TemplateResult;
  asksItself?: readonly string[];
  /** Whether it shows one layout: the one that is pinned, or that the search chose. */
  laidOut?: boolean;
  render: (scenario: Session) => TemplateResult;
}

/** What a message's size follows from by default. */
const ofMessage = ["batch_size", "sequence_length", "hidden_size", "bytes_per_element"];

let question: typeof import("../views/serve/serve-view.js").question | undefined;

/** Every view: a tab's parts follow each other in the order in which they are read. */
export const views: readonly View[] = [
  {
    id: "learn",
    also: ["start"],
    tab: "learn",
    title: "Learn",
    about: "What it costs to split a model: an article in thirteen short chapters",
    calculation: "tensor_parallel_allreduce_cost",
    needs: "predict_collective",
    asks: ["tensor_parallel_allreduce_cost", "predict_collective", "training_step"],
    article: true,
    load: () => import("../views/learn/learn-view.js"),
    render: (scenario) => html`<commcost-learn .scenario=${scenario}></commcost-learn>`,
  },
  {
    id: "projection",
    tab: "learn",
    aside: true,
    title: "From a few GPUs to many",
    about: "Many GPUs projected from few, and how far to trust that",
    calculation: "project_scaling",
    asks: ["plan", "training_step"],
    laidOut: true,
    load: () => import("../views/projection/projection-view.js"),
    render: (scenario) => html`<commcost-projection .scenario=${scenario}></commcost-projection>`,
  },
  {
    id: "exercise",
    also: ["practice"],
    tab: "practice",
    title: "Practice",
    about: "Exercises in an order, with the likely slip named, and the function to write",
    calculation: undefined,
    needs: "pose_exercise",
    asks: [],
    load: () => import("../views/exercise/practice-view.js"),
    render: (scenario) => html`<commcost-practice .scenario=${scenario}></commcost-practice>`,
  },
  {
    id: "cost",
    tab: "cost",
    title: "Cost",
    about: "What tensor parallelism costs in communication",
    calculation: "tensor_parallel_allreduce_cost",
    needs: "predict_collective",
    asks: ["tensor_parallel_allreduce_cost", "predict_collective"],
    load: () => import("../views/cost/cost-view.js"),
    render: (scenario) => html`<commcost-cost .scenario=${scenario}></commcost-cost>`,
  },
  {
    id: "network",
    also: ["collectives"],
    tab: "collectives",
    title: "On a machine",
    about: "How long one collective takes on a machine",
    calculation: "predict_collective",
    asks: ["predict_collective"],
    asksToo: ofMessage,
    load: () => import("../views/network/network-view.js"),
    render: (scenario) => html`<commcost-network .scenario=${scenario}></commcost-network>`,
  },
  {
    id: "ring",
    tab: "collectives",
    title: "Round by round",
    about: "How a collective runs, round by round",
    calculation: "collective_cost",
    asks: ["collective_cost"],
    asksToo: [...ofMessage, "tensor_parallel"],
    load: () => import("../views/ring/ring-view.js"),
    render: (scenario) => html`<commcost-ring .scenario=${scenario}></commcost-ring>`,
  },
  {
    id: "plan",
    also: ["train"],
    tab: "train",
    title: "Layouts",
    about: "The fastest layouts of a model on a cluster",
    calculation: "plan",
    asks: ["plan", "training_step"],
    load: () => import("../views/plan/plan-view.js"),
    render: (scenario) => html`<commcost-plan .scenario=${scenario}></commcost-plan>`,
  },
  {
    id: "step",
    tab: "train",
    also: ["training"],
    title: "One step",
    about: "Where the time and the memory of one step go",
    calculation: "training_step",
    asks: ["plan", "training_step"],
    laidOut: true,
    load: () => import("../views/step/step-view.js"),
    render: (scenario) => html`<commcost-step .scenario=${scenario}></commcost-step>`,
  },
  {
    id: "overlap",
    tab: "train",
    title: "What overlaps",
    about: "What compute hides of communication",
    calculation: "overlap_ratio",
    asks: ["plan", "training_step", "overlap_ratio", "layer_timeline"],
    laidOut: true,
    load: () => import("../views/overlap/overlap-view.js"),
    render: (scenario) => html`<commcost-overlap .scenario=${scenario}></commcost-overlap>`,
  },
  {
    id: "record",
    tab: "train",
    title: "Decision record",
    about: "A plan on one page: question, answer, why not the others, what it rests on, the launch",
    calculation: "plan",
    asks: ["plan", "training_step"],
    laidOut: true,
    load: () => import("../views/plan/record-view.js"),
    render: (scenario) => html`<commcost-record .scenario=${scenario}></commcost-record>`,
  },
  {
    id: "serve",
    tab: "serve",
    title: "Serve",
    about: "Which deployment meets this latency, and what a token takes",
    calculation: "serving_step",
    asks: ["plan_serving"],
    asksItself: servingPrecisionFields,
    load: async () => ({ question } = await import("../views/serve/serve-view.js")),
    question: (scenario, problems) => question!(scenario, problems),
    render: (scenario) => html`<commcost-serve .scenario=${scenario}></commcost-serve>`,
  },
  {
    id: "diagnose",
    tab: "diagnose",
    title: "Diagnose",
    about: "Your own logs and profiles next to what is expected",
    calculation: undefined,
    needs: "training_step",
    asks: ["plan", "training_step"],
    load: () => import("../views/diagnose/diagnose-view.js"),
    render: (scenario) => html`<commcost-diagnose .scenario=${scenario}></commcost-diagnose>`,
  },
];

/** The view with that name, current or older. */
export const viewNamed = (name: string | null | undefined): View | undefined =>
  views.find(({ id, also }) => id === name || also?.includes(name ?? ""));

/** What a first visit opens, and a link that names no view. */
export const [firstView, usualView] = ["learn", "cost"].map((id) => viewNamed(id)!) as [View, View];

/** The parts of a tab. */
export const partsOf = (tab: TabId): readonly View[] => views.filter((view) => view.tab === tab && !view.aside);

/** Whether its scenario has a layout that is searched unless it is pinned. */
export const hasPins = ({ asks }: View): boolean => asks.includes("plan");
