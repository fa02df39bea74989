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

/// Whether the X server of a `DISPLAY`, `[host]:number[.screen]`, takes connections.
#[cfg(target_os = "linux")]
fn answers(display: &str) -> bool {
    use std::net::{TcpStream, ToSocketAddrs};
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixStream};
    use std::time::Duration;

    let Some((host, number)) = display.rsplit_once(':') else { return false };
    let number = number.split('.').next().unwrap_or(number);
    let Ok(number) = number.parse::<u16>() else { return false };
    if host.is_empty() || host == "unix" {
        let path = format!("/tmp/.X11-unix/X{number}");
        let by_name = SocketAddr::from_abstract_name(&path).and_then(|name| UnixStream::connect_addr(&name));
        return by_name.is_ok() || UnixStream::connect(path).is_ok();
    }
    // The ports of X servers begin here.
    let Some(port) = number.checked_add(6000) else { return false };
    let connects = |address| TcpStream::connect_timeout(&address, Duration::from_secs(2)).is_ok();
    (host, port).to_socket_addrs().is_ok_and(|mut addresses| addresses.any(connects))
}

#[cfg(not(target_os = "linux"))]
fn answers(display: &str) -> bool {
    !display.is_empty()
}
