"""Tells CTest of the tests of each room, one folder of sources: discover_rooms.py PROGRAM RESULTS OUT [LAUNCHER...].

A process for each of 4,500 tests, or of 144 suites, would spend more time starting than testing.
"""
import collections
import json
import pathlib
import subprocess
import sys

program, results, out, *launcher = sys.argv[1:]
listing = pathlib.Path(out).with_suffix(".json")
subprocess.run([*launcher, program, "--gtest_list_tests", f"--gtest_output=json:{listing}"], check=True, stdout=subprocess.DEVNULL)

rooms = collections.defaultdict(set)
for suite in json.loads(listing.read_text())["testsuites"]:
    in_rooms = collections.defaultdict(set)
    for test in suite["testsuite"]:
        in_rooms[pathlib.Path(test["file"]).parent.name].add(test["name"])
    # A suite of one room by its name, else each room's own tests of it.
    for room, tests in in_rooms.items():
        rooms[room] |= {f"{suite['name']}.{test}" for test in (tests if len(in_rooms) > 1 else "*")}

lines = []
for room, tests in sorted(rooms.items()):
    words = [*launcher, program, "--gtest_brief=1", f"--gtest_output=xml:{results}/{room}.xml",
             "--gtest_filter=" + ":".join(sorted(tests))]
    lines.append(f'add_test("core_tests/{room}" ' + " ".join(f'"{word}"' for word in words) + ")")
pathlib.Path(out).write_text("\n".join(lines) + "\n")
