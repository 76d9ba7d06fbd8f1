import type { Engine, FitCollectiveResults } from "#engine";
import type { DeviceProfile, OwnFiles } from "../own.js";
import { problemsOf } from "../run.js";

/** Everything measured of one run, as read from files. */
export interface Measured {
  step_times_ms?: readonly number[];
  devices?: readonly DeviceProfile[];
  /** For a device whose profile does not state the number of steps. */
  steps?: number;
  logs?: readonly ReadLog[];
  gpus?: OwnFiles["samples"]["gpus"];
}

type ReadLog = Pick<FitCollectiveResults, "collective" | "ranks" | "points">;

/** Whether a log says what it measured, so that it can be compared with a machine. */
export const isCompared = <Log extends ReadLog>(log: Log | undefined): log is Log =>
  log !== undefined && log.collective !== "" && log.ranks > 1 && log.points.length > 0;

const few = <Row>(rows: readonly Row[], most: number) => rows.slice(0, most);

/** The part of that which diagnose takes, over a job's inputs. */
export function diagnosed(inputs: Record<string, unknown>, measured: Measured): Record<string, unknown> {
  const { step_times_ms, devices = [], logs = [], gpus = [] } = measured;
  const profiled = few(devices, 64);
  return {
    ...inputs,
    ...(step_times_ms && step_times_ms.length > 0 ? { step_times_ms: [...step_times_ms] } : {}),
    profiles: profiled.map(({ device, steps, breakdown, lead_us = 0 }) => ({
      rank: device,
      steps: steps ?? measured.steps ?? 1,
      total_us: breakdown.total_us + lead_us,
      idle_us: breakdown.idle_us + lead_us,
      communication_only_us: breakdown.communication_only_us,
      launch_pauses_us: breakdown.launch_pauses_us ?? 0,
      longest_pause_us: Math.max(lead_us, breakdown.longest_pause_us ?? 0),
    })),
    profiled_kernels: few(
      profiled.flatMap(({ device, rows = [] }) => rows.map((row) => ({ rank: device, ...row }))),
      16384,
    ),
    network_logs: few(logs.filter(isCompared), 16).map(({ collective, ranks, points }) => ({
      collective,
      num_gpus: ranks,
      message_sizes_bytes: points.map(({ message_size_bytes }) => message_size_bytes),
      times_us: points.map(({ time_us }) => time_us),
    })),
    sampled_gpus: gpus.map(({ samples: _, ...gpu }) => gpu),
  };
}

/** A log of nccl-tests, read; nothing if there is none in it. */
export function collectiveLog(engine: Engine, text: string): FitCollectiveResults | undefined {
  try {
    return engine.fit_collective({ log: text } as Parameters<Engine["fit_collective"]>[0]);
  } catch (error) {
    problemsOf(error);
    return undefined;
  }
}
