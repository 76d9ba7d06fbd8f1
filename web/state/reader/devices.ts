import type { KernelTotal, OperatorTotal } from "../own.js";
import type { KernelRow } from "./kernels.js";
import type { MemoryTimeline } from "./memory.js";
import { readTrace, type ReadTrace } from "./trace.js";

/** A device's own kernels: as trace_breakdown takes them, and the totals of each name. */
interface DeviceKernels {
  device: number;
  columns: Record<"start_us" | "duration_us" | "stream" | "communication", Float64Array<ArrayBuffer>>;
  totals: KernelTotal[];
  rows: KernelRow[];
  /** For each group of messages its row. */
  messages: Map<number, KernelRow>;
  /** Of a profile that has the host's operators. */
  operators: OperatorTotal[] | undefined;
  /** Of a profile that was taken with `profile_memory`. */
  memory: MemoryTimeline | undefined;
}

/** The most names of kernels kept for a device. */
const kept = 30;

/** "void at::native::reduce_kernel<512, 1>(int)" as people call it: without return type, template and arguments. */
function shortName(name: string): string {
  const plain = name.replace(/^void /, "").replace(/\(anonymous namespace\)::/g, "");
  const cut = plain.search(/[<(]/);
  return (cut > 0 ? plain.slice(0, cut) : plain).slice(0, 80);
}

/** The totals of a device's kernels by name, most time first. */
function totalsOf({ name, names, duration_us, communication }: ReadTrace, places: readonly number[]): KernelTotal[] {
  const totals = new Map<string, KernelTotal>();
  for (const place of places) {
    const short = shortName(names[name[place]!]!);
    const known = totals.get(short);
    if (known) {
      known.calls++;
      known.time_us += duration_us[place]!;
    } else {
      totals.set(short, {
        name: short,
        calls: 1,
        time_us: duration_us[place]!,
        communication: communication[place]! > 0,
      });
    }
  }
  return [...totals.values()].sort((one, other) => other.time_us - one.time_us).slice(0, kept);
}

/** The most operators kept for a device; the others are summed up. */
const keptOperators = 12;

/** The totals of a device's kernels by the operator that launched them, most time first. */
function operatorsOf(trace: ReadTrace, places: readonly number[]): OperatorTotal[] | undefined {
  const { start_us, duration_us, operation, operations } = trace;
  const totals = new Map<number, OperatorTotal>();
  let end = Infinity;
  for (const place of Int32Array.from(places).sort((one, other) => start_us[one]! - start_us[other]!)) {
    const said = operation[place]!;
    const id = said < 0 ? operations.ofLaunch(-said) : said;
    const operator = operations.operatorOf(id);
    let total = totals.get(operator);
    if (!total) {
      total = { name: operations.names[operator]!, kernels: 0, time_us: 0, host_us: 0, pause_us: 0 };
      totals.set(operator, total);
    }
    total.kernels++;
    total.time_us += duration_us[place]!;
    total.pause_us += Math.max(0, start_us[place]! - end);
    const ends = start_us[place]! + duration_us[place]!;
    end = end === Infinity ? ends : Math.max(end, ends);
    total.host_us += operations.takeHostTime(id);
  }
  if ([...totals.keys()].every((operator) => operator === 0)) return undefined;
  const all = [...totals.values()].sort((one, other) => other.time_us - one.time_us);
  const rest = all.splice(keptOperators);
  const sum = (of: "kernels" | "time_us" | "host_us" | "pause_us") => rest.reduce((all, one) => all + one[of], 0);
  if (rest.length > 0)
    all.push({
      name: `${rest.length} other operators`,
      kernels: sum("kernels"),
      time_us: sum("time_us"),
      host_us: sum("host_us"),
      pause_us: sum("pause_us"),
    });
  return all;
}

/** So many rows of kernels that compute are kept of a device; the others are summed up. */
const keptRows = 200;

/** The kernels of a device by name and shape, most time first, and its messages by group. */
function rowsOf(trace: ReadTrace, places: readonly number[]) {
  const { name, names, duration_us, communication, operation, operations } = trace;
  const computed = new Map<string, KernelRow>();
  const messages = new Map<number, KernelRow>();
  const count = (row: KernelRow, place: number) => {
    row.calls++;
    row.time_us += duration_us[place]!;
  };
  for (const place of places) {
    const group = communication[place]!;
    if (group > 0) {
      const known = messages.get(group);
      if (!known) messages.set(group, { ...trace.messages[group - 1]!, calls: 0, time_us: 0, exposed_us: 0 });
      count(known ?? messages.get(group)!, place);
      continue;
    }
    const said = operation[place]!;
    const shape = operations.placeOf(said < 0 ? operations.ofLaunch(-said) : said);
    const key = `${name[place]} ${shape}`;
    let row = computed.get(key);
    if (!row) {
      row = { name: names[name[place]!]!.slice(0, 160), ...operations.shapes[shape], calls: 0, time_us: 0 };
      computed.set(key, row);
    }
    count(row, place);
  }
  const rows = [...computed.values()].sort((one, other) => other.time_us - one.time_us);
  const rest = rows.splice(keptRows);
  if (rest.length > 0)
    rows.push({
      name: `${rest.length} other kernels`,
      calls: rest.reduce((sum, { calls }) => sum + calls, 0),
      time_us: rest.reduce((sum, { time_us }) => sum + time_us, 0),
    });
  return { rows, messages };
}

/** The kernels of each device apart, devices ascending. */
function byDevice(kernels: ReadTrace): DeviceKernels[] {
  const places = new Map<number, number[]>();
  kernels.device.forEach((device, place) => {
    const held = places.get(device);
    if (held) held.push(place);
    else places.set(device, [place]);
  });
  const pick = (column: Float64Array, of: readonly number[]) => {
    const picked = new Float64Array(of.length);
    of.forEach((place, index) => (picked[index] = column[place]!));
    return picked;
  };
  return [...places]
    .sort(([one], [other]) => one - other)
    .map(([device, of]) => ({
      device,
      columns: {
        start_us: pick(kernels.start_us, of),
        duration_us: pick(kernels.duration_us, of),
        stream: pick(kernels.stream, of),
        communication: pick(kernels.communication, of),
      },
      totals: totalsOf(kernels, of),
      operators: operatorsOf(kernels, of),
      memory: kernels.memory.of(device),
      ...rowsOf(kernels, of),
    }));
}

/** A profile's kernels by device, how many steps it marks, and what is missing of it. */
export interface Profile extends Pick<ReadTrace, "isCut" | "broken"> {
  steps: number;
  rank: number;
  lead_us: number;
  devices: DeviceKernels[];
}

/** Reads a profile as readTrace does, each device apart. */
export async function readProfile(pieces: AsyncIterable<string>): Promise<Profile> {
  const kernels = await readTrace(pieces);
  const { steps, rank, lead_us, isCut, broken } = kernels;
  return { steps, rank, lead_us, isCut, broken, devices: byDevice(kernels) };
}
