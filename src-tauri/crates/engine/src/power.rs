//! Whether the computer runs on its battery, and whether its network costs by use.

use starship_battery::{Manager, State};

/// True where a battery is being emptied; false where there is none, or nobody can tell.
pub(crate) fn on_battery() -> bool {
    let Ok(batteries) = Manager::new().and_then(|manager| manager.batteries()) else { return false };
    batteries.flatten().any(|battery| battery.state() == State::Discharging)
}

/// True on a network whose use costs money, as far as NetworkManager knows or guesses; false where nobody can tell.
#[cfg(target_os = "linux")]
pub(crate) async fn is_metered() -> bool {
    /// What `Metered` says: yes, and probably.
    const METERED: [u32; 2] = [1, 3];
    const SERVICE: &str = "org.freedesktop.NetworkManager";
    let metered = async {
        let connection = zbus::Connection::system().await?;
        zbus::Proxy::new(&connection, SERVICE, "/org/freedesktop/NetworkManager", SERVICE).await?.get_property::<u32>("Metered").await
    };
    matches!(tokio::time::timeout(std::time::Duration::from_secs(3), metered).await, Ok(Ok(metered)) if METERED.contains(&metered))
}

#[cfg(not(target_os = "linux"))]
pub(crate) async fn is_metered() -> bool {
    false
}
