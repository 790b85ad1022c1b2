"""Medians of the rounds as a table in Markdown, and as JSON."""
import datetime
import os
import platform
import statistics


def middle(values):
    return statistics.median(values) if values else None


def summarize(case, names, rounds):
    """Ratios are made within a round, where the machine was the same for all."""
    systems = {}
    for name in names:
        runs = [one[name] for one in rounds if name in one]
        if runs:
            systems[name] = {key: middle([run[key] for run in runs if run.get(key) is not None])
                             for key in runs[0]}
    ratios = {}
    for name in systems:
        if name == "Roost" or "Roost" not in systems:
            continue
        # During an import all hold the rate: what differs is how long a get takes.
        key = "p99" if case.group == "beside" else "perSecond"
        each = [one["Roost"][key] / one[name][key] for one in rounds]
        if key == "p99":
            each = [1 / ratio for ratio in each]
        ratios[name] = {"median": middle(each), "least": min(each), "most": max(each)}
    return {"group": case.group, "case": case.title, "unit": case.unit, "systems": systems,
            "ratios": ratios, "rounds": rounds}


def cell(figures):
    if not figures:
        return "—"
    text = f"{figures['perSecond']:,.0f}"
    if "p99" in figures:
        text += f" ({figures['p50']:,.0f} / {figures['p99']:,.0f})"
    return text


def table(results, names, versions, rounds, seconds):
    others = [name for name in names if name != "Roost"]
    lines = [
        f"Medians of {rounds} rounds, {seconds:g} s each, {os.cpu_count()} processors "
        f"({platform.machine()}), {datetime.date.today()}; "
        + ", ".join(f"{name} {versions[name]}" for name in names)
        + ". Per second (p50 / p99 in µs); ratios of one round, more is better for Roost.", "",
        "| work | " + " | ".join(names) + " | "
        + " | ".join(f"Roost : {name}" for name in others) + " |",
        "|---" * (1 + len(names) + len(others)) + "|"]
    for result in results:
        cells = [result["case"]] + [cell(result["systems"].get(name)) for name in names]
        for name in others:
            ratio = result["ratios"].get(name)
            cells.append(f"**{ratio['median']:.2f}** ({ratio['least']:.2f}–{ratio['most']:.2f})"
                         if ratio else "—")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
