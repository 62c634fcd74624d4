//! The desktop program.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() {
    nexi_engine::serve();
    nexi_desktop::run();
}
