//! A window out of which a file can be dragged, as out of a file manager, in a process of its own:
//! this very program, started again for one test.

use std::path::Path;
use std::process::{Child, Command};

/// The file that can be dragged out of the window.
const FILE: &str = "NEXI_DRAGGED_FILE";

/// Its title.
pub const TITLE: &str = "Drag from here";

/// The process with the window, which ends when this is dropped.
pub struct Source(Child);

impl Source {
    /// Opens the window with this file in it.
    pub fn with(file: &Path) -> Source {
        let this = std::env::current_exe().expect("the path of this program");
        let source = Command::new(this).args(["drag_source::window", "--exact", "--ignored"]).env(FILE, file).spawn();
        Source(source.expect("this program starts again"))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "no test: the window that a test drags a file out of"]
fn window() {
    use gtk::prelude::*;

    let Some(file) = std::env::var_os(FILE) else { return };
    let file: String = url::Url::from_file_path(&file).expect("a whole path").into();
    gtk::init().expect("a display");
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_title(TITLE);
    window.set_default_size(220, 120);
    let handle = gtk::EventBox::new();
    handle.add(&gtk::Label::new(Some(TITLE)));
    handle.drag_source_set(gtk::gdk::ModifierType::BUTTON1_MASK, &[], gtk::gdk::DragAction::COPY);
    handle.drag_source_add_uri_targets();
    handle.connect_drag_data_get(move |_, _, data, _, _| {
        data.set_uris(&[&file]);
    });
    window.add(&handle);
    window.show_all();
    gtk::main();
}
