//! A disk that is full, and one that cannot be written, on file systems of their own.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

use crate::support::{Place, stderr, stdout};

/// Runs a script where `data` is a small file system of its own; none where this user may not mount any.
fn on_a_small_disk(place: &Place, script: &str) -> Option<Output> {
    let data = place.path("data");
    std::fs::create_dir_all(&data).unwrap();
    let nexi = place.nexi(&[]);
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c"]);
    command.arg(format!("mount -t tmpfs -o size=24m tmpfs \"$DATA\" 2>/dev/null || exit 77\n{script}"));
    command.env_clear().envs(nexi.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("DATA", &data).env("CONFIG", place.path("config.toml")).env("NEXI", env!("CARGO_BIN_EXE_nexi"));
    let output = command.stdin(std::process::Stdio::null()).output();
    match output {
        Ok(output) if output.status.code() != Some(77) && !stderr(&output).contains("unshare failed") => Some(output),
        _ => {
            eprintln!("SKIPPED: this user may not mount file systems");
            None
        }
    }
}

const DEFINITIONS: &str = r#"
nexi() { "$NEXI" "$@" --config "$CONFIG" --data-dir "$DATA"; }
ask() { nexi ask "Where does Nexi keep my keys?" --json; }
fill() { head -c $(( $(df --output=avail -B1 "$DATA" | tail -1) - $1 )) /dev/zero > "$DATA/fill" 2>/dev/null || true; }
"#;

#[test]
fn a_full_disk_is_named_and_costs_nothing_that_was_there() {
    let place = Place::new("search_backends = [\"documents\"]\n");
    // From no room at all to room for nearly everything: each run fails somewhere else.
    let script = format!(
        "{DEFINITIONS}
        ask > /dev/null 2>&1 || exit 1
        for room in 0 4096 16384 32768 65536 98304 131072 163840 196608 262144 327680 393216 524288; do
            fill $room
            ask > \"$DATA/../out\" 2> \"$DATA/../err\"
            echo \"$room code $? state $(grep -o '\"state\": *\"[a-z_]*\"' \"$DATA/../out\" | head -1) said $(tr '\\n' ' ' < \"$DATA/../err\") $(grep '\"reason\"' \"$DATA/../out\")\"
            rm -f \"$DATA/fill\"
        done
        fill 0
        echo \"states $(nexi history --json 2>/dev/null | grep -o '\"state\": *\"[a-z_]*\"' | sort | uniq -c | tr '\\n' ' ')\"
        rm -f \"$DATA/fill\"
        nexi doctor 2>&1 | grep -i 'damage'
        ask > /dev/null 2>&1 && echo fine again"
    );
    let Some(output) = on_a_small_disk(&place, &script) else { return };
    let (said, errors) = (stdout(&output), stderr(&output));
    let runs: Vec<&str> = said.lines().filter(|line| line.contains(" code ")).collect();
    assert_eq!(runs.len(), 13, "{said} {errors}");
    let mut failed = 0;
    for run in &runs {
        assert!(!run.contains("running") && !run.contains("panicked"), "{run}");
        // Either there was room, or the person is told that there was none.
        if !run.contains(" code 0 ") {
            failed += 1;
            assert!(run.contains("disk is full") || run.contains("No space left"), "{run}");
        }
    }
    let states = said.lines().find(|line| line.starts_with("states ")).unwrap();
    assert!(states.contains("answered") && !states.contains("running"), "what was interrupted is not running: {said} {errors}");
    assert!(failed > 3, "the disk was not full: {said}");
    assert!(said.contains("fine again") && !said.contains("damage"), "{said} {errors}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_with_the_way_out() {
    let place = Place::new("search_backends = [\"documents\"]\n");
    let script = format!(
        "{DEFINITIONS}
        ask > /dev/null 2>&1 || exit 1
        mount -o remount,ro \"$DATA\" || exit 77
        ask; echo \"code $?\"
        nexi history; echo \"code $?\""
    );
    let Some(output) = on_a_small_disk(&place, &script) else { return };
    let (said, errors) = (stdout(&output), stderr(&output));
    assert!(said.contains("code 1") && errors.contains("--data-dir"), "{said} {errors}");
    assert!(errors.contains("read-only") || errors.contains("Read-only"), "{said} {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
}
