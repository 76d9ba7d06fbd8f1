// The engine in a worker: a question with an id is answered with { id, results } or { id, problems, failure }; if it
// takes long, { id, share } comes first, several times. A question may bring `parts` that the engine needs for it.
import type { Engine } from "#engine";
import { engineFrom } from "virtual:commcost-engine-from";
import type { Given } from "../engine/source.js";
import { withParts } from "./parts.js";

type Asked<Question> = Question & { id: number; parts?: Record<string, Given> };

/** Lets the worker answer every question in this way; `report` receives the share that is done. */
export function answering<Question>(
  answer: (engine: Engine, question: Question, report: (share: number) => void) => Promise<unknown>,
): void {
  // The first message holds the parts of the engine.
  onmessage = async ({ data: source }: MessageEvent<unknown>) => {
    try {
      let engine = engineFrom(source);
      await engine;
      onmessage = async ({ data }: MessageEvent<Asked<Question>>) => {
        const { id } = data;
        try {
          const { parts } = data;
          // One after the other: each depends on those before it.
          if (parts) engine = engine.then((lacking) => withParts(lacking, parts));
          const results = await answer(await engine, data, (share) => postMessage({ id, share }));
          postMessage({ id, results });
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
}
