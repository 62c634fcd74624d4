//! Words that belong together without meaning the same: who asks for the "actor" finds "starring", and who asks what
//! something "costs" finds its "price".

use std::collections::HashMap;
use std::sync::LazyLock;

use super::terms;

/// Groups of everyday words, one to a line. A word may stand in several. They were collected from what questions ask
/// for and from how texts say it, not from one set of questions.
const GROUPS: &[&str] = &[
    "play plays actor actress star starring cast role portray voice character",
    "sing sang sung singer song music vocals band perform record",
    "music composer composed composition score soundtrack theme melody",
    "write wrote written writer author book novel poem lyrics text",
    "film movie director directed premiere cinema picture",
    "tv television series show episode season broadcast channel network aired",
    "release released launch publish published premiere debut issue came",
    "begin began begun start started first open opened origin commence",
    "end ended final last finish conclude close closed cancel stop",
    "build built construct constructed construction design architect erect",
    "invent inventor create created creator discover discovered develop devise pioneer",
    "found founder founded establish established create",
    "win won winner champion championship victory title defeat award",
    "lose lost defeat beat beaten",
    "die died dead death killed kill deceased fatal",
    "born birth birthday child children baby",
    "marry married marriage wife husband spouse wedding",
    "father mother parent son daughter brother sister family",
    "own owner owned belong belongs hold held property",
    "lead led leader head chief president ruler governed command king queen",
    "elect elected election vote voted candidate",
    "law legal act statute legislation bill rule",
    "war battle fight fought conflict army invasion",
    "live lives lived inhabit reside home population people",
    "country nation state kingdom republic",
    "located location situated place lies city town county region area",
    "river lake sea ocean water coast",
    "mountain hill peak summit height",
    "big large largest biggest great greatest huge major",
    "small smallest little tiny minor",
    "high highest tall tallest height",
    "old oldest age ancient early earliest",
    "long length longest distance kilometres miles metres",
    "fast fastest speed quick rapid",
    "many number count total amount",
    "cost costs price paid pay payment money fee expensive cheap",
    "buy bought purchase acquire sell sold",
    "fund funded finance tax taxes budget",
    "make made produce produced production manufacture manufacturer maker",
    "work works job function operate employ employed career profession",
    "cause caused reason because result lead",
    "purpose aim goal intended used use",
    "mean means meaning define defined definition refer refers term called known name named",
    "part consist consists compose composed contain include element component member",
    "kind type sort class form category variety",
    "join joined member enter admitted",
    "change changed replace replaced become became convert switch",
    "increase grow grew growth rise rose more",
    "decrease decline fall fell drop reduce less",
    "eat food meal dish ingredient cook diet",
    "drink beverage wine beer",
    "doctor physician medical medicine treatment treat disease illness hospital",
    "body organ blood cell tissue muscle bone",
    "school university college student education taught teach teacher study",
    "team club player game match league tournament",
    "score scored points goal goals run",
    "church religion religious god faith holy biblical bible",
    "language spoken speak word words",
    "colour color",
    "car vehicle automobile drive",
    "train railway rail station line",
    "aeroplane airplane plane aircraft flight airport airline fly",
    "ship boat vessel",
    "phone telephone mobile call",
    "computer program software app application",
    "internet web online website site network",
    "file document folder",
    "delete remove erase forget clear",
    "save keep store kept stored",
    "find search look lookup found locate",
    "set setting settings option choose choice configure change",
    "begin install setup start",
    "error problem fail failed wrong broken trouble",
    "safe secure private privacy secret protect",
    "send sent share shared upload transmit",
    "show shown display see visible view",
    "power authority right rights official control",
    "belief value values idea ideology principle",
    "year century date time day month",
    "american america usa us united",
    "british britain uk england english",
    "happen happened occur occurred event take place took",
    "leave left exit quit depart",
    "arrive arrived came come reach reached",
    "king monarch throne reign crown succeed successor",
    "newspaper news press journal magazine",
    "picture image photo photograph painting paint painter",
    "need needed require required necessary must",
    "help aid assist support",
    "allow allowed permit permitted legal may",
    "forbid forbidden ban banned illegal prohibit",
];

static KNOWN: LazyLock<HashMap<String, Vec<u8>>> = LazyLock::new(|| {
    let mut out: HashMap<String, Vec<u8>> = HashMap::new();
    for (group, words) in (0..).zip(GROUPS) {
        for term in terms::terms(words) {
            let groups = out.entry(term.stem).or_default();
            if groups.last() != Some(&group) {
                groups.push(group);
            }
        }
    }
    out
});

/// The groups that a stem stands in; empty for most words.
pub fn groups(stem: &str) -> &'static [u8] {
    KNOWN.get(stem).map_or(&[], Vec::as_slice)
}

/// Whether two words, by their groups, belong together.
pub fn share_one(groups: &[u8], others: &[u8]) -> bool {
    groups.iter().any(|group| others.contains(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_group_know_each_other() {
        let share = |a: &str, b: &str| share_one(groups(&terms::stem(a)), groups(&terms::stem(b)));
        assert!(share("actor", "starring") && share("costs", "price") && share("sings", "band"));
        assert!(!share("actor", "price") && !share("bridge", "harbour"));
    }
}
