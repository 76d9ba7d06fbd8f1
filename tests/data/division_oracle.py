"""Prints whole numbers and the double nearest to numerator / denominator * 2^exponent, ties to even.

Usage: division_oracle.py COUNT
Whole numbers are hexadecimal, in two halves of 64 bits; the quotient is a C99 hex float. Python divides whole numbers
of any size correctly rounded. The generator is seeded: same output each time.
"""

import random
import sys

GREATEST = 2**126 - 1
HALF = 2**64


def whole(rng):
    """Any number of bits; often beside a power of two, where a carry runs through."""
    number = rng.getrandbits(rng.randrange(1, 127))
    if rng.random() < 0.3:
        number = 2 ** rng.randrange(126) + rng.choice([-1, 0, 1])
    return min(number, GREATEST)


def fraction(rng):
    numerator, denominator = whole(rng), max(1, whole(rng))
    if rng.random() < 0.3:  # a tie or its neighbour: 54 bits over a power of two
        numerator = (rng.getrandbits(53) | 2**52) * 2 + 1
        denominator = 2 ** rng.randrange(60)
        if rng.random() < 0.5:
            numerator = numerator * 2**60 + rng.choice([-1, 1])
    return numerator, denominator, rng.choice([0, 0, rng.randrange(-800, 800)])


def main():
    rng = random.Random(53)
    print("numerator_high,numerator_low,denominator_high,denominator_low,exponent,quotient")
    for _ in range(int(sys.argv[1])):
        numerator, denominator, exponent = fraction(rng)
        scaled = numerator << max(exponent, 0), denominator << max(-exponent, 0)
        halves = [f"{half:x}" for number in (numerator, denominator) for half in divmod(number, HALF)]
        print(",".join([*halves, str(exponent), (scaled[0] / scaled[1]).hex()]))


main()
