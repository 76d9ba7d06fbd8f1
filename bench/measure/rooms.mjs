// Bytes of the WebAssembly module by room: code and data of its object files, before the linker drops what nobody asks
// for and folds what several rooms hold alike. Says where a change's bytes are, not what a reader downloads: that is
// the last two rows. Needs wabt's wasm-objdump.
// Usage: node bench/measure/rooms.mjs [a build folder]...    one column each; build/wasm without one
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** Bytes of code and of data in an object file. */
function sizeOf(object) {
  const headers = execFileSync("wasm-objdump", ["-h", object], { encoding: "utf8" });
  const sizes = headers.matchAll(/^\s*(?:Code|Data) .*\(size=(0x[0-9a-f]+)\)/gm);
  return [...sizes].reduce((sum, [, size]) => sum + Number(size), 0);
}

function bytesOf(build) {
  const rooms = {};
  for (const folder of ["core", "wasm"]) {
    for (const path of readdirSync(`${build}/${folder}/CMakeFiles`, { recursive: true })) {
      const room = /^commcost_(\w+)\.dir\/.*\.o$/.exec(path)?.[1];
      if (room) rooms[room] = (rooms[room] ?? 0) + sizeOf(`${build}/${folder}/CMakeFiles/${path}`);
    }
  }
  const module = readFileSync(`${build}/wasm/commcost.wasm`);
  return { rooms, raw: module.length, brotli: brotliCompressSync(module).length };
}

const given = process.argv.slice(2);
const builds = given.length > 0 ? given : [new URL("../../build/wasm", import.meta.url).pathname];
const columns = builds.map(bytesOf);
const row = (name, cells) =>
  console.log(name.padEnd(24) + cells.map((cell) => String(cell ?? "-").padStart(14)).join(""));
row(
  "",
  builds.map((build) => basename(build)),
);
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
