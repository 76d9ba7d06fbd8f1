// The exercise in plain JavaScript, as in a page without an engine.

const fourDecimals = (value) => Math.round(value * 1e4) / 1e4;

/** [message, volume, total, ms], unchecked and rounded as scripts usually do. */
export function tensorParallelCost(
  hidden_size,
  sequence_length,
  batch_size,
  num_gpus,
  num_layers,
  bytes_per_element = 2,
  bandwidth_gb_per_sec = 300,
  allreduces_per_layer = 2,
) {
  const message = batch_size * sequence_length * hidden_size * bytes_per_element;
  const volume = num_gpus > 1 ? (2 * (num_gpus - 1) * message) / num_gpus : 0;
  const total = volume * num_layers * allreduces_per_layer;
  return [message, fourDecimals(volume), fourDecimals(total), fourDecimals(total / (bandwidth_gb_per_sec * 1e6))];
}

/** The four results over many hidden sizes, a typed array each. */
export function sweep(hidden_sizes) {
  const columns = Array.from({ length: 4 }, () => new Float64Array(hidden_sizes.length));
  hidden_sizes.forEach((hidden_size, index) => {
    const results = tensorParallelCost(hidden_size, 2048, 8, 8, 32);
    for (let column = 0; column < 4; ++column) columns[column][index] = results[column];
  });
  return columns;
}
