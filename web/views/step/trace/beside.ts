import { startWorker } from "../../../state/worker.js";
import { readProfile, type Profile } from "./devices.js";
import script from "./worker.js?worker-text";

type Reply = { share?: number; profile?: Profile; failure?: string };

/** Reads a profile in a worker, or on the page's own thread where there can be none. Rejects as readProfile does, and when `signal` says stop. */
export async function readBeside(file: Blob, report: (share: number) => void, signal: AbortSignal): Promise<Profile> {
  let worker: Worker | undefined;
  try {
    return await new Promise<Profile>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const here = () =>
        readProfile(file, async (share) => {
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
      worker.onmessage = ({ data: { share, profile, failure } }: MessageEvent<Reply>) => {
        if (share !== undefined) report(share);
        if (profile) resolve(profile);
        if (failure !== undefined) reject(new Error(failure));
      };
      worker.postMessage(file);
    });
  } finally {
    worker?.terminate();
  }
}
