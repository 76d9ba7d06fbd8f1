import type { LineChartSpec, Rule } from "../../charts/line-chart.js";
import type { Series } from "../../charts/series.js";
import { millisecondUnits, ms, significant } from "../../state/format.js";
import type { AtRate, Limits } from "./load-run.js";
import { firstTokenOverRates, queueAtRate, tokenOverRates, waitedAtRate } from "./load-sentences.js";

const rateAxis = { label: "requests/s", scale: "linear", format: (value: number) => significant(value, 3) } as const;
const shown = (value: number) => Math.max(value, 1e-3);

type Times = AtRate["results"]["first_token"];

/** The median and the 99th percentile over the rate, the latter with its band. */
function percentiles(rates: readonly AtRate[], times: (one: AtRate) => Times): Series[] {
  return [
    {
      name: "range of P99",
      kind: "band",
      color: "expected",
      points: rates.map((one) => {
        const { p99_ms, p99_low_ms, p99_high_ms } = times(one);
        return { x: one.rate, y: shown(p99_ms), low: shown(p99_low_ms), high: shown(p99_high_ms) };
      }),
    },
    {
      name: "P99",
      color: "expected",
      points: rates.map((one) => ({ x: one.rate, y: shown(times(one).p99_ms) })),
    },
    {
      name: "P50",
      color: "plain",
      dash: "5 3",
      points: rates.map((one) => ({ x: one.rate, y: shown(times(one).p50_ms) })),
    },
  ];
}

function rules(limit: number, knee: AtRate | undefined): Rule[] {
  return [
    ...(limit > 0 ? [{ axis: "y" as const, at: limit, label: `limit ${ms(limit)}` }] : []),
    ...(knee ? [{ axis: "x" as const, at: knee.rate, label: `knee ${significant(knee.rate, 3)}/s` }] : []),
  ];
}

/** TTFT and TPOT over the rate of requests. */
export function rateCharts(rates: readonly AtRate[], limits: Limits, knee: AtRate | undefined): LineChartSpec[] {
  const chart = (
    id: string,
    name: string,
    key: "first_token" | "token",
    limit: number,
    summary: string,
  ): LineChartSpec => ({
    id: `commcost-serve-${id}-rate`,
    title: `${name} against the request rate.`,
    summary,
    x: rateAxis,
    y: { label: name, scale: "log", format: ms, units: millisecondUnits },
    series: percentiles(rates, ({ results }) => results[key]),
    rules: rules(limit, knee),
    table: {
      header: ["requests_per_sec", "p50_ms", "p99_ms", "p99_low_ms", "p99_high_ms", "keeps_up"],
      rows: rates.map(({ rate, results }) => [
        rate,
        results[key].p50_ms,
        results[key].p99_ms,
        results[key].p99_low_ms,
        results[key].p99_high_ms,
        String(results.keeps_up),
      ]),
    },
  });
  return [
    chart("ttft", "TTFT", "first_token", limits.first_token_ms, firstTokenOverRates(rates)),
    chart("tpot", "TPOT", "token", limits.token_ms, tokenOverRates(rates)),
  ];
}

/** One server over time: its queue and batch, and what the requests that arrived then waited. */
export function timeCharts(at: AtRate): LineChartSpec[] {
  const { results } = at;
  const time = {
    label: "time",
    scale: "linear",
    format: (value: number) => ms(1e3 * value),
    units: millisecondUnits.map(({ name, size }) => ({ name, size: size / 1e3 })),
  } as const;
  const line = (
    name: string,
    color: Series["color"],
    of: (moment: (typeof results.moments)[number]) => number,
    dash?: string,
  ): Series => ({
    name,
    color,
    ...(dash ? { dash } : {}),
    points: results.moments.map((moment) => ({ x: moment.time_s, y: of(moment) })),
  });
  const table = {
    header: ["time_s", "waiting", "running", "cache_percent", "first_token_ms", "token_ms"],
    rows: results.moments.map((moment) => [
      moment.time_s,
      moment.waiting,
      moment.running,
      moment.cache_percent,
      moment.first_token_ms,
      moment.token_ms,
    ]),
  };
  return [
    {
      id: "commcost-serve-load-queue",
      title: "Queue and batch over time, one server.",
      summary: queueAtRate(at),
      x: time,
      y: { label: "requests", scale: "linear", format: (value) => significant(value, 3) },
      series: [
        line("running", "expected", ({ running }) => running),
        line("waiting", "measured", ({ waiting }) => waiting, "5 3"),
      ],
      table,
    },
    {
      id: "commcost-serve-load-latency",
      title: "Latency over time, by arrival.",
      summary: waitedAtRate(at),
      x: time,
      y: { label: "mean", scale: "log", format: ms, units: millisecondUnits },
      series: [
        line("TTFT", "expected", ({ first_token_ms }) => first_token_ms),
        line("TPOT", "plain", ({ token_ms }) => token_ms, "5 3"),
      ],
      table,
    },
  ];
}
