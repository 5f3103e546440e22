#!/bin/sh
# Brings what Debian has for the tests: the proxies before the server, nginx and Caddy; the one before its database,
# PgBouncer; pgBackRest, which archives it; and what builds the image, buildah and mmdebstrap. Does nothing where all are
# installed.
#
#   .ci/programs.sh
#
# Exits with 1 where they cannot be installed; those tests then say that they are skipped.
set -eu

missing=
packages='nginx-light caddy pgbouncer pgbackrest buildah mmdebstrap'
for program in nginx caddy pgbouncer pgbackrest buildah mmdebstrap; do command -v $program >/dev/null || missing="$missing $program"; done
if [ -z "$missing" ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "$0: not installed:$missing (Debian: apt-get install $packages)." >&2
  exit 1
fi
apt-get update >&2
# No service of theirs starts here.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages >&2
rm -f /usr/sbin/policy-rc.d
