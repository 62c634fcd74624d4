#!/usr/bin/env bash
# Our search client against a real instance of searx, from which SearXNG grew and whose JSON it still
# speaks; SearXNG itself is on no package registry. Its one engine asks a shelf of this script's own.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=$PWD/target/debug/nexi
place=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; rm -rf "$place"' EXIT
skip() { echo "SKIPPED: searx: $1"; exit 0; }
python3 -c 'import imp' 2> /dev/null || skip "it needs Python 3.11 or older"
python3 -m venv "$place/venv"
"$place/venv/bin/pip" download --quiet --no-deps --no-binary :all: --no-build-isolation -d "$place" searx==0.17.0 2> /dev/null \
  || "$place/venv/bin/pip" download --quiet --no-deps -d "$place" searx==0.17.0 2> /dev/null || skip "it cannot be had from PyPI"
"$place/venv/bin/pip" install --quiet 'setuptools<81' six 'flask<2' 'werkzeug<2' 'jinja2<3' 'markupsafe<2.1' 'itsdangerous<2.1' 'flask-babel<2' babel lxml \
  pygments pyopenssl python-dateutil pyyaml 'requests[socks]<2.32' certifi pytz || skip "what it needs cannot be installed"
tar -xzf "$place"/searx-0.17.0.tar.gz -C "$place"
port=$((20000 + RANDOM % 20000))
shelf=$((port + 1))
# It was written for an older Python.
cat > "$place/sitecustomize.py" <<'END'
import collections
import collections.abc
import threading
for name in ("Iterable", "Mapping", "MutableMapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))
threading.Thread.isAlive = threading.Thread.is_alive
END
cat > "$place/settings.yml" <<END
general: {debug: False, instance_name: judge}
search: {safe_search: 0, autocomplete: "", default_lang: ""}
server: {port: $port, bind_address: "127.0.0.1", secret_key: judge, base_url: False, image_proxy: False, http_protocol_version: "1.0"}
ui: {static_path: "", templates_path: "", default_theme: oscar, default_locale: ""}
outgoing: {request_timeout: 3.0, useragent_suffix: ""}
engines:
  - {name: shelf, engine: json_engine, shortcut: sh, paging: False, search_url: "http://127.0.0.1:$shelf/?q={query}", url_query: url, title_query: title, content_query: content, results_query: results, categories: general}
locales: {en: English}
doi_resolvers: {oadoi.org: "http://127.0.0.1:9/"}
default_doi_resolver: oadoi.org
END
cat > "$place/shelf.py" <<END
import json
from http.server import BaseHTTPRequestHandler, HTTPServer

class Shelf(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/page"):
            body, kind = b"<h1>The bridge</h1><p>The bridge of Orvik was opened to the public in 1931, after four years of work.</p>", "text/html"
        else:
            body, kind = json.dumps({"results": [{"url": "http://127.0.0.1:$shelf/page", "title": "The <b>bridge</b> of Orvik", "content": "It opened in 1931."}]}).encode(), "application/json"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

HTTPServer(("127.0.0.1", $shelf), Shelf).serve_forever()
END
python3 "$place/shelf.py" & pids+=($!)
shelf_pid=$!
(cd "$place/searx-0.17.0" && PYTHONPATH=$place SEARX_SETTINGS_PATH=$place/settings.yml exec "$place/venv/bin/python" searx/webapp.py) > "$place/searx.log" 2>&1 & pids+=($!)
for _ in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/" && break; sleep 0.2; done
cat > "$place/config.toml" <<END
search_backends = ["judge"]
[network]
allowed_private_hosts = ["127.0.0.1:$shelf"]
[search]
language = "en"
safe_search = "off"
[providers.judge]
type = "searxng"
base_url = "http://127.0.0.1:$port"
END
ask() { "$nexi" ask "When was the bridge of Orvik opened?" --json --config "$place/config.toml" --data-dir "$place/data$1"; }
ask 1 > "$place/answer.json" || true
grep -q '1931' "$place/answer.json" && grep -q '"cited": *true' "$place/answer.json" || { echo "searx: not found through a real instance:"; head -c 2000 "$place/answer.json"; tail -5 "$place/searx.log"; exit 1; }
# Its engine is gone: that is said, and is not taken for "nothing found".
kill "$shelf_pid"
ask 2 > "$place/answer.json" || true
grep -q 'engines did not answer' "$place/answer.json" || { echo "searx: a broken engine went unnoticed:"; head -c 2000 "$place/answer.json"; exit 1; }
echo "searx: a real instance is asked, its results are read and cited, a broken engine is told"
