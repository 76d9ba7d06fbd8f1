// Debian's WebKitGTK through its driver, in plain WebDriver; it needs a screen, so it gets its own.
import { spawn } from "node:child_process";
import { createServer } from "node:net";

const browser = `/usr/lib/${{ x64: "x86_64", arm64: "aarch64" }[process.arch]}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
/** The keys that the tests press, as WebDriver writes them. */
const keys = { Enter: "\ue007", Tab: "\ue004", ArrowLeft: "\ue012", ArrowRight: "\ue014" };

/** A separate screen: its number, and its process. */
async function startScreen() {
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1100x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise((resolve, reject) => {
    screen.on("error", reject);
    screen.stdio[3].once("data", (text) => resolve(String(text).trim()));
  });
  return { screen, number };
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** One command of WebDriver; throws if the driver refuses it, or no longer answers. */
async function command(address, method, body) {
  const signal = AbortSignal.timeout(120_000);
  const response = await fetch(address, { method, body: body && JSON.stringify(body), signal });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** The driver's address once it answers. */
async function startDriver(number) {
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${number}`, LIBGL_ALWAYS_SOFTWARE: "1" },
    stdio: "ignore",
  });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; ++tries) {
    const ready = await command(`${address}/status`, "GET").catch(() => undefined);
    if (ready) return { driver, address };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("WebKitWebDriver does not answer");
}

/** As startFirefox. */
export async function startWebKit() {
  const { screen, number } = await startScreen();
  const { driver, address } = await startDriver(number);
  const end = () => {
    driver.kill();
    screen.kill();
  };
  const options = { binary: browser, args: ["--automation"] };
  const { sessionId } = await command(`${address}/session`, "POST", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
  }).catch((error) => {
    end();
    throw error;
  });
  const session = (path, body) => command(`${address}/session/${sessionId}${path}`, body ? "POST" : "GET", body);
  await session("/window/rect", { width: 1300, height: 1000 });
  const strike = (text) =>
    session("/actions", {
      actions: [
        {
          type: "key",
          id: "keyboard",
          actions: [...text].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value }))),
        },
      ],
    });
  return {
    open: async (url) => {
      await session("/frame", { id: null }).catch(() => undefined);
      await session("/url", { url });
    },
    ask: (script, ...args) => session("/execute/sync", { script: `return (${script})(...arguments)`, args }),
    type: strike,
    press: (key) => strike(keys[key]),
    drag: (points, pointer) =>
      session("/actions", {
        actions: [
          {
            type: "pointer",
            id: pointer,
            parameters: { pointerType: pointer },
            actions: [
              { type: "pointerMove", x: points[0][0], y: points[0][1] },
              { type: "pointerDown", button: 0 },
              ...points.slice(1).map(([x, y]) => ({ type: "pointerMove", x, y, duration: 20 })),
              { type: "pointerUp", button: 0 },
            ],
          },
        ],
      }),
    enterFrame: () => session("/frame", { id: 0 }),
    screenshot: () => session("/screenshot"),
    stop: async () => {
      await command(`${address}/session/${sessionId}`, "DELETE").catch(() => undefined);
      end();
    },
  };
}
