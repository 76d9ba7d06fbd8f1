import type { KernelTotal } from "../own.js";
import type { Kernels } from "./kernels.js";
import { readTrace, type ReadTrace } from "./trace.js";

/** A device's own kernels: as trace_breakdown takes them, and what each name comes to. */
interface DeviceKernels {
  device: number;
  columns: Record<"start_us" | "duration_us" | "stream" | "communication", Float64Array<ArrayBuffer>>;
  totals: KernelTotal[];
}

/** So many names of kernels are kept of a device. */
const kept = 30;

/** "void at::native::reduce_kernel<512, 1>(int)" as people call it: without return type, template and arguments. */
function shortName(name: string): string {
  const plain = name.replace(/^void /, "").replace(/\(anonymous namespace\)::/g, "");
  const cut = plain.search(/[<(]/);
  return (cut > 0 ? plain.slice(0, cut) : plain).slice(0, 80);
}

/** What the kernels of a device come to by name, most time first. */
function totalsOf({ name, names, duration_us, communication }: Kernels, places: readonly number[]): KernelTotal[] {
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
        communication: communication[place] === 1,
      });
    }
  }
  return [...totals.values()].sort((one, other) => other.time_us - one.time_us).slice(0, kept);
}

/** The kernels of each device apart, devices ascending. */
function byDevice(kernels: Kernels): DeviceKernels[] {
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
    }));
}

/** A profile's kernels by device, how many steps it marks, and what is missing of it. */
export interface Profile extends Pick<ReadTrace, "isCut" | "broken"> {
  steps: number;
  devices: DeviceKernels[];
}

/** Reads a profile as readTrace does, each device apart. */
export async function readProfile(pieces: AsyncIterable<string>): Promise<Profile> {
  const kernels = await readTrace(pieces);
  const { steps, isCut, broken } = kernels;
  return { steps, isCut, broken, devices: byDevice(kernels) };
}
