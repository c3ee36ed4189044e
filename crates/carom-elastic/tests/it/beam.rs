//! Beam elements against rigid formulas, quadrature of the interpolated field, and statics of beams.
#![allow(non_snake_case)]

use crate::beam_dense::{full, solve_held};
use carom_elastic::{
    Beam, ElasticError, FiniteElements, Material, Output, Reference, RotaryInertia, Section, Unit,
};

const HEIGHT: f64 = 0.04;
const WIDTH: f64 = 0.03;
const MESH: [f64; 5] = [0.0, 0.13, 0.5, 0.58, 1.1];

fn section() -> Section {
    Section::rectangle(7e10, 2700.0, HEIGHT, WIDTH)
}

fn uneven(rotary: RotaryInertia) -> Beam {
    Beam::new(&MESH, section()).unwrap().with_rotary_inertia(rotary)
}

/// Nodal coordinates of a field (u, w, w').
fn nodal(beam: &Beam, field: impl Fn(f64) -> [f64; 3]) -> Vec<f64> {
    beam.nodes().iter().flat_map(|node| field(node[0])).collect()
}

fn value(output: &Output, q: &[f64]) -> f64 {
    output.row.iter().map(|&(k, a)| a * q[k as usize]).sum()
}

fn close(a: f64, b: f64, scale: f64, what: &str) {
    assert!((a - b).abs() <= scale, "{what}: {a} instead of {b}");
}

/// Points and weights of five-point Gauss quadrature on [0, 1]: exact to degree 9, the fields need 7.
fn gauss() -> [(f64, f64); 5] {
    let (a, b) = ((10.0f64 / 7.0).sqrt(), 70f64.sqrt());
    let (x1, x2) = ((5.0 - 2.0 * a).sqrt() / 3.0, (5.0 + 2.0 * a).sqrt() / 3.0);
    let (w1, w2) = ((322.0 + 13.0 * b) / 900.0, (322.0 - 13.0 * b) / 900.0);
    [(-x2, w2), (-x1, w1), (0.0, 128.0 / 225.0), (x1, w1), (x2, w2)].map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w))
}

#[test]
fn shape_integrals_are_those_of_the_interpolated_field() {
    for rotary in [RotaryInertia::None, RotaryInertia::Full] {
        let beam = uneven(rotary);
        let (n, inertia) = (beam.dofs(), beam.inertia());
        let (mut mass, mut first, mut second) = (0.0, [0.0; 2], 0.0);
        let (mut S, mut along, mut across) = (vec![[0.0; 2]; n], vec![0.0; n], vec![0.0; n]);
        let (mut M, mut B) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
        // across the section two points are exact for 1, y, y²
        let spread = if rotary == RotaryInertia::Full { HEIGHT / 12f64.sqrt() } else { 0.0 };
        for pair in MESH.windows(2) {
            for (xi, weight) in gauss() {
                for y in [-spread, spread] {
                    let x = pair[0] + xi * (pair[1] - pair[0]);
                    let dm = 0.5 * weight * (pair[1] - pair[0]) * 2700.0 * HEIGHT * WIDTH;
                    let point = beam.point(Material::At([x, y])).unwrap();
                    let u = point.u_0;
                    assert!((u[0] - x).abs() < 1e-15 && u[1] == y);
                    mass += dm;
                    first = [first[0] + dm * u[0], first[1] + dm * u[1]];
                    second += dm * (u[0] * u[0] + u[1] * u[1]);
                    for &(j, s, _) in &point.columns {
                        let j = j as usize;
                        S[j] = [S[j][0] + dm * s[0], S[j][1] + dm * s[1]];
                        along[j] += dm * (u[0] * s[0] + u[1] * s[1]);
                        across[j] += dm * (u[0] * s[1] - u[1] * s[0]);
                        for &(k, r, _) in &point.columns {
                            M[j][k as usize] += dm * (s[0] * r[0] + s[1] * r[1]);
                            B[j][k as usize] += dm * (s[0] * r[1] - s[1] * r[0]);
                        }
                    }
                }
            }
        }
        let eps = 1e-14 * mass;
        close(inertia.mass, mass, eps, "mass");
        close(inertia.first[0], first[0], eps, "first moment");
        close(inertia.first[1], 0.0, eps, "first moment");
        close(inertia.second, second, eps, "second moment");
        let (M_ours, mut B_ours) = (full(&inertia.M), vec![vec![0.0; n]; n]);
        for (i, j, b) in inertia.B.entries() {
            B_ours[i][j] = b;
            B_ours[j][i] = -b;
        }
        for j in 0..n {
            for c in 0..2 {
                close(inertia.S[j][c], S[j][c], eps, &format!("S of {}", beam.dof_name(j)));
            }
            close(inertia.along[j], along[j], eps, &format!("along of {}", beam.dof_name(j)));
            close(inertia.across[j], across[j], eps, &format!("across of {}", beam.dof_name(j)));
            for k in 0..n {
                close(M_ours[j][k], M[j][k], eps, &format!("M[{j}][{k}]"));
                close(B_ours[j][k], B[j][k], eps, &format!("B[{j}][{k}]"));
            }
        }
    }
}

#[test]
fn rigid_motions_have_rigid_inertia_and_no_strain() {
    let (L, m) = (1.1, 2700.0 * HEIGHT * WIDTH * 1.1);
    let J = m * (L * L + HEIGHT * HEIGHT) / 12.0;
    let beam = uneven(RotaryInertia::Full);
    let (inertia, K) = (beam.inertia(), full(&beam.stiffness()));
    close(inertia.mass, m, 1e-14 * m, "mass");
    close(inertia.second, J + m * L * L / 4.0, 1e-14 * m, "second moment about the root");
    let motions = [
        nodal(&beam, |_| [1.0, 0.0, 0.0]),
        nodal(&beam, |_| [0.0, 1.0, 0.0]),
        nodal(&beam, |x| [0.0, x, 1.0]),
    ];
    // kinetic energy of rigid motions written in nodal coordinates
    let rigid = [[m, 0.0, 0.0], [0.0, m, 0.5 * m * L], [0.0, 0.5 * m * L, J + m * L * L / 4.0]];
    for (i, a) in motions.iter().enumerate() {
        for (j, b) in motions.iter().enumerate() {
            close(inertia.M.form(a, b), rigid[i][j], 1e-14 * m, &format!("energy of motions {i}, {j}"));
        }
        for row in &K {
            let force: f64 = row.iter().zip(a).map(|(k, a)| k * a).sum();
            let size: f64 = row.iter().map(|k| k.abs()).sum();
            assert!(force.abs() <= 1e-14 * size, "rigid motion {i} strains the beam: {force}");
        }
    }
}

#[test]
fn mixed_model_turns_sections_with_the_frame_only() {
    // rod of [RezaeiSchindler] Table 1, whose height follows from J_2
    let (l, m, J, rho) = (0.306f64, 0.038, 5.9e-4, 7800.0);
    let D = (12.0 * J / m - l * l).sqrt();
    let section = Section::rectangle(2e11, rho, D, m / (rho * l * D));
    let beam = |rotary| Beam::uniform(l, 20, section).unwrap().with_rotary_inertia(rotary).inertia();
    let (none, mixed) = (beam(RotaryInertia::None), beam(RotaryInertia::Rigid));
    close(mixed.second, 1.479542e-3, 5e-10, "I_2 of the rod");
    close(mixed.second, J + m * l * l / 4.0, 1e-15, "I_2 of the rod");
    assert!(none.second < mixed.second);
    assert_eq!((&none.M, &none.B, &none.across), (&mixed.M, &mixed.B, &mixed.across));
}

#[test]
fn constant_strain_and_curvature_are_exact_on_an_uneven_mesh() {
    let (eps, kappa) = (3e-4, 0.02);
    let beam = uneven(RotaryInertia::None).with_outputs_at(vec![1, 2, 3]).unwrap();
    let Section { modulus: E, area: A, second_moment: I, .. } = section();
    let q = nodal(&beam, |x| [eps * x, 0.5 * kappa * x * x, kappa * x]);
    let mut f = vec![0.0; beam.dofs()];
    beam.stiffness().add_product(1.0, &q, &mut f);
    let last = beam.dofs() - 3;
    for (i, force) in f.iter().enumerate() {
        let expected = match i {
            0 => -E * A * eps,
            2 => -E * I * kappa,
            i if i == last => E * A * eps,
            i if i == last + 2 => E * I * kappa,
            _ => 0.0,
        };
        close(*force, expected, 1e-11 * E * A * eps, &beam.dof_name(i));
    }
    // the solution between loaded ends is the field itself
    let x = solve_held(&full(&beam.stiffness()), &f, &[0, 1, 2]);
    (0..beam.dofs()).for_each(|i| close(x[i], q[i], 1e-12, &beam.dof_name(i)));
    for output in beam.outputs() {
        let y = 0.5 * HEIGHT;
        let (expected, scale) = match output.name.rsplit_once('.').unwrap().1 {
            "normal" => (E * A * eps, E * A * eps),
            "shear" => (0.0, E * I * kappa / 0.08),
            "moment" => (E * I * kappa, E * I * kappa),
            "top_stress" => (E * (eps - y * kappa), E * eps),
            "bottom_stress" => (E * (eps + y * kappa), E * eps),
            other => panic!("an output without a test: {other}"),
        };
        close(value(&output, &q), expected, 1e-12 * scale, &output.name);
    }
    assert_eq!(beam.outputs().len(), 5 * 5);
}

#[test]
fn cantilever_under_end_loads_is_exact() {
    let (L, F, N) = (1.1, 120.0, 4e3);
    let beam = uneven(RotaryInertia::None).with_outputs_at(vec![1, 2, 3]).unwrap();
    let Section { modulus: E, area: A, second_moment: I, .. } = section();
    let mut load = vec![0.0; beam.dofs()];
    (load[12], load[13]) = (N, F);
    let q = solve_held(&full(&beam.stiffness()), &load, &beam.held(Reference::Clamped).unwrap());
    // anywhere, not only at nodes, and off the axis
    for i in 0..=40 {
        let (x, y) = (L * i as f64 / 40.0, 0.02);
        let point = beam.point(Material::At([x, y])).unwrap();
        let moved = point.columns.iter().fold([0.0; 3], |sum, &(k, S, s)| {
            let q = q[k as usize];
            [sum[0] + S[0] * q, sum[1] + S[1] * q, sum[2] + s * q]
        });
        let slope = F * x * (L - 0.5 * x) / (E * I);
        let exact = [N * x / (E * A) - y * slope, F * x * x * (3.0 * L - x) / (6.0 * E * I), slope];
        (0..3).for_each(|c| close(moved[c], exact[c], 1e-13, &format!("component {c} at {x}")));
    }
    for output in beam.outputs() {
        let (place, what) = output.name.rsplit_once('.').unwrap();
        let x = match place {
            "root" => 0.0,
            "tip" => L,
            node => MESH[node.strip_prefix("node ").unwrap().parse::<usize>().unwrap()],
        };
        let M = F * (L - x);
        let (expected, unit) = match what {
            "normal" => (N, Unit::Force),
            "shear" => (F, Unit::Force),
            "moment" => (M, Unit::Moment),
            "top_stress" => (N / A - M * 0.5 * HEIGHT / I, Unit::Stress),
            _ => (N / A + M * 0.5 * HEIGHT / I, Unit::Stress),
        };
        close(value(&output, &q), expected, 1e-10 * expected.abs().max(F), &output.name);
        assert_eq!(output.unit, unit, "{}", output.name);
    }
}

#[test]
fn spread_load_is_exact_at_nodes_and_leaves_the_moment_an_error_of_order_two() {
    let (L, p) = (2.0, 300.0);
    let Section { area, second_moment: I, density, modulus: E, .. } = section();
    let root = |elements: usize| {
        let beam = Beam::uniform(L, elements, section()).unwrap();
        let load: Vec<f64> = beam.inertia().S.iter().map(|S| p / (density * area) * S[1]).collect();
        let q = solve_held(&full(&beam.stiffness()), &load, &[0, 1, 2]);
        let tip = q[beam.dofs() - 2];
        close(tip, p * L.powi(4) / (8.0 * E * I), 1e-10 * tip, "deflection of the tip");
        let outputs = beam.outputs();
        (value(&outputs[2], &q), value(&outputs[1], &q))
    };
    for n in [1, 2, 4, 8] {
        let l = L / n as f64;
        let (M, V) = root(n);
        // what the head of the file says, with its constants
        close(M, 0.5 * p * L * L - p * l * l / 12.0, 1e-9 * p, "moment at the root");
        close(V, p * (L - 0.5 * l), 1e-9 * p, "shear at the root");
    }
}

#[test]
fn nodes_and_places_agree() {
    let beam = uneven(RotaryInertia::None);
    for (i, node) in beam.nodes().iter().enumerate() {
        let (by_node, by_place) =
            (beam.point(Material::Node(i)).unwrap(), beam.point(Material::At(*node)).unwrap());
        assert_eq!(by_node, by_place, "node {i}");
        let k = 3 * i as u32;
        let own = vec![(k, [1.0, 0.0], 0.0), (k + 1, [0.0, 1.0], 0.0), (k + 2, [0.0, 0.0], 1.0)];
        assert_eq!(by_node.columns, own, "node {i}");
    }
    // a hair beyond the end is the end
    assert_eq!(beam.point(Material::At([1.1 + 1e-12, 0.0])), beam.point(Material::Node(4)));
    assert_eq!(beam.unit(2), Unit::Angle);
    assert_eq!(beam.dof_name(7), "node 2.w");
}

#[test]
fn what_cannot_be_is_said() {
    let text = |result: Result<Beam, ElasticError>| result.unwrap_err().to_string();
    let good = section();
    let bad = [
        (Section { modulus: 0.0, ..good }, "modulus is 0; it must be greater than zero"),
        (Section { area: -1.0, ..good }, "area is -1; it must be greater than zero"),
        (
            Section { second_moment: f64::NAN, ..good },
            "second moment of area is NaN; it must be greater than zero",
        ),
        (Section { density: f64::INFINITY, ..good }, "density is infinite; it must be a number"),
        (Section { height: Some(0.0), ..good }, "height is 0; it must be greater than zero"),
    ];
    for (section, words) in bad {
        assert_eq!(text(Beam::uniform(1.0, 2, section)), words);
    }
    assert_eq!(text(Beam::uniform(0.0, 2, good)), "length is 0; it must be greater than zero");
    assert_eq!(text(Beam::uniform(1.0, 0, good)), "the beam has 0 elements; it needs at least one");
    let twice = text(Beam::new(&[0.0, 0.5, 0.5, 1.0], good));
    assert_eq!(twice, "element 1, from x = 0.5 to x = 0.5, has length 0; nodes must be in ascending order");
    assert!(text(Beam::new(&[0.1, 1.0], good)).contains("begins at 0"));
    assert!(text(Beam::new(&[0.0], good)).contains("1 nodes"));
    let beam = uneven(RotaryInertia::None);
    assert_eq!(beam.point(Material::Node(5)), Err(ElasticError::NoNode { node: 5, last: 4 }));
    assert!(matches!(beam.point(Material::At([1.2, 0.0])), Err(ElasticError::Outside { .. })));
    assert!(text(beam.with_outputs_at(vec![2, 9])).contains("no node 9"));
}
