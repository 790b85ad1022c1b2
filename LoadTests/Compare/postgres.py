"""PostgreSQL by pgbench with prepared statements, and by psql's COPY."""
import glob
import math
import os
import shutil
import subprocess
import time

from workplace import Failed, free_port, run, tool

COLUMNS = """year int, month int, day int, dep_time int, sched_dep_time int, dep_delay int,
  arr_time int, sched_arr_time int, arr_delay int, carrier text, flight int, tailnum text,
  origin text, dest text, air_time int, distance int, hour int, minute int, time_hour timestamptz"""
KEY = ["carrier", "flight", "time_hour"]
NAMES = [part.split()[0] for part in COLUMNS.replace("\n", " ").split(",")]


class Postgres:
    name = "PostgreSQL"
    has_flights = False

    def __init__(self, place, rows, flights):
        self.place, self.rows, self.flights = place, rows, flights
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not folders:
            raise Failed("PostgreSQL is missing: apt-get install postgresql")
        self.bin = folders[-1]
        self.port = free_port()
        data = place.path("postgres")
        data.mkdir()
        # PostgreSQL refuses to run as root.
        self.prefix = []
        if os.geteuid() == 0:
            shutil.chown(data, "postgres")
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.command("initdb", "-D", data, "-U", "bench", "--auth=trust", "-E", "UTF8", "--locale=C")
        place.start("postgres-server", [
            *self.prefix, f"{self.bin}/postgres", "-D", str(data), "-p", str(self.port),
            "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
            "-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB", "-c", "max_connections=120",
            # What "durable" means for the others: an answer comes after an fsync of the log.
            "-c", "fsync=on", "-c", "synchronous_commit=on"], self.answers)
        self.load()

    def command(self, name, *arguments):
        return run([*self.prefix, f"{self.bin}/{name}", *arguments])

    def connection(self):
        return ["-h", "127.0.0.1", "-p", self.port, "-U", "bench"]

    def answers(self):
        command = [f"{self.bin}/pg_isready", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(command, capture_output=True).returncode == 0

    def sql(self, text):
        return run([
            f"{self.bin}/psql", *self.connection(), "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-qAt",
            "-f", "-"], input=text)

    def version(self):
        return self.sql("SHOW server_version").split()[0]

    def load(self):
        self.sql(f"""
            CREATE TABLE rows(id bigserial PRIMARY KEY, {COLUMNS});
            \\copy rows({",".join(NAMES)}) FROM PROGRAM 'head -n {self.rows + 1} "{self.flights}"' \
WITH (FORMAT csv, HEADER, NULL 'NA')
            VACUUM ANALYZE rows;""")

    def pgbench(self, script, connections, seconds, *options):
        file = self.place.path("script.sql")
        file.write_text(script)
        for old in glob.glob(str(self.place.path("latency")) + "*"):
            os.remove(old)
        # One thread, as Roost's generator and Redis' have.
        run([tool("pgbench", "postgresql", self.bin), *self.connection(), "-n", "-M", "prepared", "-f",
             file, "-c", connections, "-j", "1", "-T", math.ceil(seconds), "-l",
             "--log-prefix", self.place.path("latency"), *options, "postgres"])
        return self.latencies()

    def latencies(self):
        """Of each transaction, from its planned moment if there is a rate; and when it ended."""
        times, ends = [], []
        for name in glob.glob(str(self.place.path("latency")) + "*"):
            with open(name) as lines:
                for line in lines:
                    if not line.endswith("\n"):
                        # pgbench was ended in the middle of it.
                        break
                    parts = line.split()
                    times.append(int(parts[2]))
                    ends.append(int(parts[4]) + int(parts[5]) / 1e6)
        return times, ends

    def get(self, connections, depth, seconds):
        one = f"\\set id random(1, {self.rows})\nSELECT * FROM rows WHERE id = :id;\n"
        script = one if depth == 1 else f"\\startpipeline\n{one * depth}\\endpipeline\n"
        return summary(*self.pgbench(script, connections, seconds), depth)

    def write(self, connections, seconds):
        script = (f"\\set id random(1, {self.rows})\n\\set delay random(0, 900)\n"
                  "UPDATE rows SET dep_delay = :delay WHERE id = :id;\n")
        return summary(*self.pgbench(script, connections, seconds))

    def copy(self, table):
        return (f"\\copy {table}({','.join(NAMES)}) FROM '{self.flights}' "
                "WITH (FORMAT csv, HEADER, NULL 'NA')\n")

    def begin_import(self):
        self.has_flights = True
        self.sql(f"""
            DROP TABLE IF EXISTS flights, staging;
            CREATE TABLE flights(id bigserial PRIMARY KEY, {COLUMNS}, UNIQUE({",".join(KEY)}));
            CREATE UNLOGGED TABLE staging({COLUMNS});""")

    def append(self):
        """Into an empty table that has its key."""
        return self.timed(self.copy("flights"))

    def upsert(self):
        """The way to load a file whose rows may be there already."""
        sets = ",".join(f"{name}=excluded.{name}" for name in NAMES if name not in KEY)
        names = ",".join(NAMES)
        return self.timed(
            "TRUNCATE staging;\n" + self.copy("staging")
            + f"INSERT INTO flights({names}) SELECT {names} FROM staging "
            f"ON CONFLICT({','.join(KEY)}) DO UPDATE SET {sets};\n")

    def timed(self, text):
        begun = time.monotonic()
        self.sql(text)
        return time.monotonic() - begun

    def row_count(self):
        return int(self.sql("SELECT count(*) FROM flights"))

    def gets_beside(self, rate, work):
        """Gets at a fixed rate while `work()` runs; those that ended meanwhile count."""
        script = f"\\set id random(1, {self.rows})\nSELECT * FROM rows WHERE id = :id;\n"
        file = self.place.path("script.sql")
        file.write_text(script)
        for old in glob.glob(str(self.place.path("latency")) + "*"):
            os.remove(old)
        gets = subprocess.Popen(
            [str(part) for part in (
                tool("pgbench", "postgresql", self.bin), *self.connection(), "-n", "-M", "prepared",
                "-f", file, "-c", 16, "-j", 1, "-T", 600, "-R", rate, "-l", "--log-prefix",
                self.place.path("latency"), "postgres")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            begun = time.time()
            work()
            ended = time.time()
        finally:
            gets.terminate()
            gets.wait()
        times, ends = self.latencies()
        kept = [(time_, end) for time_, end in zip(times, ends) if begun <= end <= ended]
        return summary([time_ for time_, _ in kept], [end for _, end in kept])

    def scan(self):
        begun = time.monotonic()
        with open(os.devnull, "wb") as sink:
            subprocess.run(
                [str(part) for part in (
                    f"{self.bin}/psql", *self.connection(), "-d", "postgres", "-qAt", "-c",
                    "COPY flights TO STDOUT WITH (FORMAT csv)")], stdout=sink, check=True)
        return time.monotonic() - begun


def summary(times, ends, per_transaction=1):
    """Rate and percentiles; a pipeline of n is n requests, each of the pipeline's latency."""
    if len(times) < 100:
        raise Failed(f"pgbench finished {len(times)} transactions: too few to say anything")
    ordered = sorted(times)
    seconds = max(ends) - min(ends)
    return {"perSecond": len(times) * per_transaction / seconds,
            "p50": ordered[len(ordered) // 2], "p99": ordered[len(ordered) * 99 // 100]}
