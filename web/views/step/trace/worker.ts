// Reads a trace beside the page: a file in; { share }s out, then { kernels } or { failure }.
import { readTrace } from "./read.js";

onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  try {
    const kernels = await readTrace(file, (share) => postMessage({ share }));
    postMessage({ kernels }, { transfer: Object.values(kernels).map(({ buffer }) => buffer) });
  } catch (error) {
    postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
};
