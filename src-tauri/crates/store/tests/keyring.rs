//! Keys in a real Secret Service. Run by `make test` in a session with an unlocked keyring.

#![cfg(target_os = "linux")]

use nexi_store::keys::{self, KeyringState};
use secrecy::ExposeSecret;

#[test]
#[ignore = "needs a session bus with an unlocked keyring: tests/with-keyring.sh"]
fn keys_are_stored_found_and_removed() {
    assert_eq!(keys::probe().unwrap(), KeyringState::Works);
    assert!(keys::find("work", None).unwrap().is_none());
    keys::store("work", &"secret-1".into()).unwrap();
    assert_eq!(keys::find("work", None).unwrap().unwrap().expose_secret(), "secret-1");
    // What the handbook tells people to type stores the same entry.
    let typed = std::process::Command::new("sh")
        .args(["-c", "printf typed-key | secret-tool store --label=Nexi service nexi username typed"])
        .status();
    assert!(typed.is_ok_and(|status| status.success()), "secret-tool works");
    assert_eq!(keys::find("typed", None).unwrap().unwrap().expose_secret(), "typed-key");
    keys::remove("work").unwrap();
    keys::remove("work").unwrap();
    assert!(keys::find("work", None).unwrap().is_none());
}

#[test]
fn without_a_session_bus_there_is_no_key_and_a_clear_state() {
    // The store is set up once in a process, so the question is asked in a new one.
    let out = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "inner_without_bus", "--ignored"])
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/does/not/exist")
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

#[test]
#[ignore = "run by the test above in a process of its own"]
fn inner_without_bus() {
    if std::env::var("DBUS_SESSION_BUS_ADDRESS").is_ok_and(|bus| bus.contains("/does/not/exist")) {
        assert_eq!(keys::probe().unwrap(), KeyringState::Missing);
        assert!(keys::find("work", None).unwrap().is_none());
        assert!(keys::store("work", &"x".into()).unwrap_err().to_string().contains("no keyring"));
    }
}
