#!/bin/sh
# Prints the folder of Prometheus, Alertmanager and their tools: that of this machine, or of Debian's packages, unpacked into
# a folder. Nothing is installed.
#
#   .ci/prometheus.sh <folder>
#
# Exits with 1 where they cannot be had; the tests of the alerts then say that they are skipped.
set -eu

if command -v promtool >/dev/null && command -v amtool >/dev/null; then
  dirname "$(command -v promtool)"
  exit 0
fi
folder=$1
if [ ! -x "$folder/usr/bin/amtool" ]; then
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "$0: not installed (Debian: apt-get install prometheus prometheus-alertmanager)." >&2
    exit 1
  fi
  mkdir -p "$folder"
  cd "$folder"
  apt-get download prometheus prometheus-alertmanager >&2
  for package in prometheus_*.deb prometheus-alertmanager_*.deb; do dpkg-deb -x "$package" . && rm "$package"; done
fi
echo "$folder/usr/bin"
