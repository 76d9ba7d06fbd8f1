/** WebAssembly spelt in letters: less to download than base64. web/build/wasm-text.mjs writes it. */
export interface WasmText {
  text: string;
  /** What letter 32 + i stands for: a byte; -1 - k the k-th escape, after which a second letter follows; null no letter. */
  bytes: readonly (number | null)[];
}

/** The binary. */
export function binaryOf({ text, bytes }: WasmText): Uint8Array<ArrayBuffer> {
  const single = new Set(bytes);
  const others = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !single.has(byte));
  const rankOf = new Int16Array(bytes.length);
  let letters = 0;
  bytes.forEach((meaning, letter) => (rankOf[letter] = meaning === null ? -1 : letters++));
  const meanings = Int16Array.from(bytes, (meaning) => meaning ?? 0);
  const binary = new Uint8Array(text.length);
  let size = 0;
  for (let at = 0; at < text.length; ++at) {
    const meaning = meanings[text.charCodeAt(at) - 32]!;
    if (meaning >= 0) binary[size++] = meaning;
    else binary[size++] = others[(-1 - meaning) * letters + rankOf[text.charCodeAt(++at) - 32]!]!;
  }
  return binary.subarray(0, size);
}
