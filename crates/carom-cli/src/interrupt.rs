//! Ctrl-C asks a run to stop after its step; the second one ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C (and a polite kill) is heard and not obeyed at once.
pub fn listen() {
    let heard = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Without a handler Ctrl-C still ends the program, only less kindly: no reason not to run.
    let _ = ctrlc::set_handler(heard);
}

/// Whether somebody asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
