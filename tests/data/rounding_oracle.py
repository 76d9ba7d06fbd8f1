"""Prints finite doubles and what Python's round(value, 4) makes of them, as C99 hex floats.

Usage: rounding_oracle.py COUNT
The generator is seeded: same output each time.
"""

import math
import random
import struct
import sys

SPECIAL = [0.0, 5e-05, 4.9999999999999996e-05, 2.675, 1.00005, 0.00015, 0.00025, 50.10795178666667, 5e-324,
           2.2250738585072014e-308, sys.float_info.max, 2.0**50 / 1e4, 2.0**53 - 1, 2.0**53, 2.0**49 + 0.03125]


def value(rng):
    kind = rng.randrange(5)
    if kind == 0:  # an exact tie of the fifth decimal: only odd multiples of 1/32 are both
        return (2 * rng.randrange(2 ** rng.randrange(1, 48)) + 1) / 32
    if kind == 1:  # as near to a tie as doubles come
        near = (2 * rng.randrange(2 ** rng.randrange(1, 48)) + 1) / 20000
        return rng.choice([near, math.nextafter(near, 0), math.nextafter(near, math.inf)])
    if kind == 2:  # any finite double at all
        drawn = math.nan
        while not math.isfinite(drawn):
            drawn = struct.unpack("d", rng.getrandbits(64).to_bytes(8, "little"))[0]
        return drawn
    if kind == 3:  # already has four decimals
        return rng.randrange(2 ** rng.randrange(1, 53)) / 10000
    return 10 ** rng.uniform(-8, 18)


def main():
    rng = random.Random(4)
    values = SPECIAL + [value(rng) for _ in range(int(sys.argv[1]) - len(SPECIAL))]
    print("value,rounded")
    for number in values:
        signed = rng.choice([number, -number])
        print(f"{signed.hex()},{round(signed, 4).hex()}")


main()
