//! Spectra of the implemented steps against closed forms.
//!
//! The truth is printed in the papers or follows in two lines; no matrix here comes from the code under test.
#![allow(non_snake_case)]

use carom_dynamics::{
    AlphaParameters, Amplification, GeneralizedAlpha, Joints, SCHEMES, Scheme, Spectrum, SpectrumError,
    Stability, scheme, spectrum,
};
use std::f64::consts::TAU;

const OMEGAS: [f64; 8] = [1e-3, 0.1, 0.7, 1.9, 3.0, 11.0, 300.0, 1e4];

fn made(name: &str, parameters: &[(&str, f64)]) -> Box<dyn Scheme> {
    scheme(name, parameters).expect("a known scheme")
}

fn alpha(p: AlphaParameters) -> Box<dyn Scheme> {
    Box::new(GeneralizedAlpha::new("family".into(), p, Joints::Mean))
}

fn row(count: usize, from: f64, to: f64) -> Vec<f64> {
    (0..count).map(|k| from * (to / from).powf(k as f64 / (count - 1) as f64)).collect()
}

fn of(scheme: &dyn Scheme, xi: f64, steps: &[f64]) -> Spectrum {
    spectrum(scheme, xi, steps).expect("a spectrum")
}

fn amplification(scheme: &dyn Scheme, Omega: f64) -> Amplification {
    Amplification::new(scheme, Omega, 0.0).expect("a matrix")
}

/// Slope of log |error of the period| between two small steps.
fn period_order(scheme: &dyn Scheme) -> f64 {
    let steps = [2e-3, 4e-3];
    let found = of(scheme, 0.0, &steps);
    let error = |i: usize| found.points[i].period_error.unwrap().abs();
    (error(1) / error(0)).log2()
}

/// [RezaeiSchindler] (96) with the errata: state (q, dt v, dt² A), A the acceleration-like variable.
fn closed_form_alpha(p: AlphaParameters, Omega: f64) -> [[f64; 3]; 3] {
    let AlphaParameters { alpha_m: am, alpha_f: af, beta: b, gamma: g } = p;
    let O2 = Omega * Omega;
    let D = 1.0 - am + (1.0 - af) * b * O2;
    let A = [
        [1.0 - am - af * b * O2, 1.0 - am, (0.5 - b) * (1.0 - am) - b * am],
        [
            -g * O2,
            1.0 - am - (1.0 - af) * (g - b) * O2,
            (1.0 - g) * (1.0 - am) - g * am - (1.0 - af) * (0.5 * g - b) * O2,
        ],
        [-O2, -(1.0 - af) * O2, -(1.0 - af) * (0.5 - b) * O2 - am],
    ];
    A.map(|row| row.map(|a| a / D))
}

/// The step remembers x_n = −Ω² q_n besides a_n; with it the first three rows must be (96), entry by entry.
#[test]
fn generalized_alpha_is_its_printed_matrix() {
    let mut family: Vec<AlphaParameters> =
        [0.0, 0.3, 0.8, 1.0].iter().map(|rho| AlphaParameters::generalized(*rho)).collect();
    family.extend([0.0, 0.1, 1.0 / 3.0, 0.5].map(AlphaParameters::hht));
    family.extend([0.5, 0.7, 1.0].map(AlphaParameters::newmark));
    // away from every family
    family.push(AlphaParameters { alpha_m: -0.4, alpha_f: 0.2, beta: 0.6, gamma: 0.9 });
    for p in family {
        for Omega in OMEGAS {
            let found = amplification(&*alpha(p), Omega);
            let n = found.size;
            let expected = closed_form_alpha(p, Omega);
            for i in 0..3 {
                for j in 0..3 {
                    let slaved = if j == 0 { -Omega * Omega * found.A[i * n + 3] } else { 0.0 };
                    let ours = found.A[i * n + j] + slaved;
                    // x_n is Ω² q: the step itself has round-off of ε Ω²
                    let tolerance = 1e-12 + 4.0 * f64::EPSILON * Omega * Omega;
                    assert!(
                        (ours - expected[i][j]).abs() < tolerance * (1.0 + expected[i][j].abs()),
                        "{p:?}, Ω = {Omega}, entry {i}{j}: {ours} instead of {}",
                        expected[i][j]
                    );
                }
            }
            assert!(found.nonlinearity < 1e-11, "{p:?}, Ω = {Omega}: {:e}", found.nonlinearity);
        }
    }
}

/// [RezaeiSchindler] (106), (107) with the rows in the order of the columns, (q, dt v, dt² a).
fn closed_form_bathe(Omega: f64) -> [[f64; 3]; 3] {
    let (O2, O4) = (Omega * Omega, Omega.powi(4));
    let D = (16.0 + O2) * (9.0 + O2);
    let A = [
        [144.0 - 19.0 * O2, 144.0 - 5.0 * O2, 28.0],
        [-96.0 * O2 + O4, 144.0 - 47.0 * O2, 48.0 - 4.0 * O2],
        [-144.0 * O2 + 19.0 * O4, -144.0 * O2 + 5.0 * O4, -28.0 * O2],
    ];
    A.map(|row| row.map(|a| a / D))
}

#[test]
fn bathe_is_its_printed_matrix() {
    for Omega in OMEGAS {
        let found = amplification(&*made("bathe", &[]), Omega);
        let expected = closed_form_bathe(Omega);
        for i in 0..3 {
            for j in 0..3 {
                let ours = found.A[i * found.size + j];
                let scale = 1.0 + expected[i][j].abs();
                assert!(
                    (ours - expected[i][j]).abs() < 1e-12 * scale,
                    "Ω = {Omega}, entry {i}{j}: {ours} instead of {}",
                    expected[i][j]
                );
            }
        }
    }
    let found = of(&*made("bathe", &[]), 0.0, &[0.1]);
    assert_eq!(found.stability, Stability::Always);
    assert!(found.radius_at_infinity < 1e-3, "{}", found.radius_at_infinity);
    assert!((period_order(&*made("bathe", &[])) - 2.0).abs() < 0.01);
}

/// [RezaeiSchindler] (84): ρ_∞ is the parameter whatever α_AR is; α_AR = 1/6 makes the scheme third order.
#[test]
fn ed_alpha_has_the_radius_and_the_order_it_promises() {
    for rho in [0.0, 0.3, 0.8, 1.0] {
        for alpha_ar in [0.1, 1.0 / 6.0, 0.3] {
            let parameters = [("rho", rho), ("alpha_ar", alpha_ar)];
            let found = of(&*made("ed-alpha", &parameters), 0.0, &[0.1]);
            let radius = found.radius_at_infinity;
            assert!((radius - rho).abs() < 1e-3, "ρ = {rho}, α_AR = {alpha_ar}: {radius}");
            assert_eq!(found.stability, Stability::Always, "ρ = {rho}, α_AR = {alpha_ar}");
        }
    }
    // error of one step against e^{iΩ}: Ω^{p+1}
    let order = |alpha_ar: f64| {
        let scheme = made("ed-alpha", &[("rho", 0.0), ("alpha_ar", alpha_ar)]);
        let found = of(&*scheme, 0.0, &[5e-3, 1e-2]);
        let defect = |i: usize| {
            let point = &found.points[i];
            let (im, re) = (TAU * point.step).sin_cos();
            let principal = point.principal.unwrap();
            (principal.re - re).hypot(principal.im - im)
        };
        (defect(1) / defect(0)).log2() - 1.0
    };
    assert!((order(1.0 / 6.0) - 3.0).abs() < 0.02, "{}", order(1.0 / 6.0));
    assert!((order(0.25) - 2.0).abs() < 0.05, "{}", order(0.25));
}

/// The base of the mixed scheme and the nonsmooth scheme are one method where nothing touches.
#[test]
fn mixed_alpha_has_the_spectrum_of_generalized_alpha() {
    for rho in [0.0, 0.5, 0.8] {
        let steps = row(20, 1e-3, 1e2);
        let mixed = of(&*made("mixed-alpha", &[("rho", rho)]), 0.02, &steps);
        let smooth = of(&*made("generalized-alpha", &[("rho", rho)]), 0.02, &steps);
        for (a, b) in mixed.points.iter().zip(&smooth.points) {
            // at ρ = 0 three roots meet, known to the cube root of round-off
            assert!((a.radius - b.radius).abs() < 1e-5, "ρ = {rho}, dt/T = {}", a.step);
        }
    }
}

/// What a scheme keeps for first guesses and slaved values adds eigenvalues 0 and nothing else.
#[test]
fn memory_of_first_guesses_adds_zeros() {
    for Omega in OMEGAS {
        let p = AlphaParameters::generalized(0.8);
        let found = amplification(&*alpha(p), Omega).eigenvalues();
        let closed = carom_dynamics::eigenvalues(3, closed_form_alpha(p, Omega).as_flattened());
        for (ours, expected) in found.iter().zip(&closed) {
            assert!((ours - expected).norm() < 1e-9, "Ω = {Omega}: {ours} instead of {expected}");
        }
        assert!(found.len() > 3 && found[3..].iter().all(|z| z.norm() < 1e-7), "Ω = {Omega}: {found:?}");
    }
}

#[test]
fn radius_at_infinity_is_the_parameter() {
    for rho in [0.0, 0.2, 0.5, 0.8, 1.0] {
        let found = of(&*made("generalized-alpha", &[("rho", rho)]), 0.0, &[0.1]);
        // a triple root: its parts come together like Ω^(−2/3) only
        assert!((found.radius_at_infinity - rho).abs() < 1e-3, "{rho}: {}", found.radius_at_infinity);
        assert_eq!(found.stability, Stability::Always, "{rho}");
    }
    // [RezaeiSchindler] (101), (103): λ₃ = α_f/(α_f − 1), λ₁₂ = (α_f − α_m − 1)/(α_f − α_m + 1)
    for alpha in [0.05, 0.2, 1.0 / 3.0] {
        let found = of(&*made("hht", &[("alpha", alpha)]), 0.0, &[0.1]);
        let expected = (alpha / (1.0 - alpha)).max((1.0 - alpha) / (1.0 + alpha));
        assert!((found.radius_at_infinity - expected).abs() < 1e-3, "{alpha}: {}", found.radius_at_infinity);
    }
}

/// λ = (1 + iΩ/2)/(1 − iΩ/2): modulus 1, argument 2 atan(Ω/2).
#[test]
fn the_trapezoidal_rule_keeps_everything_but_the_period() {
    let steps = row(40, 1e-3, 1e3);
    for scheme in [made("moreau-jean", &[]), made("newmark", &[]), made("generalized-alpha", &[("rho", 1.0)])]
    {
        let found = of(&*scheme, 0.0, &steps);
        for point in &found.points {
            let Omega = TAU * point.step;
            let period = Omega / (2.0 * (0.5 * Omega).atan()) - 1.0;
            assert!((point.radius - 1.0).abs() < 1e-10, "Ω = {Omega}: {}", point.radius);
            assert!((point.period_error.unwrap() - period).abs() < 1e-9 * (1.0 + period), "Ω = {Omega}");
            assert!(point.damping.unwrap().abs() < 1e-9, "Ω = {Omega}");
        }
        assert_eq!(found.stability, Stability::Always);
    }
}

/// λ = 1/(1 ± iΩ), and with a damper the eigenvalues of (1 − J)⁻¹: λ = 1/(1 + Ω(ξ ± i√(1−ξ²))).
#[test]
fn implicit_euler_damps_as_it_should() {
    for xi in [0.0, 0.1, 0.6] {
        let found = of(&*made("moreau-jean", &[("theta", 1.0)]), xi, &row(30, 1e-3, 1e3));
        for point in &found.points {
            let Omega = TAU * point.step;
            let (re, im) = (1.0 + Omega * xi, Omega * (1.0f64 - xi * xi).sqrt());
            let (modulus, angle) = (1.0 / re.hypot(im), im.atan2(re));
            assert!((point.radius - modulus).abs() < 1e-11, "ξ = {xi}, Ω = {Omega}: {}", point.radius);
            let damping = -modulus.ln() / modulus.ln().hypot(angle);
            assert!((point.damping.unwrap() - damping).abs() < 1e-9, "ξ = {xi}, Ω = {Omega}");
            assert!(
                (point.period_error.unwrap() - (im / angle - 1.0)).abs() < 1e-9 * (1.0 + im),
                "Ω = {Omega}"
            );
        }
        // first order in the damping: ξ̄ − ξ ≈ Ω/2 at ξ = 0
        if xi == 0.0 {
            let first = &found.points[0];
            assert!((first.damping.unwrap() / (0.5 * TAU * first.step) - 1.0).abs() < 1e-3);
        }
    }
}

/// Forces at the beginning: λ = 1 ± iΩ grows at every step; with a damper it is stable for Ω < 2ξ, where
/// |λ|² = 1 − 2ξΩ + Ω².
#[test]
fn explicit_euler_needs_a_damper() {
    let found = of(&*made("moreau-explicit", &[]), 0.0, &row(20, 1e-3, 1.0));
    for point in &found.points {
        assert!((point.radius - (TAU * point.step).hypot(1.0)).abs() < 1e-12 * point.radius);
    }
    assert_eq!(found.stability, Stability::Never);
    let damped = of(&*made("moreau-explicit", &[]), 0.05, &[0.01]);
    let Stability::UpTo(limit) = damped.stability else { panic!("{:?}", damped.stability) };
    // ρ − 1 ≈ ξ (Ω − 2ξ) is seen above 1e-7
    assert!((limit - 0.1).abs() < 1e-5, "{limit}");
}

/// cos Ω̄ = 1 − Ω²/2: no damping, stable for Ω < 2, period too short by Ω²/24; real roots beyond.
fn is_verlet(name: &str) {
    let steps = row(30, 1e-3, 1.0);
    let found = of(&*made(name, &[]), 0.0, &steps);
    let Stability::UpTo(limit) = found.stability else { panic!("{name}: {:?}", found.stability) };
    assert!((limit - 2.0).abs() < 1e-6, "{name}: {limit}");
    assert!(found.stability.to_string().contains("ω dt = 2.0000"), "{}", found.stability);
    for point in &found.points {
        let Omega = TAU * point.step;
        if Omega < 2.0 {
            assert!((point.radius - 1.0).abs() < 1e-9, "{name}, Ω = {Omega}");
            let exact = Omega / (1.0 - 0.5 * Omega * Omega).acos() - 1.0;
            assert!((point.period_error.unwrap() - exact).abs() < 1e-8, "{name}, Ω = {Omega}");
        } else {
            assert!(point.radius > 1.0 && point.period_error.is_none() && point.damping.is_none());
        }
    }
    let first = &found.points[0];
    let leading = -(TAU * first.step).powi(2) / 24.0;
    assert!((first.period_error.unwrap() / leading - 1.0).abs() < 1e-4, "{name}");
    assert!((found.oscillates_up_to.unwrap() - 2.0).abs() < 1e-6, "{name}");
}

#[test]
fn midpoint_rule_is_verlet() {
    is_verlet("moreau-midpoint");
}

/// [Schindler2015]: without contact the trapezoidal rule of both half-explicit schemes is velocity Verlet.
#[test]
fn half_explicit_trapezoidal_rules_are_verlet() {
    is_verlet("half-explicit");
    is_verlet("half-explicit-acceleration");
}

/// Explicit Runge–Kutta methods: λ = R(iΩ), R(z) = 1 + z + z²/2 + … + z^p/p! + c z^{p+1} + …. The half-explicit method of
/// order 3 has three stages, that of order 4 five, with c = b₅ a₅₄ a₄₃ a₃₂ a₂₁ of its published tableau.
#[test]
fn half_explicit_methods_are_runge_kutta_methods() {
    let s = 6f64.sqrt();
    let c = (9.0 - s) / 36.0 * (24.0 + 11.0 * s) / 25.0 * (11.0 - 4.0 * s) / 30.0 * 0.3;
    for (name, order, fourth, fifth) in
        [("half-explicit-3", 3.0, 0.0, 0.0), ("half-explicit-4", 4.0, 1.0 / 24.0, c)]
    {
        let radius = |O: f64| {
            let re = 1.0 - O.powi(2) / 2.0 + fourth * O.powi(4);
            re.hypot(O - O.powi(3) / 6.0 + fifth * O.powi(5))
        };
        let found = of(&*made(name, &[]), 0.0, &row(20, 1e-3, 1.0));
        for point in &found.points {
            let expected = radius(TAU * point.step);
            assert!((point.radius - expected).abs() < 1e-12 * expected, "{name} at {}", point.step);
        }
        // the period is as good as the order: 3 gives an error Ω⁴, 4 also
        assert!((period_order(&*made(name, &[])) - 4.0).abs() < 0.02, "{name}");
        // |R(iΩ)|² = 1 − Ω⁴/12 + Ω⁶/36 for order 3: stable up to √3
        if order == 3.0 {
            let Stability::UpTo(limit) = found.stability else { panic!("{name}: {:?}", found.stability) };
            assert!((limit - 3f64.sqrt()).abs() < 1e-6, "{name}: {limit}");
        }
    }
}

/// Newmark with β below ½γ: stable for Ω < (½γ − β)^(−1/2); linear accelerations √12, central differences 2.
#[test]
fn conditional_stability_of_newmark() {
    for (beta, limit) in [(1.0 / 6.0, 12f64.sqrt()), (1.0 / 12.0, 6f64.sqrt()), (0.0, 2.0)] {
        let p = AlphaParameters { alpha_m: 0.0, alpha_f: 0.0, beta, gamma: 0.5 };
        let found = of(&*alpha(p), 0.0, &[0.01]);
        let Stability::UpTo(ours) = found.stability else { panic!("β = {beta}: {:?}", found.stability) };
        assert!((ours - limit).abs() < 1e-6, "β = {beta}: {ours} instead of {limit}");
    }
}

/// [RezaeiSchindler] (100): stable at every step only for α_m ≤ α_f ≤ 1/2.
#[test]
fn the_stability_region_has_the_printed_border() {
    let stability = |alpha_m: f64, alpha_f: f64| {
        let gamma = 0.5 - alpha_m + alpha_f;
        let beta = 0.25 * (1.0 - alpha_m + alpha_f).powi(2);
        of(&*alpha(AlphaParameters { alpha_m, alpha_f, beta, gamma }), 0.0, &[0.01]).stability
    };
    for (alpha_m, alpha_f) in
        [(-1.0, 0.5), (-1.0, 0.0), (-1.0, -0.5), (0.0, 1.0 / 3.0), (0.49, 0.5), (0.2, 0.21)]
    {
        assert_eq!(stability(alpha_m, alpha_f), Stability::Always, "α_m = {alpha_m}, α_f = {alpha_f}");
    }
    for (alpha_m, alpha_f) in [(-1.0, 0.52), (0.0, 0.51), (0.2, 0.19), (-0.5, -0.52)] {
        assert_ne!(stability(alpha_m, alpha_f), Stability::Always, "α_m = {alpha_m}, α_f = {alpha_f}");
    }
}

/// α_m, α_f, γ, β by name, in every scheme that takes them: eigenvalues of the closed form, ρ_∞ of the high-frequency limit
/// of (96) [RezaeiSchindler], order, and borders that are refused with their range.
#[test]
fn free_parameters() {
    let names = ["generalized-alpha", "generalized-alpha-ggl", "mixed-alpha"];
    for (alpha_m, alpha_f) in [(-1.0, 0.0), (0.0, 0.3), (0.2, 0.4), (0.5, 0.5), (-0.5, -0.5)] {
        let (gamma, beta) = (0.5 - alpha_m + alpha_f, 0.25 * f64::powi(1.0 - alpha_m + alpha_f, 2));
        // Ω → ∞: one root α_f/(1−α_f) of the forces, two (γ−½−1)/(γ+½), since β = ¼ (γ+½)²
        let expected = (alpha_f / (1.0_f64 - alpha_f)).abs().max(((1.5 - gamma) / (gamma + 0.5)).abs());
        let pair = [("alpha_m", alpha_m), ("alpha_f", alpha_f)];
        for name in names {
            let scheme = made(name, &pair);
            let found = of(&*scheme, 0.0, &row(20, 1e-3, 1e2));
            assert_eq!(found.stability, Stability::Always, "{name} {pair:?}");
            // a threefold root is found to the cube root of round-off and of 1/Ω
            let rho = found.radius_at_infinity;
            assert!((rho - expected).abs() < 1e-3, "{name} {pair:?}: {rho} instead of {expected}");
            assert!((period_order(&*scheme) - 2.0).abs() < 0.01, "{name} {pair:?}");
            // written out they are the same scheme
            let all = [("alpha_m", alpha_m), ("alpha_f", alpha_f), ("gamma", gamma), ("beta", beta)];
            let same = of(&*made(name, &all), 0.0, &row(20, 1e-3, 1e2));
            for (a, b) in found.points.iter().zip(&same.points) {
                assert!((a.radius - b.radius).abs() < 1e-12, "{name} {pair:?} at {}", a.step);
            }
        }
    }
    // those of ρ_∞, given by themselves
    let (rho, found) = (0.6, |p: &[(&str, f64)]| of(&*made("generalized-alpha", p), 0.0, &row(9, 1e-2, 1e2)));
    let by_hand = [("alpha_m", (2.0 * rho - 1.0) / (rho + 1.0)), ("alpha_f", rho / (rho + 1.0))];
    for (a, b) in found(&[("rho", rho)]).points.iter().zip(&found(&by_hand).points) {
        assert!((a.radius - b.radius).abs() < 1e-12);
    }
    for name in names {
        for (parameters, words) in [
            (&[("alpha_m", 0.2)][..], &["without `alpha_f`"][..]),
            (&[("alpha_f", 0.2)], &["without `alpha_m`"]),
            (&[("alpha_m", 0.3), ("alpha_f", 0.2)], &["`alpha_m`", "0.3", "at most alpha_f = 0.2"]),
            (&[("alpha_m", 0.2), ("alpha_f", 0.51)], &["`alpha_f`", "between -1 and 0.5"]),
            (
                &[("alpha_m", 0.0), ("alpha_f", 0.3), ("gamma", 0.7)],
                &["`gamma`", "at least 1/2 + alpha_f - alpha_m = 0.8"],
            ),
            (&[("gamma", 1.0), ("beta", 0.4)], &["`beta`", "at least gamma/2 = 0.5"]),
            (&[("alpha_m", f64::NAN), ("alpha_f", 0.1)], &["`alpha_m`", "NaN"]),
        ] {
            let wrong = scheme(name, parameters).expect_err("refused").to_string();
            assert!(words.iter().all(|w| wrong.contains(w)), "{name} {parameters:?}: {wrong}");
        }
    }
    // every refusal above that names a border is right: just outside it some step grows
    for (alpha_m, alpha_f, gamma, beta) in
        [(0.3, 0.2, 0.4, 0.25), (0.2, 0.51, 0.81, 0.43), (0.0, 0.3, 0.7, 0.5), (0.0, 0.0, 1.0, 0.4)]
    {
        let p = AlphaParameters { alpha_m, alpha_f, beta, gamma };
        assert!(p.instability().is_some());
        assert_ne!(of(&*alpha(p), 0.0, &[0.01]).stability, Stability::Always, "{p:?}");
    }
    let wrong = scheme("newmark", &[("gamma", 0.9), ("beta", 0.44)]).expect_err("refused").to_string();
    assert!(wrong.contains("at least gamma/2 = 0.45"), "{wrong}");
    assert!(scheme("newmark", &[("gamma", 0.9), ("beta", 0.45)]).is_ok());
}

/// γ = ½ − α_m + α_f is what makes the family second order; the fully implicit Newmark is not of it.
#[test]
fn orders_of_damping_and_period() {
    for rho in [0.0, 0.5, 0.8] {
        let scheme = made("generalized-alpha", &[("rho", rho)]);
        assert!((period_order(&*scheme) - 2.0).abs() < 0.01, "{rho}");
        let found = of(&*scheme, 0.0, &[2e-3, 4e-3]);
        let damping = |i: usize| found.points[i].damping.unwrap();
        assert!(
            ((damping(1) / damping(0)).log2() - 3.0).abs() < 0.05,
            "{rho}: one order more in the damping"
        );
    }
    let found = of(&*made("newmark-implicit", &[]), 0.0, &[2e-3, 4e-3]);
    let damping = |i: usize| found.points[i].damping.unwrap();
    assert!(((damping(1) / damping(0)).log2() - 1.0).abs() < 0.02, "first order");
}

/// On a free oscillator the fully implicit Newmark is Newmark with γ = 1, reactions or not: (96) again. For Ω → ∞ the root is
/// double, −(3/2 − γ)/(γ + ½) = −⅓, for β = ¼ (γ + ½)².
#[test]
fn the_fully_implicit_newmark_is_newmark_where_nothing_reacts() {
    for beta in [0.5, 0.5625, 0.8] {
        let p = AlphaParameters { alpha_m: 0.0, alpha_f: 0.0, beta, gamma: 1.0 };
        let steps = row(30, 1e-3, 1e2);
        let ours = of(&*made("newmark-implicit", &[("beta", beta)]), 0.0, &steps);
        let family = of(&*alpha(p), 0.0, &steps);
        assert_eq!(ours.stability, Stability::Always, "β = {beta}");
        for (a, b) in ours.points.iter().zip(&family.points) {
            assert!(
                (a.radius - b.radius).abs() < 1e-9,
                "β = {beta} at {}: {} {}",
                a.step,
                a.radius,
                b.radius
            );
        }
    }
    let found = of(&*made("newmark-implicit", &[]), 0.0, &[0.01]);
    assert!((found.radius_at_infinity - 1.0 / 3.0).abs() < 1e-5, "{}", found.radius_at_infinity);
}

/// Whatever is registered has a finite spectrum, is linear on a linear system, and tends to the exact solution.
#[test]
fn every_scheme_has_a_spectrum() {
    for info in SCHEMES {
        for xi in [0.0, 0.05] {
            let scheme = made(info.name, &[]);
            if !scheme.has_spectrum() {
                let wrong = spectrum(&*scheme, xi, &[0.1]).unwrap_err();
                assert!(matches!(wrong, SpectrumError::Memory { .. }), "{}: {wrong}", info.name);
                continue;
            }
            // their velocities are found by a fixed point, which strong damping does not let converge
            if xi > 0.0 && ["verlet", "rattle"].contains(&info.name) {
                continue;
            }
            let found = of(&*scheme, xi, &row(25, 1e-3, 1e2));
            assert!(found.nonlinearity < 1e-8, "{}: {:e}", info.name, found.nonlinearity);
            assert!(!found.radius_at_infinity.is_nan(), "{}", info.name);
            for point in &found.points {
                assert!(point.radius.is_finite(), "{} at {}", info.name, point.step);
                assert!(point.eigenvalues.iter().all(|z| z.is_finite()), "{} at {}", info.name, point.step);
            }
            let first = &found.points[0];
            assert!(first.period_error.unwrap().abs() < 1e-3, "{}: {:?}", info.name, first.period_error);
            // at least first order: |ξ̄ − ξ| below Ω
            assert!(
                (first.damping.unwrap() - xi).abs() < TAU * first.step,
                "{}: {:?}",
                info.name,
                first.damping
            );
        }
    }
}

#[test]
fn the_answer_at_a_step_does_not_depend_on_the_others() {
    for name in ["generalized-alpha", "moreau-midpoint", "newmark-implicit"] {
        let fine = of(&*made(name, &[]), 0.0, &row(200, 1e-3, 1e2));
        for k in [0, 60, 120, 199] {
            let step = fine.points[k].step;
            let alone = of(&*made(name, &[]), 0.0, &[step]);
            assert_eq!(alone.points[0].radius, fine.points[k].radius, "{name}");
            assert_eq!(alone.points[0].period_error, fine.points[k].period_error, "{name} at {step}");
        }
    }
}

#[test]
fn nonsense_is_refused_in_words() {
    let scheme = made("moreau-jean", &[]);
    for (xi, steps) in [(-0.1, vec![0.1]), (1.0, vec![0.1]), (0.0, vec![0.2, 0.1]), (0.0, vec![f64::NAN])] {
        let wrong = spectrum(&*scheme, xi, &steps).unwrap_err();
        assert!(matches!(wrong, SpectrumError::Input { .. }), "{wrong}");
        assert!(wrong.to_string().contains("must be"), "{wrong}");
    }
}
