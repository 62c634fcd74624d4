//! Files of the English catalogue that are made from what stands in the code.

/// A text as the value of a message.
pub fn value(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|letter| match letter {
            '{' => "{ \"{\" }".to_owned(),
            '}' => "{ \"}\" }".to_owned(),
            '\n' => "\n        ".to_owned(),
            letter => letter.to_string(),
        })
        .collect();
    if text.contains('\n') { format!("\n        {escaped}") } else { escaped }
}

/// Fails when a generated file of the English catalogue is not what it is generated from; `NEXI_UPDATE=1` writes it.
pub fn generated(file: &str, from: &str, test: &str, messages: &str) {
    let again = format!("NEXI_UPDATE=1 cargo test -p nexi-cli {test}");
    let text = format!("# Generated from the {from} of nexi by `{again}`. Do not edit.\n{messages}");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../locales/en/{file}.ftl"));
    if std::env::var_os("NEXI_UPDATE").is_some() {
        return std::fs::write(path, text).expect("a file that can be written");
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(there == text, "locales/en/{file}.ftl is older than the {from}. Run: {again}");
}
