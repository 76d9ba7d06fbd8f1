/** The text of an article, in which some numbers can be dragged. */

/** A number in a sentence that sets a field of the scenario. */
export interface HeldNumber {
  field: "tensor_parallel" | "batch_size" | "sequence_length" | "cluster_gpus";
  text: string;
}

export type Prose = readonly (string | HeldNumber)[];

/** A paragraph: text with numbers, handles and other prose in it. */
export const say = (texts: TemplateStringsArray, ...values: (string | number | HeldNumber | Prose)[]): Prose =>
  texts.flatMap((text, index) => {
    const value = values[index];
    return [
      text,
      ...(value === undefined
        ? []
        : Array.isArray(value)
          ? value
          : [typeof value === "number" ? String(value) : value]),
    ] as Prose;
  });

/** The same as plain text. */
export const plainText = (prose: Prose): string =>
  prose.map((part) => (typeof part === "string" ? part : part.text)).join("");
