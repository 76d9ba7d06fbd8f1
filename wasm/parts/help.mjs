// Takes the help texts out of an object: no calculation reads them, so that pages load them as a file of their own.

/** The places of the elements, of so many bytes each, of the span at a place. */
function elements(object, span, size) {
  const begin = object.pointed(span);
  const length = begin ? span.piece.bytes.readInt32LE(span.place + 4) : 0;
  return Array.from({ length }, (_, index) => ({ piece: begin.piece, place: begin.place + index * size }));
}

const at = ({ piece, place }, within) => ({ piece, place: place + within });

/** Leaves no help to the calculations that those symbols are. */
export function takeHelp(object, calculations) {
  const table = object.symbols.find(({ name }) => /_GLOBAL__N_1\d+help_placesE$/.test(name ?? ""));
  const { bytes } = table.piece;
  const [help, inputs, results, fields, groupSize, inputHelp, inputSize, resultHelp, columns, resultSize] = Array.from(
    { length: 10 },
    (_, index) => bytes.readInt32LE(table.within + 4 * index),
  );
  const takeOfResults = (span) => {
    for (const result of elements(object, span, resultSize)) {
      object.empty(at(result, resultHelp));
      takeOfResults(at(result, columns));
    }
  };
  for (const { piece, within: place } of calculations) {
    const calculation = { piece, place };
    object.empty(at(calculation, help));
    for (const group of elements(object, at(calculation, inputs), groupSize))
      for (const input of elements(object, at(group, fields), inputSize)) object.empty(at(input, inputHelp));
    takeOfResults(at(calculation, results));
  }
}
