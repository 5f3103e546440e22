#!/bin/sh
# Brings the proxies that tests put before the server, Debian's nginx and Caddy, and before its database, PgBouncer. Does
# nothing where all are installed.
#
#   .ci/proxies.sh
#
# Exits with 1 where they cannot be installed; those tests then say that they are skipped.
set -eu

if command -v nginx >/dev/null && command -v caddy >/dev/null && command -v pgbouncer >/dev/null; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "$0: nginx, Caddy or PgBouncer is not installed (Debian: apt-get install nginx-light caddy pgbouncer)." >&2
  exit 1
fi
apt-get update >&2
# No service of theirs starts here.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light caddy pgbouncer >&2
rm -f /usr/sbin/policy-rc.d
