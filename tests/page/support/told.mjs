// Each view's sentences about a scenario, as text, called as the view calls them. One row per view; a row's oracle is
// support/claims/<view>.mjs. A view without an answer has no sentences.
import { drawnRequest, missedBy } from "./claims/measured.mjs";
import { plainText } from "./text.mjs";

/** The modules of web/ whose sentences are collected. */
export const modules = {
  scenario: "state/page-scenario.ts",
  format: "state/format.ts",
  steps: "state/step.ts",
  machine: "state/machine.ts",
  running: "state/run.ts",
  expecting: "state/expectation.ts",
  cost: "views/cost/sentences.ts",
  costChart: "figures/cost-chart.ts",
  volumeChart: "figures/volume-chart.ts",
  network: "views/network/sentences.ts",
  networkCurve: "figures/network-curve.ts",
  ring: "views/ring/sentences.ts",
  words: "figures/collective-words.ts",
  overlap: "views/overlap/sentences.ts",
  schemes: "views/overlap/schemes.ts",
  layerChart: "figures/layer-chart.ts",
  heat: "views/overlap/heat.ts",
  plan: "views/plan/sentences.ts",
  elsewhere: "state/plan-sentences.ts",
  pinWords: "elements/pin-words.ts",
  record: "views/plan/record-sentences.ts",
  fasterRuns: "views/plan/faster-runs.ts",
  rank: "state/rank.ts",
  rankWords: "figures/rank-words.ts",
  front: "figures/front-chart.ts",
  step: "views/step/sentences.ts",
  charts: "views/step/step-charts.ts",
  decided: "figures/decisions.ts",
  boards: "scoreboard/words.ts",
  errors: "virtual:step-errors",
  learn: "views/learn/story.ts",
  facts: "views/learn/facts.ts",
  prose: "views/learn/prose.ts",
  tiles: "figures/layout-tiles.ts",
  stops: "figures/group-stops.ts",
  serve: "views/serve/sentences.ts",
  answers: "views/serve/answer.ts",
  degreesOf: "views/serve/degrees.ts",
  serveCharts: "views/serve/serve-charts.ts",
  servedRooflines: "views/serve/roofline-sentences.ts",
  servedSteps: "views/serve/step-of-answer.ts",
  pareto: "views/serve/pareto.ts",
  percentiles: "views/serve/percentiles-sentences.ts",
  goodputs: "views/serve/goodput-sentences.ts",
  deploymentNames: "figures/deployment-name.ts",
  loads: "views/serve/load-sentences.ts",
  loadCharts: "views/serve/load-charts.ts",
  knees: "views/serve/load-run.ts",
  benchmarks: "views/serve/benchmark-sentences.ts",
  diagnosed: "state/diagnosis/words.ts",
  projection: "views/projection/sentences.ts",
  judging: "views/projection/judged.ts",
  projectedChart: "views/projection/scaling-chart.ts",
  grid: "views/projection/grid.ts",
  compared: "state/compared.ts",
  comparedSteps: "state/compared-steps.ts",
  comparedRows: "elements/compared-rows.ts",
  differences: "state/differences.ts",
  differenceWords: "elements/difference-words.ts",
};

/** The charts collected since it was last emptied. */
export const charts = [];

/** What sentences say, and charts of theirs. */
const lines = (...parts) =>
  parts
    .flat()
    .map((part) => {
      if (part?.table === undefined) return plainText(part);
      charts.push(part);
      return plainText(part.summary);
    })
    .filter(Boolean)
    .join("\n");

function cost({ cost, costChart, volumeChart, running, expecting }, scenario) {
  const { results } = running.run(scenario, "tensor_parallel_allreduce_cost");
  if (!results) return undefined;
  const inputs = running.completeInputs(scenario, "tensor_parallel_allreduce_cost");
  const expected = expecting.expectation(scenario, inputs, results.message_size_bytes);
  return lines(
    cost.headline(scenario, inputs, results, expected),
    cost.reasons(scenario, inputs, results, expected),
    costChart.costChart(scenario, inputs, results),
    volumeChart.volumeChart(scenario, inputs, results),
  );
}

function network({ network, networkCurve, machine, running }, scenario) {
  const own = { details: true, calls: 1 };
  const { results } = running.run(scenario, "predict_collective", own);
  if (!results) return undefined;
  const inputs = { ...scenario.inputs("predict_collective").values, ...own };
  const measured = machine.measuredAlike(scenario, inputs.collective, inputs.num_gpus, results);
  return lines(
    network.headline(scenario, inputs, results),
    network.reasons(scenario, results),
    inputs.num_gpus > 1 ? network.placeSummary(results, inputs.num_gpus) : "",
    inputs.num_gpus > 1 ? networkCurve.networkChart(scenario, inputs, results, measured, "time") : "",
    network.runsAt(network.measuredAt(measured, results, inputs.message_size_bytes)),
  );
}

function ring({ ring, words, running }, scenario) {
  const { results, inputs } = running.run(scenario, "collective_cost");
  const timeline = running.run(scenario, "collective_timeline");
  const crossovers = running.run(scenario, "collective_crossovers");
  if (!results || !timeline.results || !crossovers.results) return undefined;
  const names = {
    algorithm: (name) => name.replaceAll("_", "-"),
    size: (bytes) => scenario.sizes.binaryBytes(bytes, 3),
  };
  return lines(
    ring.headline(scenario, { algorithm: inputs.algorithm, cost: results }, inputs),
    ring.clockSummary(inputs.collective, timeline.results),
    inputs.collective === "barrier" || inputs.ranks === 1 ? "" : words.quickestSentence(crossovers.results, names),
  );
}

function overlap({ overlap, schemes, layerChart, heat, running }, scenario) {
  const scheme = schemes.schemes.find(({ id }) => id === scenario.text("scheme"));
  if (!scheme) return undefined;
  const { results } = running.run(scenario, "overlap_ratio", schemes.askedOf(scenario, scheme.id));
  const layer = running.run(scenario, "layer_timeline").results;
  if (!results || !layer) return undefined;
  return lines(
    overlap.headline(scenario, scheme, results, () => running.run(scenario, "training_step").results),
    overlap.layerHides(scheme, results, layer),
    layerChart.layerChart(layer),
    heat.heatMap(scenario, scheme, running.completeInputs(scenario, "overlap_ratio")),
  );
}

function step({ step, charts, decided, steps, running, boards, errors }, scenario) {
  const { results, inputs } = running.run(scenario, "training_step", { elasticities: true });
  const ledger = running.run(scenario, "communication_ledger", { stage: "busiest" }).results;
  if (!results || !ledger) return undefined;
  const stages =
    ledger.stage === "only"
      ? [ledger]
      : ["first", "inner", "last"].flatMap((stage) => {
          const one = running.run(scenario, "communication_ledger", { stage }).results;
          return one ? [one.stage === ledger.stage ? ledger : one] : [];
        });
  const roofline = running.run(scenario, "layer_roofline").results;
  const placed = { recipe: scenario.text("recipe") || "megatron-core", accelerator: scenario.text("accelerator") };
  return lines(
    step.headline(scenario, results),
    step.assumptions(scenario, results),
    steps.runWords(scenario, steps.runOf(scenario, results)),
    charts.stepBars(results),
    charts.stepMemoryBars(scenario.sizes, results),
    charts.elasticityBars(results),
    charts.bandwidthCurves(scenario, inputs, results),
    step.restsOn(scenario, results, placed, boards.namesOf(scenario.engine)),
    decided.decisionsChart(scenario, {}, results),
    step.missedAlike(step.ratiosOf(results, errors), results),
    step.ledgerLead(scenario, ledger, stages),
    step.bytesSummary(scenario, ledger),
    step.sizesSummary(scenario.sizes, ledger),
    roofline ? step.rooflineSummary(scenario.sizes, roofline) : "",
    roofline?.tile_rows > 0 ? step.levelsSummary(scenario.sizes, roofline) : "",
    scenario.number("pipeline_parallel") > 1 ? step.bubbleSummary(results) : "",
  );
}

/** The rank of the scenario's own layout among those of the search, as for a launch of it. */
function rankOfOwn({ rank, rankWords, running }, scenario, found) {
  const { results: step, inputs } = running.run(scenario, "training_step");
  return step
    ? `launch: ${rankWords.rankWords(rank.rankOf(inputs, step, found), "the stack", scenario.sizes.memory)}`
    : "";
}

function plan({ plan, front, running, record, rank, rankWords, fasterRuns }, scenario) {
  const { results, inputs } = running.run(scenario, "plan");
  if (!results) return undefined;
  const head = [
    plan.planHeadline(scenario, results, inputs.cluster_gpus, ""),
    plan.planUnder(scenario, results, inputs.cluster_gpus, 0, ""),
  ];
  const [best] = results.layouts;
  if (!best) return lines(head);
  const losses = results.alternatives.map((one, index) => {
    const { what, value } = plan.decisionOf(scenario, one);
    return `alternative ${index} (${what} ${value}): ${plan.lossOf(scenario, one)}`;
  });
  const others = results.layouts.map((row, index) => `family ${index}: ${plan.againstFirst(row, best)}`);
  const runnersUp = results.layouts.slice(1).map((row, index) => `runner-up ${index + 1}: ${record.whyNot(row, best)}`);
  return lines(
    head,
    plan.tieWords(results),
    plan.timeSummary(results),
    front.frontSummary(results, scenario),
    losses,
    others,
    runnersUp,
    rankOfOwn({ rank, rankWords, running }, scenario, results),
    `faster: ${fasterRuns.fasterWords(scenario, results)}`,
    missedBy.map(
      (ratios, at) =>
        `nearest ${at}: ${record.asNearest(
          ratios.map((ratio) => ({ measured_ms: 100, predicted_ms: 100 * ratio })),
          best,
        )}`,
    ),
    record.question(scenario, ""),
    record.assumptions(scenario, results),
  );
}

/** Layouts on fewer and more GPUs. */
function scaling({ elsewhere, running, pinWords }, scenario) {
  const { results, inputs } = running.run(scenario, "plan_scaling");
  return results && lines(elsewhere.scalingSummary(results.rows, pinWords.pinsInWords(scenario, inputs)));
}

function layout({ tiles, running }, scenario) {
  const found = running.run(scenario, "plan", tiles.forBoard).results;
  if (!found) return undefined;
  const flags = found.layouts
    .filter((_, index) => index % 7 === 3)
    .map((row) => ({ tensor: row.tensor_parallel, pipeline: row.pipeline_parallel }));
  const shown = found.fastest.length > 0 ? tiles.tilesOf(found, scenario, false) : [];
  return lines(
    tiles.layoutSummary(scenario, found),
    flags.map((flag) => `flag TP ${flag.tensor}, PP ${flag.pipeline}: ${tiles.layoutSummary(scenario, found, flag)}`),
    shown.map(({ tensor, pipeline, name }) => `tile TP ${tensor}, PP ${pipeline}: ${name || "never"}`),
  );
}

function diagnose({ diagnosed }, scenario) {
  const request = drawnRequest(scenario.engine, scenario);
  if (!request) return undefined;
  const found = scenario.engine.diagnose(request);
  const measured = found.verdict !== "nothing_measured";
  return lines(
    diagnosed.headlineOf(found),
    diagnosed.underOf(found),
    measured ? `unexplained: ${diagnosed.unexplainedOf(found)}` : "",
    found.losses.map(
      (loss, at) => `cause ${at}: ${diagnosed.confidenceWords[loss.confidence]}; ${diagnosed.evidenceOf(loss, found)}`,
    ),
    found.networks.map((one, at) => `network ${at}: ${diagnosed.networkOf(one)}`),
    found.parts.map((part, at) => `part ${at}: ${diagnosed.partOf(part)}`),
    diagnosed.missingOf(found).map((line) => `missing: ${line}`),
  );
}

function learn({ learn: { card, chapters, lead, rule }, facts: { factsOf }, prose: { plainText } }, scenario) {
  const facts = factsOf(scenario);
  if (!facts) return undefined;
  const all = chapters.flatMap((chapter) => [
    chapter.title(facts),
    plainText(chapter.ask(facts)),
    ...chapter.explain(facts).map(plainText),
    ...(chapter.riddle ? [chapter.riddle(facts).ask, plainText(chapter.riddle(facts).answer)] : []),
  ]);
  const lines = card(facts).map(([name, value]) => `${name}: ${value}`);
  return [plainText(lead(facts)), ...all, ...lines, plainText(rule(facts))].join("\n");
}

/** The rates at which a server is played for its sentences, as shares of what it is planned for, and how many requests. */
export const served = { shares: [0.3, 0.7, 1.1], requests: 200, inFlight: [1, 12], slower: 1.2 };

/** Those rates, and the one that was asked for. */
export const ratesOf = (best, own) =>
  [
    ...new Set([
      ...served.shares.map((share) => Number((share * best.requests_per_sec).toPrecision(3))),
      ...(own > 0 ? [own] : []),
    ]),
  ].sort((one, other) => one - other);

/** The loads of a benchmark that a stack wrote whose every step takes so much longer. */
export const measuredLoads = (predicted) =>
  predicted.map(({ token, first_token, requests_per_sec }, at) => ({
    requests_per_sec: 0,
    max_concurrency: served.inFlight[at],
    answered_per_sec: requests_per_sec,
    token: { p50_ms: served.slower * token.p50_ms, p99_ms: 0, mean_ms: 0 },
    first_token: { p50_ms: served.slower * first_token.p50_ms, p99_ms: 0, mean_ms: 0 },
  }));

function serve(modules, scenario) {
  const {
    serve,
    answers,
    degreesOf,
    serveCharts,
    servedRooflines,
    servedSteps,
    pareto,
    percentiles,
    loads,
    loadCharts,
    knees,
    benchmarks,
    running,
  } = modules;
  const { results: found } = running.run(scenario, "plan_serving");
  const { results: step, inputs } = running.run(scenario, "serving_step", servedSteps.followed(scenario, found));
  if (!found || !step) return undefined;
  const targets = serve.targetsOf(scenario);
  const best = found.found ? found.deployments[0] : undefined;
  const steps = degreesOf.overDegrees(scenario, inputs);
  const other = degreesOf.nextTo(scenario, inputs, steps);
  const head = [
    serve.headline(scenario, found),
    serve.answerUnder(scenario, found),
    best ? found.deployments.map((row, index) => `row ${index}: ${answers.whyNot(row, best, targets)}`) : "",
    pareto.pareto(found, targets),
    serve.stepLead(scenario, step, inputs),
    serve.stepUnder(scenario, step),
    servedRooflines.servedRooflineSummary(servedRooflines.rooflineOf(scenario.engine, inputs)),
    step.allreduce_calls > 0 ? serve.why(scenario, step) : "",
    step.allreduce_calls > 0 ? serveCharts.kernelBars(step) : "",
    other ? serve.whyApart(scenario, { results: step, inputs }, other, found) : "",
    serveCharts.speedup(steps),
    serveCharts.degreeBars(steps),
  ];
  if (!best) return lines(head.flat());
  const answered = running.run(scenario, "serving_step", servedSteps.stepOfAnswer(scenario, best));
  head.push(serve.besideAnswer(scenario, answered.inputs, answered.results, best));
  head.push(answers.startedInWords(best, scenario.number("requests_per_sec")));
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens } = best;
  const deployment = { tensor_parallel, pipeline_parallel, expert_parallel, replicas, step_tokens };
  const play = (load) =>
    running.run(scenario, "serving_load", { ...deployment, batch_size, requests: served.requests, ...load }).results;
  const own = scenario.number("requests_per_sec");
  const load = percentiles.answerLoad(best, own);
  const rates = ratesOf(best, own).map((rate) => ({
    rate,
    results: play({ requests_per_sec: rate, max_concurrency: 0 }),
  }));
  const limits = { first_token_ms: targets.most_first_token_ms, token_ms: targets.most_token_ms };
  const predicted = served.inFlight.map((max_concurrency) => play({ requests_per_sec: 0, max_concurrency }));
  const measured = measuredLoads(predicted);
  const fit = running.run(scenario, "fit_serving", {
    ...deployment,
    batch_size,
    requests: served.requests,
    loads: measured.map(({ max_concurrency, token }) => ({ max_concurrency, measured_token_ms: token.p50_ms })),
  }).results;
  return lines(
    head.flat(),
    `percentiles: ${percentiles.percentilesInWords(load, play(load), targets)}`,
    "load: ",
    loads.loadLead(best, rates, knees.kneeOf(rates, limits), own),
    loadCharts.rateCharts(rates, limits, knees.kneeOf(rates, limits)).map(({ summary }) => summary),
    rates.map((one, at) => [
      `rate ${at}: ${loadCharts
        .timeCharts(one)
        .map(({ summary }) => summary)
        .join(" ")}`,
      `rate ${at} again: ${loads.evictedAtRate(one)}`,
    ]),
    loads.loadNote,
    measured.map((one, at) => `load ${at}: ${benchmarks.loadInWords(one)}`),
    benchmarks.benchmarkLead(
      measured.map((one, at) => ({ load: one, predicted: predicted[at] })),
      answers.serversInWords(best),
    ),
    fit ? benchmarks.fitLead(fit) : "",
  );
}

/** Serve's answer where limits hold at a percentile. */
function goodput({ serve, goodputs, deploymentNames, running }, scenario) {
  const { results: plan } = running.run(scenario, "plan_goodput");
  if (!plan) return undefined;
  const percentile = scenario.text("latency_percentile");
  const targets = serve.targetsOf(scenario);
  const words = goodputs.goodputWords(plan, targets, percentile);
  const columns = goodputs.loadColumns(plan, percentile);
  return lines(
    serve.headline(scenario, plan, words),
    serve.answerUnder(scenario, plan, words),
    plan.deployments.flatMap((row, index) => [
      `row ${index}, ${deploymentNames.deploymentName(row)}: ${goodputs.whyNotUnderLoad(plan, row, targets, percentile)}`,
      `cells ${index}: ${columns.map(([, name, told]) => `${name} ${told(row, scenario.sizes)}`).join("; ")}`,
    ]),
  );
}

function projection({ projection, judging, projectedChart, grid, running }, scenario) {
  const { results, inputs } = running.run(scenario, "project_scaling");
  const gpus = scenario.number("cluster_gpus");
  const volumes = running.run(scenario, "data_or_tensor", { num_gpus: gpus }).results;
  if (!results) return undefined;
  const rows = judging.judged(scenario.engine);
  return lines(
    projection.projectionHeadline(rows),
    projection.projectionUnder(rows),
    judging.judgedChart(rows),
    projection.scalingHeadline(results),
    projectedChart.scalingChart(scenario, results, inputs),
    volumes && gpus > 1 ? projection.dataOrTensorWords(volumes, gpus) : "",
    grid.sizesAndGpus(scenario) ?? "",
  );
}

/** What the scenario is compared with: another in one choice, such as its precision or its network. */
export const comparedWith = (scenario) =>
  scenario.saying({
    ...scenario.texts(),
    ...[
      { matmul_precision: "fp8" },
      { weight_bytes_per_element: "1", serving_matmul_precision: "fp8", kv_bytes_per_element: "1" },
      { nic_gb_per_sec: String(scenario.number("nic_gb_per_sec") * 1.02) },
      { recompute: scenario.text("recompute") === "full" ? "none" : "full" },
      { price_per_gpu_hour: "3" },
      { searched_settings: "matmul_precision" },
    ][Math.log2(scenario.number("message_size_bytes")) % 6],
  });

/** Compare's table: Train's, a server's and a collective's rows, and what differs. */
function compared(modules, scenario) {
  const { running, steps, compared, comparedSteps, comparedRows, answers, differences, differenceWords } = modules;
  const then = comparedWith(scenario);
  const of = (one, name, more) => running.run(one, name, more).results;
  const [a, b] = [then, scenario].map((one) => of(one, "training_step"));
  if (!a || !b) return undefined;
  const both = (one, step) => ({ step, run: steps.runOf(one, step) });
  const figures = comparedSteps.comparedSteps(scenario.sizes, both(scenario, b), both(then, a));
  const [theirs, ours] = [then, scenario].map((one) => of(one, "serving_step"));
  if (theirs && ours)
    figures.push(
      ...answers
        .comparedServingSteps(scenario.sizes, ours, theirs)
        .map((figure) => ({ ...figure, what: `served: ${figure.what}` })),
    );
  return lines(
    differences.differences(scenario, then).map((one) => {
      const { what, then, now } = differenceWords.differenceWords(scenario, one);
      return `differs: ${what} ${then} → ${now}`;
    }),
    figures.filter(compared.hasBoth).map((figure) => {
      const { words, range, known } = compared.differenceOf(figure);
      const cells = [figure.then, figure.now].map((cell) => compared.figureWords(cell, figure.format));
      return `${figure.what}: A ${cells[0].figure} (${cells[0].range}), B ${cells[1].figure} (${cells[1].range}), ${words} (${range})${known ? ", known" : ""}`;
    }),
    comparedRows.comparedNote(figures),
  );
}

/** What a view says of a scenario, by the view's name. */
export const told = {
  cost,
  network,
  ring,
  overlap,
  step,
  plan,
  scaling,
  layout,
  diagnose,
  learn,
  serve,
  goodput,
  projection,
  compared,
};
