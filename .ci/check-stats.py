#!/usr/bin/env python3
"""Checks that a server's statistics agree with themselves and with counts asked for.

usage: check-stats.py STATS.json ENTITY=COUNT...   (STATS.json is the output of `roost stats --json`)
"""
import json
import sys


def main(path, expectations):
    with open(path, encoding="utf-8") as file:
        stats = json.load(file)
    failures = []

    def agree(what, left, right):
        print(f"{'ok ' if left == right else 'BAD'} {what}: {left} = {right}")
        if left != right:
            failures.append(what)

    rows = stats["rows"]
    for expectation in expectations:
        entity, count = expectation.split("=")
        agree(f"rows of {entity}", rows[entity], int(count))
    agree("rows inserted - deleted = rows", stats["rowsInserted"] - stats["rowsDeleted"],
          sum(rows.values()))
    methods = stats["server.methods"]
    for name, method in methods.items():
        ended = sum(method[part] for part in ("succeeded", "failed", "cancelled", "inFlight"))
        agree(f"{name} started = ended + in flight", method["started"], ended)
    agree("requests = sum of the methods", stats["server.requests"],
          sum(method["started"] for method in methods.values()))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
