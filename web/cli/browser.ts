import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** Headless browsers, by the names that each system has for them in its path, or by place. */
const browsers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["Google Chrome", "Chromium", "Microsoft Edge"].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: [process.env["ProgramFiles"], process.env["ProgramFiles(x86)"], process.env["LocalAppData"]].flatMap(
    (folder) =>
      folder
        ? [join(folder, "Google/Chrome/Application/chrome.exe"), join(folder, "Microsoft/Edge/Application/msedge.exe")]
        : [],
  ),
};
const inPath = [
  ...["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"],
  ...["chromium-headless-shell", "chrome-headless-shell"],
];

/** How long a browser may take to end by itself. */
const patience_ms = 5000;

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser that COMMCOST_BROWSER names, otherwise the first that is found. */
export function browserHere(): string | undefined {
  const named = process.env["COMMCOST_BROWSER"];
  const names = named ? [named] : (browsers[process.platform] ?? inPath);
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(canRun);
}

/** A page of a headless browser, controlled through a pipe (the DevTools protocol): no port is opened. */
export class BrowserPage {
  private readonly asked = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>();
  private received = "";
  private session: string | undefined;

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {
    (process.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => this.take(text));
    const ended = () => {
      for (const { failed } of this.asked.values()) failed(new Error(`${process.spawnfile} ended before it had drawn`));
    };
    process.on("error", ended).on("exit", ended);
    process.stdio[3]!.on("error", ended);
  }

  static async open(browser: string): Promise<BrowserPage> {
    const folder = mkdtempSync(join(tmpdir(), "commcost-"));
    const given = [
      "--headless",
      "--remote-debugging-pipe",
      `--user-data-dir=${folder}`,
      "--no-first-run",
      "--disable-gpu",
    ];
    // It shows only what this package provides, and otherwise refuses to start as root.
    if (process.getuid?.() === 0) given.push("--no-sandbox");
    const page = new BrowserPage(
      spawn(browser, given, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] }),
      folder,
    );
    const { targetId } = await page.ask<{ targetId: string }>("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await page.ask<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
    page.session = sessionId;
    return page;
  }

  private take(text: string): void {
    const messages = (this.received + text).split("\0");
    this.received = messages.pop()!;
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message) as {
        id?: number;
        result?: unknown;
        error?: { message: string };
      };
      const asked = this.asked.get(id ?? 0);
      this.asked.delete(id ?? 0);
      if (error) asked?.failed(new Error(error.message));
      else asked?.done(result);
    }
  }

  private ask<Result>(method: string, params: object): Promise<Result> {
    const id = this.next++;
    const { session: sessionId } = this;
    return new Promise<unknown>((done, failed) => {
      this.asked.set(id, { done, failed });
      (this.process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    }) as Promise<Result>;
  }
  private next = 1;

  /** Runs a script in it and returns its value. */
  async run(expression: string): Promise<unknown> {
    type Evaluated = { result: { value: unknown }; exceptionDetails?: { exception?: { description?: string } } };
    const { result, exceptionDetails } = await this.ask<Evaluated>("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "The script failed");
    return result.value;
  }

  /**
   * Ends the browser and everything it started, since what was started may be a script around it: a signal would end
   * only that.
   */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.session = undefined;
      this.ask("Browser.close", {}).catch(() => undefined);
      const late = setTimeout(() => this.process.kill("SIGKILL"), patience_ms);
      await ended;
      clearTimeout(late);
    }
    // Without its pipe a browser that is left ends, and this program does not wait for it.
    for (const pipe of this.process.stdio.slice(3)) pipe?.destroy();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
