// Reads a profile beside the page: a file in; { share }s out, then { profile } or { failure }.
import { readProfile } from "./devices.js";

onmessage = async ({ data: file }: MessageEvent<Blob>) => {
  try {
    const profile = await readProfile(file, (share) => postMessage({ share }));
    const columns = profile.devices.flatMap((device) => Object.values(device.columns));
    postMessage({ profile }, { transfer: columns.map(({ buffer }) => buffer) });
  } catch (error) {
    postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
};
