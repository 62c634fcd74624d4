//! What is kept of a source beside its text.

use nexi_core::{
    place::Place,
    ports::{Link, Page},
};

/// What is known of a source beside its text, in one column.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct SourceExtras {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub doi: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub links: Vec<Link>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub paged: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub places: Vec<Place>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cached_ms: Option<i64>,
}

impl SourceExtras {
    pub(super) fn of(page: &Page) -> Self {
        Self {
            modified: page.modified.clone(),
            doi: page.doi.clone(),
            site: page.site.clone(),
            language: page.language.clone(),
            links: page.links.clone(),
            paged: page.paged,
            places: page.places.clone(),
            cached_ms: page.cached_ms,
        }
    }
}
