// The main paths of the page in the browsers that the page's own tests do not run in: COMMCOST_SHOTS=folder keeps pictures.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { serve, site } from "../page/support/browser.mjs";
import { hostPage } from "../page/support/host.mjs";
import { startFirefox } from "./firefox.mjs";
import { startWebKit } from "./webkit.mjs";

const shots = process.env.COMMCOST_SHOTS;

/**
 * The first element that matches, in the page or in any shadow tree, as {text, value, shown, box}, after it was told to
 * do `what`: "click", "focus", "select"; for scripts in the page, where no other function is known.
 */
const look = (selector, what) => {
  const find = (root) => {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const { shadowRoot } of root.querySelectorAll("*")) {
      const inside = shadowRoot && find(shadowRoot);
      if (inside) return inside;
    }
    return undefined;
  };
  const element = find(document);
  if (!element) return null;
  if (what) {
    element.scrollIntoView({ block: "center" });
    element[what]();
  }
  const textOf = (node) =>
    [...(node.shadowRoot ?? node).childNodes]
      .map((child) => (child.nodeType === Node.TEXT_NODE ? child.textContent : textOf(child)))
      .join("");
  const { x, y, width, height } = element.getBoundingClientRect();
  return {
    text: textOf(element).replace(/\s+/g, " ").trim(),
    value: element.value ?? null,
    shown: width * height > 0,
    box: { x, y, width, height },
  };
};

/** Long enough that only a stall fails, not a busy machine. */
const patience = 30_000;

for (const [name, start] of [
  ["Firefox", startFirefox],
  ["WebKit", startWebKit],
]) {
  describe(name, () => {
    let browser, host;
    const others = [];
    /** Debian's WebKit ends by itself now and then, also while it starts. */
    const begin = async () => {
      browser = await start().catch(start);
    };
    before(async () => {
      // As static hosts do: no other origin may read a file.
      host = await serve("/", undefined, { cors: false });
      await begin();
    });
    afterEach(async () => {
      for (const other of others.splice(0)) await other.stop();
    });
    after(async () => {
      await browser?.stop();
      await host.stop();
    });

    const answers = () =>
      browser
        .ask(() => true)
        .then(
          () => true,
          () => false,
        );

    /** A test of a path: one in which the browser ended is walked once more, in a new one. */
    const path = (title, walk) =>
      test(title, async (context) => {
        try {
          await walk();
        } catch (error) {
          if (await answers()) throw error;
          context.diagnostic(`${name} ended, and was started anew: ${error.message}`);
          await browser.stop().catch(() => undefined);
          await begin();
          await walk();
        }
      });

    /** The visible state of an element, once it exists and is as wanted. */
    async function seen(selector, wanted = ({ shown }) => shown) {
      const until = Date.now() + patience;
      for (;;) {
        const found = await browser.ask(look, selector);
        if (found && wanted(found)) return found;
        assert.ok(Date.now() < until, `${selector}: ${JSON.stringify(found)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }

    const time = '[data-result="total_comm_time_ms"]';
    const shows = (milliseconds) => seen(time, ({ text }) => text.startsWith(milliseconds));

    async function typeInto(selector, text) {
      await browser.ask(look, selector, "focus");
      await browser.ask(look, selector, "select");
      await browser.type(text);
    }

    async function keep(picture) {
      if (!shots) return;
      mkdirSync(shots, { recursive: true });
      writeFileSync(`${shots}/${name}-${picture}.png`, Buffer.from(await browser.screenshot(), "base64"));
    }

    path("every view opens by its tab or as a part of one, answers, and says no nonsense", async () => {
      await browser.open(`${host.address}#view=cost`);
      await shows("50.108");
      const opened = new Set();
      const others = async () => {
        const linked = await browser.ask(() =>
          [...document.querySelector("commcost-app").shadowRoot.querySelectorAll("nav a[data-view]")].map(
            ({ dataset }) => dataset.view,
          ),
        );
        return linked.filter((view) => !opened.has(view));
      };
      // The parts of a tab are there once it is open.
      for (let left = await others(); left.length > 0; left = await others()) {
        const view = left.at(-1);
        opened.add(view);
        await browser.ask(look, `nav a[data-view="${view}"]`, "click");
        await seen(`nav a[data-view="${view}"][aria-current]`);
        const main = await seen("#main", ({ text }) => text.length > 20);
        assert.doesNotMatch(main.text, /NaN|undefined|\[object/, view);
        await keep(view);
      }
      assert.ok(opened.size >= 9, [...opened].join());
      assert.equal(await browser.ask(look, "[role=alert]"), null);
    });

    path("an input that is typed changes the answer and the address, and a link brings both back", async () => {
      await browser.open(`${host.address}#num_gpus=4`);
      await shows("42.9497");
      await typeInto('[name="tensor_parallel"]', "2");
      await shows("28.6331");
      const until = Date.now() + patience;
      let address = "";
      while (!address.includes("tensor_parallel=2") && Date.now() < until)
        address = await browser.ask(() => location.href);
      assert.match(address, /tensor_parallel=2/);
      await browser.open("about:blank");
      await browser.open(address);
      await shows("28.6331");
      await browser.ask(() => {
        location.hash = "#view=ring&ranks=5";
      });
      await seen("[part~=headline]", ({ text }) => text.includes("5 GPUs"));
      await browser.ask(() => history.back());
      await shows("28.6331");
    });

    /** Points round the ring of the page, by sectors of its five ranks. */
    async function turn(from, to) {
      await browser.ask(look, "svg.ring", "scrollIntoView");
      const { x, y, width } = (await seen("svg.ring")).box;
      return Array.from({ length: 11 }, (_, index) => {
        const angle = ((from + ((to - from) * index) / 10) * 2 * Math.PI) / 5;
        return [
          Math.round(x + width / 2 + 0.3 * width * Math.sin(angle)),
          Math.round(y + width / 2 - 0.3 * width * Math.cos(angle)),
        ];
      });
    }

    path("the story moves by keyboard, the ring by keyboard, mouse and finger", async () => {
      await browser.open(`${host.address}?story#view=learn`);
      await seen("#hand");
      const before = (await seen("#told", ({ text }) => text.length > 20)).text;
      await browser.ask(look, "#hand", "focus");
      await browser.press("ArrowRight");
      await seen("#told", ({ text }) => text.length > 20 && text !== before);
      await keep("story");
      await browser.open(`${host.address}?turned#view=ring&ranks=5`);
      const round = '[name="step"]';
      await seen(round);
      await browser.ask(look, round, "focus");
      await browser.press("ArrowRight");
      await seen(round, ({ value }) => value === "1");
      for (const [pointer, reached] of [
        ["mouse", "3"],
        ["touch", "5"],
      ]) {
        await browser.drag(await turn(0, 2.1), pointer);
        await seen(round, ({ value }) => value === reached);
      }
      await keep("ring");
    });

    path("a plan is searched, and a field that cannot be is named", async () => {
      await browser.open(
        `${host.address}#view=plan&model=llama-2-7b&system=dgx-a100&cluster_gpus=16&global_batch_size=64`,
      );
      await seen("[part~=headline]", ({ text }) =>
        /^(Fastest|Predicted fastest|Among the (predicted )?fastest).* on 16 GPUs/.test(text),
      );
      await browser.open(`${host.address}?2#hidden_size=many`);
      await seen("[role=alert]", ({ text }) => text.includes("Hidden size"));
    });

    path("the one file opens from file://, answers and plans", async () => {
      await browser.open(`file://${site}commcost.html#num_gpus=4`);
      await shows("42.9497");
      await typeInto('[name="tensor_parallel"]', "2");
      await shows("28.6331");
      await browser.open(`file://${site}commcost.html?plan#view=plan&model=llama-2-7b&system=dgx-a100&cluster_gpus=16`);
      await seen("[part~=headline]", ({ text }) =>
        /^(Fastest|Predicted fastest|Among the (predicted )?fastest).* on 16 GPUs/.test(text),
      );
    });

    for (const sandbox of ["", 'sandbox="allow-scripts"'])
      path(
        `a frame works on a host without CORS, ${sandbox || "without a sandbox"}, and its height follows`,
        async () => {
          const frame = `<iframe title="commcost" width="900" height="200" ${sandbox} src="${host.address}embed.html?num_gpus=4&compact&parts=headline+results"></iframe>`;
          const script = `let said = 0;
          addEventListener("message", ({ data }) => { if (data.type === "commcost:height") document.title = "height " + data.height; });`;
          const other = await hostPage(host.address, frame, script, { frames: true });
          others.push(other);
          await browser.open(other.address);
          await browser.enterFrame();
          await shows("42.9497");
          await keep(`frame${sandbox && "-sandboxed"}`);
          await browser.open(`${other.address}?again`);
          const until = Date.now() + patience;
          let title = "";
          while (!/^height \d{3}/.test(title) && Date.now() < until) title = await browser.ask(() => document.title);
          assert.match(title, /^height \d{3}$/);
        },
      );

    path(
      "elements stand in somebody's page under a strict policy, say what is mistyped, and are typed into",
      async () => {
        const cors = await serve();
        others.push(cors);
        const other = await hostPage(
          cors.address,
          `<commcost-calculator num_gpus="4"></commcost-calculator><commcost-ring rank="5" compact></commcost-ring>`,
          `await import("${cors.address}commcost-element.js");`,
        );
        others.push(other);
        await browser.open(other.address);
        await shows("42.9497");
        await seen(".author", ({ text }) => text.includes("did you mean ranks?"));
        await browser.ask(() => {
          document.querySelector("commcost-calculator").num_gpus = 8;
        });
        await shows("50.108");
        await keep("elements");
      },
    );

    path("practice, formulas and scoreboard show what they hold", async () => {
      await browser.open(`${host.address}practice.html`);
      await seen('[id="answer_message_size_bytes"]');
      await browser.ask(look, "details:has(#printed) > summary", "click");
      await seen("#code", ({ value }) => value?.startsWith("def tensor_parallel_allreduce_cost("));
      await typeInto("#code", "def tensor_parallel_allreduce_cost(**inputs): return len(inputs) / 0");
      await browser.ask(look, "commcost-code-editor + .actions button", "click");
      await seen("commcost-code-editor + .actions [role=status]", ({ text }) => text === "0 of 31 cases are right.");
      await seen('[aria-label="Traceback"]', ({ text }) => text.includes("ZeroDivisionError"));
      await keep("function");
      await browser.open(`${host.address}formulas/collectives.html`);
      const math = await browser.ask(() => {
        const { width, height } = document.querySelector("math").getBoundingClientRect();
        return width * height;
      });
      assert.ok(math > 100, `${math} square pixels of a formula`);
      await browser.open(`${host.address}scoreboard.html`);
      await seen("svg");
    });
  });
}
