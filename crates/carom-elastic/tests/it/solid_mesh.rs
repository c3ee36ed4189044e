//! Blocks, disks, Gmsh files, boundaries, and every way a mesh can be wrong.

use carom_elastic::{
    ElasticError, Element, FiniteElements, Material, Mesh, MeshError, Origin, Plane, PlaneElement,
    Properties, Solid,
};
use std::f64::consts::{PI, TAU};

const SOFT: Properties =
    Properties { plane: Plane::Stress, thickness: 1.0, young: 1000.0, poisson: 0.3, density: 2.0 };

fn solid(mesh: Mesh) -> Result<Solid, ElasticError> {
    Solid::new(mesh, SOFT)
}

fn side(solid: &Solid, name: &str) -> Vec<usize> {
    let known = solid.boundaries();
    known.into_iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no side {name}")).1
}

/// Area inside a closed chain, positive when it is walked counter-clockwise.
fn area(solid: &Solid, chain: &[usize]) -> f64 {
    let x = solid.nodes();
    chain.windows(2).map(|w| 0.5 * (x[w[0]][0] * x[w[1]][1] - x[w[0]][1] * x[w[1]][0])).sum()
}

#[test]
fn sides_of_a_block_go_around_it() {
    for kind in PlaneElement::ALL {
        let block = solid(Mesh::block([3.0, 2.0], [3, 2], kind, Origin::Centre).unwrap()).unwrap();
        let names: Vec<String> = block.boundaries().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["boundary", "bottom", "right", "top", "left"]);
        let around: Vec<usize> = ["bottom", "right", "top", "left"]
            .iter()
            .flat_map(|name| {
                let mut chain = side(&block, name);
                chain.pop();
                chain
            })
            .collect();
        let mut whole = side(&block, "boundary");
        assert!((area(&block, &whole) - 6.0).abs() < 1e-14, "{kind:?}");
        assert_eq!(block.outline(), vec![whole.clone()]);
        whole.pop();
        assert_eq!(around, whole, "{kind:?}");
        assert!(side(&block, "right").iter().all(|&i| block.nodes()[i][0] == 1.5));
        assert_eq!(side(&block, "top").len(), if kind.quadratic() { 7 } else { 4 });
    }
}

#[test]
fn disks_are_round_and_well_shaped() {
    for kind in PlaneElement::ALL {
        for rings in 2..8 {
            let r = 0.4;
            let disk = solid(Mesh::disk(r, rings, kind).unwrap()).unwrap();
            let rim = side(&disk, "boundary");
            let corners = if kind.triangle() { 6 * rings } else { 8 * rings.div_ceil(2) };
            assert_eq!(rim.len() - 1, corners * if kind.quadratic() { 2 } else { 1 });
            for &i in &rim {
                let [x, y] = disk.nodes()[i];
                assert!((x.hypot(y) - r).abs() < 1e-15);
            }
            assert!(
                disk.nodes().contains(&[r, 0.0]) && disk.nodes().contains(&[-r, 0.0]),
                "{kind:?} {rings}"
            );
            assert!(disk.point(Material::At([r, 0.0])).is_ok());
            // mass of the polygon for straight sides; curved ones err by the fourth order of the angle
            let mass = disk.inertia().mass / SOFT.density;
            let angle = TAU / corners as f64;
            if kind.quadratic() {
                assert!((mass / (PI * r * r) - 1.0).abs() < angle.powi(4) / 100.0, "{kind:?} {rings} {mass}");
            } else {
                let polygon = 0.5 * corners as f64 * angle.sin() * r * r;
                assert!((mass / polygon - 1.0).abs() < 1e-13, "{kind:?} {rings}");
            }
            // shortest edge over longest, all elements alike in size
            let lengths = disk.mesh().elements.iter().flat_map(|e| {
                let n = e.kind.corners();
                let x = |i: usize| disk.nodes()[e.nodes[i % n]];
                (0..n).map(|i| (x(i)[0] - x(i + 1)[0]).hypot(x(i)[1] - x(i + 1)[1])).collect::<Vec<_>>()
            });
            let (low, high) = lengths.fold((f64::INFINITY, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
            assert!(low / high > 0.4, "{kind:?} {rings}: {low} to {high}");
        }
    }
}

/// A square plate with a square hole, of eight squares.
fn ring() -> Mesh {
    let mut mesh = Mesh::block([3.0, 3.0], [3, 3], PlaneElement::Q4, Origin::Corner).unwrap();
    mesh.elements.remove(4);
    mesh
}

#[test]
fn holes_are_walked_the_other_way_round() {
    let plate = solid(ring()).unwrap();
    let names: Vec<String> = plate.boundaries().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[..2], ["boundary", "hole"]);
    assert_eq!(area(&plate, &side(&plate, "boundary")), 9.0);
    assert_eq!(area(&plate, &side(&plate, "hole")), -1.0);
    assert_eq!(plate.outline().len(), 2);
    let outside = plate.point(Material::At([1.5, 1.5])).unwrap_err();
    assert_eq!(
        outside.wrong(),
        "the point (1.5, 1.5) is not on the body, which reaches from (0, 0) to (3, 3)"
    );
}

#[test]
fn gmsh_files_of_both_versions_give_the_same_body() {
    let old = Mesh::from_gmsh(include_str!("../data/plate-2.2.msh")).unwrap();
    let new = Mesh::from_gmsh(include_str!("../data/plate-4.1.msh")).unwrap();
    assert_eq!(old, new);
    let plate = solid(new).unwrap();
    assert_eq!(plate.nodes().len(), 6, "the node that no element uses is left out");
    assert!((plate.inertia().mass - 2.0 * 2.0 * 1.0).abs() < 1e-14);
    assert_eq!(side(&plate, "foot"), [0, 1, 2]);
    assert_eq!(side(&plate, "7"), [5, 4], "a group without a name is called by its number");
    assert_eq!(side(&plate, "boundary"), [0, 1, 2, 5, 4, 3, 0]);
}

#[test]
fn gmsh_elements_of_second_order_are_read_and_turned_to_the_front() {
    let mesh = Mesh::from_gmsh(include_str!("../data/second-order-back.msh")).unwrap();
    let kinds: Vec<PlaneElement> = mesh.elements.iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [PlaneElement::Q8, PlaneElement::T6]);
    let body = solid(mesh).unwrap();
    // a unit square and half of one
    assert!((body.inertia().mass - 2.0 * 1.5).abs() < 1e-14);
    let rim = side(&body, "boundary");
    assert!((area(&body, &rim) - 1.5).abs() < 1e-14);
    assert_eq!(rim.len() - 1, 2 * 5);
    assert_eq!(side(&body, "left").len(), 3);
}

#[test]
fn gmsh_files_that_cannot_be_read_say_where_and_why() {
    let plate = include_str!("../data/plate-4.1.msh");
    let error = |text: &str| Mesh::from_gmsh(text).unwrap_err().to_string();
    assert!(error("solid\n").starts_with("line 1 of the Gmsh file: `solid` is outside any section"));
    assert!(
        error(&plate.replace("4.1 0 8", "4.1 1 8"))
            .contains("line 2 of the Gmsh file: this file is binary; save it")
    );
    assert!(
        error(&plate.replace("4.1 0 8", "4 0 8"))
            .contains("this is version 4; save it with Gmsh as version 4.1")
    );
    assert!(error(&plate.replace("$EndElements", "")).contains("has no $EndElements: the file is cut off"));
    assert!(error(&plate.replace("2 1 3 2", "2 1 10 2")).contains("set Mesh.SecondOrderIncomplete = 1"));
    assert!(error(&plate.replace("2 1 3 2", "2 1 5 2")).contains("solid elements in space are not read"));
    assert!(
        error(&plate.replace("5 1 2 5 4", "5 1 2 5 99"))
            .contains("names node 99, which $Nodes does not list")
    );
    assert!(error(&plate.replace("5 1 2 5 4", "5 1 2 five 4")).contains("`5 1 2 five 4` should be numbers"));
    assert!(
        error(&plate.replace("2 1 0\n$End", "2 1 0.5\n$End")).contains("the body must lie in the x-y plane")
    );
    let empty = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
    assert_eq!(solid(Mesh::from_gmsh(empty).unwrap()).unwrap_err(), MeshError::Empty.into());
}

fn two_triangles() -> Mesh {
    let triangle = |nodes: [usize; 3]| Element { kind: PlaneElement::T3, nodes: nodes.to_vec() };
    Mesh {
        nodes: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
        elements: vec![triangle([0, 1, 2]), triangle([0, 2, 3])],
        sides: Vec::new(),
    }
}

#[test]
fn a_wrong_mesh_is_refused_with_its_place() {
    let wrong = |change: &dyn Fn(&mut Mesh)| {
        let mut mesh = two_triangles();
        change(&mut mesh);
        solid(mesh).unwrap_err()
    };
    assert!(solid(two_triangles()).is_ok());
    assert_eq!(wrong(&|m| m.elements.clear()), MeshError::Empty.into());
    assert_eq!(
        wrong(&|m| m.elements[1].nodes.swap(1, 2)),
        MeshError::Inverted { element: 1, near: [1.0 / 3.0, 2.0 / 3.0] }.into()
    );
    assert_eq!(
        wrong(&|m| m.nodes[3] = [0.5, 0.5]),
        MeshError::NoArea { element: 1, near: [0.5, 0.5] }.into()
    );
    assert_eq!(wrong(&|m| m.nodes.push([2.0, 2.0])), MeshError::Unused { node: 4, at: [2.0, 2.0] }.into());
    assert_eq!(
        wrong(&|m| m.elements[1].nodes[2] = 9),
        MeshError::NoNode { element: 1, node: 9, last: 3 }.into()
    );
    assert_eq!(
        wrong(&|m| m.elements[1].nodes.push(1)),
        MeshError::NodeCount { element: 1, kind: "t3", expected: 3, found: 4 }.into()
    );
    let twice = wrong(&|m| {
        let again = m.elements[0].clone();
        m.elements.push(again);
    });
    assert_eq!(twice, MeshError::Overlap { edge: [0, 1], first: 0, second: 2 }.into());
    assert!(matches!(
        wrong(&|m| m.nodes[2][0] = f64::NAN),
        ElasticError::Mesh(MeshError::NotFinite { node: 2, .. })
    ));
    // joined by nothing, and by a single node
    for shift in [[5.0, 0.0], [1.0, 1.0]] {
        let apart = wrong(&|m| {
            let copy = two_triangles();
            let hinge = shift == [1.0, 1.0];
            let number = |i: usize| if hinge && i == 0 { 2 } else { 4 + i - usize::from(hinge) };
            m.nodes.extend(
                copy.nodes.iter().skip(usize::from(hinge)).map(|x| [x[0] + shift[0], x[1] + shift[1]]),
            );
            let moved =
                |e: &Element| Element { kind: e.kind, nodes: e.nodes.iter().map(|&i| number(i)).collect() };
            m.elements.extend(copy.elements.iter().map(moved));
        });
        assert!(
            matches!(apart, ElasticError::Mesh(MeshError::Disconnected { parts: 2, second: 2, .. })),
            "{apart}"
        );
    }
    // a quadrilateral folded into an arrow, a mid-side node too far out, orders that do not fit
    let mut arrow = Mesh::block([1.0, 1.0], [1, 1], PlaneElement::Q4, Origin::Corner).unwrap();
    arrow.nodes[3] = [0.2, 0.2];
    assert!(matches!(solid(arrow), Err(ElasticError::Mesh(MeshError::Inverted { element: 0, .. }))));
    let mut bulge = Mesh::block([1.0, 1.0], [1, 1], PlaneElement::Q8, Origin::Corner).unwrap();
    bulge.nodes[4] = [0.05, 0.0];
    assert!(matches!(solid(bulge), Err(ElasticError::Mesh(MeshError::Inverted { element: 0, .. }))));
    let mut mixed = Mesh::block([2.0, 1.0], [2, 1], PlaneElement::Q8, Origin::Corner).unwrap();
    let second = &mut mixed.elements[1];
    second.kind = PlaneElement::Q4;
    second.nodes.truncate(4);
    let mut used: Vec<usize> = mixed.elements.iter().flat_map(|e| e.nodes.clone()).collect();
    used.sort_unstable();
    used.dedup();
    mixed.nodes = used.iter().map(|&i| mixed.nodes[i]).collect();
    for element in &mut mixed.elements {
        element.nodes.iter_mut().for_each(|i| *i = used.binary_search(i).unwrap());
    }
    assert!(matches!(solid(mixed), Err(ElasticError::Mesh(MeshError::Unlike { .. }))));
}

#[test]
fn wrong_numbers_are_refused() {
    let block = || Mesh::block([1.0, 1.0], [1, 1], PlaneElement::Q4, Origin::Corner).unwrap();
    let said = |properties: Properties| Solid::new(block(), properties).unwrap_err().to_string();
    assert_eq!(said(Properties { young: 0.0, ..SOFT }), "Young's modulus is 0; it must be greater than zero");
    assert_eq!(
        said(Properties { thickness: -1.0, ..SOFT }),
        "the thickness is -1; it must be greater than zero"
    );
    assert_eq!(
        said(Properties { density: f64::NAN, ..SOFT }),
        "the density is NaN; it must be greater than zero"
    );
    for nu in [0.5, -1.0, f64::NAN] {
        assert!(said(Properties { poisson: nu, ..SOFT }).contains("greater than -1 and less than 0.5"));
    }
    assert_eq!(
        Mesh::block([1.0, 0.0], [1, 1], PlaneElement::Q4, Origin::Corner).unwrap_err().to_string(),
        "the height of the block is 0; it must be greater than zero"
    );
    assert_eq!(
        Mesh::block([1.0, 1.0], [0, 1], PlaneElement::Q4, Origin::Corner).unwrap_err().to_string(),
        "the number of elements along the block is 0; it must be at least 1"
    );
    assert!(Mesh::disk(1.0, 1, PlaneElement::T3).unwrap_err().to_string().contains("must be at least 2"));
    let body = solid(block()).unwrap();
    assert_eq!(
        body.point(Material::Node(4)).unwrap_err().to_string(),
        "there is no node 4; nodes are numbered from 0 to 3"
    );
    assert_eq!(
        body.clamped_at("front").unwrap_err().to_string(),
        "there is no side `front`; the body has boundary, bottom, right, top, left"
    );
}
