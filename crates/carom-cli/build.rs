//! What `carom doctor` says of the build: facts of it, as variables of the compiler.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of = |name: &str| env::var(name).unwrap_or_default();
    let rustc = env::var_os("RUSTC").and_then(|rustc| Command::new(rustc).arg("--version").output().ok());
    let rustc = rustc.map_or("unknown".into(), |o| String::from_utf8_lossy(&o.stdout).trim().to_string());
    let features: Vec<String> = env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .collect();
    for (name, value) in [
        ("TARGET", of("TARGET")),
        ("PROFILE", of("PROFILE")),
        ("OPT_LEVEL", of("OPT_LEVEL")),
        ("FEATURES", features.join(", ")),
        ("RUSTC", rustc),
    ] {
        println!("cargo::rustc-env=CAROM_{name}={value}");
    }
}
