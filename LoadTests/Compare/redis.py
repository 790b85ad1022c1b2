"""Redis by redis-benchmark: values as long as a packed row, keys that all exist."""
import csv
import subprocess

from workplace import free_port, run, tool

VALUE_BYTES = 120


class Redis:
    name = "Redis"

    def __init__(self, place, rows):
        self.rows = rows
        self.place = place
        self.benchmark = tool("redis-benchmark", "redis")
        self.client = tool("redis-cli", "redis")
        self.port = self.serve("redis", ["--appendonly", "no"])
        self.fill(self.port)
        # Durable as the others are: every write is on the disk before its answer.
        self.durable_port = self.serve(
            "redis-durable", ["--appendonly", "yes", "--appendfsync", "always"])
        self.fill(self.durable_port)

    def serve(self, name, options):
        port = free_port()
        folder = self.place.path(name)
        folder.mkdir()
        server = tool("redis-server", "redis")
        self.place.start(
            name, [server, "--port", str(port), "--bind", "127.0.0.1", "--save", "",
                   "--dir", str(folder), *options], lambda: self.answers(port))
        return port

    def answers(self, port):
        command = [self.client, "-p", str(port), "ping"]
        return subprocess.run(command, capture_output=True).returncode == 0

    def fill(self, port):
        value = "x" * VALUE_BYTES
        commands = []
        for row in range(self.rows):
            key = f"key:{row:012d}"
            commands.append(
                f"*3\r\n$3\r\nSET\r\n${len(key)}\r\n{key}\r\n${VALUE_BYTES}\r\n{value}\r\n")
        run([self.client, "-p", port, "--pipe"], input="".join(commands))

    def version(self):
        return run([tool("redis-server", "redis"), "--version"]).split()[2].removeprefix("v=")

    def measure(self, port, test, connections, depth, seconds):
        """Requests that take about `seconds`: the number comes from a short run before."""
        def once(count):
            printed = run([
                self.benchmark, "-p", port, "-t", test, "-c", connections, "-P", depth, "-r",
                self.rows, "-d", VALUE_BYTES, "-n", count, "--precision", "3", "--csv"])
            return list(csv.DictReader(printed.splitlines()))[-1]

        rate = float(once(2_000 * depth)["rps"])
        result = once(max(1_000, int(rate * seconds)))
        return {"perSecond": float(result["rps"]),
                "p50": round(float(result["p50_latency_ms"]) * 1_000),
                "p99": round(float(result["p99_latency_ms"]) * 1_000)}

    def get(self, connections, depth, seconds):
        return self.measure(self.port, "get", connections, depth, seconds)

    def write(self, connections, seconds):
        return self.measure(self.durable_port, "set", connections, 1, seconds)
