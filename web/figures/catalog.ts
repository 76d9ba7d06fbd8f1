import type { CalculationName } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { didYouMean } from "../state/suggest.js";
import type { TemplateResult } from "lit";
import { html } from "../elements/html.js";
import type { FigureName } from "./names.js";

/** The inputs of a small figure. */
interface FigureInputs {
  scenario: Scenario;
  /** How high its picture may get, px. */
  room: number;
  /** The GPU that is followed, if its author names one. */
  watch: number | undefined;
}

/**
 * A small figure: defined once, for the story, for articles and for exercises. Loaded when it first becomes visible.
 */
export interface FigureKind {
  id: FigureName;
  /** Its other names. */
  also: readonly string[];
  /** Its caption. */
  title: string;
  /** The view that shows more of it, and the tab of that view, as readers see it. */
  view: string;
  tab: string;
  /** The calculations without which it can't be drawn; left out if they are available at once, or if it searches. */
  needs?: readonly CalculationName[];
  load: () => Promise<unknown>;
  render: (inputs: FigureInputs) => TemplateResult;
}

export const figures: readonly FigureKind[] = [
  {
    id: "fit",
    also: [],
    title: "How much of a model fits on one GPU",
    view: "cost",
    tab: "Cost",
    load: () => import("./fit-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-fit-figure .scenario=${scenario} .room=${room}></commcost-fit-figure>`,
  },
  {
    id: "knife",
    also: [],
    title: "Two ways to cut a model",
    view: "plan",
    tab: "Train",
    load: () => import("./knife-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-knife-figure .scenario=${scenario} .room=${room}></commcost-knife-figure>`,
  },
  {
    id: "cells",
    also: [],
    title: "One matrix, cut two ways",
    view: "cost",
    tab: "Cost",
    load: () => import("./cells-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-cells-figure .scenario=${scenario} .room=${room}></commcost-cells-figure>`,
  },
  {
    id: "matrices",
    also: ["matrix", "cut"],
    title: "A layer’s matrices, cut over the GPUs",
    view: "cost",
    tab: "Cost",
    needs: ["model_sizes"],
    load: () => import("./matrices-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-matrices-figure .scenario=${scenario} .room=${room}></commcost-matrices-figure>`,
  },
  {
    id: "guess",
    also: ["predict"],
    title: "How would you add them?",
    view: "ring",
    tab: "Collectives",
    load: () => import("./guess-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-guess-figure .scenario=${scenario} .room=${room}></commcost-guess-figure>`,
  },
  {
    id: "ring",
    also: [],
    title: "An all-reduce on a ring",
    view: "ring",
    tab: "Collectives",
    needs: ["collective_schedule"],
    load: () => import("./ring-figure.js"),
    render: ({ scenario, room, watch }) =>
      html`<commcost-ring-figure .scenario=${scenario} .room=${room} .watch=${watch}></commcost-ring-figure>`,
  },
  {
    id: "volume",
    also: ["sent"],
    title: "What each GPU sends",
    view: "cost",
    tab: "Cost",
    load: () => import("./volume-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-volume-figure .scenario=${scenario} .room=${room}></commcost-volume-figure>`,
  },
  {
    id: "ideal",
    also: ["measured"],
    title: "What the link reaches",
    view: "network",
    tab: "Collectives",
    needs: ["predict_collective", "measurements"],
    load: () => import("./ideal-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-ideal-figure .scenario=${scenario} .room=${room}></commcost-ideal-figure>`,
  },
  {
    id: "switch",
    also: ["nvls"],
    title: "An all-reduce with a switch that adds",
    view: "network",
    tab: "Collectives",
    needs: ["predict_collective"],
    load: () => import("./switch-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-switch-figure .scenario=${scenario} .room=${room}></commcost-switch-figure>`,
  },
  {
    id: "cliff",
    also: ["layer"],
    title: "One layer’s forward pass",
    view: "overlap",
    tab: "Train",
    needs: ["layer_timeline", "predict_collective"],
    load: () => import("./cliff-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-cliff-figure .scenario=${scenario} .room=${room}></commcost-cliff-figure>`,
  },
  {
    id: "hide",
    also: ["overlap"],
    title: "What a layer’s gaps can hide",
    view: "overlap",
    tab: "Train",
    needs: ["layer_timeline", "predict_collective"],
    load: () => import("./hide-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-hide-figure .scenario=${scenario} .room=${room}></commcost-hide-figure>`,
  },
  {
    id: "layout",
    also: ["plan"],
    title: "The best layout for each TP and PP degree",
    view: "plan",
    tab: "Train",
    load: () => import("./layout-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-layout-figure .scenario=${scenario} .room=${room}></commcost-layout-figure>`,
  },
  {
    id: "cost",
    also: [],
    title: "What tensor parallelism costs",
    view: "cost",
    tab: "Cost",
    needs: ["predict_collective"],
    load: () => import("./cost-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-cost-figure .scenario=${scenario} .room=${room}></commcost-cost-figure>`,
  },
  {
    id: "timeline",
    also: [],
    title: "One layer, forward and backward",
    view: "overlap",
    tab: "Train",
    needs: ["layer_timeline"],
    load: () => import("./timeline-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-timeline-figure .scenario=${scenario} .room=${room}></commcost-timeline-figure>`,
  },
  {
    id: "front",
    also: ["pareto"],
    title: "Time against memory",
    view: "plan",
    tab: "Train",
    load: () => import("./front-figure.js"),
    render: ({ scenario, room }) =>
      html`<commcost-front-figure .scenario=${scenario} .room=${room}></commcost-front-figure>`,
  },
];

/** The figure of a name. */
export const figureNamed = (name: string): FigureKind | undefined =>
  figures.find(({ id, also }) => id === name || also.includes(name));

/** The message about a name that no figure has. */
export function unknownFigure(name: string): string {
  const names = figures.flatMap(({ id, also }) => [id, ...also]);
  const known = figures.map(({ id }) => id);
  const list = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  return name === ""
    ? `Say which figure: of="${known[0]}". There are ${list}.`
    : `There is no figure “${name}”${didYouMean(name, names) || "."} There are ${list}.`;
}

/** What a figure's still picture is called as a file. */
export const stillName = ({ id }: FigureKind): string => `commcost-${id}.svg`;
