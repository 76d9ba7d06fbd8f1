import { startWorker } from "../../../state/worker.js";
import type { Kernels } from "./kernels.js";
import { readTrace } from "./read.js";
import script from "./worker.js?worker-text";

type Reply = { share?: number; kernels?: Kernels; failure?: string };

/** Reads a trace in a worker, or on the page's own thread where there can be none. Rejects as readTrace does, and when `signal` says stop. */
export async function readBeside(file: Blob, report: (share: number) => void, signal: AbortSignal): Promise<Kernels> {
  let worker: Worker | undefined;
  try {
    return await new Promise<Kernels>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const here = () =>
        readTrace(file, async (share) => {
          signal.throwIfAborted();
          report(share);
          await new Promise((done) => setTimeout(done));
        }).then(resolve, reject);
      try {
        worker = startWorker(script);
      } catch {
        void here();
        return;
      }
      worker.onerror = (event) => {
        event.preventDefault();
        void here();
      };
      worker.onmessage = ({ data: { share, kernels, failure } }: MessageEvent<Reply>) => {
        if (share !== undefined) report(share);
        if (kernels) resolve(kernels);
        if (failure !== undefined) reject(new Error(failure));
      };
      worker.postMessage(file);
    });
  } finally {
    worker?.terminate();
  }
}
