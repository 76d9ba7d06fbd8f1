// The engine beside the page: { id, name, inputs } is answered with { id, results } or { id, problems, failure }, { id, file }
// likewise with what the file holds, after { id, share }s. Either may bring `parts`, which the engine lacks for it.
import type { Engine } from "#engine";
import { engineFrom } from "virtual:commcost-engine-from";
import { ready, withParts } from "../parts.js";
import { readFile } from "./read-file.js";

type Asked = { id: number; name: string; inputs: unknown; file?: Blob; parts?: Record<string, Uint8Array> };

async function answered(engine: Engine, { id, name, inputs, file }: Asked): Promise<unknown> {
  await ready(engine, file ? undefined : name);
  if (file) return readFile(file, engine, (share) => postMessage({ id, share }));
  return (engine as unknown as Record<string, (inputs: unknown) => unknown>)[name]!(inputs);
}

// First of all comes what the engine is made of.
onmessage = async ({ data: source }: MessageEvent<unknown>) => {
  try {
    let engine = engineFrom(source);
    await engine;
    onmessage = async ({ data }: MessageEvent<Asked>) => {
      const { id } = data;
      try {
        const { parts } = data;
        // One after the other: each takes from those before it.
        if (parts) engine = engine.then((lacking) => withParts(lacking, parts));
        postMessage({ id, results: await answered(await engine, data) });
      } catch (error) {
        const { problems, message } = error as { problems?: unknown; message?: string };
        postMessage({ id, problems, failure: message ?? String(error) });
      }
    };
    postMessage({ id: 0 });
  } catch (error) {
    postMessage({ id: 0, failure: String(error) });
  }
};
