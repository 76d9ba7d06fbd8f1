// Bytes of the WebAssembly module by room, from the linker's map: what a change costs, and where.
// Usage: node bench/measure/rooms.mjs [a folder that holds commcost.wasm and commcost.map]...    one column each
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

/** The room of a line's file: libcommcost_step.a(layer_time.cpp.o) is step; what is not ours is its library. */
function roomOf(file) {
  const archive = /([^/]*)\.a[(:]/.exec(file)?.[1];
  return archive?.replace(/^libcommcost_/, "").replace(/^lib/, "") ?? "wasm";
}

/** Bytes by room before the optimizer's last pass, and those of the whole afterwards. */
function bytesOf(folder) {
  const rooms = {};
  let section = "";
  for (const line of readFileSync(`${folder}/commcost.map`, "utf8").split("\n")) {
    // address, offset, size, then an output section, or indented what is in it.
    const [, size, indent, name] = /^\s*\S+\s+[0-9a-f]+\s+([0-9a-f]+)( +)(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    if (indent.length === 1) section = name;
    const [, file] = /^(.*\.o\)?):\(/.exec(name) ?? [];
    if (indent.length !== 9 || file === undefined || !/^(CODE|DATA|\.rodata|\.data)/.test(section)) continue;
    const room = roomOf(file);
    rooms[room] = (rooms[room] ?? 0) + Number.parseInt(size, 16);
  }
  const module = readFileSync(`${folder}/commcost.wasm`);
  return { rooms, raw: module.length, brotli: brotliCompressSync(module).length };
}

const given = process.argv.slice(2);
const folders = given.length > 0 ? given : [new URL("../../build/wasm/wasm", import.meta.url).pathname];
const columns = folders.map(bytesOf);
const row = (name, numbers) =>
  console.log(name.padEnd(24) + numbers.map((number) => String(number ?? 0).padStart(10)).join(""));
for (const room of [...new Set(columns.flatMap(({ rooms }) => Object.keys(rooms)))].sort()) {
  row(
    room,
    columns.map(({ rooms }) => rooms[room]),
  );
}
row(
  "the module",
  columns.map(({ raw }) => raw),
);
row(
  "the module, brotli",
  columns.map(({ brotli }) => brotli),
);
