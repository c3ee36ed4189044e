//! `carom report`: pages of runs that are over.

use crate::common::{BALL, CRANK, carom, code, complaint, folder, said};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The data of a page.
fn data(page: &Path) -> Value {
    let page = fs::read_to_string(page).unwrap();
    let start = page.find("id=\"data\">").unwrap() + 10;
    serde_json::from_str(&page[start..start + page[start..].find("</script>").unwrap()]).unwrap()
}

fn run(folder: &Path, args: &[&str]) {
    let output = carom(folder, &[&["run", "--quiet"], args].concat());
    assert_eq!(code(&output), 0, "{}", complaint(&output));
}

#[test]
fn the_page_can_be_made_again() {
    let folder = folder("report-again");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    run(&folder, &["ball.toml"]);
    let page = folder.join("ball.out/report.html");
    let first = data(&page);
    fs::remove_file(&page).unwrap();
    let output = carom(&folder, &["report", "ball.out"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert_eq!(said(&output), "Open ball.out/report.html\n");
    let mut again = data(&page);
    assert_eq!(again["runs"][0]["folder"], "ball.out");
    again["runs"][0]["folder"] = Value::Null;
    assert!(again == first, "what was read back is what was written");

    let run = &first["runs"][0];
    assert_eq!(run["title"], "Bouncing ball");
    let facts = &run["facts"];
    assert_eq!(
        facts["bodies"],
        serde_json::json!([{ "name": "ball", "kind": "point", "mass": 1.0, "inertia": null }])
    );
    assert_eq!(facts["contacts"][0]["restitution"], 0.8);
    assert_eq!(facts["degrees_of_freedom"], 2);
    assert_eq!(run["scene"]["motion"]["bodies"][0]["name"], "ball");
}

#[test]
fn runs_are_compared_on_one_page() {
    let folder = folder("report-compare");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    fs::write(folder.join("crank.toml"), CRANK).unwrap();
    run(&folder, &["ball.toml", "--out", "a"]);
    run(&folder, &["ball.toml", "--out", "b", "--scheme", "generalized-alpha", "--step", "2e-3"]);
    run(&folder, &["crank.toml", "--out", "c"]);
    let output = carom(&folder, &["report", "a", "b"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let said_all = said(&output);
    assert!(said_all.contains("step 2e-3 s") && said_all.ends_with("Open comparison.html\n"), "{said_all}");
    let page = data(&folder.join("comparison.html"));
    let names: Vec<&str> =
        page["runs"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert!(names[0].contains("step 1e-3 s") && names[1].contains("generalized-alpha"), "{names:?}");
    // another model is compared as well, and that is said
    let output = carom(&folder, &["report", "a", "c", "-o", "deep/er/both.html"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    assert!(said(&output).contains("another model"), "{}", said(&output));
    let page = data(&folder.join("deep/er/both.html"));
    assert!(page["runs"][1]["problems"][0].as_str().unwrap().contains("Slider-crank"));
}

#[test]
fn a_run_that_failed_half_way_is_shown_and_said() {
    let folder = folder("report-failed");
    let spring = "[forces.spring]\ntype = \"spring\"\nbetween = [\"ball\", \"ground.hook\"]\nstiffness = 1e12\n\
                  length = 0.9\n\n[ground.points]\nhook = [0.0, 2.2]\n\n[simulation]\n\
                  scheme = \"moreau-explicit\"\noutput = 1e-3\n";
    fs::write(folder.join("stiff.toml"), BALL.replace("[simulation]\n", spring)).unwrap();
    assert_eq!(code(&carom(&folder, &["run", "stiff.toml"])), 1);
    let first = data(&folder.join("stiff.out/report.html"));
    let output = carom(&folder, &["report", "stiff.out"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let said = said(&output);
    assert!(said.contains("The run stopped at t = 0.") && said.contains("of 2 s: "), "{said}");
    let again = data(&folder.join("stiff.out/report.html"));
    for page in [first, again] {
        let run = &page["runs"][0];
        assert!(run["problems"][0].as_str().unwrap().contains("ball.vy"), "{}", run["problems"]);
        assert!(run["samples"].as_u64().unwrap() > 2);
    }
}

#[test]
fn a_damaged_folder_is_shown_as_far_as_it_goes() {
    let folder = folder("report-damaged");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    run(&folder, &["ball.toml", "--no-report"]);
    let out = folder.join("ball.out");
    let series = fs::read(out.join("series.csv")).unwrap();
    fs::write(out.join("series.csv"), &series[..series.len() / 2]).unwrap();
    fs::write(out.join("summary.json"), "{ \"title\": ").unwrap();
    fs::remove_file(out.join("scene.json")).unwrap();
    let output = carom(&folder, &["report", "ball.out"]);
    assert_eq!(code(&output), 0, "{}", complaint(&output));
    let said = said(&output);
    for word in [
        "series.csv breaks off",
        "summary.json is damaged",
        "There is no scene.json",
        "Open ball.out/report.html",
    ] {
        assert!(said.contains(word), "`{word}` in\n{said}");
    }
    let run = &data(&out.join("report.html"))["runs"][0];
    assert_eq!(run["problems"].as_array().unwrap().len(), 3);
    assert!(run["samples"].as_u64().unwrap() > 900 && run["scene"].is_null() && run["summary"].is_null());
}

#[test]
fn what_is_no_result_folder_is_refused_with_a_remedy() {
    let folder = folder("report-refused");
    fs::write(folder.join("ball.toml"), BALL).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    for (args, words) in [
        (&["nowhere"][..], &["there is no folder nowhere", "help: "][..]),
        (&["empty"], &["there is no series.csv in empty", "is it a folder written by `carom run`?"]),
        (&["ball.toml"], &["ball.toml is not a folder"]),
        (&[], &["DIR"]),
    ] {
        let output = carom(&folder, &[&["report"], args].concat());
        assert_eq!((code(&output), said(&output).as_str()), (2, ""), "{args:?}");
        for word in words {
            assert!(complaint(&output).contains(word), "`{word}` in\n{}", complaint(&output));
        }
    }
    // one that is good does not make up for one that is not
    run(&folder, &["ball.toml"]);
    assert_eq!(code(&carom(&folder, &["report", "ball.out", "empty"])), 2);
    assert!(!folder.join("comparison.html").exists());
}

/// Units of the file on the page, and SI in the scene.
#[test]
fn a_model_in_millimetres_is_shown_in_millimetres() {
    let folder = folder("report-mm");
    let model = BALL
        .replace("title =", "units = \"mm\"\ntitle =")
        .replace("-10.0", "-10000.0")
        .replace("height = 1.2", "height = 1200.0");
    fs::write(folder.join("ball.toml"), model).unwrap();
    run(&folder, &["ball.toml"]);
    let first = data(&folder.join("ball.out/report.html"));
    assert_eq!(code(&carom(&folder, &["report", "ball.out"])), 0);
    let mut again = data(&folder.join("ball.out/report.html"));
    again["runs"][0]["folder"] = Value::Null;
    assert!(first == again);
    let run = &first["runs"][0];
    assert_eq!(run["length"], serde_json::json!({ "unit": "mm", "factor": 1e-3 }));
    let channel = run["channels"].as_array().unwrap().iter().find(|c| c["name"] == "ball.y").unwrap();
    assert_eq!(channel["unit"], "mm");
    // 1200 mm on the page, 1.2 m in the scene: the first four bytes in base64
    let begin = |block: &Value| block.as_str().unwrap()[..5].to_string();
    assert_eq!(begin(&channel["y"]), "AACWR");
    assert_eq!(begin(&run["scene"]["motion"]["bodies"][0]["y"]), "mpmZP");
}
