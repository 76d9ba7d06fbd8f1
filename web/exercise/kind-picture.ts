import { nothing, svg, type SVGTemplateResult, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { originColor } from "../elements/tokens.js";
import { exact, significant } from "../state/format.js";
import "./lanes.js";
import styles from "./kind-picture.css?inline";
import type { Posed, Track } from "./track.js";

/** The subject of an exercise of a kind, drawn from its own numbers, without giving any of its answers away. */

type Given = Readonly<Record<string, number>>;

const width = 440;

const picture = (height: number, label: string, inside: unknown): TemplateResult =>
  html`<svg class="kind" viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>${inside}</svg>`;
const words = (x: number, y: number, text: string, kind = ""): SVGTemplateResult =>
  svg`<text class=${kind} x=${x} y=${y}>${text}</text>`;

/** Evenly spaced places on an ellipse, and their distance. */
function around(count: number, [cx, cy]: readonly [number, number], [rx, ry]: readonly [number, number]) {
  const steps = 720;
  const at = (step: number): readonly [number, number] => {
    const turn = (2 * Math.PI * step) / steps - Math.PI / 2;
    return [cx + rx * Math.cos(turn), cy + ry * Math.sin(turn)];
  };
  const gone = [0];
  for (let step = 1; step <= steps; step++) {
    const [[x, y], [beforeX, beforeY]] = [at(step), at(step - 1)];
    gone.push(gone.at(-1)! + Math.hypot(x - beforeX, y - beforeY));
  }
  const apart = gone.at(-1)! / count;
  return {
    apart,
    places: Array.from({ length: count }, (_, index) => at(gone.findIndex((far) => far >= index * apart - 1e-9))),
  };
}

/** Beyond this number, GPUs are dots of which some stand for several. */
const mostDrawn = 64;

/** GPUs in a circle, each with its link to the next. */
function circle(all: number, held: string, link: readonly string[], label: string): TemplateResult {
  const n = Math.min(all, mostDrawn);
  const middle = [width / 2, 78] as const;
  const { apart, places } = around(n, middle, [170, 56]);
  const radius = Math.min(12, 0.46 * apart);
  const [cx, cy] = middle;
  return picture(
    156,
    label,
    svg`<ellipse class="link" cx=${cx} cy=${cy} rx="170" ry="56" />
      ${places.map(
        ([x, y], rank) =>
          svg`<circle cx=${x} cy=${y} r=${radius} fill=${originColor(rank, n)} />${radius < 9 ? nothing : words(x, y + 4, String(rank))}`,
      )}
      ${words(cx, cy - (link.length > 0 ? 4 : -4), held, "strong")}${words(cx, cy + 16, link.join(", "), "soft")}`,
  );
}

/** A kind about a ring. */
function ring({ n = 0, s, a, b }: Given, unit: string): TemplateResult {
  const link = [a === undefined ? "" : `${exact(a)} µs a round`, b === undefined ? "" : `${exact(b)} GB/s`].filter(
    Boolean,
  );
  const held = `${exact(s!)} ${unit} on each GPU`;
  const label = `${exact(n)} GPUs in a ring, ${held}${link.length > 0 ? `; each link: ${link.join(", ")}` : ""}`;
  return circle(n, held, link, label);
}

/** The four numbers: GPUs that each hold a sheet of partial sums. */
export function sheetsPicture(inputs: Readonly<Record<string, number>>): TemplateResult {
  const sheet = ["batch_size", "sequence_length", "hidden_size"].map((name) => exact(inputs[name]!)).join(" × ");
  const n = inputs["num_gpus"]!;
  const held = `${sheet} partial sums on each${n > mostDrawn ? ` of ${exact(n)} GPUs` : ""}`;
  return circle(
    n,
    held,
    [`${exact(inputs["bandwidth_gb_per_sec"]!)} GB/s a link`],
    `${exact(n)} ${n === 1 ? "GPU" : "GPUs in a ring"}, ${held}`,
  );
}

/** The two matrices of an MLP, h by 4h and 4h by h, with what is multiplied with them. */
function matrices({ tokens, h, n = 0 }: Given): TemplateResult {
  const label = `${exact(tokens!)} tokens times a matrix of ${exact(h!)} by ${exact(4 * h!)}, a nonlinear function, a matrix of ${exact(4 * h!)} by ${exact(h!)}, over ${exact(n)} GPUs`;
  const slices = (x: number, y: number, wide: number, high: number, across: boolean) =>
    Array.from({ length: n }, (_, rank) =>
      across
        ? svg`<rect x=${x + (rank * wide) / n} y=${y} width=${wide / n} height=${high} fill=${originColor(rank, n)} />`
        : svg`<rect x=${x} y=${y + (rank * high) / n} width=${wide} height=${high / n} fill=${originColor(rank, n)} />`,
    );
  return picture(
    140,
    label,
    svg`<rect class="box" x="4" y="20" width="34" height="80" />${words(4, 118, "tokens × h", "soft start")}
      ${words(58, 64, "×")}${slices(78, 42, 136, 34, true)}${words(146, 118, "h × 4h", "soft")}
      ${words(240, 64, "GELU", "soft")}${words(268, 64, "×")}${slices(288, 4, 34, 104, false)}${words(305, 124, "4h × h", "soft")}
      ${words(346, 64, "=")}${words(400, 64, "?", "large")}`,
  );
}

/** Two nodes with their GPUs, and a card for each. */
function nodes({ g = 8, b, nic }: Given): TemplateResult {
  const label = `Two nodes of ${exact(g)} GPUs; links of ${exact(b!)} GB/s in a node, a network card of ${exact(nic!)} Gb/s for each GPU`;
  const node = (x: number) => svg`<rect class="box" x=${x} y="8" width="150" height="112" rx="5" />
    ${Array.from({ length: g }, (_, gpu) => {
      const y = 14 + (gpu * 100) / g;
      return svg`<rect x=${x === 4 ? x + 96 : x + 14} y=${y + 1} width="40" height=${100 / g - 3} fill=${originColor(gpu, g)} />`;
    })}`;
  return picture(
    150,
    label,
    svg`${Array.from({ length: g }, (_, gpu) => {
      const y = 14 + ((gpu + 0.5) * 100) / g;
      return svg`<line class="link" x1="140" x2="300" y1=${y} y2=${y} />`;
    })}${node(4)}${node(286)}
      ${words(52, 68, `${exact(b!)} GB/s`, "strong")}${words(388, 68, `${exact(b!)} GB/s`, "strong")}
      ${words(width / 2, 142, `${exact(g)} cards a node, ${exact(nic!)} Gb/s each`, "soft")}`,
  );
}

/** The parameters of a model, and the GPUs that share them. */
function memory({ p, n = 0 }: Given): TemplateResult {
  const shown = Math.min(n, 32);
  const step = Math.min(26, 290 / shown);
  return picture(
    100,
    `${exact(p!)} billion parameters over ${exact(n)} GPUs`,
    svg`<rect class="box" x="4" y="10" width="80" height="60" />${words(44, 44, `${exact(p!)} B`, "strong")}${words(44, 88, "parameters", "soft")}
      ${words(112, 44, "→")}${Array.from(
        { length: shown },
        (_, gpu) =>
          svg`<rect x=${136 + gpu * step} y="10" width=${step - 2} height="60" fill=${originColor(gpu, shown)} />`,
      )}${words(136 + (shown * step) / 2, 88, `${exact(n)} GPUs`, "soft")}`,
  );
}

/** One replica of a layout among the GPUs of a cluster. */
function replica({ g = 0, t = 0, p = 0, batch }: Given): TemplateResult {
  const size = Math.min(15, 84 / t);
  return picture(
    132,
    `A cluster of ${exact(g)} GPUs; one replica is ${exact(p)} stages of ${exact(t)} GPUs; ${exact(batch!)} sequences a step`,
    svg`${Array.from({ length: p }, (_, stage) =>
      Array.from(
        { length: t },
        (_, rank) =>
          svg`<rect x=${10 + stage * 17} y=${10 + rank * size} width=${stage < p ? 14 : 0} height=${size - 2} fill=${originColor(stage, p)} />`,
      ),
    )}${words(10 + (p * 17) / 2, 26 + t * size, `${exact(p)} stages × ${exact(t)}`, "soft")}
      ${words(364, 48, `${exact(g)} GPUs`, "strong")}${words(364, 68, "how many replicas?", "soft")}${words(364, 88, `${exact(batch!)} sequences a step`, "soft")}`,
  );
}

/** A line as all_reduce_perf prints it, without its last columns. */
function line({ s, t }: Given): TemplateResult {
  const bytes = s! * 2 ** 20;
  const cells = [String(bytes), String(bytes / 2), "bfloat16", "sum", "-1", t!.toFixed(2), "?", "?", "0"];
  const names = ["size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong"];
  const units = ["(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", ""];
  const widths = names.map((name, index) => Math.max(name.length, units[index]!.length, cells[index]!.length) + 2);
  const row = (all: readonly string[]) => all.map((text, index) => text.padStart(widths[index]!)).join("");
  return html`<pre class="line" tabindex="0" role="group" aria-label="What all_reduce_perf printed">#${row(names).slice(1)}
#${row(units).slice(1)}
${row(cells)}</pre>`;
}

const pictures: Partial<Record<Track, (given: Given, posed: Posed) => TemplateResult>> = {
  ring_rounds: (given) => ring(given, "MiB"),
  partition: matrices,
  latency: (given) => ring(given, "KiB"),
  utilization: line,
  node_border: nodes,
  ratio: matrices,
  memory,
  layout: replica,
  // Both passes; the first edition asked of one.
  overlap: (given) => html`<commcost-lanes .given=${given}></commcost-lanes>`,
};

/** The picture of an exercise before it is answered. */
export function kindPicture(track: Track, posed: Posed): TemplateResult | typeof nothing {
  const given = Object.fromEntries(posed.given.map(({ name, value }) => [name, value]));
  return pictures[track]?.(given, posed) ?? nothing;
}

/** The answers of an exercise that have one unit, as bars to scale. */
export function answersPicture({ asked }: Posed): TemplateResult | typeof nothing {
  const units = asked.map(({ unit }) => unit);
  const unit = units.find((one, index) => one !== "" && units.indexOf(one) !== index);
  if (!unit) return nothing;
  const rows = asked.filter((row) => row.unit === unit);
  const most = Math.max(...rows.map(({ expected }) => expected));
  const high = 38;
  return picture(
    rows.length * high + 4,
    rows.map(({ label, expected }) => `${label}: ${significant(expected, 3)} ${unit}`).join("; "),
    rows.map(
      ({ label, expected }, index) => svg`<text class="soft start" x="0" y=${index * high + 12}>${label}</text>
        <rect class="bar" x="0" y=${index * high + 17} width=${Math.max(1, (expected / most) * (width - 90))} height="14" />
        <text class="start" x=${(expected / most) * (width - 90) + 6} y=${index * high + 28}>${significant(expected, 3)} ${unit}</text>`,
    ),
  );
}

export const kindPictureStyles = unsafeCSS(styles);
