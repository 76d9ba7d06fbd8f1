import type { Problem, ServingLoadResults } from "#engine";
import type { Background } from "../../state/background.js";

/** One rate of requests, and what users of the deployment see at it. */
export interface AtRate {
  rate: number;
  results: ServingLoadResults;
}

/** What users may wait at the 99th percentile; 0: any. */
export interface Limits {
  first_token_ms: number;
  token_ms: number;
}

/** Shares of the deployment's steady-state capacity, from an idle server to an overloaded one. */
const shares = [0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1, 1.1];
/** How often the knee is searched for between two of them. */
const halvings = 3;

/** A share of a rate, rounded; the rate itself stays exact, as it may be the highest in time. */
const rateAt = (share: number, rate: number) => (share === 1 ? rate : Number((share * rate).toPrecision(3)));

/** Whether users wait no longer than allowed. */
const holds = ({ results }: AtRate, { first_token_ms, token_ms }: Limits): boolean =>
  results.keeps_up &&
  (first_token_ms <= 0 || results.first_token.p99_ms <= first_token_ms) &&
  (token_ms <= 0 || results.token.p99_ms <= token_ms);

/** The highest rate up to which every one is in time; nothing if the lowest is not. */
export function kneeOf(rates: readonly AtRate[], limits: Limits): AtRate | undefined {
  const broken = rates.findIndex((one) => !holds(one, limits));
  return broken < 0 ? rates.at(-1) : rates[broken - 1];
}

/** How far a load has been played. */
export interface LoadProgress {
  rates: AtRate[];
  done: number;
  of: number;
  problems: readonly Problem[];
}

/**
 * Plays a deployment at one rate after another in the worker, then between the last that is in time and the first that
 * is not.
 */
export class LoadRun {
  private stopped = false;

  constructor(
    private readonly background: Background,
    private readonly report: (progress: LoadProgress) => void,
  ) {}

  cancel(): void {
    this.stopped = true;
  }

  async start(inputs: Record<string, unknown>, serves: number, own: number, limits: Limits): Promise<void> {
    const rates = [...new Set([...shares.map((share) => rateAt(share, serves)), ...(own > 0 ? [own] : [])])];
    rates.sort((one, other) => one - other);
    const of = rates.length + halvings;
    const found: AtRate[] = [];
    const play = async (rate: number): Promise<boolean> => {
      const answer = await this.background.run("serving_load", { ...inputs, requests_per_sec: rate });
      if (!answer || this.stopped) return false;
      if (answer.results) {
        found.push({ rate, results: answer.results });
        found.sort((one, other) => one.rate - other.rate);
      }
      this.report({ rates: [...found], done: found.length, of, problems: answer.problems ?? [] });
      return answer.results !== undefined;
    };
    for (const rate of rates) if (!(await play(rate))) return;
    for (let halving = 0; halving < halvings; halving++) {
      const broken = found.findIndex((one) => !holds(one, limits));
      if (broken < 0) break;
      const low = found[broken - 1]?.rate ?? 0;
      if (!(await play(Number(((low + found[broken]!.rate) / 2).toPrecision(3))))) return;
    }
    this.report({ rates: [...found], done: of, of, problems: [] });
  }
}
