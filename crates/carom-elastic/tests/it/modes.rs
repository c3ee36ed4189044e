//! Reduced bodies against closed forms, static deflections and the full model.
#![allow(non_snake_case)]

use crate::beam_dense::{full, solve_held};
use carom_elastic::{
    Beam, Choice, Damping, Elastic, ElasticError, FiniteElements, Inertia, Map, Material, Mesh, Modes,
    Origin, Plane, PlaneElement, PointShapes, Properties, Reference, RotaryInertia, Section, Shape, Solid,
    Symmetric, Unit,
};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// E I = ρ A = L = 1, E A = 4e4: bending at ω = (βL)², stretching at multiples of 200 π.
const SECTION: Section =
    Section { modulus: 4e4, area: 1.0, second_moment: 2.5e-5, density: 1.0, height: None };
const REFERENCES: [Reference; 4] =
    [Reference::Clamped, Reference::Pinned, Reference::Articulated, Reference::MeanAxis];

fn beam(elements: usize) -> Arc<dyn FiniteElements> {
    Arc::new(Beam::uniform(1.0, elements, SECTION).unwrap().with_rotary_inertia(RotaryInertia::Rigid))
}

fn block() -> Arc<dyn FiniteElements> {
    let properties =
        Properties { plane: Plane::Stress, thickness: 0.1, young: 1e6, poisson: 0.3, density: 10.0 };
    let mesh = Mesh::block([0.6, 0.2], [6, 2], PlaneElement::Q8, Origin::Corner).unwrap();
    Arc::new(Solid::new(mesh, properties).unwrap())
}

fn modal(elements: &Arc<dyn FiniteElements>, reference: Reference, modes: &Modes) -> Elastic {
    Elastic::modal(elements.clone(), reference, modes, &Damping::None).unwrap()
}

fn nodal(elements: &Arc<dyn FiniteElements>, reference: Reference) -> Elastic {
    Elastic::nodal(elements.clone(), reference, &Damping::None).unwrap()
}

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a} and {b} are {:.1e} apart", (a - b).abs());
}

/// Generalised force of a force (F_x, F_y) and a moment at a point.
fn load(body: &Elastic, at: Material, F: [f64; 3]) -> Vec<f64> {
    let mut f = vec![0.0; body.n()];
    for (k, S, s) in body.point(at).unwrap().columns {
        f[k as usize] = F[0] * S[0] + F[1] * S[1] + F[2] * s;
    }
    f
}

fn deflection(body: &Elastic, f: &[f64]) -> Vec<f64> {
    solve_held(&full(body.stiffness()), f, &[])
}

/// (x, y, rotation) of a point.
fn displaced(body: &Elastic, q: &[f64], at: Material) -> [f64; 3] {
    let mut d = [0.0; 3];
    for (k, S, s) in body.point(at).unwrap().columns {
        let q = q[k as usize];
        d = [d[0] + S[0] * q, d[1] + S[1] * q, d[2] + s * q];
    }
    d
}

/// Bending and stretching of uniform beams: βL from tables, stretching from the wave equation.
#[test]
fn frequencies_are_those_of_the_textbook() {
    let exact = [
        (Reference::Clamped, [1.875104068711961, 4.694091132974175, 7.854757438237613], 0.5),
        // the far end slides along x: stretching with one end fixed
        (Reference::Pinned, [PI, 2.0 * PI, 3.0 * PI], 0.5),
        (Reference::Articulated, [3.926602312047919, 7.068582745628732, 10.210176122813031], 0.5),
        (Reference::MeanAxis, [4.730040744862704, 7.853204624095838, 10.995607838001671], 1.0),
    ];
    for (reference, beta, wave) in exact {
        let body = modal(&beam(32), reference, &Modes::lowest(20));
        let omega: Vec<f64> = body.stiffness().values().iter().map(|w2| w2.sqrt()).collect();
        for (k, beta) in beta.iter().enumerate() {
            // cubic elements of length l: ω is too large by (βl)⁴/1440
            let bound = 1.1 * (beta / 32.0).powi(4) / 1440.0;
            close(omega[k] / (beta * beta), 1.0, bound + 1e-8, &format!("{reference:?}, mode {}", k + 1));
        }
        let stretching = 200.0 * PI * wave;
        let nearest = omega.iter().map(|w| (w / stretching - 1.0).abs()).fold(1.0, f64::min);
        // linear elements: relative error (π/2n)²/6 at most
        assert!(nearest < (PI / 32.0).powi(2) / 20.0, "{reference:?}: {nearest}");
        let hertz = body.frequencies(3).unwrap();
        close(hertz[0] * TAU / omega[0], 1.0, 1e-12, "hertz");
    }
}

/// The free disk: breathing has λ J_0(λ) = (1−ν) J_1(λ), λ = ω R (ρ(1−ν²)/E)^½; the modes with waves around the rim
/// come in pairs.
#[test]
fn free_disk_breathes_at_the_root_of_bessel_functions() {
    let (nu, R) = (0.3, 0.1);
    let properties =
        Properties { plane: Plane::Stress, thickness: 1.0, young: 2e6, poisson: nu, density: 10.0 };
    let disk: Arc<dyn FiniteElements> =
        Arc::new(Solid::new(Mesh::disk(R, 6, PlaneElement::T6).unwrap(), properties).unwrap());
    let body = modal(&disk, Reference::MeanAxis, &Modes::lowest(6));
    let scale = R * (10.0 * (1.0 - nu * nu) / 2e6).sqrt();
    let lambda: Vec<f64> = body.stiffness().values().iter().map(|w2| w2.sqrt() * scale).collect();

    let bessel = |order: i32, x: f64| -> f64 {
        let mut term = (0.5 * x).powi(order);
        let mut sum = 0.0;
        for k in 1..40 {
            sum += term;
            term *= -0.25 * x * x / (f64::from(k) * f64::from(k + order));
        }
        sum
    };
    let (mut low, mut high) = (1.5, 2.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let above = middle * bessel(0, middle) > (1.0 - nu) * bessel(1, middle);
        if above { low = middle } else { high = middle }
    }
    close(lambda[4] / low, 1.0, 5e-4, "breathing");
    close(lambda[0] / lambda[1], 1.0, 1e-9, "two waves, turned by 45 degrees");
    close(lambda[2] / lambda[3], 1.0, 1e-9, "one wave, turned by 90 degrees");
    // breathing moves the rim equally in all directions
    let mut q = vec![0.0; 6];
    q[4] = 1.0;
    let radial = |x: f64, y: f64| {
        let d = displaced(&body, &q, Material::At([x * R, y * R]));
        d[0] * x + d[1] * y
    };
    for (x, y) in [(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
        close(radial(x, y) / radial(1.0, 0.0), 1.0, 1e-2, "breathing rim");
    }
}

/// Mass-normalised shapes that diagonalise K, computed again from all nodal coordinates.
#[test]
fn shapes_are_orthonormal() {
    let node = |node| Material::Node(node);
    for (elements, interface) in [(beam(6), vec![node(3), node(6)]), (block(), vec![node(3), node(30)])] {
        let (K, M) = (elements.stiffness(), elements.inertia().M);
        for reference in REFERENCES {
            let plain = Modes::lowest(7);
            let corrected = Modes { correction: vec![node(6)], ..Modes::lowest(4) };
            let attached = Modes::craig_bampton(interface.clone(), Choice::Lowest(3));
            let both = Modes { correction: vec![node(5)], ..attached.clone() };
            for modes in [plain, corrected, attached, both] {
                let body = modal(&elements, reference, &modes);
                let Map::Dense { columns } = body.map() else { panic!("modes are columns") };
                let top = body.stiffness().values().iter().fold(0.0f64, |a, &b| a.max(b));
                assert_eq!(body.stiffness().at().len(), body.n(), "K is diagonal");
                for (j, a) in columns.iter().enumerate() {
                    for (k, b) in columns.iter().enumerate() {
                        let same = f64::from(u8::from(j == k));
                        let what = format!("{reference:?} {modes:?} {j} {k}");
                        close(M.form(a, b), same, 1e-9, &what);
                        close(K.form(a, b) / top, same * body.stiffness().values()[j] / top, 1e-9, &what);
                    }
                }
            }
        }
    }
}

/// What each reference condition promises: no momentum under means, nothing at what is held.
#[test]
fn reference_conditions_hold() {
    for elements in [beam(5), block()] {
        let body_of = |reference, modal_body: bool| {
            if modal_body {
                modal(&elements, reference, &Modes::lowest(8))
            } else {
                nodal(&elements, reference)
            }
        };
        for modal_body in [false, true] {
            let mean = body_of(Reference::MeanAxis, modal_body);
            let rim = mean.inertia().second.sqrt() * mean.inertia().mass.sqrt();
            for k in 0..mean.n() {
                let size = mean.inertia().M.form(&unit(mean.n(), k), &unit(mean.n(), k)).sqrt();
                let S = mean.inertia().S[k];
                let linear = S[0].hypot(S[1]) / (size * mean.inertia().mass.sqrt());
                let angular = mean.inertia().across[k].abs() / (size * rim / mean.inertia().mass.sqrt());
                assert!(linear < 1e-11 && angular < 1e-11, "mode {k}: momentum {linear:.1e} {angular:.1e}");
            }
            // the beam's pin is the origin; that of the block its lower left corner, the origin too
            let hinged = body_of(Reference::Articulated, modal_body);
            for k in 0..hinged.n() {
                let size = hinged.inertia().M.form(&unit(hinged.n(), k), &unit(hinged.n(), k)).sqrt();
                let angular = hinged.inertia().across[k].abs() / (size * hinged.inertia().second.sqrt());
                assert!(angular < 1e-11, "coordinate {k}: angular momentum {angular:.1e}");
            }
            for reference in [Reference::Clamped, Reference::Pinned, Reference::Articulated] {
                let body = body_of(reference, modal_body);
                let mut all = vec![0.0; elements.dofs()];
                for k in 0..body.n() {
                    body.nodal_coordinates(&unit(body.n(), k), &mut all);
                    assert!(elements.held(reference).unwrap().iter().all(|&i| all[i] == 0.0));
                }
            }
        }
    }
}

fn unit(n: usize, k: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i == k))).collect()
}

/// All modes are the full model in other coordinates: same frequencies, same flexibility anywhere, same turning.
#[test]
fn all_modes_are_the_full_model() {
    for elements in [beam(4), block()] {
        for reference in REFERENCES {
            let (fine, reduced) =
                (nodal(&elements, reference), modal(&elements, reference, &Modes::eigenmodes(Choice::All)));
            assert_eq!(fine.n(), reduced.n());
            let (a, b) = (fine.frequencies(usize::MAX).unwrap(), reduced.frequencies(usize::MAX).unwrap());
            a.iter().zip(&b).for_each(|(a, b)| close(a / b, 1.0, 1e-8, "frequency"));
            let at = Material::At(if elements.nodes().len() < 10 { [0.77, 0.0] } else { [0.37, 0.11] });
            let F = [0.3, 0.7, 0.1];
            let deflected = |body: &Elastic| displaced(body, &deflection(body, &load(body, at, F)), at);
            let (a, b) = (deflected(&fine), deflected(&reduced));
            let size = a.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            a.iter()
                .zip(&b)
                .for_each(|(a, b)| close(*a, *b, 1e-8 * size, &format!("{reference:?} deflection")));
            // B: the turning of one deflection against another
            let turning = |body: &Elastic| {
                let (p, q) = (
                    deflection(body, &load(body, at, F)),
                    deflection(body, &load(body, at, [0.5, -0.2, 0.0])),
                );
                let mut Bq = vec![0.0; q.len()];
                body.inertia().B.add_product(1.0, &q, &mut Bq);
                p.iter().zip(&Bq).map(|(p, b)| p * b).sum::<f64>()
            };
            close(turning(&fine) / turning(&reduced), 1.0, 1e-6, &format!("{reference:?} turning"));
        }
    }
}

/// Mass, first and second moment are not reduced.
#[test]
fn rigid_inertia_is_exact() {
    for elements in [beam(4), block()] {
        let exact = elements.inertia();
        for reference in REFERENCES {
            for body in [nodal(&elements, reference), modal(&elements, reference, &Modes::lowest(2))] {
                let Inertia { mass, first, second, .. } = *body.inertia();
                assert_eq!((mass, first, second), (exact.mass, exact.first, exact.second));
            }
        }
    }
}

/// Forces at the interface, at nodes or between them, deflect a Craig–Bampton body as they deflect the full one.
#[test]
fn craig_bampton_is_statically_exact_at_its_interface() {
    let points = [Material::Node(3), Material::At([0.71, 0.0])];
    for reference in [Reference::Clamped, Reference::Pinned] {
        let elements = beam(5);
        let fine = nodal(&elements, reference);
        for orthonormal in [true, false] {
            let modes = Modes { orthonormal, ..Modes::craig_bampton(points.to_vec(), Choice::Lowest(1)) };
            let body = modal(&elements, reference, &modes);
            assert_eq!(body.n(), 7);
            for loaded in points {
                for F in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                    let (p, q) = (
                        deflection(&fine, &load(&fine, loaded, F)),
                        deflection(&body, &load(&body, loaded, F)),
                    );
                    for seen in points {
                        let (a, b) = (displaced(&fine, &p, seen), displaced(&body, &q, seen));
                        let size = p.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                        a.iter()
                            .zip(b)
                            .for_each(|(a, b)| close(*a, b, 1e-9 * size, &format!("{reference:?} {F:?}")));
                    }
                }
            }
        }
    }
}

/// On the mean axis, loads that balance: a pull of F stretches by FL/EA, a pair of moments turns the ends by ML/EI.
#[test]
fn craig_bampton_on_the_mean_axis_carries_balanced_loads() {
    let ends = [Material::Node(0), Material::Node(5)];
    for reference in [Reference::MeanAxis, Reference::Articulated] {
        let body = modal(&beam(5), reference, &Modes::craig_bampton(ends.to_vec(), Choice::Lowest(2)));
        // six constraint modes hold three rigid motions; articulated, the pinned end has its rotation only
        assert_eq!(body.n(), 3 + 2);
        for (F, along) in [([1.0, 0.0, 0.0], 1.0 / 4e4), ([0.0, 0.0, 1.0], 1.0)] {
            let pair: Vec<f64> = load(&body, ends[1], F)
                .iter()
                .zip(load(&body, ends[0], F.map(|F| -F)))
                .map(|(a, b)| a + b)
                .collect();
            let q = deflection(&body, &pair);
            let (a, b) = (displaced(&body, &q, ends[0]), displaced(&body, &q, ends[1]));
            let opened: f64 = (0..3).map(|i| F[i] * (b[i] - a[i])).sum();
            close(opened / along, 1.0, 1e-8, &format!("{reference:?} {F:?}"));
        }
    }
}

/// An interface that does not hold the body: one node of a block, which can turn about it.
#[test]
fn interface_of_one_node_leaves_the_turning_to_the_modes() {
    let body = modal(
        &block(),
        Reference::MeanAxis,
        &Modes::craig_bampton(vec![Material::Node(0)], Choice::Lowest(4)),
    );
    // no load at one node balances: only fixed-interface modes remain, which deform
    assert_eq!(body.n(), 4);
    assert!(body.frequencies(1).unwrap()[0] > 1.0);
}

/// Without the final combination, the first coordinates are the displacements of the interface points.
#[test]
fn interface_coordinates_are_displacements() {
    let points = vec![Material::At([0.33, 0.0]), Material::Node(4)];
    let modes = Modes { orthonormal: false, ..Modes::craig_bampton(points.clone(), Choice::Lowest(2)) };
    let body = modal(&beam(4), Reference::Clamped, &modes);
    assert_eq!(body.n(), 8);
    for k in 0..8 {
        let q = unit(8, k);
        for (p, &at) in points.iter().enumerate() {
            let d = displaced(&body, &q, at);
            (0..3)
                .for_each(|axis| close(d[axis], f64::from(u8::from(k == 3 * p + axis)), 1e-9, &body.name(k)));
        }
    }
    assert_eq!(
        (body.name(1), body.name(5), body.name(6)),
        ("interface 0.y".into(), "interface 1.angle".into(), "mode 1".into())
    );
    assert_eq!((body.unit(1), body.unit(5), body.unit(6)), (Unit::Length, Unit::Angle, Unit::Amplitude));
    // M and K are full, and give the frequencies of the orthonormal body
    let same = modal(&beam(4), Reference::Clamped, &Modes { orthonormal: true, ..modes });
    let (a, b) = (body.frequencies(8).unwrap(), same.frequencies(8).unwrap());
    a.iter().zip(b).for_each(|(a, b)| close(a / b, 1.0, 1e-8, "frequency"));
}

/// More fixed-interface modes bring every frequency down to that of the full model.
#[test]
fn craig_bampton_converges_from_above() {
    let elements = beam(12);
    let tip = vec![Material::Node(12)];
    let fine = nodal(&elements, Reference::Clamped).frequencies(4).unwrap();
    let mut before = [f64::INFINITY; 4];
    for count in [2, 4, 8, 16, 33] {
        let body =
            modal(&elements, Reference::Clamped, &Modes::craig_bampton(tip.clone(), Choice::Lowest(count)));
        let now = body.frequencies(4).unwrap();
        for k in 0..4 {
            assert!(now[k] <= before[k] * (1.0 + 1e-9) && now[k] >= fine[k] * (1.0 - 1e-9), "{count} {k}");
            before[k] = now[k];
        }
    }
    before.iter().zip(&fine).for_each(|(a, b)| close(a / b, 1.0, 1e-8, "all modes"));
}

/// A tip force bends a cantilever by FL³/3EI: two modes miss some of it, the correction adds what is missing.
#[test]
fn static_correction_makes_the_deflection_exact() {
    let tip = Material::Node(8);
    let sag = |modes: &Modes| {
        let body = modal(&beam(8), Reference::Clamped, modes);
        let q = deflection(&body, &load(&body, tip, [0.0, 1.0, 0.0]));
        displaced(&body, &q, tip)[1]
    };
    let exact = 1.0 / 3.0;
    assert!(sag(&Modes::lowest(2)) < exact * 0.999);
    close(sag(&Modes { correction: vec![tip], ..Modes::lowest(2) }) / exact, 1.0, 1e-9, "corrected");
    // with all modes there is nothing to correct
    let all = Modes { correction: vec![tip], ..Modes::eigenmodes(Choice::All) };
    assert_eq!(modal(&beam(8), Reference::Clamped, &all).n(), 24);
    // the kept modes stay what they are
    let corrected = modal(&beam(8), Reference::Clamped, &Modes { correction: vec![tip], ..Modes::lowest(2) });
    let plain = modal(&beam(8), Reference::Clamped, &Modes::lowest(2));
    assert_eq!(corrected.stiffness().values()[..2], plain.stiffness().values()[..2]);
    assert_eq!(corrected.shapes()[2], Shape::Correction { number: 1 });
}

/// [RezaeiSchindler] §4.5: 52 modes of the rod of twenty elements are below 1e7 Hz.
#[test]
fn modes_are_chosen_by_number_and_by_frequency() {
    let (l, m, J, rho) = (0.306f64, 0.038, 5.9e-4, 7800.0);
    let D = (12.0 * J / m - l * l).sqrt();
    let section = Section::rectangle(2e11, rho, D, m / (rho * l * D));
    let rod: Arc<dyn FiniteElements> = Arc::new(Beam::uniform(l, 20, section).unwrap());
    let below = modal(&rod, Reference::Clamped, &Modes::eigenmodes(Choice::Below(1e7)));
    assert_eq!(below.n(), 52);
    assert!(below.frequencies(52).unwrap()[51] < 1e7);

    let all = modal(&rod, Reference::MeanAxis, &Modes::lowest(9));
    let some = modal(&rod, Reference::MeanAxis, &Modes::eigenmodes(Choice::Numbers(vec![7, 2, 9])));
    for (k, number) in [2, 7, 9].into_iter().enumerate() {
        assert_eq!(some.shapes()[k], Shape::Mode { number });
        close(some.stiffness().values()[k] / all.stiffness().values()[number - 1], 1.0, 1e-10, "ω²");
    }
}

/// Points and outputs over q_f are those over the nodal coordinates that q_f stands for.
#[test]
fn points_and_outputs_follow_the_nodal_coordinates() {
    let elements = beam(4);
    let bodies =
        REFERENCES.into_iter().flat_map(|r| [nodal(&elements, r), modal(&elements, r, &Modes::lowest(5))]);
    for body in bodies {
        let q: Vec<f64> = (0..body.n()).map(|k| (1.0 + k as f64).sin()).collect();
        let mut all = vec![0.0; elements.dofs()];
        body.nodal_coordinates(&q, &mut all);
        for at in [Material::At([0.6, 0.0]), Material::Node(4), Material::Node(0)] {
            let PointShapes { u_0, columns } = elements.point(at).unwrap();
            assert_eq!(body.point(at).unwrap().u_0, u_0);
            let mut direct = [0.0; 3];
            for (i, S, s) in columns {
                let q = all[i as usize];
                direct = [direct[0] + S[0] * q, direct[1] + S[1] * q, direct[2] + s * q];
            }
            let reduced = displaced(&body, &q, at);
            (0..3).for_each(|i| close(direct[i], reduced[i], 1e-12 * (1.0 + direct[i].abs()), "point"));
        }
        let (there, here) = (elements.outputs(), body.outputs());
        assert!(!there.is_empty() && there.len() == here.len());
        for (there, here) in there.iter().zip(&here) {
            let sum =
                |row: &[(u32, f64)], q: &[f64]| row.iter().map(|&(i, a)| a * q[i as usize]).sum::<f64>();
            let (a, b) = (sum(&there.row, &all), sum(&here.row, &q));
            let size: f64 = there.row.iter().map(|&(i, a)| (a * all[i as usize]).abs()).sum();
            close(a, b, 1e-11 * size, &there.name);
        }
    }
}

/// Ratios of critical damping mean the same in nodal and in modal coordinates: φᵀDφ = 2ζω.
#[test]
fn damping_is_what_was_asked_for() {
    let elements = beam(4);
    for reference in [Reference::Clamped, Reference::MeanAxis] {
        let all = modal(&elements, reference, &Modes::eigenmodes(Choice::All));
        let n = all.n();
        let ratios: Vec<f64> = (0..n).map(|k| 0.01 + 0.002 * k as f64).collect();
        for damping in [Damping::Ratios(vec![0.03]), Damping::Ratios(ratios.clone())] {
            let ratio = |k: usize| if damping == Damping::Ratios(vec![0.03]) { 0.03 } else { ratios[k] };
            let body = Elastic::modal(elements.clone(), reference, &Modes::eigenmodes(Choice::All), &damping)
                .unwrap();
            let fine = Elastic::nodal(elements.clone(), reference, &damping).unwrap();
            let modes = carom_elastic::slowest(fine.stiffness(), &fine.inertia().M, &[], n).unwrap();
            for k in 0..n {
                let wanted = 2.0 * ratio(k) * modes.omega2[k].sqrt();
                close(body.damping().form(&unit(n, k), &unit(n, k)) / wanted, 1.0, 1e-8, "modal");
                close(fine.damping().form(&modes.phi[k], &modes.phi[k]) / wanted, 1.0, 1e-6, "nodal");
            }
        }
        let rayleigh = Damping::Rayleigh { mass: 0.7, stiffness: 1e-4 };
        let fine = Elastic::nodal(elements.clone(), reference, &rayleigh).unwrap();
        let q: Vec<f64> = (0..n).map(|k| (0.3 * k as f64).cos()).collect();
        let sum = 0.7 * fine.inertia().M.form(&q, &q) + 1e-4 * fine.stiffness().form(&q, &q);
        close(fine.damping().form(&q, &q) / sum, 1.0, 1e-12, "Rayleigh");
    }
}

/// A beam that claims to be clamped, but holds too little.
#[derive(Debug)]
struct Slack(Beam);

impl FiniteElements for Slack {
    fn dofs(&self) -> usize {
        self.0.dofs()
    }
    fn unit(&self, i: usize) -> Unit {
        self.0.unit(i)
    }
    fn dof_name(&self, i: usize) -> String {
        self.0.dof_name(i)
    }
    fn inertia(&self) -> Inertia {
        self.0.inertia()
    }
    fn stiffness(&self) -> Symmetric {
        self.0.stiffness()
    }
    fn point(&self, at: Material) -> Result<PointShapes, ElasticError> {
        self.0.point(at)
    }
    fn nodes(&self) -> &[[f64; 2]] {
        self.0.nodes()
    }
    fn outline(&self) -> Vec<Vec<usize>> {
        self.0.outline()
    }
    fn held(&self, _: Reference) -> Result<Vec<usize>, ElasticError> {
        // u of both ends and w of the first: it can turn
        Ok(vec![0, 1, self.0.dofs() - 3])
    }
}

#[test]
fn what_cannot_be_is_said() {
    let with = |reference, modes: &Modes, damping: &Damping| {
        Elastic::modal(beam(2), reference, modes, damping)
            .map(|body| body.n())
            .map_err(|error| error.to_string())
    };
    let say = |modes: Modes| with(Reference::Clamped, &modes, &Damping::None).unwrap_err();
    assert_eq!(with(Reference::Clamped, &Modes::lowest(6), &Damping::None), Ok(6));
    for (words, modes) in [
        ("7 modes are asked for, but the body has only 6", Modes::lowest(7)),
        ("mode 9 is chosen, but the body has only 6", Modes::eigenmodes(Choice::Numbers(vec![1, 9]))),
        ("there is no mode 0", Modes::eigenmodes(Choice::Numbers(vec![0, 1]))),
        ("mode 2 is chosen twice", Modes::eigenmodes(Choice::Numbers(vec![2, 1, 2]))),
        ("no mode is chosen", Modes::lowest(0)),
        ("no mode of the body is slower than 0.001 Hz", Modes::eigenmodes(Choice::Below(1e-3))),
        ("must be greater than zero", Modes::eigenmodes(Choice::Below(-1.0))),
        ("there is no node 7", Modes::craig_bampton(vec![Material::Node(7)], Choice::Lowest(1))),
        (
            "all held by the reference condition",
            Modes::craig_bampton(vec![Material::Node(0)], Choice::Lowest(1)),
        ),
        (
            "4 modes are asked for, but the body has only 3",
            Modes::craig_bampton(vec![Material::Node(2)], Choice::Lowest(4)),
        ),
    ] {
        let said = say(modes);
        assert!(said.contains(words), "{said}");
    }
    // mean axis: nine coordinates, three rigid motions
    let said = with(Reference::MeanAxis, &Modes::lowest(7), &Damping::None).unwrap_err();
    assert!(said.contains("only 6"), "{said}");
    let raw =
        Modes { orthonormal: false, ..Modes::craig_bampton(vec![Material::Node(2)], Choice::Lowest(1)) };
    let said = with(Reference::MeanAxis, &raw, &Damping::None).unwrap_err();
    assert!(said.contains("orthonormal"), "{said}");
    for (words, damping) in [
        ("zero or greater", Damping::Rayleigh { mass: -1.0, stiffness: 0.0 }),
        ("zero or greater", Damping::Ratios(vec![f64::NAN])),
        ("2 damping ratios are given for 3 modes", Damping::Ratios(vec![0.1, 0.2])),
    ] {
        let said = with(Reference::Clamped, &Modes::lowest(3), &damping).unwrap_err();
        assert!(said.contains(words), "{said}");
    }
    let slack: Arc<dyn FiniteElements> = Arc::new(Slack(Beam::uniform(1.0, 3, SECTION).unwrap()));
    for reference in [Reference::Clamped, Reference::Pinned] {
        let said = Elastic::nodal(slack.clone(), reference, &Damping::None).unwrap_err().to_string();
        assert!(said.contains("leaves the body free to move rigidly"), "{said}");
    }
    // with the turning taken away by its mean, it is held
    assert!(Elastic::nodal(slack, Reference::Articulated, &Damping::None).is_ok());
}
