#!/bin/sh
# Starts and stops a throw-away PostgreSQL for the tests.
#
#   .ci/postgres.sh start <dir>   makes a cluster in <dir>, starts it on a free port of 127.0.0.1, prints its TEST_DATABASE_URL
#   .ci/postgres.sh stop <dir>    stops it and removes <dir>
#   .ci/postgres.sh halt <dir>    stops it at once, as if its process had died, and keeps <dir>
#   .ci/postgres.sh resume <dir>  starts a halted one again on its port
#   .ci/postgres.sh follow <dir> <primary's dir>   starts a replica of another cluster, and prints its address
#   .ci/postgres.sh run <dir> <program> [argument]...   runs one of PostgreSQL's programs, or another, as the cluster's owner
#
# <dir> must not exist yet, or be empty. Nothing is flushed to disk: never use it for data. POSTGRES_SETTINGS has further
# options for `start`, `follow` and `resume`, such as `-c archive_mode=on`.
set -eu

action=${1:-}
dir=${2:-}
case $action in start | stop | halt | resume | follow | run) ;; *) dir= ;; esac
if [ -z "$dir" ]; then
  echo "usage: $0 start|stop|halt|resume|follow|run <dir> [argument]..." >&2
  exit 2
fi

find_bin() {
  # Of another version than this machine has.
  if [ -n "${POSTGRES_BIN:-}" ]; then
    echo "$POSTGRES_BIN"
    return 0
  fi
  for candidate in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -rn); do
    if [ -x "$candidate/initdb" ]; then
      echo "$candidate"
      return 0
    fi
  done
  # A link in PATH would hide the files that stand beside the program.
  found=$(command -v initdb) && dirname "$(readlink -f "$found")"
}

install_postgres() {
  # The package would start a cluster of its own: this leaves it out.
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; } >&2
}

# PostgreSQL refuses to run as root.
as_owner() {
  if [ "$(id -u)" -eq 0 ]; then
    (cd / && setpriv --reuid="$owner" --regid="$(id -g "$owner")" --clear-groups "$@")
  else
    "$@"
  fi
}

# launch <port>
launch() {
  as_owner "$bin/pg_ctl" -D "$dir/data" -l "$dir/data/server.log" -w -t 60 start \
    -o "-p $1 -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=100 ${POSTGRES_SETTINGS:-}" \
    >/dev/null
}

halt() {
  as_owner "$bin/pg_ctl" -D "$dir/data" -m immediate -w -t 60 stop >/dev/null
}

bin=$(find_bin) || bin=
if [ -z "$bin" ] && [ "$action" = start ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  install_postgres
  bin=$(find_bin) || bin=
fi
if [ -z "$bin" ]; then
  echo "$0: PostgreSQL is not installed. Install its server package (Debian: apt-get install postgresql)." >&2
  exit 1
fi
if id postgres >/dev/null 2>&1; then owner=postgres; else owner=nobody; fi

# make <program> [argument]...: makes a cluster in <dir>, and starts it
make() {
  if [ "$(id -u)" -eq 0 ]; then chown "$owner" "$dir"; fi
  chmod 700 "$dir"
  as_owner "$bin/$@" >"$dir/made.log" 2>&1 || {
    cat "$dir/made.log" >&2
    exit 1
  }
  # A port can be taken between the question and the start, so try another then.
  for attempt in 1 2 3 4 5; do
    port=$(node -e "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
    if launch "$port"; then
      echo "$port" >"$dir/port"
      echo "postgres://postgres@127.0.0.1:$port/postgres"
      exit 0
    fi
  done
  cat "$dir/data/server.log" >&2
  exit 1
}

case $action in start | follow) mkdir -p "$dir" ;; esac
if [ -d "$dir" ]; then dir=$(cd "$dir" && pwd); fi

case $action in
start) make initdb -D "$dir/data" -U postgres -A trust -E UTF8 --locale=C --no-sync ;;
follow) make pg_basebackup -D "$dir/data" -d "postgres://postgres@127.0.0.1:$(cat "$3/port")/" -R -c fast --no-sync ;;
run)
  program=$3
  shift 3
  if [ -x "$bin/$program" ]; then program=$bin/$program; fi
  as_owner "$program" "$@"
  ;;
stop)
  [ -d "$dir" ] || exit 0
  if [ -f "$dir/data/postmaster.pid" ]; then halt; fi
  # Only a directory that this script filled is removed.
  if [ -f "$dir/data/PG_VERSION" ] || [ -f "$dir/made.log" ]; then rm -rf "$dir"; fi
  ;;
halt) halt ;;
resume) launch "$(cat "$dir/port")" ;;
esac
