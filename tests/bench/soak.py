"""Eight processes at a time ask, change settings and keep keys, on a disk that is full now and then; some are killed,
some suspended for a while. Prints how many acknowledged changes are not there in the end."""

import json
import os
import pathlib
import random
import signal
import subprocess
import threading
import time
import tomllib

NEXI, PLACE, WANTED = os.environ["NEXI"], pathlib.Path(os.environ["PLACE"]), float(os.environ["SECONDS_WANTED"])
CONFIG, DATA, PHRASE = PLACE / "config.toml", PLACE / "data", PLACE / "phrase"
PROCESSES, KEYS = 8, 400
chance = random.Random(int(os.environ.get("NEXI_SOAK_SEED", "16")))
end = time.monotonic() + WANTED
living, lock = {}, threading.Lock()
turns, settings, keys = [], [], []
reasons = {}
# How long commands took that were themselves left alone, by what they did, in seconds.
took, disturbed = {}, set()
counts = {"attempted": 0, "killed": 0, "suspended": 0, "full": 0, "refused": 0, "invalid": 0, "broken": 0}

providers = "".join(f'[providers.p{n}]\ntype = "openai_compatible"\nbase_url = "https://p.example.org/v1"\nmodel = "m"\n' for n in range(KEYS))
CONFIG.write_text(f'# kept\nkeys = "file"\nsearch_backends = ["documents"]\nllm_backends = ["builtin"]\n{providers}')
PHRASE.write_text("correct horse battery\n")
PHRASE.chmod(0o600)
environment = {"HOME": str(PLACE), "PATH": os.environ["PATH"], "NEXI_KEYS_PASSPHRASE_FILE": str(PHRASE)}


def nexi(*args, said=None, counted=True):
    child = subprocess.Popen([NEXI, *args, "--config", CONFIG, "--data-dir", DATA], env=environment, stdin=subprocess.PIPE if said else subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if counted:
        with lock:
            living[child.pid] = child
    begun = time.monotonic()
    try:
        out, errors = child.communicate(said, timeout=120)
    except subprocess.TimeoutExpired:
        child.kill()
        out, errors = child.communicate()
        print("HUNG:", args, errors[-300:])
        counts["broken"] += 1
    finally:
        with lock:
            living.pop(child.pid, None)
    with lock:
        counts["attempted"] += 1
        if child.pid not in disturbed and child.returncode == 0:
            took.setdefault(args[0], []).append(time.monotonic() - begun)
        disturbed.discard(child.pid)
    if "panicked" in errors:
        print("PANICKED:", args, errors[-600:])
        counts["broken"] += 1
    return child.returncode, out, errors


def worker(number):
    count = 0
    key = number
    while time.monotonic() < end:
        count += 1
        kind = (count + number) % 8
        if kind == 7 and key < KEYS:
            code, _, errors = nexi("key", "set", f"p{key}", said=f"secret-{key}\n")
            if code == 0:
                keys.append(f"p{key}")
                key += PROCESSES
        elif kind % 2:
            name = f"soak-{number}-{count}"
            code, _, errors = nexi("config", "set", f'models."{name}".context', "32000")
            if code == 0:
                settings.append(name)
        else:
            code, out, errors = nexi("ask", f"Where does Nexi keep my keys? {number} {count}", "--json")
            try:
                report = json.loads(out) if code == 0 else {}
            except ValueError:
                report = {}
            # An answer that could not be saved says so.
            if report.get("state") == "answered" and "not in the library" not in (report.get("reason") or ""):
                turns.append(report["id"])
        if code > 0:
            counts["refused"] += 1
            why = errors.strip().splitlines()[-1][:110] if errors.strip() else "no word"
            reasons[why] = reasons.get(why, 0) + 1
        try:
            tomllib.loads(CONFIG.read_text())
        except ValueError:
            counts["invalid"] += 1


def trouble():
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.1, 0.6))
        with lock:
            child = living[chance.choice(list(living))] if living else None
            if child is not None:
                disturbed.add(child.pid)
        if child is None:
            continue
        if chance.random() < 0.5:
            child.kill()
            counts["killed"] += 1
        else:
            child.send_signal(signal.SIGSTOP)
            counts["suspended"] += 1
            threading.Timer(chance.uniform(0.3, 3), lambda child=child: child.poll() is None and child.send_signal(signal.SIGCONT)).start()


def fill():
    while time.monotonic() + 12 < end:
        time.sleep(chance.uniform(8, 15))
        room = os.statvfs(PLACE)
        with open(PLACE / "fill", "wb") as file:
            try:
                file.write(bytes(max(0, room.f_bavail * room.f_frsize - chance.choice([0, 20_000, 200_000]))))
            except OSError:
                pass
        counts["full"] += 1
        time.sleep(chance.uniform(0.5, 2))
        (PLACE / "fill").unlink()


nexi("ask", "Where does Nexi keep my keys?", "--json", counted=False)
workers = [threading.Thread(target=worker, args=(number,)) for number in range(PROCESSES)]
workers += [threading.Thread(target=task, daemon=True) for task in (trouble, fill)]
for thread in workers:
    thread.start()
for thread in workers[:PROCESSES]:
    thread.join()
time.sleep(4)
code, exported, errors = nexi("history", "export", counted=False)
if code != 0:
    print("EXPORT:", code, errors[-500:])
kept = {turn["id"] for line in exported.splitlines() for turn in json.loads(line)["turns"] if turn["ending"]["state"] == "answered"} if exported else set()
lost_turns = [turn for turn in turns if turn not in kept]
have = tomllib.loads(CONFIG.read_text()).get("models", {})
lost_settings = [name for name in settings if name not in have]
listed = nexi("key", "list", "--json", counted=False)[1]
stored = {entry["provider"] for entry in json.loads(listed) if entry.get("origin") == "file"} if listed else set()
lost_keys = [name for name in keys if name not in stored]
doctor = nexi("doctor", counted=False)[1]
if "damage" in doctor.lower():
    print(doctor)
    counts["broken"] += 1
print(
    f"soak of {WANTED:.0f} s, {PROCESSES} processes ({counts['killed']} killed, {counts['suspended']} suspended, disk full {counts['full']} times, {counts['refused']} of {counts['attempted']} refused): "
    f"lost {len(lost_turns)} of {len(turns)} turns, {len(lost_settings)} of {len(settings)} settings, {len(lost_keys)} of {len(keys)} keys; {counts['invalid']} invalid files, {counts['broken']} that hung, panicked or left damage (goal 0)"
)
for what, times in sorted(took.items()):
    times.sort()
    print(f"  {what}: {len(times)} undisturbed, median {times[len(times) // 2]:.2f} s, longest {times[-1]:.2f} s")
# A machine on which hardly anything succeeds shows nothing.
useless = counts["refused"] > counts["attempted"] / 2
if useless or lost_turns or lost_settings or lost_keys or counts["invalid"] or counts["broken"] or not (turns and settings and keys):
    print("REFUSED:", json.dumps(reasons, indent=1))
    print("LOST:", lost_turns[:5], lost_settings[:5], lost_keys[:5])
    raise SystemExit(1)
