// Records what links of former releases opened, as those releases open them: draws scenarios in each view of a release's own page, has it
// write their links, opens each, and keeps the fields and their values. A later release opens the links of the earlier ones as well.
// Builds the releases first, which takes minutes: node tests/page/record-links.mjs
import { mkdirSync, writeFileSync } from "node:fs";
import { formerRelease } from "../support/former-release.mjs";
import { serve, startBrowser } from "./support/browser.mjs";

const releases = ["6f4d4ff", "7065edc"];

/** The calculations of each view, by the names that views had. */
const views = {
  start: ["tensor_parallel_allreduce_cost", "predict_collective"],
  cost: ["tensor_parallel_allreduce_cost", "predict_collective"],
  ring: ["collective_cost"],
  network: ["predict_collective"],
  overlap: ["overlap_ratio", "layer_timeline", "training_step"],
  training: ["training_step"],
  step: ["training_step"],
  serve: ["serving_step"],
  plan: ["plan"],
  exercise: [],
};
const linksPerView = 16;
/** What people type most; the rest is drawn as well. */
const often = [
  ...[
    "num_gpus",
    "cluster_gpus",
    "tensor_parallel",
    "pipeline_parallel",
    "context_parallel",
    "data_parallel",
    "expert_parallel",
  ],
  ...[
    "batch_size",
    "global_batch_size",
    "sequence_length",
    "zero_stage",
    "recompute",
    "pipeline_schedule",
    "virtual_stages",
  ],
  ...["message_size_bytes", "collective", "algorithm", "ranks", "bandwidth_gb_per_sec", "scheme", "sequence_parallel"],
];
/** Links of which something is known: what they leave out, what they carry from another view, what was opened wrongly. */
const known = [
  "view=training&mode=decode&model=llama-3.1-70b",
  "view=training&mode=prefill&model=llama-3.1-8b&tensor_parallel=4&batch_size=16",
  "view=network&num_gpus=64",
  "view=network&num_gpus=64&tensor_parallel=4&system=dgx-h100",
  "view=plan&num_gpus=64&tensor_parallel=4&pipeline_parallel=2&data_parallel=8",
  "view=plan&num_gpus=1024&model=llama-3.1-70b&system=dgx-h100",
  "view=training&pipeline_parallel=4",
  "view=training&model=deepseek-v3&tensor_parallel=1&pipeline_parallel=16&data_parallel=64&expert_parallel=64",
  "view=step&model=llama-3.1-70b&cluster_gpus=256",
  "view=step&model=llama-3.1-70b&system=dgx-h100&tensor_parallel=8&pipeline_parallel=4&gives_way=cluster_gpus",
  "view=overlap&num_gpus=64&tensor_parallel=4&data_parallel=16",
  "view=serve&model=llama-3.1-70b&system=dgx-h200&tensor_parallel=4&batch_size=16&sequence_length=4096",
  "view=serve&model=deepseek-v3&system=dgx-h200&expert_parallel=8",
  "num_gpus=16&link=nvlink4",
  "model=llama-3.1-70b&bandwidth_gb_per_sec=900+Gb/s",
  "view=ring&ranks=16&message_size_bytes=1+GiB&algorithm=recursive_doubling",
];

/** Runs in the release's page: draws, writes and opens links; {usual, links}. */
async function drawLinks({ views, linksPerView, often, known, seed, earlier }) {
  const app = document.querySelector("commcost-app");
  await app.whole;
  const { scenario } = app;
  const { engine, fields } = scenario;
  const tables = engine.describe();

  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const pick = (list) => list[Math.floor(next() * list.length)];

  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    await app.updateComplete;
  };
  /** Has the page open a link, and waits for its view. */
  async function open(link) {
    history.replaceState(null, "", link || location.pathname);
    dispatchEvent(new HashChangeEvent("hashchange"));
    // Scripts of views come from the page's own host; once they are there, only turns are taken.
    const asked = new URLSearchParams(link.slice(1)).get("view") ?? "cost";
    for (let turn = 0; turn < 400; turn++) {
      await settle();
      if (turn > 2 && [app.view.id, ...(app.view.also ?? [])].includes(asked)) return;
    }
    throw new Error(`the view of ${link} does not open`);
  }

  const names = [...new Set(Object.values(views).flat())]
    .filter((name) => tables[name])
    .flatMap((name) => tables[name].inputs.map(({ name }) => name));
  const kept = [...new Set([...names, ...fields.keys()])].filter(
    (name) => fields.has(name) && !/^(seed|count|level)$/.test(name),
  );
  const valueOf = (of, name) => {
    const { text, value } = of.entry(name);
    return value === undefined || text === "" ? "" : value;
  };
  const presets = ["model", "system", "link", "calibration"];
  const everything = (of) =>
    Object.fromEntries(
      [...presets, ...kept].flatMap((name) => {
        const value = presets.includes(name) ? of.text(name) : valueOf(of, name);
        return value === "" ? [] : [[name, value]];
      }),
    );
  const differing = (of, usual) => {
    const all = everything(of);
    return Object.fromEntries(
      [...new Set([...Object.keys(usual), ...Object.keys(all)])]
        .filter((name) => JSON.stringify(all[name]) !== JSON.stringify(usual[name]))
        .map((name) => [name, all[name] ?? ""]),
    );
  };

  /** Another value of a field, as people type it; nothing if there is none. */
  function typed({ name, kind, choices, least, greatest }) {
    const of = (values) =>
      String(pick(values.filter((value) => value >= (least ?? -Infinity) && value <= (greatest ?? Infinity))));
    if (/_parallel$|^num_gpus$|^ranks$|^expert_tensor/.test(name)) return of([1, 2, 4, 8, 16]);
    if (name === "cluster_gpus" || name === "serving_gpus") return of([8, 64, 256, 1024]);
    if (kind === "choice") return pick(choices);
    if (kind === "flag") return pick(["true", "false"]);
    if (name === "delays_us") return pick(["", "0, 12, 3", "5, 0, 0, 9"]);
    if (kind !== "whole" && kind !== "real") return undefined;
    if (/_size_bytes$/.test(name)) return pick(["64 MiB", "1 GiB", "1048576", "16 KiB"]);
    const now = scenario.number(name);
    const base = Number.isFinite(now) && now > 0 ? now : kind === "whole" ? 4 : 0.5;
    const scaled = [0.5, 2, 4, 1].map((by) => (kind === "whole" ? Math.max(1, Math.round(base * by)) : base * by));
    return of(scaled.length ? scaled : [base]);
  }

  const catalogs = {
    model: engine.model_catalog().models.map(({ id }) => id),
    system: engine.hardware_catalog().systems.map(({ id }) => id),
    link: engine.hardware_catalog().links.map(({ id }) => id),
  };

  /** Whether the view's first calculation takes the scenario. */
  function runs(calculation) {
    if (!calculation) return true;
    const { values, problems } = scenario.inputs(calculation);
    if (problems.length > 0) return false;
    // A search is long; what it is given is judged by its fields.
    if (calculation === "plan") return true;
    try {
      engine[calculation](values);
      return true;
    } catch {
      return false;
    }
  }

  // A link's own words for what the page shows without one.
  await open("#view=cost");
  const usual = everything(scenario);
  const links = [];
  const seen = new Set();
  async function record(link) {
    if (!link || seen.has(link)) return;
    seen.add(link);
    await open(link);
    links.push({
      link,
      view: app.view.id,
      // Where the release had no answer, there is none to keep.
      ...(views[app.view.id].every(runs) ? {} : { refused: true }),
      ...{ fields: differing(scenario, usual), pinned: scenario.pinned && differing(scenario.pinned, usual) },
    });
  }

  /** The link that the page writes for what it shows; nothing for its first page. */
  const written = () => app.address().match(/#.*/)?.[0];
  for (const link of earlier) await record(link);
  for (const draft of known) {
    if (!views[new URLSearchParams(draft).get("view") ?? "cost"]) continue;
    await open(`#${draft}`).then(
      () => record(written()),
      // A view that this release does not have.
      () => undefined,
    );
  }
  for (const [view, calculations] of Object.entries(views)) {
    await open("#view=cost");
    await open(`#view=${view}`).catch(() => {});
    if (app.view.id !== view) continue;
    await record(`#view=${view}`);
    const inputs = calculations.flatMap((name) => tables[name].inputs).filter(({ name }) => fields.has(name));
    const common = inputs.filter(({ name }) => often.includes(name));
    for (let made = 0, tried = 0; made < linksPerView && tried < 400; tried++) {
      const draft = new URLSearchParams({ view });
      for (const kind of presets.slice(0, 3)) if (next() < 0.35) draft.set(kind, pick(catalogs[kind]));
      await open(`#${draft}`);
      for (let times = Math.floor(next() * 6); times > 0 && inputs.length > 0; times--) {
        const field = next() < 0.5 ? pick(common) : pick(inputs);
        const text = field && typed(field);
        if (text !== undefined) scenario.set({ [field.name]: text });
      }
      if (!runs(calculations[0])) continue;
      if (next() < 0.15) {
        scenario.pin();
        const field = inputs.length > 0 ? pick(inputs) : undefined;
        const text = field && typed(field);
        if (text !== undefined) scenario.set({ [field.name]: text });
        if (!runs(calculations[0])) continue;
      }
      const link = written();
      if (!link || seen.has(link)) continue;
      await record(link);
      made++;
    }
  }
  return { usual, links };
}

/** One line a link: a change is seen as one. */
const written = ({ release, usual, links }) =>
  `{\n"release": ${JSON.stringify(release)},\n"usual": ${JSON.stringify(usual)},\n"links": [\n${links
    .map((link) => JSON.stringify(link))
    .join(",\n")}\n]\n}\n`;

const folder = new URL("../data/links/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
try {
  const earlier = [];
  for (const [at, ref] of releases.entries()) {
    const { commit, tree } = formerRelease(ref);
    const { address, stop } = await serve("/", `${tree}/build/site`);
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await page.goto(`${address}#view=cost`);
    await page.locator("commcost-cost").first().waitFor();
    const drawn = await page.evaluate(drawLinks, { views, linksPerView, often, known, seed: 30 + at, earlier });
    await context.close();
    await stop();
    writeFileSync(`${folder}${ref}.json`, written({ release: commit, ...drawn }));
    earlier.push(...drawn.links.map(({ link }) => link));
    console.log(`${ref}: ${drawn.links.length} links`);
  }
} finally {
  await browser.close();
}
