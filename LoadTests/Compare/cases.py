"""What is measured, and of whom."""
from workplace import Failed


class Case:
    """One line of the table: a figure of each system that can do it, more is better."""

    def __init__(self, group, title, unit, measure):
        self.group, self.title, self.unit, self.measure = group, title, unit, measure


def cases(seconds, flight_rows):
    def get(connections, depth):
        return Case("get", f"get by key, {connections} × {depth}", "requests/s",
                    lambda system: system.get(connections, depth, seconds))

    def write(connections):
        return Case("write", f"durable write of one row, {connections} in flight", "requests/s",
                    lambda system: system.write(connections, seconds))

    def rows(duration, system):
        found = system.row_count()
        if found != flight_rows:
            raise Failed(f"{system.name} has {found} flights, {flight_rows} are in the file")
        return {"perSecond": flight_rows / duration}

    def append(system):
        system.begin_import()
        return rows(system.append(), system)

    def imported(system):
        """So that each group can be measured alone."""
        if not system.has_flights:
            append(system)
        return system

    def upsert(system):
        return rows(imported(system).upsert(), system)

    def scan(system):
        return {"perSecond": flight_rows / imported(system).scan()}

    def gets_beside(system):
        system.begin_import()
        return system.gets_beside(5_000, system.upsert)

    return [
        get(1, 1), get(50, 1), get(50, 16), write(1), write(64),
        Case("import", "import into an empty keyed table", "rows/s", append),
        Case("import", "import again, every row there (upsert)", "rows/s",
             upsert),
        Case("scan", "all flights as CSV", "rows/s", scan),
        Case("beside", "gets at 5,000/s during an import", "requests/s", gets_beside),
    ]


def able(case, system):
    needs = {"get": "get", "write": "write", "import": "append", "scan": "scan",
             "beside": "gets_beside"}
    return hasattr(system, needs[case.group])
