import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import { axeFindings, field, nonsense, openPage, outlast, settled, shownText } from "./support/browser.mjs";
import { browser, host, hosted } from "./support/hosted.mjs";

hosted();

const open = (hash = "", options = {}) =>
  openPage(browser, `${host.address}#view=ring${hash}`, {
    ready: "commcost-playback",
    reducedMotion: "reduce",
    ...options,
  });
/** The Playbook's ring, whose numbers the tests know. */
const five = "&ranks=5&message_size_bytes=64+MiB&latency_us=5";
const button = (page, name) => page.getByRole("button", { name, exact: true });
const count = async (page, name, run = 0) =>
  (await page.locator(`[data-count="${name}"]`).nth(run).textContent()).trim();
const caption = (page, run = 0) => page.locator("commcost-playback figcaption").nth(run).textContent();
const position = (page) =>
  page.evaluate(() => {
    const find = (root) =>
      [...root.querySelectorAll("*")].reduce(
        (found, element) =>
          found ??
          (element.localName === "commcost-playback" ? element : element.shadowRoot && find(element.shadowRoot)),
        undefined,
      );
    return find(document).position;
  });

test("the scenario's own ring comes first: its tensor group, its message, nobody late", async () => {
  const page = await open();
  assert.match(await page.locator(".headline").innerText(), /all-reduce of 128 MiB over 8 GPUs/);
  assert.equal(await count(page, "rounds"), "14");
  await field(page, "tensor_parallel").fill("4");
  assert.match(await page.locator(".headline").innerText(), /over 4 GPUs/);
  await field(page, "ranks").fill("6");
  await field(page, "tensor_parallel").fill("2");
  assert.match(await page.locator(".headline").innerText(), /over 6 GPUs/, "what is typed here stays");
  await page.done();
});

test("one rank: nothing is sent, and where sizes have no times no chart is drawn", async () => {
  const page = await open("&tensor_parallel=1", { ready: "commcost-ring" });
  assert.match(await page.locator(".headline").innerText(), /One GPU sends nothing/);
  const charts = page.locator("commcost-ring .charts commcost-line-chart");
  await expect(charts).toHaveCount(2);
  for (const text of await charts.locator("figcaption").allInnerTexts()) assert.match(text, /One GPU sends nothing/);
  assert.equal(await charts.locator("svg").count(), 0);
  await expect(page.locator("commcost-ring .comparison")).toContainText("0 B");
  const text = await shownText(page);
  assert.equal(nonsense(text), undefined);
  assert.doesNotMatch(text, /Drag the picture|the first is done/);
  await page.done();
});

test("the Playbook's ring: five ranks, paused before the first round", async () => {
  const page = await open(five, { reducedMotion: "no-preference" });
  assert.match(await caption(page), /Ring all-reduce\s+before the first round/);
  await outlast(page, 600);
  assert.equal(await position(page), 0);
  assert.equal(await count(page, "rounds"), "8");
  assert.equal(await count(page, "sent"), "107 MB");
  assert.equal(await count(page, "closed_form"), "107 MB");
  assert.equal(await count(page, "so_far"), "0 B");
  await page.done();
});

/** What the picture says of the round, in a sentence. */
const told = async (page) => (await page.locator(".told").first().innerText()).trim();
/** A point on the picture of five GPUs, by its angle from the top in sectors, halfway out. */
async function pointAt(page, sector) {
  const { x, y, width } = await page.locator("svg.ring").boundingBox();
  const angle = (sector * 2 * Math.PI) / 5;
  return [x + width / 2 + 0.3 * width * Math.sin(angle), y + width / 2 - 0.3 * width * Math.cos(angle)];
}

test("each round has its sentence, about the GPU that is watched, and its count", async () => {
  const page = await open(five);
  assert.equal(await told(page), "Each GPU holds its own part of all 5 chunks.");
  const sent = page.locator("svg.ring .sent");
  const seen = [await sent.textContent()];
  const sentences = [];
  for (let round = 1; round <= 8; round++) {
    await button(page, "A round forward").click();
    sentences.push(await told(page));
    seen.push(await sent.textContent());
  }
  assert.deepEqual(seen, ["0/5", "1/5", "2/5", "3/5", "4/5", "5/5", "6/5", "7/5", "8/5"]);
  assert.deepEqual(sentences.slice(0, 5), [
    "GPU 2 adds GPU 1’s part: chunk 0 now holds 2 of 5.",
    "GPU 2 adds GPU 1’s sum: chunk 4 now holds 3 of 5.",
    "GPU 2 adds GPU 1’s sum: chunk 3 now holds 4 of 5.",
    "GPU 2 adds GPU 1’s sum: chunk 2 now holds 5 of 5.",
    "GPU 2 takes finished chunk 1 from GPU 1: it has 2 of 5.",
  ]);
  assert.match(sentences[7], /it has 5 of 5\. Done: every GPU has what it needs\.$/);
  // 1 + 2 + 3 + 4 + 5 in every chunk of every GPU, as the Playbook's sums are.
  const values = await page.locator("svg.ring .value").allTextContents();
  assert.ok(values.length >= 5 && values.every((value) => value === "15"), values.join());
  await page.getByLabel("Watch").selectOption("4");
  assert.match(await told(page), /^GPU 4 takes finished chunk/);
  await page.done();
});

test("the ring is turned by hand, by mouse and by finger, and a tap picks the GPU to watch", async () => {
  const page = await open(five, { reducedMotion: "no-preference", hasTouch: true });
  await page.mouse.move(...(await pointAt(page, 0)));
  await page.mouse.down();
  await page.mouse.move(...(await pointAt(page, 0.5)), { steps: 5 });
  assert.ok((await position(page)) > 0.3 && (await position(page)) < 0.7, "chunks are under way");
  assert.match(await page.locator("svg.ring .flying").getAttribute("transform"), /^rotate\(/);
  await page.mouse.move(...(await pointAt(page, 1)), { steps: 5 });
  await page.mouse.move(...(await pointAt(page, 2.1)), { steps: 5 });
  await page.mouse.up();
  assert.equal(await position(page), 2);
  // Back past the top: never before the beginning.
  await page.mouse.move(...(await pointAt(page, 3)));
  await page.mouse.down();
  await page.mouse.move(...(await pointAt(page, 1.5)), { steps: 8 });
  await page.mouse.move(...(await pointAt(page, 0)), { steps: 8 });
  await page.mouse.up();
  assert.equal(await position(page), 0);
  await page.touchscreen.tap(...(await pointAt(page, 3)));
  await button(page, "A round forward").click();
  assert.match(await told(page), /^GPU 3 adds GPU 2’s part/);

  const touch = await page.context().newCDPSession(page);
  const finger = async (type, sector) => {
    const [x, y] = sector === undefined ? [] : await pointAt(page, sector);
    await touch.send("Input.dispatchTouchEvent", { type, touchPoints: sector === undefined ? [] : [{ x, y }] });
  };
  await finger("touchStart", 0);
  for (const sector of [0.3, 0.6, 0.9, 1.2, 1.6, 2]) await finger("touchMove", sector);
  await finger("touchEnd");
  assert.equal(await position(page), 3);
  await page.done();
});

test("with reduced motion a dragged ring jumps from round to round", async () => {
  const page = await open(five);
  await page.mouse.move(...(await pointAt(page, 0)));
  await page.mouse.down();
  for (const sector of [0.2, 0.4, 0.7, 1]) {
    await page.mouse.move(...(await pointAt(page, sector)));
    assert.ok(Number.isInteger(await position(page)), `at ${sector}`);
  }
  await page.mouse.up();
  assert.equal(await position(page), 1);
  await page.done();
});

test("other algorithms are drawn in their own shape", async () => {
  for (const [algorithm, groups, nodes] of [
    ["binomial_tree&collective=broadcast", 0, 8],
    ["recursive_doubling", 0, 8],
    ["in_network", 0, 9],
    ["two_level&group_size=4", 2, 8],
  ]) {
    const page = await open(`&ranks=8&algorithm=${algorithm}`);
    await button(page, "A round forward").click();
    assert.equal(await page.locator("svg.shape .name").count(), nodes, algorithm);
    const boxes = await page.locator("svg.shape .group").getAttribute("d");
    assert.equal(boxes.split("M").length - 1, groups, algorithm);
    assert.match(await told(page), /GPU \d/);
    await page.done();
  }
});

test("the Playbook's example is a click away, and its collective is a program that prints the same", async () => {
  const page = await open();
  await button(page, "5 GPUs, 5 numbers").click();
  assert.match(await page.locator(".headline").innerText(), /all-reduce of 20 B over 5 GPUs/);
  await page.getByText("The same all-reduce in PyTorch").click();
  await page.getByText("# every rank: [15.0, 15.0, 15.0, 15.0, 15.0]").waitFor();
  // The sums that the Playbook prints for three ranks.
  await field(page, "ranks").fill("3");
  await field(page, "collective").selectOption("reduce_scatter");
  const program = page.locator("commcost-copied-text pre");
  for (const line of ["# rank 0: [6.0, 12.0]", "# rank 1: [14.0, 56.0]", "# rank 2: [36.0, 288.0]"])
    assert.ok((await program.innerText()).includes(line), line);
  await page.done();
});

test("stepping by keyboard reaches the closed form, and tells the halves apart", async () => {
  const page = await open(five);
  await button(page, "A round forward").focus();
  await page.keyboard.press("Enter");
  assert.match(await caption(page), /round 1 of 8: reduce-scatter/);
  assert.equal(await count(page, "so_far"), "13.4 MB");
  const scrub = page.getByRole("slider", { name: "Round" });
  await scrub.focus();
  for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
  assert.match(await caption(page), /round 5 of 8: all-gather/);
  assert.equal(await scrub.getAttribute("aria-valuetext"), "round 5 of 8: all-gather");
  await page.keyboard.press("End");
  assert.equal(await count(page, "so_far"), await count(page, "closed_form"));
  await button(page, "A round back").click();
  assert.match(await caption(page), /round 7 of 8/);
  await button(page, "To the beginning").click();
  assert.match(await caption(page), /before the first round/);
  await page.done();
});

test("playing moves on and pausing stops; with reduced motion rounds are jumps", async () => {
  const moving = await open("", { reducedMotion: "no-preference" });
  await button(moving, "Play").click();
  await moving.waitForFunction(() => {
    const { renderRoot } = document.querySelector("commcost-app");
    const { position } = renderRoot.querySelector("commcost-ring").renderRoot.querySelector("commcost-playback");
    return position > 0 && position % 1 !== 0;
  });
  await button(moving, "Pause").click();
  const stopped = await position(moving);
  assert.equal(stopped % 1, 0, "it stops between rounds");
  await outlast(moving, 500);
  assert.equal(await position(moving), stopped);
  await moving.done();

  const still = await open();
  await button(still, "Play").click();
  const seen = await still.evaluate(async () => {
    const { renderRoot } = document.querySelector("commcost-app");
    const playback = renderRoot.querySelector("commcost-ring").renderRoot.querySelector("commcost-playback");
    const positions = new Set();
    while (playback.position < 2) {
      positions.add(playback.position);
      await new Promise(requestAnimationFrame);
    }
    return [...positions];
  });
  assert.ok(seen.every(Number.isInteger), seen.join());
  await still.done();
});

test("every method counts what its closed form says, and every rank ends with the right numbers", {
  tag: "@long",
}, async () => {
  const page = await open();
  const methods = await page.evaluate(
    () =>
      document
        .querySelector("commcost-app")
        .renderRoot.querySelector("commcost-ring")
        .scenario.engine.collective_catalog().methods,
  );
  assert.ok(methods.length > 40);
  for (const { collective, algorithm } of methods) {
    for (const ranks of ["8", "12"]) {
      const texts = { collective, algorithm, ranks, group_size: "4", compare: "" };
      await page.evaluate(
        (wanted) =>
          document.querySelector("commcost-app").renderRoot.querySelector("commcost-ring").scenario.set(wanted),
        texts,
      );
      await button(page, "To the end").click();
      const name = `${collective} ${algorithm} ${ranks}`;
      await page.getByText("every GPU ends with exactly the right numbers").waitFor();
      if (collective === "barrier") continue;
      assert.equal(await count(page, "so_far"), await count(page, "closed_form"), name);
    }
  }
  await page.done();
});

test("two algorithms stand side by side on one scrubber, and their crossover is named", async () => {
  const page = await open("&ranks=8&bandwidth_gb_per_sec=50&compare=recursive_doubling");
  await page.getByRole("slider", { name: "Round" }).fill("4");
  assert.match(await caption(page, 0), /Ring all-reduce\s+round 4 of 14/);
  assert.match(await caption(page, 1), /Recursive doubling all-reduce\s+done after 3 rounds/);
  // alpha/beta (2(p-1) - lg p)/(lg p - 2(p-1)/p) = 250,000 · 11 / 1.25 bytes.
  await page.getByText("Recursive doubling is faster than ring below 2.1 MiB.").waitFor();
  await page.getByLabel("Only algorithms that need one port").check();
  await page.getByText(/Fastest: recursive doubling up to .* Rabenseifner above/).waitFor();
  await field(page, "compare").selectOption("");
  assert.equal(await page.locator("commcost-playback figure").count(), 1);
  await page.done();
});

test("nobody leaves a barrier before the last arrives", async () => {
  const page = await open("&collective=barrier&algorithm=dissemination&ranks=4&delays_us=0,0,0,40");
  await page.getByText("The last GPU arrives at 40 µs; the first leaves at 50 µs, after it.").waitFor();
  await field(page, "delays_us").fill("100 us, 0, 0");
  await page.getByText("The last GPU arrives at 100 µs; the first leaves at 110 µs").waitFor();
  await field(page, "delays_us").fill("-1");
  await page.getByText("Delay of each rank must be numbers from 0 to 1,000,000,000, not -1").first().waitFor();
  await field(page, "delays_us").fill("soon");
  await page.getByText("Delay of each rank must be a list of").first().waitFor();
  await page.done();
});

test("what cannot be is said beside its field, and the last picture stays", async () => {
  const page = await open(five);
  for (const text of ["0", "1.5", "1e9", "five"]) {
    await field(page, "ranks").fill(text);
    assert.equal(await field(page, "ranks").getAttribute("aria-invalid"), "true", text);
    assert.equal(await count(page, "rounds"), "8");
  }
  await field(page, "ranks").fill("12");
  await field(page, "algorithm").selectOption("two_level");
  await field(page, "group_size").fill("5");
  await page.getByText("Group size must be a divisor of ranks (12), not 5").first().waitFor();
  await field(page, "group_size").fill("4");
  await field(page, "ranks").fill("1000");
  await field(page, "algorithm").selectOption("ring");
  await page.getByText("The picture is drawn for up to 32 GPUs.").waitFor();
  await page.done();

  const linked = await openPage(browser, `${host.address}#view=ring&collective=broadcast&algorithm=bruck`, {
    ready: "commcost-ring",
  });
  await linked.getByText("Bruck is not defined for broadcast; broadcast has: binomial tree").first().waitFor();
  await field(linked, "algorithm").selectOption("binomial_tree");
  await linked.locator("commcost-playback").waitFor();
  await linked.done();
});

test("choosing another collective keeps the algorithm where it has it", async () => {
  const page = await open();
  await field(page, "collective").selectOption("all_gather");
  assert.equal(await field(page, "algorithm").inputValue(), "ring");
  await field(page, "collective").selectOption("all_to_all");
  assert.equal(await field(page, "algorithm").inputValue(), "pairwise");
  await page.waitForFunction(() => location.hash.includes("all_to_all"));
  await page.done();
});

test("32 ranks are drawn at every round", async () => {
  const page = await open("&ranks=32&compare=rabenseifner");
  const scrub = page.getByRole("slider", { name: "Round" });
  for (const step of ["1", "31", "62"]) {
    await scrub.fill(step);
    await settled(page);
    assert.equal(await page.locator("commcost-playback figure").count(), 2);
    assert.match(await caption(page), new RegExp(`round ${step} of 62|done after 62 rounds`));
  }
  await page.done();
});

for (const [name, hash] of [
  ["ring", ""],
  ["pair", "&compare=double_binary_tree&ranks=16"],
  ["barrier", "&collective=barrier&algorithm=dissemination"],
]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe has nothing to say of the ${name} in ${colorScheme}, and 360 px suffice`, async () => {
      const page = await open(hash, { colorScheme, viewport: { width: 360, height: 800 } });
      await button(page, "A round forward").click();
      assert.deepEqual(await axeFindings(page), []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
      await page.done();
    });
  }
}

test("in forced colours the legend's swatches are what the picture is drawn with", async () => {
  const page = await openPage(browser, `${host.address}#view=ring&ranks=20`, {
    ready: "commcost-playback svg.picture",
    forcedColors: "active",
  });
  // Until some are done and some under way.
  await page.getByRole("slider", { name: "Round" }).press("End");
  const background = (mark) =>
    page.locator(`.legend i.${mark}`).evaluate((swatch) => getComputedStyle(swatch).backgroundColor);
  const fill = (mark) =>
    page
      .locator(`svg.picture .${mark}`)
      .first()
      .evaluate((drawn) => getComputedStyle(drawn).fill);
  assert.equal(await background("done"), await fill("done"));
  await page.getByRole("slider", { name: "Round" }).press("Home");
  await page.getByRole("slider", { name: "Round" }).press("ArrowRight");
  assert.equal(await background("partial"), await fill("partial"));
  await page.done();
});

test("a link without an algorithm gets one that the collective has, and says what a shard costs", async () => {
  const page = await openPage(browser, `${host.address}#view=ring&collective=all_to_all`, { ready: "commcost-ring" });
  const ring = page.locator("commcost-ring");
  assert.match(await ring.locator(".headline").first().textContent(), /all-to-all of 128 MiB over 8 GPUs/);
  const chosen = await ring.getByLabel("Algorithm", { exact: true }).inputValue();
  const known = await page.evaluate(() =>
    document
      .querySelector("commcost-app")
      .scenario.engine.collective_catalog()
      .methods.filter(({ collective }) => collective === "all_to_all")
      .map(({ algorithm }) => algorithm),
  );
  assert.equal(chosen, known[0]);
  assert.equal(await ring.locator('[data-fact="shard"]').count(), 0);
  await page.evaluate(() => document.querySelector("commcost-app").take("collective=all_gather&ranks=16"));
  await ring.locator('[data-fact="shard"]', { hasText: "15 times" }).waitFor();
  // What a reader chose is kept, be it wrong.
  await page.evaluate(() => document.querySelector("commcost-app").take("collective=all_to_all&algorithm=two_level"));
  await ring.getByRole("alert").waitFor();
  await page.done();
});
