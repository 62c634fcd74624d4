//! PDF files as pages of the web.

use nexi_core::ports::{Cause, Failure, Page};
use nexi_formats::{FormatError, Kind};
use url::Url;

/// The document as a page. Blocks until it is parsed.
///
/// # Errors
/// When it is broken, protected, or holds pictures only.
pub(super) fn page(url: &Url, body: Vec<u8>) -> Result<Page, Failure> {
    let found =
        nexi_formats::read_bytes(Kind::Pdf, body).and_then(|found| if found.has_text() { Ok(found) } else { Err(FormatError::NoText) });
    let found = found.map_err(|error| {
        Failure::because(match error {
            FormatError::Encrypted => Cause::PdfProtected,
            FormatError::NoText => Cause::PdfNoText,
            FormatError::Broken | FormatError::Unreadable => Cause::PdfDamaged,
            FormatError::TooComplex => Cause::PdfTooComplex,
            FormatError::TooSlow => Cause::PdfTooSlow,
        })
    })?;
    let whole = found.assemble(str::to_owned);
    Ok(Page {
        url: url.to_string(),
        title: found.title,
        byline: Some(found.authors.join("; ")).filter(|names| !names.is_empty()),
        text: whole.text,
        lines: whole.lines,
        paged: whole.paged,
        ..Page::default()
    })
}
