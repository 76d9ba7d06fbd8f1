import type { OverlapRatioResults } from "#engine";
import { html } from "../../elements/html.js";
import {
  type Derivation,
  formula,
  frac,
  type Math,
  mi,
  mn,
  mo,
  mtext,
  paren,
  row,
  sup,
  times,
} from "../../elements/math.js";
import { bandwidth, exact, significant, us } from "../../state/format.js";
import type { Sizes } from "../../state/sizes.js";
import type { Scheme } from "./schemes.js";

const is = mo("=");
const number = (value: number): Math => mn(exact(value));
/** As many digits as needed; powers of ten are typeset. */
const short = (value: number): Math => {
  const [digits, power] = significant(value, 6).split("e");
  return power === undefined ? mn(digits!) : times(mn(digits!), sup(mn(10), mn(power)));
};
const minusOne = (of: Math): Math => paren(of, mo("−"), mn(1));

const T = mi("T", "tokens of a micro-batch");
const h = mi("h", "hidden_size");
const k = mi("k", "next_linear_size");
const e = mi("e", "bytes_per_element");
const F = mi("F", "peak_tflops");
const B = mi("B", "bandwidth_gb_per_sec");
const t = mi("t", "tensor_parallel");
const d = mi("d", "data_parallel");
const p = mi("p", "pipeline_parallel");
const L = mi("L", "num_layers");
const W = mi("W", "weights");
const r = mi("r", "ratio");

interface Form {
  sent: Math;
  computed: Math;
  ratio: Math;
  degree: Math;
  /** The source's own form, if it is another. */
  printed: Math;
  printedIs: (results: OverlapRatioResults) => number;
  ruling: string;
  where: string;
}

const perByte = frac(F, B);

const forms: Record<Scheme, Form> = {
  data_parallel: {
    degree: d,
    sent: times(frac(row(mn(2), minusOne(d)), d), W, e),
    computed: times(mn(4), T, W),
    ratio: times(frac(e, row(mn(2), T)), frac(minusOne(d), d), perByte),
    printed: times(frac(mi("num_params"), row(mn(2), T)), frac(minusOne(d), d), perByte),
    printedIs: (results) => results.printed_ratio,
    ruling:
      "A factor num_params is left over in the printed form: it cancels when the bucket is all gradients. Ours drops it, and counts bytes.",
    where: "W: weights of all layers; the backward pass takes 4 FLOPs a weight and token.",
  },
  zero_3: {
    degree: d,
    sent: times(frac(minusOne(d), d), W, e),
    computed: times(mn(2), T, W),
    ratio: times(frac(e, row(mn(2), T)), frac(minusOne(d), d), perByte),
    printed: times(frac(minusOne(d), row(mn(2), T)), perByte),
    printedIs: (results) => results.cheat_sheet_ratio,
    ruling:
      "The Playbook’s cheat-sheet leaves out 1/d; its appendix A3 has it, and so do we. Both count elements, not bytes.",
    where: "W: weights of one layer; the forward pass takes 2 FLOPs a weight and token.",
  },
  tensor_parallel: {
    degree: t,
    sent: times(frac(minusOne(t), t), T, h, e),
    computed: frac(row(mn(2), T, h, k), t),
    ratio: times(frac(row(minusOne(t), e), row(mn(2), k)), perByte),
    printed: times(frac(minusOne(t), row(mn(2), h)), perByte),
    printedIs: (results) => results.printed_ratio,
    ruling: "A3’s next matrix is h × h; here its output width k is an input. Ours counts bytes, A3 elements.",
    where: "k: output width of the next matrix; h unless you give another.",
  },
  tensor_parallel_region: {
    degree: t,
    sent: times(frac(minusOne(t), t), T, h, e),
    computed: frac(row(mn(2), T, W), t),
    ratio: times(frac(row(minusOne(t), h, e), row(mn(2), W)), perByte),
    printed: times(frac(minusOne(t), row(mn(24), h)), perByte),
    printedIs: (results) => results.cheat_sheet_ratio,
    ruling: "The cheat-sheet’s 24 h is an MLP of 12 h² weights; here it is the model’s own. Ours counts bytes.",
    where: "W: weights of one MLP.",
  },
  pipeline_parallel: {
    degree: p,
    sent: times(T, h, e),
    computed: times(mn(2), T, W, frac(L, p)),
    ratio: times(frac(row(h, e, p), row(mn(2), W, L)), perByte),
    printed: times(frac(p, row(mn(32), h, L)), perByte),
    printedIs: (results) => results.printed_ratio,
    ruling: "A3’s layer has 16 h² weights; here it is the model’s own. Ours counts bytes.",
    where: "W: weights of one layer; L/p layers a stage.",
  },
};

/** What A3 does not count in a model, if that is sent too. */
function leftOut({ bytes }: Sizes, results: OverlapRatioResults): string {
  const { sent_bytes_per_gpu, model_sent_bytes_per_gpu, model_ratio } = results;
  if (model_sent_bytes_per_gpu === sent_bytes_per_gpu) return "";
  return `A3 counts the matrices of layers, ${bytes(sent_bytes_per_gpu)} as sent. With norms, embedding and LM head each GPU sends ${bytes(
    model_sent_bytes_per_gpu,
  )}, as the ledger counts; with the LM head’s products the ratio is ${significant(model_ratio, 3)}.`;
}

/** The two times and their ratio, with the reader's numbers; and the source's own form next to the ruling. */
export function overlapDerivation(
  sizes: Sizes,
  scheme: Scheme,
  results: OverlapRatioResults,
  inputs: Record<string, unknown>,
): Derivation[] {
  const form = forms[scheme];
  const rate = inputs["peak_tflops"] as number;
  const width = inputs["bandwidth_gb_per_sec"] as number;
  const comm = mi("comm", "communication_us");
  const comp = mi("comp", "compute_us");
  const sent = times(number(results.sent_bytes_per_gpu), mtext("bytes"));
  return [
    {
      name: "communication_us",
      title: "Communication",
      symbolic: row(comm, is, frac(form.sent, B)),
      substituted: row(comm, is, frac(sent, mtext(bandwidth(width)))),
      result: row(comm, is, mtext(us(results.communication_us, 5))),
      note:
        results.messages > 1
          ? `In ${exact(results.messages)} buckets of ${sizes.bytes(results.message_size_bytes)}, each as soon as it is full: the last, ${us(results.last_message_us)}, has no compute left to hide behind.`
          : `A message of ${sizes.bytes(results.message_size_bytes)}, for which each GPU sends ${sizes.bytes(results.sent_bytes_per_gpu)}.`,
    },
    {
      name: "compute_us",
      title: "Compute meanwhile",
      symbolic: row(comp, is, frac(form.computed, F)),
      substituted: row(
        comp,
        is,
        frac(times(short(results.compute_flops), mtext("FLOP")), mtext(`${exact(rate)} TFLOP/s`)),
      ),
      result: row(comp, is, mtext(us(results.compute_us, 5))),
      note: form.where,
    },
    {
      name: "ratio",
      title: "Ratio",
      symbolic: row(r, is, frac(comm, comp), is, form.ratio),
      substituted: row(r, is, frac(mtext(us(results.communication_us, 5)), mtext(us(results.compute_us, 5)))),
      result: row(r, is, short(results.ratio)),
      note: html`As printed: ${formula(form.printed, is, short(form.printedIs(results)))}. ${form.ruling} ${leftOut(sizes, results)}`,
    },
  ];
}
