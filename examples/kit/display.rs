//! Whether there is a display. The window system panics if there is none, so look first.

/// Whether a window can be opened.
#[cfg(all(unix, not(target_os = "macos")))]
pub fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_wayland = cfg!(feature = "wayland") && (is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET"));
    has_wayland || x11rb::connect(None).is_ok()
}

/// Whether a window can be opened.
#[cfg(not(all(unix, not(target_os = "macos"))))]
pub fn has_display() -> bool {
    true
}
