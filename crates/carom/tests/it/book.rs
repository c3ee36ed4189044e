//! The book keeps up: its gallery is the gallery, its theory knows all that has a name, its examples work.
//!
//! `CAROM_BOOK=write cargo test -p carom --test it book::` writes the page of the gallery and its pictures anew.
#![allow(clippy::print_stdout, non_snake_case)]

#[path = "../../../../docs/examples/script.rs"]
mod script;
#[path = "../../../../docs/examples/solver.rs"]
mod solver;

use crate::pages::{page, pages, plain, read, root};
use carom::{PROJECTED, SCHEMES, SOLVERS, Settings, Setup, Simulation, Stop};
use carom_solve::{ContactSolver, Law, SolveStatus, SquareMatrix, StoredProblem};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn writes() -> bool {
    std::env::var("CAROM_BOOK").is_ok_and(|what| what == "write")
}

const REFRESH: &str = "write it anew with CAROM_BOOK=write cargo test -p carom --test it book::";

// ------------------------------------------------------------------------------------------------ the gallery

/// Models in the order of the table in `gallery/README.md`: name, what it shows, where its truth comes from.
fn gallery() -> Vec<[String; 3]> {
    let text = read("gallery/README.md");
    let rows = text.lines().filter(|line| line.starts_with("| ["));
    let models: Vec<[String; 3]> = rows
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let name = cells[0].split(['[', ']']).nth(1).expect("a link");
            [name.into(), cells[1].into(), cells[2].into()]
        })
        .collect();
    let named: BTreeSet<&str> = models.iter().map(|m| m[0].as_str()).collect();
    let folders = fs::read_dir(root().join("gallery")).expect("a gallery").flatten();
    let folders: BTreeSet<String> = folders
        .filter(|e| e.path().join("model.toml").is_file())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(named, folders.iter().map(String::as_str).collect(), "gallery/README.md lists every model");
    models
}

/// The page, from what the gallery says of itself.
fn gallery_page() -> String {
    let mut text = String::from(
        "# Gallery\n\n\
         Models that come with Carom. `carom run NAME` runs one, `carom list gallery` names them. Each must meet facts that come from exact\n\
         solutions, published figures, invariants or independent codes, and never from Carom itself: the tests check all of them. More about each is in\n\
         its README, in the folder `gallery` of the repository.\n\n\
         <!-- Made from gallery/*/README.md: CAROM_BOOK=write cargo test -p carom --test it book:: -->\n",
    );
    for [name, shows, truth] in gallery() {
        let readme = read(&format!("gallery/{name}/README.md"));
        let front = readme.strip_prefix("<!--").and_then(|rest| rest.split_once("-->"));
        let (front, rest) = front.unwrap_or_else(|| panic!("{name}: no front matter"));
        let card: toml::Table = toml::from_str(front).unwrap_or_else(|e| panic!("{name}: {e}"));
        let word = |key: &str| card[key].as_str().expect("a text").to_string();
        let picture = rest.lines().find_map(|line| line.strip_prefix("![")).expect("a picture");
        let (alt, _) = picture.split_once(']').expect("a picture has words");
        text.push_str(&format!("\n## {}\n\n![{alt}](gallery/{name}.svg)\n\n", word("title")));
        text.push_str(&format!("{}{}. Truth: {truth}. ", shows[..1].to_uppercase(), &shows[1..]));
        text.push_str(&format!("Source: {}. {}.\n\n", word("source"), capital(&word("cost"))));
        for fact in card["fact"].as_array().expect("facts") {
            let what = fact["what"].as_str().expect("a fact says what");
            text.push_str(&format!("- {}\n", what.replace('<', "&lt;")));
        }
        text.push_str(&format!("\n```console\n$ carom run {name}\n```\n"));
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[test]
fn the_gallery_is_in_the_book_with_its_pictures() {
    let page = root().join("docs/src/gallery.md");
    let pictures = root().join("docs/src/gallery");
    let text = gallery_page();
    let originals = gallery().into_iter().map(|[name, ..]| {
        let original = root().join("gallery").join(&name).join("picture.svg");
        (pictures.join(format!("{name}.svg")), original)
    });
    let originals: Vec<(PathBuf, PathBuf)> = originals.collect();
    if writes() {
        let _ = fs::remove_dir_all(&pictures);
        fs::create_dir_all(&pictures).expect("a folder for pictures");
        fs::write(&page, &text).expect("the page can be written");
        for (copy, original) in &originals {
            fs::copy(original, copy).expect("a picture can be copied");
        }
    }
    assert!(
        fs::read_to_string(&page).is_ok_and(|kept| kept == text),
        "docs/src/gallery.md is old: {REFRESH}"
    );
    for (copy, original) in &originals {
        let same = fs::read(copy).ok() == fs::read(original).ok();
        assert!(same, "{} is not {}: {REFRESH}", copy.display(), original.display());
    }
    let there = fs::read_dir(&pictures).expect("pictures").count();
    assert_eq!(there, originals.len(), "no picture without a model: {REFRESH}");
}

// ------------------------------------------------------------------------------------------------ the theory

/// Variants of an enum of a source file.
fn variants(path: &str, name: &str) -> Vec<String> {
    let source = read(path);
    let (_, rest) =
        source.split_once(&format!("pub enum {name} {{")).unwrap_or_else(|| panic!("{path}: {name}"));
    let (body, _) = rest.split_once("\n}").expect("an enum ends");
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    names.map(|line| line.split([' ', '(', ',', '{']).next().unwrap_or_default().to_string()).collect()
}

/// `TorsionSpring` as `torsion-spring`.
fn kebab(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

#[test]
fn every_joint_force_body_element_and_law_has_its_equations() {
    for (file, name, theory) in [
        ("crates/carom-model/src/kinds/joint/mod.rs", "Joint", "theory/joints.md"),
        ("crates/carom-model/src/kinds/force/mod.rs", "Force", "theory/forces.md"),
    ] {
        let rows = page(theory).rows();
        for variant in variants(file, name) {
            let word = format!("`\"{}\"`", kebab(&variant));
            let row = rows.iter().find(|row| row[0] == word);
            let row = row.unwrap_or_else(|| panic!("{theory} has no row for {word}"));
            assert!(row.last().is_some_and(|cell| cell.contains(".rs`")), "{theory}: {word} names no file");
            assert!(row[row.len() - 2].len() > 6, "{theory}: {word} has no formula");
        }
    }
    // each type of `elastic`, and the page of its equations
    let pages_of =
        [("bar", "bar"), ("beam", "floating-frame"), ("exact-beam", "exact-beam"), ("solid", "solids")];
    let bodies = variants("crates/carom-model/src/kinds/elastic/mod.rs", "Elastic");
    assert_eq!(bodies.iter().map(|b| kebab(b)).collect::<Vec<_>>(), pages_of.map(|(body, _)| body));
    for (body, theory) in pages_of {
        let theory = page(&format!("theory/{theory}.md"));
        let equations = theory.fences().iter().any(|f| f.info == "text" && f.body.contains('='));
        assert!(equations, "{body} has no equations");
    }
    let rows = page("theory/solids.md").rows();
    for kind in carom::elastic::PlaneElement::ALL {
        let word = format!("`{}`", kind.name());
        let shapes = rows.iter().find(|row| row[0] == word && row.len() == 3);
        let shapes = shapes.unwrap_or_else(|| panic!("solids.md has no shape functions of {word}"));
        assert_eq!(shapes[1], kind.nodes().to_string(), "nodes of {word}");
    }
    let contact = page("theory/contact.md");
    // what makes a law: `pub const fn name(…) -> Self`
    let source = read("crates/carom-solve/src/law.rs");
    let names = source.lines().filter_map(|line| line.trim().strip_prefix("pub const fn "));
    let names: Vec<&str> = names.filter_map(|rest| rest.split_once('(')).map(|(name, _)| name).collect();
    assert!(names.len() > 5, "{names:?}");
    // a law from another is no law of its own
    for law in names.into_iter().filter(|name| *name != "and_disk") {
        let row = contact.rows().into_iter().find(|row| row[0] == format!("`{law}`"));
        let row = row.unwrap_or_else(|| panic!("contact.md has no row for {law}"));
        assert!(row.len() >= 4 && row[2].len() > 3 && row[3].len() > 2, "{row:?}");
    }
    for entry in SOLVERS {
        let row = contact.rows().into_iter().find(|row| plain(&row[0]).as_deref() == Some(entry.name));
        let row = row.unwrap_or_else(|| panic!("contact.md has no row for {}", entry.name));
        assert!(row[1].contains(".rs`"), "contact.md: {} with its file", entry.name);
        let takes = entry.takes.to_string();
        assert!(row[3].starts_with(&takes), "contact.md: {} takes {takes}", entry.name);
    }
    let residual = contact.text.split("## The residual").nth(1).expect("a section on the residual");
    assert!(residual.contains("res   ="), "the formula of the residual");
}

/// A heading, or a row of a table, in the pages on schemes, with equations on that page.
#[test]
fn every_scheme_has_its_equations() {
    let theory: Vec<_> = ["schemes", "mixed", "formulations", "event-driven", "methods", "hybrid"]
        .map(|name| page(&format!("theory/{name}.md")))
        .into();
    for name in SCHEMES.iter().map(|s| s.name).chain([PROJECTED]) {
        let told = theory.iter().any(|page| {
            let heading = page.text.lines().any(|l| l.starts_with('#') && l.contains(&format!("`{name}`")));
            let row = page.rows().iter().any(|row| row[0].contains(&format!("`{name}`")) && row.len() < 6);
            (heading || row || page.path.contains(name)) && page.fences().iter().any(|f| f.info == "text")
        });
        // a family is named by its head, as `position-lcp-…`
        let family = theory.iter().any(|page| {
            let heads = page.text.lines().filter(|l| l.starts_with('#'));
            heads.flat_map(|l| l.split('`').skip(1).step_by(2)).any(|head| {
                head.strip_suffix('…').is_some_and(|head| !head.is_empty() && name.starts_with(head))
            })
        });
        assert!(told || family, "no page on schemes has a heading or a row for `{name}`");
    }
}

#[test]
fn every_page_of_theory_names_its_source() {
    for page in pages().into_iter().filter(|p| p.path.starts_with("theory/")) {
        let sources = page.spans().into_iter().filter(|s| s.starts_with("crates/") && s.contains("/src/"));
        assert!(sources.count() > 0, "{} names no source file", page.path);
    }
}

/// Words of the glossary lead to where they are explained, and are used there.
#[test]
fn the_words_of_the_glossary_are_explained() {
    let glossary = page("glossary.md");
    let words: Vec<_> = glossary.rows().into_iter().filter(|row| row.len() == 3).collect();
    assert!(words.len() >= 40, "{} words", words.len());
    let mut sorted: Vec<String> = words.iter().map(|row| row[0].to_lowercase()).collect();
    assert!(sorted.iter().any(|w| w == "gap") && sorted.iter().any(|w| w == "residual"));
    sorted.dedup();
    assert_eq!(sorted.len(), words.len(), "no word twice");
    for row in words {
        let link = row[2].split("](").nth(1).and_then(|l| l.strip_suffix(')'));
        let link = link.unwrap_or_else(|| panic!("{} has no link", row[0]));
        let target = page(link.split('#').next().unwrap_or_default());
        let first = row[0].split([' ', ',', '(']).next().unwrap_or_default().to_lowercase();
        let stem = &first[..first.len().min(5)];
        let used = target.text.to_lowercase().contains(stem);
        assert!(used, "{} does not use the word `{}`", target.path, row[0]);
    }
}

// ------------------------------------------------------------------------------------------------ the examples

/// One contact in closed form, many against another solver, and whole runs.
#[test]
fn the_solver_of_the_book_works() {
    // the tip of a rod hits the ground and slides: P = (5/14, −5/28), from the law by hand
    let slides = StoredProblem {
        W_hat: SquareMatrix::from_rows(&[vec![2.08, -1.44], vec![-1.44, 2.92]]),
        U_free: vec![-1.0, 2.0],
        laws: vec![Law::planar_coulomb(0.5)],
    };
    let mut P = vec![0.0; 2];
    let report = solver::OverRelaxation::default().solve(&slides.as_problem(), &mut P);
    assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
    assert!((P[0] - 5.0 / 14.0).abs() < 1e-11 && (P[1] + 5.0 / 28.0).abs() < 1e-11, "{P:?}");

    // a row of n balls, each pressed on the next: Ŵ tridiagonal (2, −1); velocities are unique
    let n = 12;
    let row = |i: usize| (0..n).map(|j| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)]).collect::<Vec<f64>>();
    let stack = StoredProblem {
        W_hat: SquareMatrix::from_rows(&(0..n).map(row).collect::<Vec<_>>()),
        U_free: (0..n).map(|i| (1.7 * i as f64).sin() - 0.3).collect(),
        laws: vec![Law::unilateral(); n],
    };
    let (mut ours, mut theirs) = (vec![0.0; n], vec![0.0; n]);
    let report = solver::OverRelaxation::default().solve(&stack.as_problem(), &mut ours);
    assert_eq!(report.status, SolveStatus::Converged, "{report:?}");
    carom::solver("newton").expect("a known name").solve(&stack.as_problem(), &mut theirs);
    let apart = ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // tolerance times condition
    assert!(apart < 1e-9, "{apart:e}");

    // not to have converged is said, not hidden
    let mut strict = solver::OverRelaxation::default();
    strict.max_sweeps = 4;
    let report = strict.solve(&stack.as_problem(), &mut vec![0.0; n]);
    assert_eq!(report.status, SolveStatus::IterationLimit, "{report:?}");

    // whole runs, in the place of `auto`
    for (name, channel, end) in
        [("slider-crank", "slider.x", 0.02), ("three-balls", "first.y", 1.0), ("oblique-disk", "disk.x", 0.5)]
    {
        let text = read(&format!("gallery/{name}/model.toml"));
        let setup = Setup::of_text(name, &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let settings = Settings { end, ..setup.settings() };
        let last = |solver: Box<dyn ContactSolver>| {
            let scheme = carom::scheme("moreau-jean", &[]).expect("a known scheme");
            let mut run = Simulation::new(setup.system(), &*scheme, solver, setup.state(), settings)
                .expect("a good start");
            assert_eq!(run.run(|_| true), Stop::Done, "{name}");
            let recording = run.recording();
            let column = recording.column(channel).expect("a channel");
            *column.last().expect("a sample")
        };
        let ours = last(Box::<solver::OverRelaxation>::default());
        let auto = last(carom::solver("auto").expect("the default solver"));
        assert!((ours - auto).abs() < 1e-8, "{name}: {ours} and {auto}");
    }
    assert!(SOLVERS.iter().all(|s| s.name != solver::OverRelaxation::default().name()));
}

/// The script of the book: e² of the height it fell from.
#[test]
fn the_script_of_the_book_works() {
    let restitutions = [0.3, 0.6, 0.9];
    for (e, height) in script::heights(&restitutions).expect("a good model") {
        let exact = e * e * 0.8;
        assert!((height - exact).abs() < 1e-5, "e = {e}: {height} m, exactly {exact} m");
    }
}
