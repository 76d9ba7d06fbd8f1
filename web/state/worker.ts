import { scriptAddress } from "./trusted.js";

/** Starts a worker from its script's text. Throws, or fails by its error event, if workers are impossible. */
export function startWorker(text: string, type: WorkerType = "classic"): Worker {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  // From file:// Chromium starts no module from a Blob.
  const worker = new Worker(scriptAddress(address), { type });
  const release = () => URL.revokeObjectURL(address);
  worker.addEventListener("message", release, { once: true });
  worker.addEventListener("error", release, { once: true });
  return worker;
}
