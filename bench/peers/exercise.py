"""The exercise in plain Python, as a learner would write it: prints nanoseconds a call, and a point of a sweep."""
import time


def tensor_parallel_allreduce_cost(hidden_size, sequence_length, batch_size, num_gpus, num_layers,
                                   bytes_per_element=2, bandwidth_gb_per_sec=300.0, allreduces_per_layer=2):
    message = batch_size * sequence_length * hidden_size * bytes_per_element
    volume = 2 * (num_gpus - 1) / num_gpus * message if num_gpus > 1 else 0.0
    total = volume * num_layers * allreduces_per_layer
    return message, round(volume, 4), round(total, 4), round(total / (bandwidth_gb_per_sec * 1e9) * 1e3, 4)


def quickest(work, rounds=5):
    times = []
    for _ in range(rounds):
        began = time.perf_counter_ns()
        work()
        times.append(time.perf_counter_ns() - began)
    return min(times)


calls = 20000
points = 200000
print(quickest(lambda: [tensor_parallel_allreduce_cost(4096, 2048, 8, 8, 32) for _ in range(calls)]) / calls)
print(quickest(lambda: [tensor_parallel_allreduce_cost(hidden, 2048, 8, 8, 32) for hidden in range(1, points + 1)]) / points)
