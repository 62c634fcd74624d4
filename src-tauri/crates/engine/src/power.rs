//! Whether the computer runs on its battery.

use starship_battery::{Manager, State};

/// True where a battery is being emptied; false where there is none, or nobody can tell.
pub(crate) fn on_battery() -> bool {
    let Ok(batteries) = Manager::new().and_then(|manager| manager.batteries()) else { return false };
    batteries.flatten().any(|battery| battery.state() == State::Discharging)
}
