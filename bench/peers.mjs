// The exercise by others on the same machine in the same run: a call, and a point of a sweep over hidden sizes.
import { spawnSync } from "node:child_process";
import { quickestNative } from "./measure/native.mjs";
import { quickest, wasm } from "./measure/wasm.mjs";
import { sweep, tensorParallelCost } from "./peers/exercise.mjs";

const million = 1_000_000;

/** The numbers that a script of bench/peers prints, or nothing where Python or a package is missing. */
function python(script) {
  const { status, stdout } = spawnSync("python3", [new URL(`peers/${script}`, import.meta.url).pathname], {
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim().split("\n").map(Number) : undefined;
}

function javascript() {
  const sizes = Float64Array.from({ length: million }, (_, index) => index + 1);
  let sum = 0;
  const call =
    quickest(() => {
      for (let gpus = 1; gpus <= 1000; ++gpus) sum += tensorParallelCost(4096, 2048, 8, gpus, 32)[3];
    }, 50) / 1000;
  const point =
    quickest(() => {
      sum += sweep(sizes)[3][7];
    }, 7) / million;
  if (Number.isNaN(sum)) throw new Error("not a number");
  return [call, point];
}

/** Rows of {who, call_ns, point_ns}; `note` where a peer cannot run here. */
export function peers() {
  const [pythonCall, pythonPoint] = python("exercise.py") ?? [];
  const [numpyPoint] = python("sweep_numpy.py") ?? [];
  const [scriptCall, scriptPoint] = javascript();
  return [
    {
      who: "commcost, native",
      call_ns: quickestNative("tensor_parallel_cost"),
      point_ns: quickestNative("sweep_of_a_million") / million,
    },
    { who: "commcost, wasm", call_ns: wasm.tensor_parallel_cost(), point_ns: wasm.sweep_of_a_million() / million },
    { who: "plain JavaScript", call_ns: scriptCall, point_ns: scriptPoint },
    {
      who: "plain Python",
      call_ns: pythonCall,
      point_ns: pythonPoint,
      ...(pythonCall === undefined && { note: "python3 is missing" }),
    },
    { who: "numpy", point_ns: numpyPoint, ...(numpyPoint === undefined && { note: "python3-numpy is missing" }) },
  ];
}
