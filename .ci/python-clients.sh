#!/bin/sh
# Installs the official Python clients, an older and a newer one, each into a virtual environment of its own. Does
# nothing for one that is installed.
#
#   .ci/python-clients.sh
#
# Exits with 1 where one cannot be installed; its tests then say that they are skipped.
set -eu
cd "$(dirname "$0")/.."

for version in 2.2.0 2.25.0; do
  home=node_modules/.cache/x402-python-$version
  if [ -e "$home/complete" ]; then continue; fi
  rm -rf "$home"
  python3 -m venv "$home"
  "$home/bin/pip" install --quiet --disable-pip-version-check "x402[evm,httpx]==$version" >&2
  touch "$home/complete"
done
