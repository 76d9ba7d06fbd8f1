// The engine beside the page: answers { id, name, inputs } with { id, results } or { id, problems, failure }.
import type { Engine } from "#engine";
import { ready } from "../state/parts";
import { load } from "./load";
import type { WasmText } from "./wasm-text";

/** Where the engine's file lies, as seen from the page's scripts; empty where it is part of them. */
declare const ENGINE_FILE: string;

// First of all comes the engine: the address of its file, or its module.
onmessage = async ({ data: source }: MessageEvent<string | WasmText>) => {
  try {
    const engine: Engine = ENGINE_FILE
      ? await (await import(source as string)).loadEngine()
      : await load(source as WasmText);
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
