//! Did you mean ...? The one place that guesses, for keys, names, channels and commands alike.

/// What people write out of habit, and what it is called here.
const HABITS: &[(&str, &str)] = &[
    ("body", "bodies"),
    ("cor", "restitution"),
    ("d", "damping"),
    ("dt", "step"),
    ("e", "restitution"),
    ("e_n", "restitution"),
    ("e_t", "tangential_restitution"),
    ("g", "gravity"),
    ("h", "step"),
    ("i", "inertia"),
    ("j", "inertia"),
    ("k", "stiffness"),
    ("kind", "type"),
    ("l", "length"),
    ("m", "mass"),
    ("mu", "friction"),
    ("omega", "angular_velocity"),
    ("phi", "angle"),
    ("r", "radius"),
    ("t_end", "end"),
    ("tend", "end"),
    ("theta", "angle"),
    ("time_step", "step"),
    ("timestep", "step"),
    ("v", "velocity"),
];

/// Names of a list that are shown.
const SHOWN: usize = 24;

/// The admissible name that was probably meant.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.into_iter().collect();
    let lower = word.to_lowercase();
    if let Some(name) = HABITS.iter().find(|h| h.0 == lower).and_then(|h| names.iter().find(|n| **n == h.1)) {
        return Some(name);
    }
    // by edit distance with swaps of neighbours; a slip in every third letter; words of three letters have one
    let limit = (word.chars().count() / 3).max(1);
    names
        .into_iter()
        .map(|name| (strsim::osa_distance(&lower, &name.to_lowercase()), name))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, name)| name)
}

/// `did you mean ...? WHAT: a, b, c` as a help line; long lists are cut.
pub fn choices(word: &str, what: &str, names: &[&str]) -> String {
    let mut text = match nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    if names.is_empty() {
        text.push_str(&format!("{what}: there are none"));
    } else {
        text.push_str(&format!("{what}: {}", some(names)));
    }
    text
}

/// Names in a row; long lists are cut.
pub fn some<S: AsRef<str>>(names: &[S]) -> String {
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let cut = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    shown.join(", ") + &cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_habits_are_understood() {
        let keys = ["mass", "inertia", "position", "angle", "angular_velocity", "friction"];
        assert_eq!(nearest("mas", keys), Some("mass"));
        assert_eq!(nearest("postion", keys), Some("position"));
        assert_eq!(nearest("agnle", keys), Some("angle"));
        assert_eq!(nearest("mu", keys), Some("friction"));
        assert_eq!(nearest("colour", keys), None);
    }
}
