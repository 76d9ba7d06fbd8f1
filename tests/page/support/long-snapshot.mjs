// A memory snapshot as large as wanted, as CPython's protocol 4 writes it, gzipped.
import { createWriteStream, mkdirSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";

const folder = new URL("../../../build/test/", import.meta.url).pathname;

const text = (words) => Buffer.concat([Buffer.of(0x8c, words.length), Buffer.from(words), Buffer.of(0x94)]);
const keys = ["device_traces", "action", "alloc", "free_requested", "addr", "size", "stream", "time_us", "frames"];
/** Says a key again, which is in the memo behind the first one. */
const place = (key) => [0x68, 1 + keys.indexOf(key)];

/** A whole number of eight bytes. */
function long(number) {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt16BE(0x8a08);
  bytes.writeBigInt64LE(BigInt(number), 2);
  return bytes;
}

/** Of every two events one allocates a MiB and the other frees one of 64 before. */
function event(index) {
  const frees = index % 2 === 1 && index > 128;
  const address = 0x7f0000000000 + 2 ** 20 * (frees ? index - 129 : index);
  return Buffer.concat([
    Buffer.of(0x7d, 0x94, 0x28, ...place("action"), ...place(frees ? "free_requested" : "alloc"), ...place("addr")),
    long(address),
    Buffer.of(...place("size"), 0x4a, 0, 0, 16, 0, ...place("stream"), 0x4b, 0, ...place("time_us")),
    long(1764000000000000 + 10 * index),
    Buffer.of(...place("frames"), 0x5d, 0x94, 0x75),
  ]);
}

/** Writes a snapshot of at least `bytes`; its path, its bytes before gzip, and how many events it has. */
export async function writeSnapshot(bytes, name = "snapshot") {
  mkdirSync(folder, { recursive: true });
  const path = `${folder}${name}.pickle.gz`;
  let written = 0;
  let events = 0;
  function* pieces() {
    // A dict whose first value brings all keys into the memo; then a list of one list of events.
    yield Buffer.concat([
      Buffer.from("\x80\x04}", "latin1"),
      text("keys"),
      Buffer.from("]("),
      ...keys.map(text),
      Buffer.from("es"),
    ]);
    yield Buffer.concat([Buffer.of(...place("device_traces")), Buffer.from("]]")]);
    while (written < bytes) {
      const batch = Array.from({ length: 1000 }, () => event(events++));
      const piece = Buffer.concat([Buffer.from("("), ...batch, Buffer.from("e")]);
      written += piece.length;
      yield piece;
    }
    yield Buffer.from("as.");
  }
  await pipeline(Readable.from(pieces()), createGzip({ level: constants.Z_BEST_SPEED }), createWriteStream(path));
  return { path, bytes: written, events };
}
