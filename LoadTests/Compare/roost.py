"""Roost by roost-load and `roost import`."""
import json
import os
import signal
import subprocess
import time

from workplace import Failed, run

KEY = "carrier,flight,time_hour"


class Roost:
    name = "Roost"
    has_flights = False

    def __init__(self, place, rows, flights, binaries):
        self.place, self.rows, self.flights, self.bin = place, rows, flights, binaries
        port = place.path("roost.port")
        place.start("roost", [
            f"{binaries}/roost", "serve", "--store", str(place.path("roost.store")), "--durability",
            "full", "--listen", "127.0.0.1:0", "--port-file", str(port)],
            lambda: port.exists() and port.stat().st_size > 0)
        self.url = f"roost://127.0.0.1:{port.read_text().strip()}"
        self.entity = "Flight0"
        head = place.path("head.csv")
        with open(flights) as source, head.open("w") as target:
            for _ in range(rows + 1):
                target.write(source.readline())
        self.load_file(head, "Row")

    def version(self):
        return run(["git", "rev-parse", "--short", "HEAD"]).strip()

    def load_file(self, file, entity):
        return json.loads(run([
            f"{self.bin}/roost", "import", self.url, file, "--entity", entity, "--create", "--key", KEY,
            "--null", "NA", "--json"]).strip().splitlines()[-1])

    def load(self, *options):
        return [f"{self.bin}/roost-load", self.url, "--entity", "Row", "--json",
                "--seed", str(time.time_ns()), *map(str, options)]

    def measured(self, printed):
        lines = [json.loads(line) for line in printed.strip().splitlines()]
        last = lines[-1]
        if last["errors"]:
            raise Failed(f"{last['errors']} of {last['requests']} requests failed")
        shares = [line["run"]["generator"]["cpuShares"] for line in lines if "run" in line]
        return {"perSecond": last["requestsPerSecond"],
                "p50": last["latencyMicroseconds"]["p50"],
                "p99": last["latencyMicroseconds"]["p99"],
                "generatorShare": max(shares[0]) if shares else None}

    def get(self, connections, depth, seconds):
        return self.measured(run(self.load(
            "--mix", "get=1", "--connections", connections, "--depth", depth, "--duration", seconds,
            "--warmup", 1)))

    def write(self, connections, seconds):
        return self.measured(run(self.load(
            "--mix", "write=1", "--connections", connections, "--duration", seconds, "--warmup",
            0.5)))

    def begin_import(self):
        self.has_flights = True
        # Another entity each time: an empty table that has its key.
        self.entity = f"Flight{int(self.entity.removeprefix('Flight')) + 1}"

    def append(self):
        return self.timed()

    def upsert(self):
        return self.timed()

    def timed(self):
        begun = time.monotonic()
        self.load_file(self.flights, self.entity)
        return time.monotonic() - begun

    def row_count(self):
        return int(run([f"{self.bin}/roost", "query", self.url, self.entity, "--count"]))

    def gets_beside(self, rate, work):
        begun = self.place.path("measuring")
        begun.unlink(missing_ok=True)
        command = self.load(
            "--mix", "get=1", "--connections", 16, "--rate", rate, "--warmup", 1, "--duration", 600,
            "--measuring-file", begun)
        gets = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for _ in range(3_000):
            if begun.exists() or gets.poll() is not None:
                break
            time.sleep(0.01)
        work()
        gets.send_signal(signal.SIGTERM)
        printed, _ = gets.communicate(timeout=60)
        return self.measured(printed)

    def scan(self):
        begun = time.monotonic()
        with open(os.devnull, "wb") as sink:
            subprocess.run(
                [f"{self.bin}/roost", "query", self.url, self.entity, "--csv"], stdout=sink,
                check=True)
        return time.monotonic() - begun
