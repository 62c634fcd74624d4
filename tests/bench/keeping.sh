#!/usr/bin/env bash
# A large library in and out: memory and time of an import. NEXI_BENCH_IMPORT_MB sets its size.
set -euo pipefail
cd "$(dirname "$0")/../.."
nexi=target/release/nexi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo 'search_backends = ["documents"]' > "$place/config.toml"
args=(--config "$place/config.toml" --data-dir "$place/data")
"$nexi" ask "Where does Nexi keep my keys?" --quiet "${args[@]}" > /dev/null
"$nexi" history export "${args[@]}" > "$place/one.jsonl" 2> /dev/null
python3 - "$place/one.jsonl" "$place/many.jsonl" "${NEXI_BENCH_IMPORT_MB:-1000}" <<'END'
import json, random, sys
one, many, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3]) * 1_000_000
thread = json.loads(open(one).readline())
chance, written, count = random.Random(16), 0, 0
words = [f"w{chance.randrange(9**9):x}" for _ in range(5000)]
with open(many, "w") as out:
    while written < wanted:
        count += 1
        thread["id"] = f"{count:032x}"
        for index, turn in enumerate(thread["turns"]):
            turn["id"] = f"{count:016x}{index + 1:016x}"
            turn["thread"] = thread["id"]
        for source in thread["sources"]:
            source["page"]["text"] = " ".join(chance.choices(words, k=1500))
        written += out.write(json.dumps(thread) + "\n")
print(f"{count} threads", file=sys.stderr)
END
python3 - "$nexi" "$place" <<'END'
import os, subprocess, sys, time
nexi, place = sys.argv[1:]
size = os.path.getsize(f"{place}/many.jsonl") / 1e6
for what, command in [("import", ["history", "import", f"{place}/many.jsonl"]), ("export", ["history", "export", "--out", f"{place}/out.jsonl"])]:
    begun = time.perf_counter()
    child = subprocess.Popen([nexi, *command, "--config", f"{place}/config.toml", "--data-dir", f"{place}/large"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    took = time.perf_counter() - begun
    if status:
        sys.exit(f"{what} failed: {status}")
    print(f"{what} of {size:.0f} MB: {took:.0f} s, {size / took:.0f} MB/s, memory {usage.ru_maxrss / 1024:.0f} MB, {usage.ru_maxrss / 1024 / 100:.2f} of 100 (goal 1.00)")
    if usage.ru_maxrss > 100 * 1024:
        sys.exit(f"{what} takes more memory than it may")
END
