//! `.ipynb`: words, code and what it printed, cell by cell.

use nexi_core::place::Place;
use serde_json::Value;

use crate::{Extracted, FormatError, Part};

/// Bytes of what one cell printed.
const MAX_OUTPUT: usize = 4000;

pub(crate) fn extract(bytes: &[u8]) -> Result<Extracted, FormatError> {
    let notebook: Value = serde_json::from_slice(bytes).map_err(|_| FormatError::Broken)?;
    // The third version keeps its cells in a sheet.
    let cells = notebook["cells"].as_array().or_else(|| notebook["worksheets"][0]["cells"].as_array()).ok_or(FormatError::Broken)?;
    let language = notebook["metadata"]["kernelspec"]["language"].as_str().unwrap_or_default();
    let mut out = Extracted { title: notebook["metadata"]["title"].as_str().unwrap_or_default().to_owned(), ..Extracted::default() };
    for (index, cell) in cells.iter().enumerate() {
        let source = joined(if cell["source"].is_null() { &cell["input"] } else { &cell["source"] });
        let mut text = match cell["cell_type"].as_str() {
            Some("code") if source.trim().is_empty() => String::new(),
            Some("code") => format!("```{language}\n{source}\n```"),
            _ => source,
        };
        for output in cell["outputs"].as_array().into_iter().flatten() {
            let printed = [&output["text"], &output["data"]["text/plain"]].into_iter().map(joined).find(|text| !text.trim().is_empty());
            if let Some(printed) = printed {
                text.push_str(&format!("\n\n```\n{}\n```", nexi_core::text::truncate(printed.trim_end(), MAX_OUTPUT)));
            }
        }
        if out.title.is_empty() {
            out.title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim().to_owned();
        }
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        out.parts.push(Part::new(Place::Cell { number }, text));
    }
    Ok(out)
}

/// Text, or a list of its lines.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered() {
        let notebook = r##"{"cells": [
            {"cell_type": "markdown", "source": ["# Tides\n", "Measured in June."]},
            {"cell_type": "code", "source": "print(3)", "outputs": [{"output_type": "stream", "text": ["3\n"]}]}],
            "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}"##;
        let found = extract(notebook.as_bytes()).unwrap();
        assert_eq!(found.title, "Tides");
        assert_eq!(found.parts[1], Part::new(Place::Cell { number: 2 }, "```python\nprint(3)\n```\n\n```\n3\n```"));
        assert_eq!(extract(b"{}"), Err(FormatError::Broken));
    }
}
