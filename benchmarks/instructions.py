"""Instructions of the double-dummy solver on a small fixed set: the companion of the timings that has no noise.

Builds `core/` for this machine and counts under valgrind what `bench` executes:

    python benchmarks/instructions.py                      # eight contracts
    python benchmarks/instructions.py --job tables --deals 2 --functions 15
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

CORE = Path(__file__).parent.parent / "core"


def run(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout + done.stderr


def count(folder: Path, deals: int, job: str, functions: int) -> None:
    run("cmake", "-S", CORE, "-B", folder)
    run("cmake", "--build", folder, "--target", "bench")
    profile = folder / "profile"
    text = run("valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", folder / "bench", str(deals), job)
    instructions = int(re.search(r"Collected : (\d+)", text)[1])
    trick_nodes = int(re.search(r"trick nodes (\d+)", text)[1])
    print(f"{job}, {deals} deals: {instructions:,} instructions, {trick_nodes:,} trick nodes")
    print(f"{instructions / trick_nodes:.0f} instructions a trick node")
    rows = [line for line in run("callgrind_annotate", profile).splitlines() if re.match(r" *[\d,]+ \(", line)]
    for row in rows[1 : functions + 1]:
        print(re.sub(r"borel::|\?\?\?:| \[.*", "", row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=8)
    parser.add_argument("--job", choices=("contracts", "leads", "tables"), default="contracts")
    parser.add_argument("--functions", type=int, default=0, help="also the functions that take most")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        count(Path(folder), options.deals, options.job, options.functions)


if __name__ == "__main__":
    main()
