// The engine beside the page: answers { id, name, inputs } with { id, results } or { id, problems, failure }.
import type { Engine } from "#engine";
import { ready } from "../state/parts";
import { engineFrom } from "virtual:commcost-engine-from";

// First of all comes what the engine is made of.
onmessage = async ({ data: source }: MessageEvent<unknown>) => {
  try {
    const engine: Engine = await engineFrom(source);
    const calculations = engine as unknown as Record<string, (inputs: unknown) => unknown>;
    onmessage = async ({ data: { id, name, inputs } }) => {
      try {
        await ready(engine, name);
        postMessage({ id, results: calculations[name]!(inputs) });
      } catch (error) {
        postMessage({ id, problems: (error as { problems?: unknown }).problems, failure: String(error) });
      }
    };
    postMessage({ id: 0 });
  } catch (error) {
    postMessage({ id: 0, failure: String(error) });
  }
};
