//! How windows are drawn so that one that nobody uses costs nothing: by the processor alone where there is no graphics card, and
//! with a caret that rests when nobody types.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use gtk::glib::{self, Propagation};
use gtk::prelude::*;
use tauri::Runtime;
use tauri::plugin::TauriPlugin;
use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt, WebView, WebViewExt};

/// Prepares every web view that is made.
pub(crate) fn sparing<R: Runtime>() -> TauriPlugin<R> {
    tauri::plugin::Builder::new("drawing")
        .on_webview_ready(|webview| {
            if let Err(error) = webview.with_webview(|view| prepare(&view.inner())) {
                tracing::debug!(%error, "a window is drawn as any other");
            }
        })
        .build()
}

fn prepare(view: &WebView) {
    // Without a card WebKit has the processor do a card's work: a hundred megabytes more, and the whole window is put together
    // anew for every blink of a caret.
    if is_without_card()
        && let Some(settings) = WebViewExt::settings(view)
    {
        settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
    }
    let Some(caret) = CARET.with(|caret| caret.borrow_mut().get_or_insert_with(Caret::new).clone()) else { return };
    view.connect_key_press_event({
        let caret = caret.clone();
        move |_, _| {
            caret.touched();
            Propagation::Proceed
        }
    });
    view.connect_button_press_event({
        let caret = caret.clone();
        move |_, _| {
            caret.touched();
            Propagation::Proceed
        }
    });
    view.connect_focus_in_event({
        let caret = caret.clone();
        move |_, _| {
            caret.touched();
            Propagation::Proceed
        }
    });
    caret.touched();
}

/// Whether nothing here draws but the processor. Somebody may want it otherwise: WebKit's own variable says so.
fn is_without_card() -> bool {
    let cards = || std::fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    let draws = |name: &str| name.starts_with("renderD") || name.starts_with("card");
    std::env::var_os("WEBKIT_FORCE_COMPOSITING_MODE").is_none()
        && !Path::new("/dev/nvidiactl").exists()
        && !cards().any(|card| card.file_name().to_str().is_some_and(draws))
}

thread_local! {
    /// All windows have one: GTK knows whether carets blink, and not whose. None of the inner kind where the person wants
    /// carets that never blink, or always.
    static CARET: RefCell<Option<Option<Rc<Caret>>>> = const { RefCell::new(None) };
}

/// The caret of the field that has the focus.
struct Caret {
    settings: gtk::Settings,
    /// For how long it blinks after a key or a press, as in GTK's own fields.
    blinks: Duration,
    touched: Cell<Instant>,
    is_blinking: Cell<bool>,
}

impl Caret {
    fn new() -> Option<Rc<Self>> {
        let settings = gtk::Settings::default().filter(GtkSettingsExt::is_gtk_cursor_blink)?;
        // GTK's word for "always" is the largest number.
        let seconds = u64::try_from(settings.gtk_cursor_blink_timeout()).ok().filter(|seconds| (1..3600).contains(seconds))?;
        let blinks = Duration::from_secs(seconds);
        Some(Rc::new(Self { settings, blinks, touched: Cell::new(Instant::now()), is_blinking: Cell::new(false) }))
    }

    fn touched(self: &Rc<Self>) {
        self.touched.set(Instant::now());
        if !self.is_blinking.replace(true) {
            self.settings.set_gtk_cursor_blink(true);
            self.rest_after(self.blinks);
        }
    }

    fn rest_after(self: &Rc<Self>, wait: Duration) {
        let caret = self.clone();
        glib::timeout_add_local_once(wait, move || match caret.blinks.checked_sub(caret.touched.get().elapsed()) {
            Some(left) if !left.is_zero() => caret.rest_after(left),
            _ => {
                caret.is_blinking.set(false);
                caret.settings.set_gtk_cursor_blink(false);
            }
        });
    }
}
