//! Lists the commands of the app, so that a window needs a capability for each: those that the capabilities of
//! `tauri.conf.json` allow to some window. That these are all there are is what a house test looks at.

use std::collections::BTreeSet;

/// Beside the manifest of the package, where Cargo runs this.
const CONFIGURATION: &str = "tauri.conf.json";

fn main() {
    println!("cargo:rerun-if-changed={CONFIGURATION}");
    let read = std::fs::read_to_string(CONFIGURATION).map_err(|error| error.to_string());
    let configuration: serde_json::Value = match read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string())) {
        Ok(configuration) => configuration,
        Err(error) => panic!("{CONFIGURATION} cannot be read: {error}"),
    };
    let capabilities = configuration["app"]["security"]["capabilities"].as_array().into_iter().flatten();
    let permissions = capabilities.filter_map(|capability| capability["permissions"].as_array()).flatten();
    let commands: BTreeSet<String> =
        permissions.filter_map(|permission| Some(permission.as_str()?.strip_prefix("allow-")?.replace('-', "_"))).collect();
    // Tauri wants what lives as long as the program.
    let commands: Vec<&'static str> = commands.into_iter().map(|command| &*command.leak()).collect();
    let manifest = tauri_build::AppManifest::new().commands(commands.leak());
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("the desktop app cannot be built: {error:#}");
    }
}
