#!/bin/sh
# Brings the browser that the tests of the pages drive: Debian's chromium, with a font. Does nothing where one is installed.
#
#   .ci/chromium.sh
#
# Exits with 1 where it cannot be installed; those tests then say that they are skipped.
set -eu

if command -v chromium >/dev/null || [ -n "${CHROMIUM_BIN:-}" ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "$0: Chromium is not installed. Install its package (Debian: apt-get install chromium fonts-liberation)." >&2
  exit 1
fi
apt-get update >&2
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fonts-liberation >&2
