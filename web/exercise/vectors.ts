import type { Engine } from "#engine";
import { literal, pythonSignature } from "./python.js";

/** Inputs with the results that a correct function gives, to test one on your own machine. */

/** The function that learners write, by the exercise's name. */
export const functionName = "tensor_parallel_allreduce_cost";

/** One call, and what it must give. */
export interface Vector {
  name: string;
  inputs: Record<string, number>;
  expected: Record<string, number>;
}

/** The fourth decimal may round either way, and large numbers have no fourth decimal. */
const near = { relative: 1e-12, absolute: 1.0001e-4 };

/** Whether a result is right, in the sense of Python's math.isclose. */
export const isClose = (value: number, expected: number): boolean =>
  Math.abs(value - expected) <= Math.max(near.relative * Math.max(Math.abs(value), Math.abs(expected)), near.absolute);

/** How many exercises are drawn, from the seed on. */
export const drawnVectors = 20;

const usual = { hidden_size: 4096, sequence_length: 2048, batch_size: 8, num_gpus: 8, num_layers: 32 };

/** Edge cases that drawn exercises may miss; what is left out of a call is at its default. */
const edges: Readonly<Record<string, Record<string, number>>> = {
  "the usual example": usual,
  "one GPU sends nothing": { ...usual, num_gpus: 1 },
  "two GPUs send one message": { ...usual, num_gpus: 2 },
  "three GPUs: no whole share": { ...usual, num_gpus: 3, hidden_size: 5, sequence_length: 1, batch_size: 1 },
  "one byte an element": { ...usual, bytes_per_element: 1 },
  "one layer, one sum": { ...usual, num_layers: 1, allreduces_per_layer: 1 },
  "a slow link": { ...usual, bandwidth_gb_per_sec: 12.5 },
  "a bandwidth that is no whole number": { ...usual, bandwidth_gb_per_sec: 31.508 },
  "all passes of training with recomputation": { ...usual, allreduces_per_layer: 6 },
  "everything one": { hidden_size: 1, sequence_length: 1, batch_size: 1, num_gpus: 1, num_layers: 1 },
  "a thousand GPUs": { ...usual, num_gpus: 1024 },
};

/** Which exercises are drawn. */
export interface Drawn {
  seed: number;
  levels: readonly number[];
  edition: number;
  count?: number;
}

/** That many exercises of each level from a seed on, and the edge cases. */
export function vectors(engine: Engine, { seed, levels, edition, count = drawnVectors }: Drawn): Vector[] {
  const drawn = levels.flatMap((level) =>
    Array.from({ length: count }, (_, index) => {
      const { inputs } = engine.draw_exercise({ seed: seed + index, level, edition });
      return [`seed ${seed + index}, level ${level}`, { ...inputs } as Record<string, number>] as const;
    }),
  );
  return [...drawn, ...Object.entries(edges)].map(([name, inputs]) => ({
    name,
    inputs,
    expected: { ...engine[functionName](inputs as never) },
  }));
}

/** The vectors as JSON. */
export const asJson = (all: readonly Vector[]): string =>
  `${JSON.stringify({ function: functionName, vectors: all }, null, 2)}\n`;

function dict(engine: Engine, values: Record<string, number>, kind: "inputs" | "results"): string {
  const fields = engine.describe()[functionName]![kind];
  const whole = (name: string) => fields.find((field) => field.name === name)?.kind === "whole";
  return `{${Object.entries(values)
    .map(([name, value]) => `"${name}": ${literal(value, whole(name))}`)
    .join(", ")}}`;
}

/** The vectors as a test that pytest and unittest run. */
export function asPytest(engine: Engine, all: readonly Vector[]): string {
  const cases = all.map(
    ({ name, inputs, expected }) =>
      `    ("${name}",\n     ${dict(engine, inputs, "inputs")},\n     ${dict(engine, expected, "results")}),`,
  );
  const signature = pythonSignature(functionName, engine.describe()[functionName]!.inputs).trimEnd();
  return `"""Tests of ${functionName}, made by commcost: ${all.length} cases.

Put your function into solution.py next to this file:

${signature}

and run \`pytest\` or \`python -m unittest\` here.
"""
import math
import unittest

from solution import ${functionName}

CASES = [
${cases.join("\n")}
]


class ${"TensorParallelAllreduceCost"}(unittest.TestCase):
    def test_cases(self):
        for name, inputs, expected in CASES:
            with self.subTest(name):
                got = ${functionName}(**inputs)
                self.assertEqual(set(got), set(expected))
                self.assertIsInstance(got["message_size_bytes"], int)
                for result, value in expected.items():
                    # The fourth decimal may round either way, and large numbers have no fourth decimal.
                    close = math.isclose(got[result], value, rel_tol=${near.relative}, abs_tol=${near.absolute})
                    self.assertTrue(close, f"{result} is {got[result]}, not {value}")
                    self.assertEqual(round(got[result], 4), got[result], f"{result} has more than four decimals")


if __name__ == "__main__":
    unittest.main()
`;
}
