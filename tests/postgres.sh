#!/usr/bin/env bash
# Starts a PostgreSQL server for the tests and prints its address; installs it from Debian where it is missing. As root.
# Usage: export BOARDSNAP_TEST_POSTGRES_URL=$(tests/postgres.sh)
set -eu
{
    if ! ls /usr/lib/postgresql/*/bin/initdb; then
        apt-get update -q
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql
    fi
    bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/initdb | tail -1)")
    data=${BOARDSNAP_TEST_POSTGRES_DATA:-/tmp/boardsnap-test-postgres}
    port=${BOARDSNAP_TEST_POSTGRES_PORT:-54329}
    if [ ! -s "$data/PG_VERSION" ]; then
        install -d -o postgres -m 700 "$data"
        runuser -u postgres -- "$bin/initdb" --auth=trust --username=postgres --encoding=UTF8 --no-sync "$data"
    fi
    # The data is thrown away: no waiting for the disk. On this machine only.
    options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$data -c fsync=off"
    runuser -u postgres -- "$bin/pg_ctl" -D "$data" status ||
        runuser -u postgres -- "$bin/pg_ctl" -D "$data" -w -l "$data/log" -o "$options" start </dev/null
} >&2
echo "postgresql://postgres@127.0.0.1:$port/postgres"
