// What the reader makes of a profile's events and of an allocator's, at the edges: sums by name, operator and group, shapes of
// products, whose code an allocation is of. Files as they come are read in trace.test.mjs and snapshot.test.mjs. No browser is needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const { devices, files, operations, allocations, memory } = await loadAll({
  files: "state/reader/read-file.ts",
  devices: "state/reader/devices.ts",
  operations: "state/reader/operations.ts",
  allocations: "state/reader/allocations.ts",
  memory: "state/reader/memory.ts",
});

const kernel = (name, ts, dur, args = {}) => ({
  ph: "X",
  cat: "kernel",
  name,
  ts,
  dur,
  args: { device: 0, stream: 7, ...args },
});
const host = (name, id, dur, dims) => ({
  ph: "X",
  cat: "cpu_op",
  name,
  dur,
  args: { "External id": id, "Input Dims": dims },
});
const launch = (correlation, id) => ({
  cat: "cuda_runtime",
  name: "cudaLaunchKernel",
  args: { correlation, "External id": id },
});
const nccl = (In, Out, more) => ({
  ...{ "Collective name": "allreduce", "In msg nelems": In, "Out msg nelems": Out, dtype: "BFloat16", "Group size": 8 },
  ...{ "Process Group Name": "0", ...more },
});
/** Reads events, in pieces of so many letters. */
const read = (events, size = 1e6, head = "", tail = "]}") => {
  const text = `{${head}"traceEvents": ${JSON.stringify(events).slice(0, -1)}${tail}`;
  return devices.readProfile(
    (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    })(),
  );
};

const events = [
  { ph: "X", cat: "user_annotation", name: "ProfilerStep#3", ts: 90, dur: 50 },
  { ph: "X", cat: "user_annotation", name: "ProfilerStep#4", ts: 140, dur: 50 },
  host("aten::addmm", 1, 30, [[5], [16, 32], [32, 64]]),
  host("aten::bmm", 2, 20, [
    [4, 16, 32],
    [4, 32, 64],
  ]),
  host("aten::relu", 3, 5),
  launch(9, 1),
  kernel('void gemm<float, [{"1"}]>(int)', 100, 10, { "External id": 1 }),
  kernel("void gemm<half>(int)", 112, 10, { correlation: 9 }),
  kernel("void at::(anonymous namespace)::relu_kernel(int)", 130, 1, { "External id": 3 }),
  kernel("gemm_batched", 125, 4, { "External id": 2, device: 0 }),
  kernel("ncclDevKernel_AllReduce", 131, 20, nccl(1024, 8192)),
  kernel("ncclDevKernel_AllReduce", 151, 20, nccl(4096, 16)),
  kernel("ncclDevKernel_AllReduce", 171, 20, nccl(16, 16, { "Process Group Description": "tp" })),
  kernel("elsewhere", 200, 2, { device: 1 }),
];

test("a profile's kernels by device, name, shape, operator and group", async () => {
  const { steps, lead_us, isCut, broken, rank, devices: found } = await read(events);
  assert.deepEqual([steps, lead_us, isCut, broken, rank], [2, 10, false, 0, -1]);
  assert.deepEqual(
    found.map(({ device }) => device),
    [0, 1],
  );
  const [{ totals, rows, messages, operators, columns }] = found;
  assert.deepEqual(totals, [
    { name: "ncclDevKernel_AllReduce", calls: 3, time_us: 60, communication: true },
    { name: "gemm", calls: 2, time_us: 20, communication: false },
    { name: "gemm_batched", calls: 1, time_us: 4, communication: false },
    { name: "at::relu_kernel", calls: 1, time_us: 1, communication: false },
  ]);
  assert.deepEqual([...columns.start_us], [0, 12, 30, 25, 31, 51, 71]);
  const shaped = Object.fromEntries(rows.map(({ name, m, n, k, calls }) => [name.slice(0, 20), [m, n, k, calls]]));
  assert.deepEqual(shaped['void gemm<float, [{"'], [16, 64, 32, 1]);
  assert.deepEqual(shaped["void gemm<half>(int)"], [16, 64, 32, 1]);
  assert.deepEqual(shaped.gemm_batched, [64, 64, 32, 1]);
  assert.deepEqual(
    [...messages.values()].map(({ process_group, group_size, message_size_bytes, calls, time_us }) => [
      ...[process_group, group_size, message_size_bytes, calls, time_us],
    ]),
    [
      ["0", 8, 16384, 2, 40],
      ["tp", 8, 32, 1, 20],
    ],
  );
  // A pause is before a kernel in which nothing of the device ran; an operator's own time counts once.
  const said = Object.fromEntries(operators.map(({ name, ...rest }) => [name, Object.values(rest)]));
  assert.deepEqual(said, {
    "aten::addmm": [2, 20, 30, 2],
    "aten::bmm": [1, 4, 20, 3],
    "aten::relu": [1, 1, 5, 1],
    "": [3, 60, 0, 0],
  });
});

test("wherever its text is cut into pieces a profile is the same, and one that ends early says so", async () => {
  const whole = await read(events);
  for (const size of [1, 3, 17, 100]) assert.deepEqual(await read(events, size), whole, `${size}`);
  const cut = await read(events, 50, "", ', {"ph": "X", "cat": "ker');
  assert.deepEqual([cut.isCut, cut.devices], [true, whole.devices]);
  assert.equal((await read(events, 50, "", "]")).isCut, true);
  assert.equal((await read(events, 50, '"distributedInfo": {"rank": 5, "world": 8}, ')).rank, 5);
  // The first says whose it is, also where that is rank 0.
  const ranks = [0, 5].map((rank) => `"distributedInfo": {"rank": ${rank}}`);
  assert.equal((await read(events, 400, `${ranks[0]}, "note": "${"x".repeat(500)}", "of": {${ranks[1]}}, `)).rank, 0);
  const listed = JSON.stringify(events);
  const asList = await devices.readProfile(
    (async function* () {
      yield listed;
    })(),
  );
  assert.deepEqual(asList.devices, whole.devices);
});

test("kernels that cannot be read are counted, what only looks like one is not", async () => {
  const { broken, devices: found } = await read([
    kernel("good", 1, 0),
    kernel("text", "2.5", "1"),
    kernel("no time", undefined, 1),
    kernel("no end", 3, undefined),
    kernel("backwards", 3, -1),
    { ...kernel("begin", 3, 1), ph: "B" },
    { ...kernel("other", 3, 1), cat: "gpu_memcpy", args: { kind: "kernel" } },
    { ...kernel("Upper", 4, 1), cat: "Kernel" },
  ]);
  assert.equal(broken, 3);
  assert.deepEqual(found[0].totals.map(({ name }) => name).sort(), ["Upper", "good", "text"]);
  await assert.rejects(read([host("aten::mm", 1, 1)]), /^Error: None of 1 events is a kernel/);
  await assert.rejects(read([], 50, "", "]}"), /^Error: This is no trace/);
  // Events are in a list of the file, not in one further inside.
  const inside = `"meta": {"list": [${JSON.stringify(kernel("inside", 1, 1))}]}, `;
  const { devices: once } = await read([kernel("good", 1, 0)], 50, inside);
  assert.deepEqual(
    once[0].totals.map(({ name }) => name),
    ["good"],
  );
});

test("a profile as a file says what of it is missing", async () => {
  const bad = (count) => Array.from({ length: count }, () => kernel("no end", 3, undefined));
  const of = async (given, end = "]}") => {
    const text = `{"traceEvents": ${JSON.stringify(given).slice(0, -1)}${end}`;
    const { kind, steps, missing, devices: found } = await files.readFile(new Blob([text]), engine, () => {});
    assert.equal(kind, "trace");
    return { steps, missing, device: found[0].device };
  };
  assert.deepEqual(await of(events), { steps: 2, missing: "", device: 0 });
  assert.equal((await of([kernel("one", 1, 1)])).steps, 1);
  assert.match((await of([...events, ...bad(1)])).missing, /(^|\W)1 kernel could not be read and is left out\.$/);
  assert.match((await of([...events, ...bad(2)])).missing, /(^|\W)2 kernels could not be read and are left out\.$/);
  assert.notEqual((await of(events, ', {"ph"')).missing, "");
});

test("of many kernels and operators the longest are kept, and the rest summed", async () => {
  const count = 250;
  const many = Array.from({ length: count }, (_, at) => [
    host(`op${at}`, at + 1, 2),
    kernel(`kernel_${at}`, at * 10, 1 + at / 1000, { "External id": at + 1 }),
  ]).flat();
  const [{ totals, rows, operators }] = (await read(many)).devices;
  assert.equal(totals.length, 30);
  assert.equal(totals[0].name, "kernel_249");
  assert.equal(rows.length, 201);
  assert.deepEqual([rows[200].name, rows[200].calls], ["50 other kernels", 50]);
  const least = Array.from({ length: 50 }, (_, at) => 1 + at / 1000).reduce((sum, one) => sum + one, 0);
  assert.ok(Math.abs(rows[200].time_us - least) < 1e-9);
  assert.equal(operators.length, 13);
  assert.deepEqual(
    [operators[12].name, operators[12].kernels, operators[12].host_us],
    ["238 other operators", 238, 476],
  );
  // Without a word of the host there are no operators.
  assert.equal((await read([kernel("alone", 1, 1)])).devices[0].operators, undefined);
});

test("an operation of the host by its numbers", () => {
  const of = new operations.Operations();
  const take = (event) => of.take(JSON.stringify(event));
  take(
    host("aten::mm", 2 ** 25 - 1, 7, [
      [2, 3],
      [3, 4],
    ]),
  );
  take(host("aten::mm", 2 ** 25, 7));
  take(host("aten::mm", 0, 7));
  take(
    host("aten::mm", 5, 0, [
      [2, 3],
      [3, 4],
    ]),
  );
  take(
    host("aten::linear", 6, 1, [
      [2, 3],
      [3, 4],
    ]),
  );
  take(
    host("aten::mm", 8, 1, [
      [0, 3],
      [3, 4],
    ]),
  );
  take(
    host("aten::mm", 11, 1, [
      [2.5, 3],
      [3, 4],
    ]),
  );
  take(host("aten::mm", 12, 1, [[3], [2, 3, 4]]));
  take(launch(1, 5));
  take(launch(2, 0));
  assert.deepEqual(
    [2 ** 25 - 1, 2 ** 25, 0, 5, 6, 99].map((id) => of.names[of.operatorOf(id)]),
    ["aten::mm", "", "", "aten::mm", "aten::linear", ""],
  );
  assert.deepEqual(of.shapes, [{ m: 2, n: 4, k: 3 }]);
  assert.deepEqual(
    [2 ** 25 - 1, 5, 6, 8, 11, 12].map((id) => of.placeOf(id)),
    [0, 0, -1, -1, -1, -1],
  );
  assert.deepEqual(
    [1, 2, 3].map((id) => of.ofLaunch(id)),
    [5, 0, 0],
  );
  assert.deepEqual([of.takeHostTime(2 ** 25 - 1), of.takeHostTime(2 ** 25 - 1), of.takeHostTime(5)], [7, 0, 0]);
  for (let name = of.names.length; name < 4096; name++) take(host(`n${name}`, name + 100, 1));
  take(host("one too many", 7000, 1));
  assert.deepEqual([of.names.length, of.operatorOf(7000), of.names[of.operatorOf(4195)]], [4096, 0, "n4095"]);
  for (const [is, args] of [
    [{ process_group: "", group_size: 0, message_size_bytes: 0 }, undefined],
    [{ process_group: "0", group_size: 8, message_size_bytes: 32 }, nccl(16, 2)],
    [{ process_group: "0", group_size: 8, message_size_bytes: 64 }, nccl(2, 16, { dtype: "Float" })],
    [{ process_group: "0", group_size: 8, message_size_bytes: 0 }, nccl(2, 16, { dtype: "odd" })],
    [
      { process_group: "dp", group_size: 0, message_size_bytes: 0 },
      { "Process Group Description": "dp", "Group size": "x", "In msg nelems": "x" },
    ],
  ])
    assert.deepEqual(operations.messageOf(args), is);
});

test("by whose code a frame allocates, and which of a stack's counts", () => {
  const { owners, ownerOfFrame, ownerOfCategory, strongerOf, otherCode } = allocations;
  for (const [is, name, file = "/x/train.py"] of [
    ["optimizer step", "step", "/lib/torch/optim/adam.py"],
    ["optimizer step", "step", "C:\\lib\\apex\\optimizers\\fused.py"],
    ["backward pass", "torch::autograd::Engine::execute"],
    ["backward pass", "_engine_run_backward"],
    ["backward pass", "backward", "/lib/torch/_tensor.py"],
    [undefined, "backward"],
    ["forward pass", "forward"],
    ["model set-up", "reset_parameters"],
    ["model set-up", "__init__", "/lib/torch/nn/modules/linear.py"],
    [undefined, "__init__"],
    [undefined, "main", "/lib/torch/nn/modules/linear.py"],
  ])
    assert.equal(owners[ownerOfFrame(name, file)], is, `${name} of ${file}`);
  assert.equal(owners[ownerOfCategory("OPTIMIZER_STATE")], "optimizer");
  assert.equal(ownerOfCategory("none"), undefined);
  const ranked = ["other code", "model set-up", "forward pass", "backward pass", "optimizer step"].map((one) =>
    owners.indexOf(one),
  );
  assert.equal(ranked[0], otherCode);
  for (const [at, one] of ranked.entries())
    for (const [beside, other] of ranked.entries()) assert.equal(strongerOf(one, other), ranked[Math.max(at, beside)]);
});

test("allocations as they come and go", () => {
  const forward = allocations.owners.indexOf("forward pass");
  const none = { allocated: 0, reserved: 0 };
  const of = (...taken) => {
    const one = new allocations.Allocations();
    for (const event of taken) one.take(...event);
    return one;
  };
  assert.equal(of(["other", 1, 5, 0, forward]).timeline(none), undefined);
  const held = of(
    ["segment_alloc", 0, 100, 10, forward],
    ["alloc", 1, 30, 11, forward],
    ["free_requested", 9, 20, 12, forward],
    ["alloc", 2, 40, 13, allocations.otherCode],
    ["free", 1, 0, 14, forward],
    ["segment_map", 0, 10, 15, forward],
    ["segment_unmap", 0, 50, 16, forward],
  );
  // 20 were there before, since they were freed; the file's end says nothing else.
  const said = held.timeline(none);
  assert.deepEqual(said.at_us, [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(said.allocated_bytes, [20, 50, 30, 70, 40, 40, 40]);
  assert.deepEqual([said.peak_bytes, said.reserved_bytes, said.counted], [70, 110, undefined]);
  assert.deepEqual(said.at_peak, {
    told_by: "frames",
    parts: [
      { name: "forward pass", bytes: 30 },
      { name: "other code", bytes: 40 },
    ],
  });
  // At its end it holds 70 and has reserved 160: 50 and 100 of each were there before.
  const more = held.timeline({ allocated: 70, reserved: 160 });
  assert.deepEqual([more.peak_bytes, more.reserved_bytes], [100, 210]);
  // What was freed first was there before, and was the most.
  assert.equal(of(["free", 9, 50, 0, forward], ["alloc", 1, 30, 1, forward]).timeline(none).peak_bytes, 50);
  // What was allocated at an address again was freed there.
  assert.equal(of(["alloc", 1, 30, 0, forward], ["alloc", 1, 20, 1, forward]).timeline(none).peak_bytes, 30);
  const counted = of(["alloc", 1, 30, Number.NaN, forward], ["alloc", 2, 30, 500, forward]).timeline(none);
  assert.deepEqual([counted.counted, counted.at_us], [true, [0, 1]]);
  const plain = of(["alloc", 1, 30, 0, allocations.otherCode]).timeline(none);
  assert.equal(plain.at_peak, undefined);
});

test("a timeline keeps the most of each of its stretches", () => {
  const of = new memory.Stretches();
  const add = (at_us, allocated_bytes, reserved_bytes = 100) => of.add({ at_us, allocated_bytes, reserved_bytes });
  assert.deepEqual([add(1000, 5), add(1255, 5), add(1001, 7), add(900, 6)], [true, false, true, false]);
  assert.deepEqual(of.take().at_us, [0, 1, 255]);
  assert.equal(add(1256, 9, 90), true);
  const taken = of.take({ allocated: 1, reserved: 2 });
  assert.deepEqual(taken.at_us, [0, 254, 256]);
  assert.deepEqual(taken.allocated_bytes, [8, 6, 10]);
  assert.deepEqual(taken.reserved_at_bytes, [102, 102, 92]);
  assert.deepEqual([taken.peak_bytes, taken.reserved_bytes], [10, 102]);
  const devices = new memory.MemoryTimelines();
  for (let device = 0; device <= memory.mostDevices; device++)
    devices.add({ device, at_us: 0, allocated_bytes: 1, reserved_bytes: 1 });
  devices.add({ device: 0, at_us: 1, allocated_bytes: 3, reserved_bytes: 3 });
  assert.deepEqual([devices.of(0).peak_bytes, devices.of(63).peak_bytes, devices.of(64)], [3, 1, undefined]);
});
