# A PostgreSQL of a script, as Debian packages it, ended and removed with the script. To be read by it, with what is skipped where
# there is none: `. tests/conformance/postgres.sh "a corpus in PostgreSQL"`. What follows that goes to initdb.
# Gives: bin, place (a folder of the script), port, options, as_postgres, start, restart, fail.
bin=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort -V | tail -1)
[ -n "$bin" ] || { echo "SKIPPED: $1; the package postgresql is not installed"; exit 0; }
shift
place=$(mktemp -d)
port=$((20000 + RANDOM % 20000))
options="-p $port -k $place/socket -c listen_addresses=127.0.0.1"
fail() { echo "FAILED: $1"; exit 1; }
# The server does not run as root.
as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
pg_ctl() { as_postgres "$bin/pg_ctl" -D "$place/db" -w -l "$place/db/log" -o "$options" "$@" > /dev/null; }
start() { pg_ctl start; }
restart() { pg_ctl restart -m "$1"; }
trap 'kill $(jobs -p) 2> /dev/null || true; pg_ctl stop -m immediate 2> /dev/null || true; rm -rf "$place"' EXIT
chmod 755 "$place"
mkdir "$place/db" "$place/socket"
[ "$(id -u)" != 0 ] || chown postgres "$place/db" "$place/socket"
echo admin > "$place/password" && chmod 644 "$place/password"
as_postgres "$bin/initdb" -D "$place/db" -U admin --pwfile="$place/password" "$@" > /dev/null
