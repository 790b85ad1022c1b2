#!/usr/bin/env python3
"""Compares Roost with PostgreSQL and Redis on this machine, in the same minutes.

Gets by key at 1 × 1, 50 × 1 and 50 × 16 (connections × requests under way on each), durable writes
of one row at 1 and 64 in flight, the NYC flights imported into an empty keyed table and once more,
all of them read, and gets at 5,000/s during an import. Every system answers a durable write after an
fsync (Redis: appendfsync always). Each generator has one thread. Who goes first changes each round.

Needs Data/nycflights13/flights.csv (Data/fetch-nycflights13.sh brings it), PostgreSQL with pgbench
and Redis (apt-get install postgresql redis). Starts servers of its own on free ports of 127.0.0.1 and
ends only those. A table in Markdown on stdout; the last line is JSON. Exit code 2: something missing.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "Compare"))
from cases import able, cases  # noqa: E402
from postgres import Postgres  # noqa: E402
from redis import Redis  # noqa: E402
from report import summarize, table  # noqa: E402
from roost import Roost  # noqa: E402
from workplace import Failed, Workplace, note, run  # noqa: E402

GROUPS = ["get", "write", "import", "scan", "beside"]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="of each measurement (5)")
    parser.add_argument("--seconds", type=float, default=3, help="of each get and write run (3)")
    parser.add_argument("--rows", type=int, default=100_000, help="rows for gets and writes (100000)")
    parser.add_argument("--only", default=",".join(GROUPS), help=f"groups of {','.join(GROUPS)}")
    parser.add_argument("--systems", default="roost,postgresql,redis", help="whom to measure")
    parser.add_argument("--bin", help="folder of Roost's release build; without it one is made")
    parser.add_argument("--json", type=pathlib.Path, help="write the result here as well")
    parser.add_argument("--folder", help="on the disk to measure (TMPDIR)")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - set(GROUPS)
    if unknown:
        parser.error(f"--only {','.join(sorted(unknown))}: should be of {','.join(GROUPS)}")
    unknown = set(options.systems.split(",")) - {"roost", "postgresql", "redis"}
    if unknown:
        parser.error(f"--systems {','.join(sorted(unknown))}: should be of roost,postgresql,redis")
    if not 1 <= options.rounds <= 50 or not 1 <= options.seconds <= 60:
        parser.error("--rounds is from 1 to 50, --seconds from 1 to 60")
    return options


def binaries(options):
    if options.bin:
        return options.bin
    build = ["swift", "build", "-c", "release", "--package-path", str(HERE.parent)]
    subprocess.run(build, check=True, stdout=sys.stderr)
    return run([*build, "--show-bin-path"]).strip()


def take_turns(systems, rounds, case):
    """What each system did in each round; who goes first changes."""
    taken = []
    for index in range(rounds):
        note(f"{case.title}: round {index + 1} of {rounds}")
        shift = index % len(systems)
        order = systems[shift:] + systems[:shift]
        taken.append({system.name: case.measure(system) for system in order if able(case, system)})
    return taken


def measure(options, place, flights):
    with open(flights) as file:
        flight_rows = sum(1 for _ in file) - 1
    rows = min(options.rows, flight_rows)
    makers = {
        "roost": lambda: Roost(place, rows, flights, binaries(options)),
        "postgresql": lambda: Postgres(place, rows, flights),
        "redis": lambda: Redis(place, rows)}
    systems = [makers[name]() for name in options.systems.split(",")]
    results = []
    for case in cases(options.seconds, flight_rows):
        if case.group not in options.only.split(","):
            continue
        rounds = take_turns(systems, options.rounds, case)
        results.append(summarize(case, [system.name for system in systems], rounds))
    return systems, results


def main():
    options = arguments()
    flights = HERE / "Data/nycflights13/flights.csv"
    if not flights.exists():
        raise Failed(f"{flights.relative_to(HERE)} is missing: run Data/fetch-nycflights13.sh")
    place = Workplace(options.folder or os.environ.get("TMPDIR") or "/tmp")
    try:
        systems, results = measure(options, place, flights)
        names = [system.name for system in systems]
        versions = {system.name: system.version() for system in systems}
    finally:
        place.close()
    print(table(results, names, versions, options.rounds, options.seconds))
    document = json.dumps({"rounds": options.rounds, "seconds": options.seconds,
                           "rows": options.rows, "versions": versions, "results": results})
    if options.json:
        options.json.write_text(document + "\n")
    print("\n" + document)


if __name__ == "__main__":
    try:
        main()
    except (Failed, subprocess.SubprocessError) as error:
        note(f"compare.py: {error}")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
