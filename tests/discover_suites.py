"""Tells CTest of each suite of a GoogleTest program: discover_suites.py PROGRAM RESULTS OUT [LAUNCHER...].

4,500 tests as a process each would take minutes to start, so that a suite is what CTest runs, lists and names.
"""
import pathlib
import subprocess
import sys

program, results, out, *launcher = sys.argv[1:]
listed = subprocess.run([*launcher, program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
suites = [line.split("#")[0].strip().rstrip(".") for line in listed.splitlines() if line and not line.startswith((" ", "Running"))]

lines = []
for suite in suites:
    report = f"{results}/{suite.replace('/', '-')}.xml"
    command = " ".join(f'"{word}"' for word in [*launcher, program, f"--gtest_filter={suite}.*", "--gtest_brief=1", f"--gtest_output=xml:{report}"])
    lines.append(f'add_test("core_tests/{suite}" {command})')
pathlib.Path(out).write_text("\n".join(lines) + "\n")
