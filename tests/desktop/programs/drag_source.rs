//! A window out of which files can be dragged, as out of a file manager: `drag-source FILE...`.

#[cfg(target_os = "linux")]
fn main() {
    use gtk::prelude::*;

    gtk::init().expect("a display");
    let files: Vec<String> = std::env::args()
        .skip(1)
        .map(|path| url::Url::from_file_path(&path).unwrap_or_else(|()| panic!("{path} is not a whole path")).into())
        .collect();
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_title("Drag from here");
    window.set_default_size(220, 120);
    let handle = gtk::EventBox::new();
    handle.add(&gtk::Label::new(Some("Drag from here")));
    handle.drag_source_set(gtk::gdk::ModifierType::BUTTON1_MASK, &[], gtk::gdk::DragAction::COPY);
    handle.drag_source_add_uri_targets();
    handle.connect_drag_data_get(move |_, _, data, _, _| {
        data.set_uris(&files.iter().map(String::as_str).collect::<Vec<_>>());
    });
    window.add(&handle);
    window.connect_delete_event(|_, _| {
        gtk::main_quit();
        gtk::glib::Propagation::Proceed
    });
    window.show_all();
    gtk::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {}
