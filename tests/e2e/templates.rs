//! Questions that are asked often.

use serde_json::json;

use crate::support::{Place, json as parsed, stderr, stdout};

#[test]
fn a_template_is_kept_filled_in_and_asked() {
    let place = Place::new("");
    let kept = place.run(&["template", "set", "/Keys", "Where does {program} keep its {thing}?"]);
    assert_eq!(stdout(&kept).trim(), "/keys kept (fields: program, thing)", "{}", stderr(&kept));
    let asked = |args: &[&str]| place.run(&[&["ask", "--json", "--template", "keys"], args].concat());
    let by_order = parsed(&asked(&["Nexi", "keys"]));
    assert_eq!(by_order["question"], "Where does Nexi keep its keys?");
    let by_name = parsed(&asked(&["thing=backups=old", "Nexi"]));
    assert_eq!(by_name["question"], "Where does Nexi keep its backups=old?");
    let missing = asked(&["Nexi"]);
    assert!(missing.status.code() == Some(2) && stderr(&missing).contains("thing is missing"), "{}", stderr(&missing));
    let many = asked(&["Nexi", "keys", "too"]);
    assert!(many.status.code() == Some(2) && stderr(&many).contains("\"too\" is too many"), "{}", stderr(&many));
    let none = place.run(&["ask", "--template", "nothing"]);
    assert!(none.status.code() == Some(2) && stderr(&none).contains("nexi template lists them"), "{}", stderr(&none));
    let wrong = place.run(&["template", "set", "two words", "x"]);
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("name: "), "{}", stderr(&wrong));
    // Set again, it says something else.
    assert!(place.run(&["template", "set", "keys", "Where are keys kept?"]).status.success());
    assert_eq!(parsed(&asked(&[]))["question"], "Where are keys kept?");
    let all = parsed(&place.run(&["template", "list", "--json"]));
    assert_eq!((all.as_array().unwrap().len(), &all[0]["fields"]), (1, &json!([])));
    assert!(place.run(&["template", "remove", "keys"]).status.success());
    assert!(stdout(&place.run(&["template"])).contains("There is no template yet"));
}
