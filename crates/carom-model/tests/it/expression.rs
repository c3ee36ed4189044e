//! Formulas: values, exact derivatives, errors that point.

use carom_model::expression::Formula;
use std::f64::consts::PI;

fn jet(text: &str, t: f64) -> [f64; 3] {
    let jet = Formula::parse(text).unwrap().bind(&|_| None).unwrap().jet(t);
    [jet.value, jet.first, jet.second]
}

fn value(text: &str) -> f64 {
    Formula::parse(text).unwrap().evaluate(&|_| None).unwrap()
}

#[test]
fn precedence() {
    assert_eq!(value("1 + 2*3"), 7.0);
    assert_eq!(value("-2^2"), -4.0);
    assert_eq!(value("2^3^2"), 512.0);
    assert_eq!(value("2^-1"), 0.5);
    assert_eq!(value("8/2/2"), 2.0);
    assert_eq!(value("7 - 2 - 1"), 4.0);
    assert_eq!(value("--3"), 3.0);
    assert_eq!(value("(-2)^3"), -8.0);
    assert_eq!(value("1.5e-3*2"), 3e-3);
    assert_eq!(value("2*pi"), 2.0 * PI);
    assert_eq!(value("mod(-1, 3)"), 2.0);
    assert_eq!(value("min(3, 2) + max(3, 2) + step(0) + step(-1) + sign(-4) + floor(2.7)"), 7.0);
}

#[test]
fn derivatives_in_closed_form() {
    let t: f64 = 0.7;
    let close = |text: &str, exact: [f64; 3]| {
        for (a, b) in jet(text, t).iter().zip(exact) {
            assert!((a - b).abs() <= 1e-14 * (1.0 + b.abs()), "{text}: {a} against {b}");
        }
    };
    close("0.3*sin(4*t)", [0.3 * (4.0 * t).sin(), 1.2 * (4.0 * t).cos(), -4.8 * (4.0 * t).sin()]);
    close("t^3", [t.powi(3), 3.0 * t * t, 6.0 * t]);
    close("exp(-2*t)", [1.0, -2.0, 4.0].map(|a| a * (-2.0 * t).exp()));
    close("log(t)", [t.ln(), 1.0 / t, -1.0 / (t * t)]);
    close("sqrt(t)", [t.sqrt(), 0.5 / t.sqrt(), -0.25 * t.powf(-1.5)]);
    close("1/t", [1.0 / t, -1.0 / (t * t), 2.0 / t.powi(3)]);
    let tan = t.tan();
    close("tan(t)", [tan, 1.0 + tan * tan, 2.0 * tan * (1.0 + tan * tan)]);
    close("atan2(sin(t), cos(t))", [t, 1.0, 0.0]);
    close("asin(sin(t)) + acos(cos(t))", [2.0 * t, 2.0, 0.0]);
    close("atan(tan(t))", [t, 1.0, 0.0]);
    close("cosh(t)^2 - sinh(t)^2", [1.0, 0.0, 0.0]);
    close("tanh(t)", {
        let y = t.tanh();
        [y, 1.0 - y * y, -2.0 * y * (1.0 - y * y)]
    });
    // 2^t = exp(t ln 2)
    let l = 2f64.ln();
    close("2^t", [1.0, l, l * l].map(|a| a * 2f64.powf(t)));
    close("abs(-t)", [t, 1.0, 0.0]);
    close("t*step(t - 0.5)", [t, 1.0, 0.0]);
}

#[test]
fn powers_are_exact_at_zero() {
    assert_eq!(jet("t^2", 0.0), [0.0, 0.0, 2.0]);
    assert_eq!(jet("t", 0.0), [0.0, 1.0, 0.0]);
    assert_eq!(jet("t^1", 0.0), [0.0, 1.0, 0.0]);
    assert_eq!(jet("sqrt(0) + t", 0.0), [0.0, 1.0, 0.0]);
}

#[test]
fn names_and_parameters() {
    let formula = Formula::parse("l1/2 + e*cos(t) + l1").unwrap();
    assert_eq!(formula.names().collect::<Vec<_>>(), ["l1", "e"]);
    assert!(!formula.is_constant());
    // A parameter called e is the parameter, not Euler's number.
    let bound = formula.bind(&|name| if name == "l1" { Some(2.0) } else { Some(0.4) }).unwrap();
    assert_eq!(bound.jet(0.0).value, 3.4);
    assert_eq!(value("e"), std::f64::consts::E);
    assert!(Formula::parse("t").unwrap().evaluate(&|_| None).is_err());
}

#[test]
fn errors_point_at_the_place() {
    let error = |text: &str| match Formula::parse(text) {
        Err(error) => error,
        Ok(formula) => formula.bind(&|_| None).unwrap_err(),
    };
    for (text, column, word) in [
        ("1 + ", 5, "ends too early"),
        ("", 1, "ends too early"),
        ("2*(3 + 4", 9, "ends too early"),
        ("2 $ 3", 3, "`$`"),
        ("2 3", 3, "`3`"),
        ("sinn(t)", 1, "no function `sinn`"),
        ("1 + sin", 5, "is a function"),
        ("atan2(1)", 8, "`)`"),
        ("sin(1, 2)", 6, "`,`"),
        ("t + l9", 5, "`l9` is not known"),
        ("1.2.3", 4, "`.`"),
        ("1e999", 1, "not a number"),
    ] {
        let error = error(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(word), "{text}: {error}");
        assert!(!error.expected.is_empty());
    }
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let deep = |n: usize| format!("{}t{}", "(".repeat(n), ")".repeat(n));
    assert!(Formula::parse(&deep(20)).is_ok());
    for text in [deep(100_000), "1+(".repeat(100_000), "2^".repeat(100_000), "-".repeat(100_000)] {
        assert!(Formula::parse(&text).is_err());
    }
    // Long but flat is fine.
    assert_eq!(value(&format!("0{}", "+1".repeat(10_000))), 10_000.0);
}

/// Signs of the switches of a formula just before and just after a time.
fn changes(text: &str, t: f64) -> Vec<bool> {
    let formula = Formula::parse(text).unwrap().bind(&|_| None).unwrap();
    let sign = |switch: &Formula, t: f64| switch.jet(t).value > 0.0;
    formula.switches().iter().map(|s| sign(s, t - 1e-9) != sign(s, t + 1e-9)).collect()
}

#[test]
fn switches_change_their_sign_at_kinks_and_jumps() {
    // a formula, where it has kinks or jumps, where it has none
    for (text, at, smooth) in [
        ("3*step(2*t - 1) + t", vec![0.5], vec![0.2, 1.0]),
        ("abs(sin(t))", vec![PI, 2.0 * PI], vec![1.0, 4.0]),
        ("sign(t^2 - 4)", vec![2.0, -2.0], vec![0.0]),
        ("min(t, 1)", vec![1.0], vec![0.0, 2.0]),
        ("max(2*t, 3 - t)", vec![1.0], vec![0.0, 2.0]),
        ("floor(t/3)", vec![-3.0, 0.0, 3.0, 300.0], vec![1.0, 2.0, 299.0]),
        ("ceil(4*t)", vec![0.25, 0.5, 10.75], vec![0.1, 0.3]),
        ("mod(t, 0.5)", vec![0.5, 1.0, 7.5], vec![0.25, 0.75]),
        ("mod(t, -0.5)", vec![0.5, 1.0, 7.5], vec![0.25, 0.75]),
        ("atan2(sin(t), cos(t))", vec![PI, 3.0 * PI], vec![0.5 * PI]),
    ] {
        for t in at {
            assert_eq!(changes(text, t), [true], "{text} at {t}");
        }
        for t in smooth {
            assert_eq!(changes(text, t), [false], "{text} at {t}");
        }
    }
    // one in the other: a train of pulses jumps on both sides of each
    assert_eq!(changes("step(mod(t, 2) - 1.5)", 1.5), [false, true]);
    assert_eq!(changes("step(mod(t, 2) - 1.5)", 2.0), [true, true]);
    assert_eq!(changes("min(abs(t - 1), 2 + step(t - 5))", 3.0), [false, false, true]);
    // what does not vary does not switch, and what comes twice switches once
    assert_eq!(changes("sin(t)*abs(-3) + floor(2.5) + min(1, 2)", 1.0), [false; 0]);
    assert_eq!(changes("step(t-1)*2 + step(t-1)^2", 1.0), [true]);
    assert_eq!(changes("exp(t) + sqrt(1+t^2)", 0.0), [false; 0]);
}
