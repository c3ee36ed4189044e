//! Plane elements against constant strain, rigid formulas, beam theory and the wave equation.
#![allow(non_snake_case)]

use crate::beam_dense::{eigenvalues, free, full, slope, solve_held};
use carom_elastic::{
    FiniteElements, Material, Mesh, Origin, Plane, PlaneElement, Properties, Reference, Row, Solid, Symmetric,
};

const STEEL: Properties =
    Properties { plane: Plane::Stress, thickness: 0.02, young: 2.1e11, poisson: 0.3, density: 7800.0 };
/// Size of the block whose inside is distorted.
const SIZE: [f64; 2] = [1.2, 0.7];

/// A block whose nodes inside are moved, so that no two elements are alike and sides inside are curved.
fn distorted(kind: PlaneElement, properties: Properties) -> Solid {
    let mut mesh = Mesh::block(SIZE, [3, 3], kind, Origin::Corner).unwrap();
    let size = if kind.quadratic() { 0.02 } else { 0.06 };
    for (i, x) in mesh.nodes.iter_mut().enumerate() {
        let inside = (0..2).all(|c| x[c] > 1e-9 && x[c] < SIZE[c] - 1e-9);
        if inside {
            let phase = 2.4 * i as f64;
            *x = [x[0] + size * phase.sin(), x[1] + size * (1.3 * phase).cos()];
        }
    }
    Solid::new(mesh, properties).unwrap()
}

/// Nodal coordinates of a field.
fn nodal(solid: &Solid, field: impl Fn([f64; 2]) -> [f64; 2]) -> Vec<f64> {
    solid.nodes().iter().flat_map(|&x| field(x)).collect()
}

fn linear(G: [[f64; 2]; 2]) -> impl Fn([f64; 2]) -> [f64; 2] {
    move |x| [0, 1].map(|c| G[c][0] * x[0] + G[c][1] * x[1])
}

fn times(A: &Symmetric, q: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; q.len()];
    A.add_product(1.0, q, &mut out);
    out
}

fn value(row: &Row, q: &[f64]) -> f64 {
    row.iter().map(|&(k, a)| a * q[k as usize]).sum()
}

fn planes() -> [Properties; 2] {
    [STEEL, Properties { plane: Plane::Strain, ..STEEL }]
}

/// Hooke's law written out: strains from stresses, so that the code's matrix is checked by its inverse.
fn strain_of(stress: [f64; 3], p: &Properties) -> [f64; 3] {
    let [sx, sy, txy] = stress;
    // across the thickness σ_z = 0, or ε_z = 0 and so σ_z = ν (σ_x + σ_y)
    let sz = if p.plane == Plane::Strain { p.poisson * (sx + sy) } else { 0.0 };
    let G = p.young / (2.0 * (1.0 + p.poisson));
    [(sx - p.poisson * (sy + sz)) / p.young, (sy - p.poisson * (sx + sz)) / p.young, txy / G]
}

#[test]
fn constant_stress_is_exact_in_distorted_meshes() {
    for kind in PlaneElement::ALL {
        for properties in planes() {
            let solid = distorted(kind, properties);
            let K = solid.stiffness();
            for stress in [[1e8, 0.0, 0.0], [0.0, 1e8, 0.0], [0.0, 0.0, 1e8], [5e7, -3e7, 4e7]] {
                let e = strain_of(stress, &properties);
                // any rotation on top of it: ω = 2e-4
                let q = nodal(&solid, linear([[e[0], 0.5 * e[2] - 2e-4], [0.5 * e[2] + 2e-4, e[1]]]));
                let force = times(&K, &q);
                // boundary forces are σ n t times a share of the edge
                let scale = 1e8 * properties.thickness * SIZE[0];
                for (i, x) in solid.nodes().iter().enumerate() {
                    let inside = (0..2).all(|c| x[c] > 1e-9 && x[c] < SIZE[c] - 1e-9);
                    if inside {
                        let f = force[2 * i].hypot(force[2 * i + 1]);
                        assert!(f < 1e-11 * scale, "{kind:?} {:?}: {f} at node {i}", properties.plane);
                    }
                }
                let energy = 0.5 * K.form(&q, &q);
                let volume = SIZE[0] * SIZE[1] * properties.thickness;
                let exact = 0.5 * volume * (0..3).map(|c| stress[c] * e[c]).sum::<f64>();
                assert!((energy / exact - 1.0).abs() < 1e-11, "{kind:?}: energy {energy}, {exact}");
                for at in [Material::At([0.31, 0.22]), Material::At([0.9, 0.5]), Material::Node(5)] {
                    for (row, exact) in solid.stress_at(at).unwrap().iter().zip(stress) {
                        let got = value(row, &q);
                        assert!((got - exact).abs() < 1e-11 * 1e8 * 100.0, "{kind:?} {at:?}: {got}, {exact}");
                    }
                }
            }
        }
    }
}

#[test]
fn rigid_motions_strain_nothing_and_nothing_else_does() {
    for kind in PlaneElement::ALL {
        for properties in planes() {
            let solid = distorted(kind, properties);
            let K = full(&solid.stiffness());
            let lambda = eigenvalues(
                &K,
                &full(&Symmetric::from_triplets(solid.dofs(), (0..solid.dofs()).map(|i| (i, i, 1.0)))),
            );
            let most = lambda[lambda.len() - 1];
            assert!(lambda[..3].iter().all(|l| l.abs() < 1e-12 * most), "{kind:?} {:?}", &lambda[..4]);
            assert!(lambda[3] > 1e-5 * most, "{kind:?} {:?}", &lambda[..5]);
            for motion in [|_| [1.0, 0.0], |_| [0.0, 1.0], |x: [f64; 2]| [-x[1], x[0]]] {
                let q = nodal(&solid, motion);
                let f = times(&solid.stiffness(), &q);
                assert!(f.iter().all(|f| f.abs() < 1e-12 * most), "{kind:?}");
            }
        }
    }
}

#[test]
fn reference_conditions_hold_the_body_without_stress() {
    for kind in PlaneElement::ALL {
        let solid = distorted(kind, STEEL);
        let K = full(&solid.stiffness());
        let M = full(&solid.inertia().M);
        for reference in [Reference::Clamped, Reference::Pinned] {
            let held = solid.held(reference).unwrap();
            assert_eq!(held.len(), 3);
            let lambda = eigenvalues(&free(&K, &held), &free(&M, &held));
            assert!(lambda[0] > 1e-5 * lambda[lambda.len() - 1], "{kind:?} {reference:?} {}", lambda[0]);
        }
        assert!(solid.held(Reference::MeanAxis).unwrap().is_empty());
    }
    // the choice of the first published block: node at the origin, and y at the other end of the lower side
    let block = Mesh::block([2.0, 1.0], [1, 1], PlaneElement::Q4, Origin::Corner).unwrap();
    let block = Solid::new(block, STEEL).unwrap();
    assert_eq!(block.held(Reference::Pinned).unwrap(), [0, 1, 3]);
    assert_eq!(block.held(Reference::Clamped).unwrap(), [0, 1, 4]);
    let welded = block.clamped_at("right").unwrap();
    assert_eq!(welded.held(Reference::Clamped).unwrap(), [2, 3, 6, 7]);
}

/// ∫ over the block of ρ t (x², y², xy), (x, y), 1.
struct Moments {
    mass: f64,
    x: [f64; 2],
    xx: [[f64; 2]; 2],
}

fn moments() -> Moments {
    let [l, h] = SIZE;
    let mass = STEEL.density * STEEL.thickness * l * h;
    let xy = mass * l * h / 4.0;
    Moments {
        mass,
        x: [mass * l / 2.0, mass * h / 2.0],
        xx: [[mass * l * l / 3.0, xy], [xy, mass * h * h / 3.0]],
    }
}

#[test]
fn shape_integrals_of_linear_fields_are_the_moments_of_the_block() {
    let Moments { mass, x, xx } = moments();
    // ∫ρ (G x)·(H x)
    let product = |G: [[f64; 2]; 2], H: [[f64; 2]; 2]| -> f64 {
        let mut sum = 0.0;
        for c in 0..2 {
            for a in 0..2 {
                for b in 0..2 {
                    sum += G[c][a] * H[c][b] * xx[a][b];
                }
            }
        }
        sum
    };
    let turned = |G: [[f64; 2]; 2]| [G[1].map(|x| -x), G[0]];
    let (G, H, one) = ([[0.3, -1.1], [0.7, 0.4]], [[-0.8, 0.2], [1.3, 0.9]], [[1.0, 0.0], [0.0, 1.0]]);
    let dot = |row: &[f64], q: &[f64]| row.iter().zip(q).map(|(a, b)| a * b).sum::<f64>();
    for kind in PlaneElement::ALL {
        let solid = distorted(kind, STEEL);
        let inertia = solid.inertia();
        let (q, p) = (nodal(&solid, linear(G)), nodal(&solid, linear(H)));
        let mut Bq = vec![0.0; q.len()];
        inertia.B.add_product(1.0, &p, &mut Bq);
        let S = [0, 1].map(|c| dot(&inertia.S.iter().map(|s| s[c]).collect::<Vec<_>>(), &q));
        let pairs = [
            (inertia.mass, mass),
            (inertia.first[0], x[0]),
            (inertia.first[1], x[1]),
            (inertia.second, product(one, one)),
            (S[0], G[0][0] * x[0] + G[0][1] * x[1]),
            (S[1], G[1][0] * x[0] + G[1][1] * x[1]),
            (dot(&inertia.along, &q), product(one, G)),
            (dot(&inertia.across, &q), product(turned(one), G)),
            (inertia.M.form(&q, &p), product(G, H)),
            (dot(&q, &Bq), product(turned(G), H)),
        ];
        for (i, (got, exact)) in pairs.into_iter().enumerate() {
            assert!((got - exact).abs() < 1e-13 * mass, "{kind:?} integral {i}: {got}, {exact}");
        }
    }
}

/// Quadratic fields are in the second-order elements with straight sides: ∫ρ u·u is a moment of fourth order.
#[test]
fn mass_of_second_order_elements_is_exact_for_quadratic_fields() {
    for kind in [PlaneElement::T6, PlaneElement::Q8] {
        let solid = Solid::new(Mesh::block(SIZE, [2, 3], kind, Origin::Corner).unwrap(), STEEL).unwrap();
        let q = nodal(&solid, |[x, y]| [x * x, x * y]);
        let [l, h] = SIZE;
        let per_area = STEEL.density * STEEL.thickness;
        let exact = per_area * (l.powi(5) / 5.0 * h + l.powi(3) / 3.0 * h.powi(3) / 3.0);
        let got = solid.inertia().M.form(&q, &q);
        assert!((got / exact - 1.0).abs() < 1e-13, "{kind:?}: {got}, {exact}");
    }
}

#[test]
fn points_follow_linear_fields_and_their_rotation() {
    let G = [[0.3, -1.1], [0.7, 0.4]];
    for kind in PlaneElement::ALL {
        let solid = distorted(kind, STEEL);
        let q = nodal(&solid, linear(G));
        let check = |at: Material, x: [f64; 2]| {
            let point = solid.point(at).unwrap();
            assert_eq!(point.u_0, x);
            assert!(point.columns.windows(2).all(|w| w[0].0 < w[1].0), "sorted, each once");
            let (mut u, mut turn) = ([0.0; 2], 0.0);
            for &(k, s, r) in &point.columns {
                let q = q[k as usize];
                u = [u[0] + s[0] * q, u[1] + s[1] * q];
                turn += r * q;
            }
            let exact = linear(G)(x);
            assert!((u[0] - exact[0]).hypot(u[1] - exact[1]) < 1e-13, "{kind:?} {at:?}: {u:?}, {exact:?}");
            assert!((turn - 0.5 * (G[1][0] - G[0][1])).abs() < 1e-11, "{kind:?} {at:?}: {turn}");
        };
        for i in 0..200 {
            // inside, on the sides, in the corners
            let s = |phase: f64| (0.5 + 0.6 * (phase * f64::from(i)).sin()).clamp(0.0, 1.0);
            let x = [SIZE[0] * s(1.7), SIZE[1] * s(2.9)];
            check(Material::At(x), x);
        }
        for (i, &x) in solid.nodes().iter().enumerate() {
            check(Material::Node(i), x);
            check(Material::At(x), x);
        }
    }
}

/// Force of a shear of resultant P spread evenly over the right side.
fn end_shear(solid: &Solid, P: f64) -> Vec<f64> {
    let (_, right) = solid.boundaries().into_iter().find(|(name, _)| name == "right").unwrap();
    let mut f = vec![0.0; solid.dofs()];
    let nodes = solid.nodes();
    let (first, last) = (nodes[right[0]], nodes[right[right.len() - 1]]);
    let height = last[1] - first[1];
    let mut add = |node: usize, share: f64| f[2 * node + 1] += P * share / height;
    if solid.mesh().elements[0].kind.quadratic() {
        // Simpson's rule is exact for quadratic shape functions
        for w in right.windows(3).step_by(2) {
            let l = nodes[w[2]][1] - nodes[w[0]][1];
            [(0, 1.0), (1, 4.0), (2, 1.0)].into_iter().for_each(|(i, s)| add(w[i], l * s / 6.0));
        }
    } else {
        for w in right.windows(2) {
            let l = nodes[w[1]][1] - nodes[w[0]][1];
            w.iter().for_each(|&node| add(node, 0.5 * l));
        }
    }
    f
}

/// Deflection of the tip over that of a Timoshenko beam.
fn cantilever(kind: PlaneElement, elements: [usize; 2]) -> f64 {
    let (l, h) = (1.0, 0.1);
    let mesh = Mesh::block([l, h], elements, kind, Origin::Corner).unwrap();
    let solid = Solid::new(mesh, STEEL).unwrap().clamped_at("left").unwrap();
    let held = solid.held(Reference::Clamped).unwrap();
    let P = 1000.0;
    let q = solve_held(&full(&solid.stiffness()), &end_shear(&solid, P), &held);
    let tip = solid.point(Material::At([l, 0.5 * h])).unwrap();
    let w: f64 = tip.columns.iter().map(|&(k, s, _)| s[1] * q[k as usize]).sum();
    let I = STEEL.thickness * h.powi(3) / 12.0;
    let G = STEEL.young / (2.0 * (1.0 + STEEL.poisson));
    let exact = P * l.powi(3) / (3.0 * STEEL.young * I) + P * l / (5.0 / 6.0 * G * STEEL.thickness * h);
    w / exact
}

#[test]
fn a_cantilever_bends_like_a_timoshenko_beam() {
    // the welded end cannot narrow and so is a little stiffer than a beam's: 0.2 % remain on finer meshes
    assert!((cantilever(PlaneElement::Q8, [20, 2]) - 1.0).abs() < 5e-3);
    assert!((cantilever(PlaneElement::T6, [20, 2]) - 1.0).abs() < 5e-3);
    assert!((cantilever(PlaneElement::Q8, [5, 1]) - 1.0).abs() < 2.5e-2);
    // with incompatible modes one layer of rectangles bends; without them it locks
    let (with, without) =
        (cantilever(PlaneElement::Q4Incompatible, [10, 1]), cantilever(PlaneElement::Q4, [10, 1]));
    assert!((with - 1.0).abs() < 1e-2, "{with}");
    assert!(without < 0.75, "{without}");
    // refinement brings all to the same
    for kind in [PlaneElement::Q4, PlaneElement::T3] {
        let errors: Vec<f64> = [1, 2, 4].map(|n| 1.0 - cantilever(kind, [10 * n, n])).to_vec();
        assert!(errors.windows(2).all(|w| w[1] < 0.6 * w[0] && w[1] > 0.0), "{kind:?} {errors:?}");
    }
}

/// The column of the page on solids.
#[test]
fn one_layer_of_ten_elements_bends_as_the_book_says() {
    let told = [
        (PlaneElement::T3, 0.29),
        (PlaneElement::Q4, 0.67),
        (PlaneElement::Q4Incompatible, 0.996),
        (PlaneElement::T6, 0.99),
        (PlaneElement::Q8, 0.991),
    ];
    for (kind, told) in told {
        let share = cantilever(kind, [10, 1]);
        assert!((share - told).abs() < if told > 0.9 { 6e-4 } else { 6e-3 }, "{kind:?}: {share}");
    }
}

#[test]
fn root_stress_of_a_cantilever_is_that_of_the_beam() {
    let (l, h, P) = (1.0, 0.1, 1000.0);
    let mesh = Mesh::block([l, h], [20, 2], PlaneElement::Q8, Origin::Corner).unwrap();
    let solid = Solid::new(mesh, STEEL).unwrap().clamped_at("left").unwrap();
    let solid = solid.with_stress("middle", Material::At([0.5 * l, h])).unwrap();
    let held = solid.held(Reference::Clamped).unwrap();
    let q = solve_held(&full(&solid.stiffness()), &end_shear(&solid, P), &held);
    let I = STEEL.thickness * h.powi(3) / 12.0;
    let outputs = solid.outputs();
    assert_eq!(outputs[0].name, "middle.stress_xx");
    let got = value(&outputs[0].row, &q);
    // upward force: the upper fibre is pressed
    let exact = -P * 0.5 * l * 0.5 * h / I;
    assert!((got / exact - 1.0).abs() < 1e-2, "{got}, {exact}");
}

/// Without Poisson's effect a rod is a plane solid: ω_k = k π c/L, and u_y = 0.
#[test]
fn axial_frequencies_converge_with_the_order_of_the_elements() {
    let rod = Properties { poisson: 0.0, ..STEEL };
    let c = (rod.young / rod.density).sqrt();
    for (kind, order) in
        [(PlaneElement::T3, 2.0), (PlaneElement::Q4, 2.0), (PlaneElement::T6, 4.0), (PlaneElement::Q8, 4.0)]
    {
        let mut errors = Vec::new();
        for n in [3, 4, 5, 6, 7, 8, 10, 12] {
            let solid =
                Solid::new(Mesh::block([1.0, 1.0 / n as f64], [n, 1], kind, Origin::Centre).unwrap(), rod)
                    .unwrap();
            let across: Vec<usize> = (1..solid.dofs()).step_by(2).collect();
            let lambda = eigenvalues(
                &free(&full(&solid.stiffness()), &across),
                &free(&full(&solid.inertia().M), &across),
            );
            let error = lambda[1].sqrt() / (std::f64::consts::PI * c) - 1.0;
            assert!(error > 0.0, "consistent mass errs upwards: {error}");
            errors.push((1.0 / n as f64, error));
        }
        let observed = slope(&errors);
        assert!((observed - order).abs() < 0.15, "{kind:?}: order {observed}");
    }
}

#[test]
fn a_slender_free_block_rings_like_a_beam() {
    let (l, h) = (1.0, 0.04);
    let E_I = STEEL.young * h * h / 12.0;
    let exact = 4.730040744862704_f64.powi(2) * (E_I / STEEL.density).sqrt() / (l * l);
    for (kind, n) in [(PlaneElement::Q8, 10), (PlaneElement::T6, 12), (PlaneElement::Q4Incompatible, 24)] {
        let solid = Solid::new(Mesh::block([l, h], [n, 1], kind, Origin::Centre).unwrap(), STEEL).unwrap();
        let lambda = eigenvalues(&full(&solid.stiffness()), &full(&solid.inertia().M));
        let omega = lambda[3].sqrt();
        // shear and rotary inertia lower it by some (1 + E/κG) ω² h²/(24 c²) ≈ 0.8 %
        assert!((omega / exact - 1.0).abs() < 0.02, "{kind:?}: {omega}, {exact}");
    }
}
