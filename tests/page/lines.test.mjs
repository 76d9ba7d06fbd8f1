// On a phone no line ends between a number and its unit or what it counts, nor within "TP 8" or "69–83 ms": in any view, in any sentence.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { openPage, settled } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const scenario =
  "model=llama-3.1-70b&system=dgx-h100&cluster_gpus=64&tensor_parallel=4&pipeline_parallel=2&global_batch_size=128";

/** Every pair of a number and its unit in the texts that are shown, and those that a line's end parts. */
const pairsOf = (page) =>
  page.evaluate(() => {
    const pair =
      /(?<![\d.,]{10})\d[\s\u00a0]+(?=(?:ns|µs|ms|s|h|d|[kKMGTP]?i?B|[kMG]?B\/s|TFLOP\/s|%|GPUs?|nodes?|layers?|tokens?|rounds?|times|bytes|hours|days)(?![\w/]))|\b(?:TP|PP|CP|EP|DP|VPP)[\s\u00a0]+(?=\d)|\w–\u2060?(?=\d)/g;
    const found = { pairs: 0, parted: [] };
    const inline = (element) => /^(inline|contents)/.test(getComputedStyle(element).display);
    // What stands in one block is one text, in whatever elements it is written.
    let run = [];
    const end = () => {
      const text = run.map(({ data }) => data).join("");
      const starts = [];
      let at = 0;
      for (const { data } of run) {
        starts.push(at);
        at += data.length;
      }
      const boxOf = (index) => {
        const holds = starts.findLastIndex((start) => start <= index);
        const range = document.createRange();
        range.setStart(run[holds], index - starts[holds]);
        range.setEnd(run[holds], index - starts[holds] + 1);
        return range.getBoundingClientRect();
      };
      for (const { index, 0: all } of text.matchAll(pair)) {
        const one = boxOf(index);
        const other = boxOf(index + all.length);
        if (one.height === 0 || other.height === 0) continue;
        found.pairs += 1;
        if (other.top >= one.bottom || one.top >= other.bottom)
          found.parted.push(text.slice(Math.max(0, index - 30), index + 30).replaceAll(/\s+/g, " "));
      }
      run = [];
    };
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) run.push(node);
      if (node.nodeType !== Node.ELEMENT_NODE || ["STYLE", "SCRIPT", "svg", "SELECT"].includes(node.nodeName)) return;
      if (!node.checkVisibility()) return;
      const apart = !inline(node) || node.nodeName === "BR";
      if (apart) end();
      const children = node.nodeName === "SLOT" ? node.assignedNodes() : (node.shadowRoot ?? node).childNodes;
      for (const child of children) walk(child);
      if (apart) end();
    };
    walk(document.body);
    end();
    return found;
  });

for (const [view, ready, least] of [
  ["learn", "commcost-learn h2", 40],
  ["cost", "commcost-cost [part=headline]", 8],
  ["network", "commcost-network [part=headline]", 8],
  ["ring", "commcost-ring [part=headline]", 5],
  ["plan", "commcost-plan [part=headline] b", 20],
  ["step", "commcost-step [data-result=step_time_ms]", 20],
  ["serve", "commcost-serve [part=headline] b", 20],
  ["projection", "commcost-projection [part=headline]", 8],
])
  test(`${view}: no line parts a number from its unit`, async () => {
    const page = await openPage(browser, `${host.address}#v=2&view=${view}&${scenario}`, {
      ready,
      viewport: { width: 360, height: 640 },
    });
    await settled(page);
    for (const width of [360, 390, 412]) {
      await page.setViewportSize({ width, height: 740 });
      await settled(page);
      const { pairs, parted } = await pairsOf(page);
      assert.ok(pairs >= least, `${view} at ${width} px: ${pairs} pairs`);
      assert.deepEqual(parted, [], `${view} at ${width} px`);
    }
    await page.done();
  });
