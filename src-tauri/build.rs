//! Lists the commands, so that each needs a capability to be called.

fn main() {
    const COMMANDS: &[&str] = &[
        "overview",
        "begin_without_account",
        "threads",
        "open_thread",
        "ask",
        "watch",
        "stop",
        "resume",
        "branch",
        "source",
        "open_source",
        "open_answer_link",
    ];
    let manifest = tauri_build::AppManifest::new().commands(COMMANDS);
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("the desktop app cannot be built: {error:#}");
    }
}
