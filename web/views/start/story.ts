import { html, type TemplateResult } from "lit";

/** The story's chapters in their order: each what one has to know, then a figure to hold. */
export interface Chapter {
  figure: string;
  title: string;
  text: TemplateResult;
}

export const chapters: readonly Chapter[] = [
  {
    figure: "matrices",
    title: "Every matrix is cut",
    text: html`<p>Tensor parallelism gives each GPU a slice of every matrix: columns of the first, rows of the second. Between the two nobody waits for anybody.</p>
      <p>But what a GPU ends with is only its part of every number. All parts must be added up, and all GPUs need the sum: an all-reduce, after attention and again after the MLP.</p>`,
  },
  {
    figure: "ring",
    title: "The sums go round a ring",
    text: html`<p>Each GPU cuts its partial sum into as many chunks as there are GPUs, and in every round hands one chunk to its neighbour.</p>
      <p>One lap adds the chunks up; a second lap hands the sums round. A colour is the GPU that a number comes from: turn the ring and watch the colours meet.</p>`,
  },
  {
    figure: "volume",
    title: "The volume stops growing",
    text: html`<p>More GPUs mean more rounds, but smaller chunks. So what each sends creeps up to twice the message and stays there.</p>
      <p>Adding GPUs costs hardly any more bytes. It does not save any either.</p>`,
  },
  {
    figure: "ideal",
    title: "Links do not keep their promise",
    text: html`<p>Bytes over line rate is the textbook’s time. Real calls need time to start, and no link reaches its rate: each dot is a measurement that somebody published.</p>
      <p>Move to a smaller message and see the link idle.</p>`,
  },
  {
    figure: "cliff",
    title: "Beyond the node it gets expensive",
    text: html`<p>A layer’s compute shrinks with every GPU; its two all-reduces do not. Sooner or later the GPUs mostly wait.</p>
      <p>And once the group is larger than a node, every sum has to cross the network.</p>`,
  },
  {
    figure: "layout",
    title: "So cut no more than you must",
    text: html`<p>Memory says how much a model has to be cut; time says to stop there. Pipeline stages and replicas send less, and can hide it.</p>
      <p>Of all layouts that your cluster allows, this is the quickest for each tensor degree.</p>`,
  },
];
