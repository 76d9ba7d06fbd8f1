/** How often progress is reported, ms. */
const reportEvery = 50;

/** Receives the share of a file that was read, and may take a moment; what it throws ends the reading. */
export type Report = (share: number) => void | Promise<void>;

/** The bytes of a file, unpacked where it is gzipped, in pieces as they come from the disk. */
export async function* bytesOf(file: Blob, report: Report): AsyncGenerator<Uint8Array> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        controller.enqueue(chunk);
      },
    }),
  );
  const bytes = head[0] === 0x1f && head[1] === 0x8b ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const reader = bytes.getReader();
  let reported = performance.now();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      yield piece.value;
      if (performance.now() - reported < reportEvery) continue;
      await report(read / file.size);
      reported = performance.now();
    }
  } finally {
    // Nothing more is read of a file once the reading was aborted.
    void reader.cancel().catch(() => undefined);
  }
}

/** The text of bytes in pieces. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytes) {
    const text = decoder.decode(piece, { stream: true });
    if (text !== "") yield text;
  }
  const last = decoder.decode();
  if (last !== "") yield last;
}

/** The text of a file, gzipped or not, in pieces as they come from the disk. */
export const piecesOf = (file: Blob, report: Report): AsyncGenerator<string> => textOf(bytesOf(file, report));
