// The exercise's function as learners write it, with what the editor says of each.

const head = `def tensor_parallel_allreduce_cost(hidden_size, sequence_length, batch_size, num_gpus, num_layers,
                                   bytes_per_element=2, bandwidth_gb_per_sec=300.0, allreduces_per_layer=2):
`;

/** The function with some of its expressions changed. */
export function written({
  before = "",
  message = "batch_size * sequence_length * hidden_size * bytes_per_element",
  volume = "2 * (num_gpus - 1) / num_gpus * message",
  total = "volume * num_layers * allreduces_per_layer",
  time = "total / (bandwidth_gb_per_sec * 1e9) * 1000",
  end = `return {"message_size_bytes": message, "comm_volume_per_allreduce_bytes": round(volume, 4),
            "total_comm_volume_bytes": round(total, 4), "total_comm_time_ms": round(time, 4)}`,
} = {}) {
  return `${head}    ${before}
    message = ${message}
    volume = ${volume}
    total = ${total}
    time = ${time}
    ${end}
`;
}

const dictionary = `{"message_size_bytes": message, "comm_volume_per_allreduce_bytes": round(volume, 4),
            "total_comm_volume_bytes": round(total, 4), "total_comm_time_ms": round(time, 4)}`;

const follows = [
  /^total_comm_volume_bytes: Correct, given your volume per all-reduce/,
  /^total_comm_time_ms: Correct, given/,
];

const messageOrDivision =
  /^comm_volume_per_allreduce_bytes: Did you divide whole numbers, as \/\/ does, or give the message itself\?$/;

/**
 * Each with how many of the 31 cases it gets right, and what is said of the first that it doesn't. `elsewhere`: why CPython
 * is not asked.
 */
export const functions = {
  right: { code: written(), right: 31 },
  "right, in another order": {
    code: written({
      volume: "message * (num_gpus - 1) * 2 / num_gpus",
      time: "1000 * total / bandwidth_gb_per_sec / 10**9",
    }),
    right: 31,
  },
  "right, with types and imports that MicroPython lacks": {
    code: `from __future__ import annotations\nfrom typing import Any, Dict\nimport math\n${written().replace("=2):", "=2) -> Dict[str, Any]:")}`,
    right: 31,
  },
  "2(n - 1)/n forgotten": {
    code: written({ volume: "message" }),
    right: 1,
    said: [messageOrDivision, ...follows],
  },
  "nothing sent": {
    code: written({ volume: "0" }),
    right: 2,
    said: [/^comm_volume_per_allreduce_bytes: Did you divide whole numbers, as \/\/ does\?$/, ...follows],
  },
  "the factor 2 forgotten": {
    code: written({ volume: "(num_gpus - 1) / num_gpus * message" }),
    right: 2,
    said: [/^comm_volume_per_allreduce_bytes: The factor 2 is missing/, ...follows],
  },
  "one all-reduce a layer": {
    code: written({ total: "volume * num_layers" }),
    right: 3,
    said: [/^total_comm_volume_bytes: That is one all-reduce per layer/, /^total_comm_time_ms: Correct, given/],
  },
  "// for /": {
    code: written({ volume: "2 * (num_gpus - 1) // num_gpus * message" }),
    right: 3,
    said: [messageOrDivision, ...follows],
  },
  "a caret for a power": {
    code: written({ time: "total / (bandwidth_gb_per_sec * 10^9) * 1000" }),
    right: 0,
    said: [/^Python stopped in line 7: TypeError: .* In Python \^ isn’t a power: 10\^9 is 3; write 1e9 or 10\*\*9\.$/],
  },
  "a gigabyte of 2**30": {
    code: written({ time: "total / (bandwidth_gb_per_sec * 2**30) * 1000" }),
    right: 3,
    said: [/^total_comm_time_ms: 1 GB was taken as 2³⁰ bytes/],
  },
  seconds: {
    code: written({ time: "total / (bandwidth_gb_per_sec * 1e9)" }),
    right: 3,
    said: [/^total_comm_time_ms: That is in seconds; milliseconds are asked for\.$/],
  },
  "nothing returned": {
    code: written({ end: `result = ${dictionary}` }),
    right: 0,
    said: [/^Your function returned None\. Does it end with return/],
  },
  "printed, not returned": {
    code: written({ end: `print(${dictionary})` }),
    right: 0,
    said: [/^Your function printed the results and returned None\. Return the dictionary instead of printing it\.$/],
  },
  "a tuple": {
    code: written({ end: "return message, volume, total, time" }),
    right: 0,
    said: [/^That is a tuple\. Return a dictionary with the names message_size_bytes, /],
  },
  "a wrong key": {
    code: written({ end: `return ${dictionary.replace("message_size_bytes", "message_size")}` }),
    right: 0,
    said: [/^Not found: message_size_bytes\. There is message_size; the names must be the same\.$/],
  },
  "a key too many": {
    code: written({ end: `return dict(${dictionary}, n=num_gpus)` }),
    right: 0,
    said: [/^The dictionary also has n, which/],
  },
  "a float for an int": {
    code: written({ message: "batch_size * sequence_length * hidden_size * float(bytes_per_element)" }),
    right: 0,
    said: [/^message_size_bytes should be an int\.$/],
  },
  "a text of JSON": {
    code: `import json\n${written({ end: `return json.dumps(${dictionary})` })}`,
    right: 0,
    said: [/^Your function returned a str\. Return a dictionary/],
  },
  "not rounded": {
    code: written({ end: `return ${dictionary.replace("round(time, 4)", "time")}` }),
    right: 2,
    said: [/^Round total_comm_time_ms to four decimals: round\(value, 4\)\.$/],
  },
  "no number": {
    code: written({ time: 'float("inf")' }),
    right: 0,
    said: [/^total_comm_time_ms: This is not a number\.$/],
  },
  "one GPU divides by zero": {
    code: written({ volume: "2 * message / (num_gpus / (num_gpus - 1))" }),
    right: 29,
    failed: "one GPU sends nothing",
    said: [/^Python stopped in line 5: ZeroDivisionError: .* One GPU has nothing to send: return zeros for it\.$/],
  },
  "another name": {
    code: written().replace("tensor_parallel_allreduce_cost", "cost"),
    right: 0,
    failed: "",
    said: [/^There is no function tensor_parallel_allreduce_cost in your code\. Keep its name\.$/],
  },
  "a colon forgotten": {
    code: written().replace("=2):", "=2)"),
    right: 0,
    failed: "",
    said: [/^Python stopped in line 2: SyntaxError: /],
  },
  "a name mistyped": {
    code: written({ total: "volume * layers * allreduces_per_layer" }),
    right: 0,
    said: [/^Python stopped in line 6: NameError: name 'layers' isn't defined\.$/],
  },
  "a module that is not here": {
    code: `import numpy as np\n${written()}`,
    right: 0,
    failed: "",
    said: [
      /^Python stopped in line 1: ImportError: .* Only Python’s own modules are here, such as math; this needs none\.$/,
    ],
    elsewhere: "it may have numpy",
  },
  "a loop without an end": {
    code: written({ before: "while num_gpus > 2: print(num_gpus)" }),
    right: 0,
    said: [/^Your function was still running after 2 seconds and was ended\. Does a loop never end\?$/],
    elsewhere: "it never ends",
  },
};
