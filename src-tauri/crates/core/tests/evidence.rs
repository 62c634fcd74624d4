//! How well citations are judged: on pairs that other people judged, and on pairs made of real
//! questions and pages, where they are there.

mod pairs;

use std::collections::BTreeMap;

use nexi_core::evidence::Evidence;
use nexi_core::protocol::Support;
use pairs::Pairs;

/// What the sets call a claim that its source supports.
const TRUE: [&str; 3] = ["true", "supported", "completely-support"];

#[derive(Default)]
struct Tally {
    all: usize,
    supported: usize,
    weak: usize,
    contradicted: usize,
}

#[test]
fn support_is_told_from_its_absence() {
    let all = Pairs::load();
    if all.pairs.is_empty() {
        return;
    }
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    let mut prepared: BTreeMap<usize, Evidence<'_>> = BTreeMap::new();
    let verbose = std::env::var("NEXI_SHOW").unwrap_or_default();
    for pair in &all.pairs {
        let doc = &all.docs[pair.doc];
        let evidence = prepared.entry(pair.doc).or_insert_with(|| Evidence::new(&doc.title, &doc.text));
        let finding = evidence.judge(&pair.claim);
        let support = finding.as_ref().map(|finding| finding.support);
        let tally = tallies.entry((pair.set, &pair.kind)).or_default();
        tally.all += 1;
        tally.supported += usize::from(support == Some(Support::Supported));
        tally.weak += usize::from(support == Some(Support::PartlySupported));
        tally.contradicted += usize::from(support == Some(Support::Contradicted));
        if !verbose.is_empty() && pair.kind == verbose && pair.supported != (support == Some(Support::Supported)) {
            println!("{support:?}: {}\n    {}: {}", pair.claim, doc.title, finding.map(|found| &doc.text[found.range]).unwrap_or_default());
        }
    }
    for ((set, kind), tally) in &tallies {
        let share = |count: usize| 100.0 * count as f64 / tally.all as f64;
        println!(
            "{set}, {kind}: {} pairs, supported {:.1} %, partly {:.1} %, contradicted {:.1} %",
            tally.all,
            share(tally.supported),
            share(tally.weak),
            share(tally.contradicted)
        );
    }
    // The simplest thing: nothing is judged, and everything is called supported.
    for (set, floor) in [("own", (0.0, 0.84)), ("wice", (0.78, 0.34)), ("factcheck", (0.52, 0.36))] {
        let pairs = all.pairs.iter().filter(|pair| pair.set == set);
        let (count, truly) = (pairs.clone().count() as f64, pairs.filter(|pair| pair.supported).count() as f64);
        let of_set = || tallies.iter().filter(move |((its, _), _)| *its == set);
        let called: usize = of_set().map(|(_, tally)| tally.supported).sum();
        let right: usize = of_set().filter(|((_, kind), _)| TRUE.contains(kind)).map(|(_, tally)| tally.supported).sum();
        let (precision, recall) = (right as f64 / called as f64, right as f64 / truly);
        println!("{set}: precision {precision:.3}, recall {recall:.3}; without judging {:.3}, 1.000", truly / count);
        assert!(precision >= floor.0 && recall >= floor.1, "{set}: {precision:.3}, {recall:.3}");
    }
    // The recipe of earlier versions: a new number, a new name, a wrong page.
    let older = ["true", "new number", "new name", "wrong source"];
    let called: usize = older.iter().map(|kind| tallies[&("own", *kind)].supported).sum();
    let precision = tallies[&("own", "true")].supported as f64 / called as f64;
    println!("own, without other planted errors: precision {precision:.3}");
    assert!(precision >= 0.95, "{precision:.3}");
}
