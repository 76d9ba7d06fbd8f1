import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";
import driver from "./driver.py";
import type { Asked, Said } from "./messages.js";

/** In a worker of its own: one interpreter, for one run of a function over all its calls. */

const page = self as unknown as { postMessage(said: Said): void; onmessage: (event: MessageEvent<Asked>) => void };

/** The most of one run's output that is shown. */
const mostPrinted = 20_000;
let printed = 0;
let line: number[] = [];

function flush(): void {
  if (line.length > 0 && printed <= mostPrinted)
    page.postMessage({ printed: new TextDecoder().decode(new Uint8Array(line)) });
  printed += line.length;
  line = [];
}

/** An endless loop prints forever: its lines are passed on as they come, up to the limit shown. */
function print(bytes: Uint8Array): void {
  line.push(...bytes);
  if (line.at(-1) === 10 || line.length > 1000) flush();
}

async function started(binary: ArrayBuffer): Promise<(asked: Extract<Asked, { code: string }>) => void> {
  // Its script requests the binary by an address, which a Blob's worker does not have.
  self.fetch = async () => new Response(binary, { headers: { "content-type": "application/wasm" } });
  const python = await loadMicroPython({ url: "micropython.wasm", linebuffer: false, stdout: print, stderr: print });
  python.runPython(driver);
  const load = python.globals.get("load");
  const call = python.globals.get("call");
  return ({ code, name, calls }) => {
    const loaded = JSON.parse(load(code, name));
    flush();
    page.postMessage({ loaded });
    if (!loaded.found) return;
    for (const text of calls) {
      const ended = JSON.parse(call(text));
      flush();
      page.postMessage({ ended });
    }
  };
}

let run: Awaited<ReturnType<typeof started>>;

page.onmessage = async ({ data }) => {
  try {
    if ("binary" in data) {
      run = await started(data.binary);
      page.postMessage({ ready: true });
    } else {
      run(data);
      page.postMessage({ done: true });
    }
  } catch (error) {
    // Errors that end the interpreter itself, such as a stack overflow.
    page.postMessage({ failed: String(error) });
  }
};
