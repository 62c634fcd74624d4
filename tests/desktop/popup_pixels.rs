//! What a person sees of the popup, frame by frame: nothing grey before it, and nothing of it afterwards, with a
//! compositor and without one.

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nexi_testkit::let_pass;
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat, Window as XWindow};
use x11rb::rust_connection::RustConnection;

use crate::support::{APPEARING, BUILT_IN, ESCAPE, Window, popup_is_shown, press, until};

/// The whole screen as it is shown.
struct Screen {
    connection: RustConnection,
    root: XWindow,
    width: u16,
    height: u16,
}

/// Four bytes for each pixel.
type Frame = Vec<u8>;

/// Where a window stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Screen {
    fn open() -> Self {
        let (connection, number) = RustConnection::connect(None).expect("a display");
        let screen = &connection.setup().roots[number];
        let (root, width, height) = (screen.root, screen.width_in_pixels, screen.height_in_pixels);
        Self { connection, root, width, height }
    }

    fn frame(&self) -> Frame {
        let asked = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, self.width, self.height, u32::MAX);
        asked.expect("the display is asked").reply().expect("a picture of the screen").data
    }

    /// A frame after which nothing changes for a while, but for a caret that blinks.
    async fn at_rest(&self) -> Frame {
        let (mut last, mut still, begun) = (self.frame(), 0, Instant::now());
        while still < 5 {
            assert!(begun.elapsed() < APPEARING, "the screen does not come to rest");
            let_pass(Duration::from_millis(150)).await;
            let next = self.frame();
            let moved = self.share(self.everything(), &[&last, &next], |pixel| pixel[0] != pixel[1]);
            still = if moved < 0.0001 { still + 1 } else { 0 };
            last = next;
        }
        last
    }

    /// The share of pixels within a place for which something holds, of their two bytes in each frame.
    fn share(&self, place: Place, frames: &[&Frame], holds: impl Fn(&[&[u8]]) -> bool) -> f64 {
        let mut found = 0_usize;
        for y in place.y..(place.y + place.height).min(self.height.into()) {
            for x in place.x..(place.x + place.width).min(self.width.into()) {
                let at = (y * usize::from(self.width) + x) * 4;
                let pixels: Vec<&[u8]> = frames.iter().map(|frame| &frame[at..at + 3]).collect();
                found += usize::from(holds(&pixels));
            }
        }
        found as f64 / (place.width * place.height) as f64
    }

    /// The colour that most of a place has.
    fn commonest(&self, place: Place, frame: &Frame) -> [u8; 3] {
        let mut counts = std::collections::HashMap::new();
        for y in place.y..place.y + place.height {
            for x in place.x..place.x + place.width {
                let at = (y * usize::from(self.width) + x) * 4;
                *counts.entry([frame[at], frame[at + 1], frame[at + 2]]).or_insert(0_u32) += 1;
            }
        }
        counts.into_iter().max_by_key(|(_, count)| *count).expect("it has pixels").0
    }

    /// Keeps a part of a frame as a picture (PPM), where pictures are wanted.
    fn keep(&self, name: &str, place: Place, frame: &Frame) {
        let Some(folder) = std::env::var_os("NEXI_SCREENSHOTS") else { return };
        let mut out = format!("P6 {} {} 255\n", place.width, place.height).into_bytes();
        for y in place.y..place.y + place.height {
            for x in place.x..place.x + place.width {
                let at = (y * usize::from(self.width) + x) * 4;
                out.extend([frame[at + 2], frame[at + 1], frame[at]]);
            }
        }
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.ppm")), out).expect("the picture is written");
    }

    fn everything(&self) -> Place {
        Place { x: 0, y: 0, width: self.width.into(), height: self.height.into() }
    }
}

fn is_near(a: &[u8], b: &[u8]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 6)
}

/// Where the popup stands on the screen.
fn place_of_popup() -> Place {
    let output = Command::new("xdotool").args(["search", "--onlyvisible", "--name", "^Ask Nexi$", "getwindowgeometry", "--shell"]).output();
    let text = String::from_utf8_lossy(&output.expect("xdotool runs").stdout).into_owned();
    let value = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok());
        found.unwrap_or_else(|| panic!("{name}: {text}"))
    };
    Place { x: value("X"), y: value("Y"), width: value("WIDTH"), height: value("HEIGHT") }
}

/// A compositor, ended when dropped.
struct Compositor(Child);

impl Compositor {
    fn start() -> Self {
        let started = Command::new("picom").args(["--backend", "xrender", "--config", "/dev/null"]).stderr(Stdio::null()).spawn();
        Self(started.expect("picom runs; apt-get install picom"))
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Frames of the screen until it is told to end.
fn film(ending: Arc<AtomicBool>) -> std::thread::JoinHandle<Vec<(Duration, Frame)>> {
    std::thread::spawn(move || {
        let (screen, begun, mut frames) = (Screen::open(), Instant::now(), Vec::new());
        while !ending.load(Ordering::Relaxed) {
            frames.push((begun.elapsed(), screen.frame()));
            std::thread::sleep(Duration::from_millis(15));
        }
        frames
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_never_grey_and_leaves_nothing_behind() {
    for composited in [false, true] {
        let window = Window::open(Some(BUILT_IN)).await;
        // Only who is alone on the screen may change how it is drawn.
        let _compositor = composited.then(Compositor::start);
        let window = if composited { Window::open_in(None, window.close_and_keep().await).await } else { window };
        window.hotkey_works().await;
        window.wait_for("the page is drawn", "return !!document.querySelector('#empty') && !!document.querySelector('.rail .foot')").await;
        window.wait_for("the field has the focus", "return document.hasFocus() && document.activeElement.id === 'composer'").await;
        let screen = Screen::open();
        for time in ["first", "second"] {
            let what = format!("{time} time, {}", if composited { "with a compositor" } else { "without one" });
            // Something would light up under the pointer once the popup is gone.
            assert!(Command::new("xdotool").args(["mousemove", "1", "1"]).status().is_ok_and(|status| status.success()));
            let before = screen.at_rest().await;
            let ending = Arc::new(AtomicBool::new(false));
            let filming = film(ending.clone());
            press("ctrl+shift+space");
            until("the popup is shown", popup_is_shown).await;
            window.switch("popup.html").await;
            window.popup_has_focus().await;
            let place = place_of_popup();
            let shown = |frame: &Frame| screen.share(place, &[&before, frame], |pixel| !is_near(pixel[0], pixel[1]));
            until("it is on the screen", || shown(&screen.frame()) > 0.2).await;
            let_pass(Duration::from_millis(300)).await;
            ending.store(true, Ordering::Relaxed);
            let frames = filming.join().expect("the film");
            let (_, last) = frames.last().expect("a frame");
            assert!(shown(last) > 0.2, "{what}: the popup is on the screen");
            // Its own ground may be there a frame before its page is.
            let ground = screen.commonest(place, last);
            let between = |frame: &Frame| {
                screen.share(place, &[&before, last, frame], |pixel| {
                    !is_near(pixel[2], pixel[0]) && !is_near(pixel[2], pixel[1]) && !is_near(pixel[2], &ground)
                })
            };
            let shares: Vec<f64> = frames.iter().map(|(_, frame)| between(frame)).collect();
            let worst = shares.iter().copied().fold(0.0, f64::max);
            if let Some(at) = shares.iter().position(|share| *share == worst) {
                screen.keep(&format!("popup-worst-{time}-{composited}"), place, &frames[at].1);
            }
            println!(
                "popup, {what}: {} frames, {:.1} % of it at most is neither what was there nor what comes",
                frames.len(),
                worst * 100.0
            );
            assert!(worst < 0.05, "{what}: {worst} of it is something else for a moment");
            window.keys(ESCAPE).await;
            until("the popup is hidden", || !popup_is_shown()).await;
            screen.keep(&format!("popup-before-{time}-{composited}"), screen.everything(), &before);
            // What lay below it is drawn by another process, at its own time.
            let left = |after: &Frame| screen.share(screen.everything(), &[&before, after], |pixel| !is_near(pixel[0], pixel[1]));
            until(&format!("{what}: nothing of it is left on the screen"), || {
                let after = screen.frame();
                screen.keep(&format!("popup-after-{time}-{composited}"), screen.everything(), &after);
                left(&after) < 0.001
            })
            .await;
            window.switch("index.html").await;
        }
        window.close().await;
    }
}
