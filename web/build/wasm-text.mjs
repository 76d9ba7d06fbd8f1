// WebAssembly as text for a script: the commonest bytes as one letter each, the others as two. Base64 would hide
// repeated bytes from a web server's compression; this is a fifth smaller once compressed, and needs no inflating.

// Printable, without what a string of a script in a page would have to escape.
const letters = Array.from({ length: 95 }, (_, index) => 32 + index).filter(
  (code) => !'"\\<'.includes(String.fromCharCode(code)),
);
const escapes = 2;

/** {text, bytes}: bytes[i] is what letter 32 + i stands for; -1 - k is the k-th escape, null no letter. web/engine/wasm-text.ts reads it. */
export function textOf(binary) {
  const count = new Array(256).fill(0);
  for (const byte of binary) ++count[byte];
  const byCount = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b);
  const single = new Set(byCount.slice(0, letters.length - escapes));
  // A letter stands for itself if it can: compressors know English.
  const letterOf = new Map(letters.filter((letter) => single.has(letter)).map((letter) => [letter, letter]));
  const free = letters.filter((letter) => !letterOf.has(letter));
  for (const byte of single) if (!letterOf.has(byte)) letterOf.set(byte, free.shift());
  const others = [...count.keys()].filter((byte) => !single.has(byte));
  const spelt = [...count.keys()].map((byte) => {
    const letter = letterOf.get(byte);
    if (letter !== undefined) return String.fromCharCode(letter);
    const rank = others.indexOf(byte);
    return String.fromCharCode(free[Math.floor(rank / letters.length)], letters[rank % letters.length]);
  });
  const bytes = new Array(95).fill(null);
  for (const [byte, letter] of letterOf) bytes[letter - 32] = byte;
  free.forEach((letter, escape) => (bytes[letter - 32] = -1 - escape));
  return { text: Array.from(binary, (byte) => spelt[byte]).join(""), bytes };
}
