#!/usr/bin/env bash
# How long Stats takes while the server is busy or in trouble, and what asking once a second costs.
#
#   ./measure-stats.sh [ROUNDS]                         (4 pairs of loads without and with 1 Hz)
#
# Phases: gets from 50 connections with 16 in flight, without and with Stats at 1 Hz in turn; Stats
# at 50 Hz beside that load; beside imports and queries; with the writer stalled (another process
# holds the file's write lock); with the disk full (only as root: a small file system in memory).
# BIN names the folder of the release build; without it one is made. Last line of stdout: JSON.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-4}
if [ -z "${BIN:-}" ]; then
  swift build -c release --package-path .. >&2
  BIN=$(swift build -c release --package-path .. --show-bin-path)
fi

work=$(mktemp -d)
server= beside= holder= mounted=
cleanup() {
  for pid in $holder $beside $server; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf "$work"
}
trap cleanup EXIT

serve() { # store
  rm -f "$work/port"
  "$BIN/roost" serve --store "$1" --listen 127.0.0.1:0 --port-file "$work/port" >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    [ -s "$work/port" ] && break
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
  done
  url="roost://127.0.0.1:$(cat "$work/port")"
}
end_server() { kill "$server" && wait "$server" || true; server=; }
load() { "$BIN/roost-load" "$url" --warmup 1 --json "$@" | tail -n 1; }
stats() { load --mix stats=1 --connections 1 --depth 8 "$@"; }
say() { printf '%s\n' "$*" >&2; }

python3 - >"$work/rows.csv" <<'PYTHON'
print("id,a,b,c")
for row in range(50_000):
    print(f"{row},{row * 7},text {row % 999},{row % 13}")
PYTHON
serve "$work/a.store"
"$BIN/roost" import "$url" "$work/rows.csv" --entity Row --create --key id >/dev/null

say "gets alone and with Stats at 1 Hz, $rounds pairs"
for round in $(seq "$rounds"); do
  load --mix get=1 --connections 50 --depth 16 --duration 5 >>"$work/alone"
  stats --rate 1 --duration 7 >/dev/null &
  beside=$!
  load --mix get=1 --connections 50 --depth 16 --duration 5 >>"$work/with"
  wait "$beside"; beside=
done

say "Stats among the gets: one call in 10,000, on the same connections"
load --mix get=9999,stats=1 --connections 50 --depth 16 --duration 6 >"$work/among.stats"

say "Stats at 50 Hz beside gets"
load --mix get=1 --connections 50 --depth 16 --duration 9 >/dev/null &
beside=$!
stats --rate 50 --duration 6 >"$work/gets.stats"
wait "$beside"; beside=
"$BIN/roost" stats "$url" --json >"$work/gets.figures"

say "Stats at 50 Hz beside an import and queries"
load --mix count=1,fetch=1 --entity Row --connections 16 --depth 4 --duration 9 >/dev/null &
beside=$!
(for number in 1 2 3 4 5 6; do
  "$BIN/roost" import "$url" "$work/rows.csv" --entity Row --key id >/dev/null
done) &
holder=$!
stats --rate 50 --duration 6 >"$work/import.stats"
wait "$beside" "$holder"; beside= holder=

say "Stats at 50 Hz with the writer stalled"
python3 - "$work/a.store" "$work/held" <<'PYTHON' &
import sqlite3, sys, time
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").close()
time.sleep(9)
store.execute("ROLLBACK")
PYTHON
holder=$!
for _ in $(seq 100); do [ -e "$work/held" ] && break; sleep 0.1; done
"$BIN/roost-load" "$url" --mix upsert=1 --entity Row --connections 8 --duration 5 --warmup 0 \
  --json >"$work/stalled.writes" 2>/dev/null &
beside=$!
stats --rate 50 --duration 5 >"$work/stalled.stats"
"$BIN/roost" stats "$url" --json >"$work/stalled.figures"
wait "$beside" || true
wait "$holder"; beside= holder=
end_server

if [ "$(id -u)" = 0 ] && mkdir "$work/small" && mount -t tmpfs -o size=6m tmpfs "$work/small"; then
  mounted=$work/small
  say "Stats at 50 Hz with the disk full"
  serve "$work/small/a.store"
  "$BIN/roost" import "$url" "$work/rows.csv" --entity Row --create --key id \
    >"$work/full.import" 2>&1 || true
  dd if=/dev/zero of="$work/small/filler" bs=64k status=none 2>/dev/null || true
  "$BIN/roost" import "$url" "$work/rows.csv" --entity Row --key id >/dev/null 2>"$work/full.error" &
  beside=$!
  stats --rate 50 --duration 5 >"$work/full.stats"
  wait "$beside" || true
  beside=
  "$BIN/roost" stats "$url" --json >"$work/full.figures"
  rm "$work/small/filler"
  end_server
fi

python3 - "$work" <<'PYTHON'
import datetime, json, os, statistics, sys
work = sys.argv[1]
def runs(name):
    with open(f"{work}/{name}") as file:
        return [json.loads(line) for line in file if line.startswith("{")]
alone = [run["requestsPerSecond"] for run in runs("alone")]
asked = [run["requestsPerSecond"] for run in runs("with")]
ratios = [b / a for a, b in zip(alone, asked)]
print(f"\nStats, {os.cpu_count()} processors, {datetime.date.today()}\n")
print(f"gets/s alone {statistics.median(alone):,.0f}, with Stats at 1 Hz {statistics.median(asked):,.0f}, "
      f"ratio of the pairs {min(ratios):.3f} to {max(ratios):.3f}, median {statistics.median(ratios):.3f}\n")
print("| beside | calls | errors | p50 | p99 | max µs |\n|---|---|---|---|---|---|")
result = {"gets": {"alone": alone, "withStats": asked}, "stats": {}}
for name, what in (("among", "gets, 50 x 16, same process"), ("gets", "gets, 50 x 16"), ("import", "imports and queries"),
                   ("stalled", "a stalled writer"), ("full", "a full disk")):
    if not os.path.exists(f"{work}/{name}.stats"):
        print(f"| {what} | not run | | | | |")
        continue
    run = runs(f"{name}.stats")[-1]
    result["stats"][name] = run
    run = run["operations"]["stats"]
    times = run["latencyMicroseconds"]
    print(f"| {what} | {run['requests']:,} | {run['errors']} | {times['p50']:,} | {times['p99']:,} | {times['max']:,} |")
with open(f"{work}/gets.figures") as file:
    own = json.load(file)["server.methods"]["Stats"]
print(f"\nBy the server's own clock, from the turn's begin to the answer, all but the last phases: "
      f"p50 {own['p50Microseconds']:,}, p99 {own['p99Microseconds']:,}, max {own['maxMicroseconds']:,} µs "
      f"of {own['started']:,} calls. What is beyond it is the wait for a processor.")
result["stats"]["server"] = own
for name, keys in (("stalled", ("queueDepth", "queueOldestMicroseconds", "writerGroupMicroseconds")),
                   ("full", ("lastError", "diskFreeBytes"))):
    if os.path.exists(f"{work}/{name}.figures"):
        with open(f"{work}/{name}.figures") as file:
            figures = json.load(file)
        print(f"\n{name}: " + ", ".join(f"{key} {figures.get(key)}" for key in keys))
print()
print(json.dumps(result))
PYTHON
