"""Prints random inputs of tensor_parallel_allreduce_cost with the answers of Python's exact arithmetic.

Usage: tensor_parallel_oracle.py COUNT
Columns: the eight inputs, then the four results as C99 hex floats. The generator is seeded: same output each time.
"""

import random
import sys
from fractions import Fraction

LARGEST_MESSAGE = 2**53 - 1
BANDWIDTHS = [300.0, 150.0, 450.0, 900.0, 12.5, 31.5, 0.1, 46.62, 1e-6, 1e9, 1.0 / 3.0]


def answer(hidden, sequence, batch, gpus, layers, size, bandwidth, calls):
    message = batch * sequence * hidden * size
    volume = Fraction(2 * (gpus - 1) * message, gpus)
    total = volume * layers * calls
    time = total / (Fraction(bandwidth) * 10**6)
    return message, round(float(volume), 4), round(float(total), 4), round(float(time), 4)


def whole(rng, greatest):
    """Uniform in the logarithm, often at or beside a power of two."""
    value = int(2 ** rng.uniform(0, greatest.bit_length()))
    if rng.random() < 0.3:
        value = 2 ** rng.randrange(greatest.bit_length()) + rng.choice([-1, 0, 0, 0, 1])
    return min(max(value, 1), greatest)


def message_factors(rng):
    """Hidden, sequence and batch size whose product with the element size stays within 2^53 - 1."""
    size = rng.choice([1, 1, 2, 2, 2, 4, 8, 3, 1024])
    room = LARGEST_MESSAGE // size
    factors = []
    for _ in range(2):
        factors.append(whole(rng, min(room, 2**22)))
        room //= factors[-1]
    # A part of the rows fills the message up to the very limit.
    factors.append(room if rng.random() < 0.05 else whole(rng, max(1, min(room, 2**16))))
    rng.shuffle(factors)
    return factors, size


def inputs(rng):
    (hidden, sequence, batch), size = message_factors(rng)
    gpus = rng.choice([1, 2, 3, 7, 8, 16, 72, 2**20, 2**20 - 1, whole(rng, 2**20), rng.randrange(1, 129)])
    layers = rng.choice([1, 32, 80, 96, 126, 2**20, whole(rng, 2**20), rng.randrange(1, 129)])
    calls = rng.choice([1, 2, 2, 2, 4, 6, whole(rng, 2**20)])
    bandwidth = rng.choice(BANDWIDTHS + [rng.uniform(1, 1000), 10 ** rng.uniform(-6, 9)])
    return hidden, sequence, batch, gpus, layers, size, bandwidth, calls


def main():
    rng = random.Random(20240813)
    rows = [(4096, 2048, 8, 8, 32, 2, 300.0, 2), (LARGEST_MESSAGE, 1, 1, 2**20, 2**20, 1, 1e-6, 2**20)]
    while len(rows) < int(sys.argv[1]):
        rows.append(inputs(rng))
    print("hidden_size,sequence_length,batch_size,num_gpus,num_layers,bytes_per_element,bandwidth_gb_per_sec,"
          "allreduces_per_layer,message_size_bytes,comm_volume_per_allreduce_bytes,total_comm_volume_bytes,"
          "total_comm_time_ms")
    for row in rows:
        shown = [value.hex() if isinstance(value, float) else str(value) for value in row]
        shown += [float(result).hex() for result in answer(*row)]
        print(",".join(shown))


main()
