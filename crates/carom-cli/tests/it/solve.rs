//! `carom solve`.

use crate::common::{carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;

/// One planar contact that slides: P = (5/14, −5/28), as in the documentation of the crate.
const SLIDES: &str = "2\n1\n0\n2\n2\n2\t2\n2.08 -1.44\n-1.44 2.92\n-1 2\n0.5\n";
/// A body between walls that close.
const JAWS: &str = "2\n0\n2\n2\n2\t2\n1 -1\n-1 1\n-1 -1\n";

#[test]
fn a_table_for_people_and_data_for_programs() {
    let folder = folder("solve_table");
    fs::write(folder.join("slides.dat"), SLIDES).unwrap();
    let output = carom(&folder, &["solve", "slides.dat", "--solver", "all"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let text = said(&output);
    assert!(text.starts_with("slides.dat: 1 contact, 2 rows\n"), "{text}");
    for solver in ["auto", "newton", "lemke", "gauss-seidel", "prox"] {
        let row = text.lines().find(|line| line.starts_with(solver)).expect("a row for each");
        assert!(row.contains("converged"), "{row}");
    }
    let output = carom(&folder, &["solve", "slides.dat", "slides.dat", "--tol", "1e-10", "--json"]);
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!(data.as_array().unwrap().len(), 2);
    let answer = &data[0]["answers"][0];
    assert_eq!(answer["status"], "converged");
    assert!(
        answer["residual"].as_f64().unwrap() < 1e-10 && answer["natural_map_error"].as_f64().unwrap() < 1e-10
    );
}

/// What is generated can be written, read and solved, in every form; both forms give the same answer.
#[test]
fn generated_and_written() {
    let folder = folder("solve_generated");
    for storage in ["dense", "blocks", "sparse", "global"] {
        let output =
            carom(&folder, &["solve", "--generate", "wall:30", "--out", "wall.dat", "--storage", storage]);
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        let output = carom(&folder, &["solve", "wall.dat", "--json"]);
        assert_eq!(code(&output), 0, "{storage}: {}", complaint(&output));
        let data: Value = serde_json::from_str(&said(&output)).unwrap();
        assert!(data[0]["contacts"].as_u64().unwrap() >= 30 && data[0]["hyperstatic"] == true);
        let error = data[0]["answers"][0]["natural_map_error"].as_f64().unwrap();
        assert!(error <= 1e-8, "{storage}: {error:e}");
    }
    let mixed = ["solve", "--generate", "chain:4", "--out", "chain.dat"];
    let output = carom(&folder, &mixed);
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("JSON holds"), "{}", complaint(&output));
    assert!(!folder.join("chain.dat").exists());
    let output = carom(&folder, &["solve", "--generate", "chain:4", "--out", "chain.json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert_eq!(code(&carom(&folder, &["solve", "chain.json"])), 0);
}

/// Twenty thousand contacts on one plate: the matrix would have 3.6e9 entries and is not formed; what would need it says so.
#[test]
fn many_contacts_on_one_body() {
    let folder = folder("solve_plate");
    let output = carom(&folder, &["solve", "--generate", "table:20000", "--json"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    assert_eq!((&data[0]["contacts"], &data[0]["rank"]), (&20_000.into(), &Value::Null));
    assert!(data[0]["entries"].as_u64().unwrap() < 1_000_000);
    let written = |storage: &str, out: &str| {
        carom(&folder, &["solve", "--generate", "table:20000", "--out", out, "--storage", storage])
    };
    for (storage, out, what) in [
        ("blocks", "p.dat", "--storage global"),
        ("sparse", "p.hdf5", "--storage global"),
        ("dense", "p.json", "too many for JSON"),
    ] {
        let output = written(storage, out);
        assert_eq!(code(&output), 2, "{out}");
        assert!(complaint(&output).contains(what), "{out}: {}", complaint(&output));
        assert!(!folder.join(out).exists());
    }
    assert_eq!(code(&written("global", "p.hdf5")), 0);
    let output = carom(&folder, &["solve", "p.hdf5"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    // A plate that is small enough is written as a matrix, and means the same.
    let output = carom(&folder, &["solve", "--generate", "table:40", "--out", "small.dat"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let output = carom(&folder, &["solve", "small.dat", "--generate", "table:40", "--json"]);
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    for one in data.as_array().unwrap() {
        assert_eq!((&one["rank"], &one["answers"][0]["status"]), (&6.into(), &"converged".into()), "{one}");
    }
}

/// A kept problem has a name and no size.
#[test]
fn kept_problems() {
    let folder = folder("solve_kept");
    let output = carom(&folder, &["solve", "--generate", "stack_of_five"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert!(said(&output).starts_with("stack_of_five: "), "{}", said(&output));
}

/// One file that is no problem does not keep the others from being solved.
#[test]
fn a_bad_file_among_good_ones() {
    let folder = folder("solve_among");
    fs::write(folder.join("good.dat"), SLIDES).unwrap();
    fs::write(folder.join("bad.dat"), SLIDES.replace("2.92", "nan")).unwrap();
    let output = carom(&folder, &["solve", "bad.dat", "good.dat"]);
    assert_eq!(code(&output), 2);
    assert!(said(&output).starts_with("good.dat: 1 contact"), "{}", said(&output));
    let told = complaint(&output);
    assert!(told.contains("bad.dat:8:") && told.ends_with("error: no problems: bad.dat\n"), "{told}");
    let output = carom(&folder, &["solve", "bad.dat", "good.dat", "--json"]);
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    assert!(data[0]["error"].as_str().unwrap().contains("bad.dat:8:"), "{data}");
    assert_eq!(data[1]["answers"][0]["status"], "converged");
}

/// HDF5 in both forms, joints included; what a file says the answer is stands before what the solvers say.
#[test]
fn fclib_files() {
    let folder = folder("solve_fclib");
    for (kind, storage) in
        [("wall:30", "blocks"), ("wall:30", "global"), ("chain:4", "blocks"), ("chain:4", "global")]
    {
        let output = carom(&folder, &["solve", "--generate", kind, "--out", "p.hdf5", "--storage", storage]);
        assert_eq!(code(&output), 0, "{}", complaint(&output));
        let output = carom(&folder, &["solve", "p.hdf5"]);
        assert_eq!(code(&output), 0, "{kind} {storage}: {}", complaint(&output));
    }
    let joints = concat!(env!("CARGO_MANIFEST_DIR"), "/../carom-io/tests/data/fclib/joints.hdf5");
    let output = carom(&folder, &["solve", joints]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let text = said(&output);
    let stored = text.lines().find(|line| line.starts_with("solution")).expect("a row for it");
    assert!(stored.contains("in the file"), "{stored}");
    let output = carom(&folder, &["solve", joints, "--json", "--answers"]);
    let data: Value = serde_json::from_str(&said(&output)).unwrap();
    assert!(data[0]["stored"][0]["residual"].as_f64().unwrap() < 1e-13);
    // The equation takes −3, as the file was made.
    assert!((data[0]["answers"][0]["P"][6].as_f64().unwrap() + 3.0).abs() < 1e-6);
    fs::write(folder.join("cut.hdf5"), &fs::read(joints).unwrap()[..9000]).unwrap();
    let output = carom(&folder, &["solve", "cut.hdf5"]);
    assert_eq!(code(&output), 2);
    assert!(complaint(&output).contains("cut.hdf5: /: the file should have"), "{}", complaint(&output));
}

/// A problem without answer is said to be one, and is not solved.
#[test]
fn what_has_no_answer() {
    let folder = folder("solve_jaws");
    fs::write(folder.join("jaws.dat"), JAWS).unwrap();
    let output = carom(&folder, &["solve", "jaws.dat", "--solver", "all", "--time", "5"]);
    assert_eq!(code(&output), 1);
    assert!(said(&output).contains("warning: there is no answer"), "{}", said(&output));
    assert!(complaint(&output).contains("jaws.dat by auto"), "{}", complaint(&output));
}

#[test]
fn bad_input_is_refused_with_its_line() {
    let folder = folder("solve_bad");
    let (nan, slippery) = (SLIDES.replace("2.92", "nan"), SLIDES.replace("0.5", "-0.5"));
    let huge = "{\"W_hat\": {\"n\": 4294967296, \"data\": []}, \"U_free\": [], \"laws\": []}";
    let short = "{\"W_hat\": {\"n\": 1, \"data\": [1]}, \"U_free\": [1, 2], \"laws\": [\"unilateral\"]}";
    let negative = "{\"W_hat\": {\"n\": 2, \"data\": [1, 0, 0, 1]}, \"U_free\": [1, 2],\
                    \"laws\": [{\"planar-coulomb\": {\"friction\": -1}}]}";
    let cases: [(&str, &[u8], &str); 9] = [
        ("nan.dat", nan.as_bytes(), "nan.dat:8: entry (2, 2)"),
        ("friction.dat", slippery.as_bytes(), "friction.dat:10: the friction coefficient"),
        ("cut.dat", &SLIDES.as_bytes()[..30], "the file ends where"),
        ("words.dat", b"once upon a time", "words.dat:1: this is no problem file"),
        ("bytes.dat", &[50, 10, 255, 254], "bytes.dat:2: not text"),
        (
            "file.hdf5",
            b"\x89HDF\r\n\x1a\nrest",
            "file.hdf5: /: HDF5 format error: unsupported superblock version: 114",
        ),
        ("huge.json", huge.as_bytes(), "huge.json:1: a matrix of 4294967296 rows is not square"),
        ("short.json", short.as_bytes(), "they must agree"),
        ("negative.json", negative.as_bytes(), "the friction of contact 1 is -1"),
    ];
    for (name, content, what) in cases {
        fs::write(folder.join(name), content).unwrap();
        let output = carom(&folder, &["solve", name]);
        assert_eq!(code(&output), 2, "{name}: {}", complaint(&output));
        assert!(complaint(&output).contains(what), "{name}: {}", complaint(&output));
    }
    for (args, what) in [
        (&["solve", "nowhere.dat"][..], "cannot read nowhere.dat"),
        (&["solve", "--generate", "sphere:5"], "did you mean `spheres`"),
        (&["solve", "--generate", "spheres"], "has no size"),
        (&["solve", "--generate", "table:99999"], "1 to 20000"),
        (&["solve", "--generate", "mesh:9999"], "1 to 1000"),
        (&["solve", "--generate", "stack_of_fve"], "did you mean `stack_of_five`"),
        (&["solve", "nan.dat", "--solver", "newtn"], "did you mean `newton`"),
        (&["solve"], "required"),
        (&["solve", "nan.dat", "--tol", "0"], "--tol"),
    ] {
        let output = carom(&folder, args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(complaint(&output).contains(what), "{args:?}: {}", complaint(&output));
    }
}
