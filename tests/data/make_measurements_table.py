#!/usr/bin/env python3
"""Packs the measured tables of this folder into core/network/measurements_table.cpp.

Usage: make_measurements_table.py > ../../core/network/measurements_table.cpp

A series' times become steps of 1/128 octave (0.27 % at most), each the difference from the one before, in two
printable characters; its sizes become runs: first, then *factor or +difference, then x count.
"""
import csv
import collections
import math
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
LETTERS = [chr(c) for c in range(35, 127) if chr(c) not in "\\?"]  # 90 letters that need no escape
BASE = len(LETTERS)
HALF = BASE * BASE // 2


def table(name):
    with open(os.path.join(HERE, name)) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def factor(collective, n):
    return {"all_reduce": 2 * (n - 1) / n, "all_gather": (n - 1) / n, "reduce_scatter": (n - 1) / n}.get(collective, 1)


def sizes_as_runs(sizes):
    runs = []
    i = 0
    while i < len(sizes):
        best = (1, "x1")
        if i + 2 < len(sizes):
            ratio = round(sizes[i + 1] / sizes[i])
            count = 1
            while i + count < len(sizes) and ratio > 1 and abs(sizes[i] * ratio**count / sizes[i + count] - 1) < 1e-4:
                count += 1
            if count > 2:
                best = (count, f"*{ratio}x{count}")
            step = sizes[i + 1] - sizes[i]
            count = 1
            while i + count < len(sizes) and sizes[i] + step * count == sizes[i + count]:
                count += 1
            if count > max(2, best[0]):
                best = (count, f"+{step}x{count}")
        runs.append(f"{sizes[i]}{best[1]}")
        i += best[0]
    return " ".join(runs)


def times_as_letters(times):
    text = ""
    before = 0
    for time in times:
        code = round(128 * math.log2(time))
        digit = code - before + HALF
        assert 0 <= digit < BASE * BASE
        text += LETTERS[digit // BASE] + LETTERS[digit % BASE]
        before = code
    return text


def main():
    groups = {row["source_id"]: row for row in table("measured_groups.csv")}
    sources = {row["source_id"]: row for row in table("measured_sources.csv")}
    series = collections.OrderedDict()
    for row in table("measured_collectives.csv"):
        key = (row["source_id"], row["collective"], row["ranks"])
        n = int(row["ranks"])
        group = groups[row["source_id"]]
        entry = series.setdefault(key, {
            "id": row["source_id"], "name": row["system"], "accelerator": group["accelerator"],
            "collective": row["collective"], "ranks": n, "gpn": int(row["gpus_per_node"]),
            "nic": float(group["nic_gb_per_sec"] or 0), "healthy": sources[row["source_id"]]["healthy"] == "yes",
            "launch": group["launch"] or "process_per_gpu",
            "reduction": group["in_network_reduction"] or "usual", "network": group["network"] or "infiniband",
            "source": sources[row["source_id"]]["where"], "logs": collections.defaultdict(list)})
        size = int(row["size_bytes"])
        time = float(row["time_us"] or 0)
        if time <= 0:
            bus = float(row["busbw_gbps"] or 0)
            if bus <= 0:
                continue
            time = size * factor(row["collective"], n) / (bus * 1e3)
        if size > 0:
            entry["logs"][size].append(math.log(time))
    for row in table("measured_allreduce_ranks.csv"):
        key = ("vtrain-" + row["gpu"], "all_reduce", row["ranks"])
        gpu = "a100-sxm-80gb" if row["gpu"] == "A100" else "v100-sxm"
        entry = series.setdefault(key, {
            "id": key[0], "name": f"{row['ranks']} of 8 {row['gpu']} (vTrain)", "accelerator": gpu,
            "collective": "all_reduce", "ranks": int(row["ranks"]), "gpn": 8, "nic": 0.0, "healthy": True,
            "launch": "process_per_gpu", "reduction": "usual", "network": "infiniband",
            "source": "github.com/VIA-Research/vTrain, measured all-reduce tables",
            "logs": collections.defaultdict(list)})
        for column in ("time_us_out_of_place", "time_us_in_place"):
            entry["logs"][int(row["bytes"])].append(math.log(float(row[column])))

    print("// Made by tests/data/make_measurements_table.py from the measured tables next to it; do not edit.")
    print('#include "core/network/measurements_table.h"\n')
    print("namespace commcost {\nnamespace {\n")
    print("// clang-format off")
    print("constexpr PackedSeries packed[] = {")
    for entry in series.values():
        sizes = sorted(entry["logs"])
        if len(sizes) < 2 and "nvls-sweep" not in entry["id"]:
            continue
        times = [math.exp(sum(v) / len(v)) for v in (entry["logs"][s] for s in sizes)]
        where = re.sub(r"file index id \d+( \(offset ~?\d+\))?: ", "public file: ", entry["source"])
        where = re.sub(r" \(text copy: file index id \d+\)", "", where)
        where = " ".join(where.replace("`", "").replace('"', "'").split())
        name = entry["name"].replace('"', "'")
        print(f'    {{"{entry["id"]}", "{name}", "{entry["accelerator"]}", Collective::{entry["collective"]}, '
              f'{entry["ranks"]}, {entry["gpn"]}, {entry["nic"]:g}, '
              f'NetworkKind::{entry["network"]}, {"true" if entry["healthy"] else "false"}, '
              f'Launch::{entry["launch"]}, SwitchReduction::{entry["reduction"]},')
        print(f'     "{where}",')
        print(f'     "{sizes_as_runs(sizes)}", "{times_as_letters(times)}"}},')
    print("};\n// clang-format on\n\n}  // namespace\n")
    print("std::span<const PackedSeries> packed_series() {\n  return packed;\n}\n\n}  // namespace commcost")


main()
