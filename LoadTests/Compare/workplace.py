"""A folder for one run, and the processes that run in it."""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time


def note(text):
    print(text, file=sys.stderr, flush=True)


class Failed(Exception):
    """A tool is missing, or ended with an error: the message says which and why."""


class Workplace:
    """Starts programs, and ends those it started and no others."""

    def __init__(self, folder):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-compare-", dir=folder))
        # PostgreSQL runs as another user when we are root, and its files are in here.
        self.folder.chmod(0o755)
        self.servers = []

    def path(self, name):
        return self.folder / name

    def start(self, name, command, is_ready):
        """Starts a server and returns once `is_ready()` holds, at the latest after 30 s."""
        log = self.path(f"{name}.log")
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output)
        self.servers.append(process)
        for _ in range(600):
            if process.poll() is not None:
                break
            if is_ready():
                return process
            time.sleep(0.05)
        raise Failed(f"{name} did not start:\n{log.read_text(errors='replace')[-2000:]}")

    def end(self, process):
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.servers.remove(process)

    def close(self):
        for process in list(self.servers):
            self.end(process)
        shutil.rmtree(self.folder, ignore_errors=True)


def run(command, input=None, seconds=600, env=None):
    """What a command printed; raises if it failed."""
    done = subprocess.run(
        [str(part) for part in command], input=input, capture_output=True, text=True,
        timeout=seconds, env=env)
    if done.returncode != 0:
        words = " ".join(str(part) for part in command)
        raise Failed(f"{words} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def tool(name, package, folder=None):
    """The path of a program; raises with the package that has it."""
    found = shutil.which(name, path=f"{folder}:{os.environ['PATH']}" if folder else None)
    if not found:
        raise Failed(f"{name} is missing: apt-get install {package}")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
