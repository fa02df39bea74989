//! Whether there is a display. The window system panics if there is none, so look first.

use std::env;

/// Whether a window can be opened.
pub fn has_display() -> bool {
    if !cfg!(all(unix, not(target_os = "macos"))) {
        return true;
    }
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let has_wayland = cfg!(feature = "wayland") && (is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET"));
    has_wayland || env::var("DISPLAY").is_ok_and(|name| answers(&name))
}

/// Whether the X server of a `DISPLAY` takes connections. One on another machine is believed to.
#[cfg(target_os = "linux")]
fn answers(display: &str) -> bool {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};

    let Some(local) = display.strip_prefix(':').or_else(|| display.strip_prefix("unix:")) else {
        return !display.is_empty();
    };
    let number = local.split('.').next().unwrap_or(local);
    let path = format!("/tmp/.X11-unix/X{number}");
    let by_name = SocketAddr::from_abstract_name(&path).and_then(|name| UnixStream::connect_addr(&name));
    by_name.is_ok() || UnixStream::connect(path).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn answers(display: &str) -> bool {
    !display.is_empty()
}
