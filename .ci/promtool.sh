#!/bin/sh
# Prints the path of promtool: that of this machine, or of Debian's package prometheus, unpacked into a folder. Nothing
# is installed.
#
#   .ci/promtool.sh <folder>
#
# Exits with 1 where it cannot be had; the tests of the alerts then say that they are skipped.
set -eu

if command -v promtool; then exit 0; fi
folder=$1
if [ ! -x "$folder/usr/bin/promtool" ]; then
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "$0: promtool is not installed (Debian: apt-get install prometheus)." >&2
    exit 1
  fi
  mkdir -p "$folder"
  (cd "$folder" && apt-get download prometheus >&2 && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb)
fi
echo "$folder/usr/bin/promtool"
