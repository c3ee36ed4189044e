//! Meshes of Gmsh: MSH files in ASCII, versions 2.2 and 4.1.
//!
//! All triangles and quadrilaterals of first and second order make the body, whatever their physical group; nodes
//! outside them (centres of circles) are left out, the others keep the order of their numbers in the file. Physical
//! curves become named sides. A surface drawn from behind (all elements clockwise) is turned over.

use super::error::READABLE;
use super::kind::PlaneElement;
use super::{Element, Mesh, MeshError};
use std::collections::BTreeMap;

/// Lines of a section with their numbers.
type Lines<'a> = std::slice::Iter<'a, (usize, &'a str)>;

#[derive(Default)]
struct File {
    nodes: BTreeMap<u64, [f64; 3]>,
    elements: Vec<(PlaneElement, Vec<u64>)>,
    /// (physical group, corner nodes).
    edges: Vec<(i64, [u64; 2])>,
    names: BTreeMap<i64, String>,
    /// Physical groups of each curve, version 4.
    groups: BTreeMap<i64, Vec<i64>>,
}

impl Mesh {
    /// Reads the text of a Gmsh file.
    pub fn from_gmsh(text: &str) -> Result<Mesh, MeshError> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.trim()))
            .filter(|(_, l)| !l.is_empty())
            .collect();
        let mut file = File::default();
        let mut version = 0.0;
        let mut at = 0;
        while at < lines.len() {
            let (line, head) = lines[at];
            let Some(name) = head.strip_prefix('$') else {
                let wrong = format!("`{head}` is outside any section");
                return bad_unless(line, wrong, "a Gmsh file begins with $MeshFormat");
            };
            let end = format!("$End{name}");
            let Some(length) = lines[at + 1..].iter().position(|&(_, l)| l == end) else {
                return bad(line, format!("the section ${name} has no {end}: the file is cut off"));
            };
            let section = &lines[at + 1..at + 1 + length];
            let mut body = section.iter();
            if version == 0.0 && name != "MeshFormat" && name != "Comments" {
                return bad(line, "the file must begin with $MeshFormat".into());
            }
            match (name, version > 3.0) {
                ("MeshFormat", _) => version = format(line, &mut body)?,
                ("PhysicalNames", _) => file.read_names(line, &mut body)?,
                ("Entities", true) => file.read_entities(line, &mut body)?,
                ("Nodes", true) => file.read_nodes_4(line, &mut body)?,
                ("Nodes", false) => file.read_nodes_2(line, &mut body)?,
                ("Elements", true) => file.read_elements_4(line, &mut body)?,
                ("Elements", false) => file.read_elements_2(line, &mut body)?,
                _ => {}
            }
            at += length + 2;
        }
        file.mesh()
    }
}

/// The same with what would be right.
fn bad_unless<T>(line: usize, what: String, remedy: &'static str) -> Result<T, MeshError> {
    Err(MeshError::Gmsh { line, what, remedy })
}

fn bad<T>(line: usize, what: String) -> Result<T, MeshError> {
    bad_unless(line, what, READABLE)
}

/// Next line as numbers, at least `least` of them.
fn numbers<T: std::str::FromStr>(
    section: usize,
    lines: &mut Lines,
    least: usize,
) -> Result<(usize, Vec<T>), MeshError> {
    let Some(&(line, text)) = lines.next() else {
        return bad(section, "the section that begins here ends too early".into());
    };
    let read: Result<Vec<T>, _> = text.split_whitespace().map(str::parse).collect();
    match read {
        Ok(numbers) if numbers.len() >= least => Ok((line, numbers)),
        Ok(_) => bad(line, format!("`{text}` needs at least {least} numbers")),
        Err(_) => bad(line, format!("`{text}` should be numbers")),
    }
}

fn format(section: usize, lines: &mut Lines) -> Result<f64, MeshError> {
    let (line, numbers) = numbers::<f64>(section, lines, 2)?;
    let save =
        "save it with Gmsh as version 4.1 or 2.2 in ASCII (Mesh.MshFileVersion = 4.1, Mesh.Binary = 0)";
    if numbers[1] != 0.0 {
        return bad_unless(line, "this file is binary".into(), save);
    }
    match numbers[0] {
        v if (4.1..5.0).contains(&v) || (2.0..3.0).contains(&v) => Ok(v),
        v => bad_unless(line, format!("this is version {v}"), save),
    }
}

/// Kind of a plane element by its number in Gmsh; None for points and lines.
fn kind(line: usize, number: u64) -> Result<Option<PlaneElement>, MeshError> {
    Ok(Some(match number {
        1 | 8 | 15 | 26..=28 => return Ok(None),
        2 => PlaneElement::T3,
        3 => PlaneElement::Q4,
        9 => PlaneElement::T6,
        16 => PlaneElement::Q8,
        10 => {
            let remedy = "set Mesh.SecondOrderIncomplete = 1 for quadrilaterals with 8";
            return bad_unless(line, "quadrilaterals with 9 nodes are not read".into(), remedy);
        }
        4..=7 | 11..=14 | 17..=19 | 29..=31 => {
            let remedy = "save only the plane mesh (Mesh > 2D)";
            return bad_unless(line, "solid elements in space are not read".into(), remedy);
        }
        other => {
            let remedy = "use triangles and quadrilaterals of order 1 or 2";
            return bad_unless(line, format!("elements of Gmsh's type {other} are not read"), remedy);
        }
    }))
}

impl File {
    /// Physical curves (dimension 1) and their names.
    fn read_names(&mut self, section: usize, lines: &mut Lines) -> Result<(), MeshError> {
        lines.next();
        for &(line, text) in lines {
            let mut words = text.splitn(3, char::is_whitespace);
            let (dim, tag, name) = (words.next(), words.next(), words.next());
            let (Some(dim), Some(Ok(tag)), Some(name)) = (dim, tag.map(str::parse), name) else {
                return bad(line.max(section), format!("`{text}` should be: dimension number \"name\""));
            };
            if dim == "1" {
                self.names.insert(tag, name.trim().trim_matches('"').to_string());
            }
        }
        Ok(())
    }

    fn read_entities(&mut self, section: usize, lines: &mut Lines) -> Result<(), MeshError> {
        let (_, counts) = numbers::<usize>(section, lines, 4)?;
        for _ in 0..counts[0] {
            lines.next();
        }
        for _ in 0..counts[1] {
            // tag, box (6), number of groups, groups, ...
            let (line, curve) = numbers::<f64>(section, lines, 8)?;
            let groups = curve[7] as usize;
            if curve.len() < 8 + groups {
                return bad(line, format!("this curve should list {groups} physical groups"));
            }
            self.groups.insert(curve[0] as i64, curve[8..8 + groups].iter().map(|&x| x as i64).collect());
        }
        Ok(())
    }

    fn read_nodes_4(&mut self, section: usize, lines: &mut Lines) -> Result<(), MeshError> {
        let (_, counts) = numbers::<usize>(section, lines, 4)?;
        for _ in 0..counts[0] {
            let (_, block) = numbers::<i64>(section, lines, 4)?;
            let tags: Result<Vec<u64>, _> =
                (0..block[3]).map(|_| Ok(numbers::<u64>(section, lines, 1)?.1[0])).collect();
            for tag in tags? {
                let (_, x) = numbers::<f64>(section, lines, 3)?;
                self.nodes.insert(tag, [x[0], x[1], x[2]]);
            }
        }
        Ok(())
    }

    fn read_nodes_2(&mut self, section: usize, lines: &mut Lines) -> Result<(), MeshError> {
        let (_, count) = numbers::<usize>(section, lines, 1)?;
        for _ in 0..count[0] {
            let (_, x) = numbers::<f64>(section, lines, 4)?;
            self.nodes.insert(x[0] as u64, [x[1], x[2], x[3]]);
        }
        Ok(())
    }

    fn read_elements_4(&mut self, section: usize, lines: &mut Lines) -> Result<(), MeshError> {
        let (_, counts) = numbers::<usize>(section, lines, 4)?;
        for _ in 0..counts[0] {
            let (_, block) = numbers::<i64>(section, lines, 4)?;
            let groups = if block[0] == 1 {
                self.groups.get(&block[1]).cloned().unwrap_or_default()
            } else {
                Vec::new()
            };
            for _ in 0..block[3] {
                let (line, element) = numbers::<u64>(section, lines, 2)?;
                self.element(line, block[2] as u64, &groups, &element[1..])?;
            }
        }
        Ok(())
    }

    fn read_elements_2(&mut self, section: usize, lines: &mut Lines) -> Result<(), MeshError> {
        let (_, count) = numbers::<usize>(section, lines, 1)?;
        for _ in 0..count[0] {
            // number, type, number of tags, tags (the first is the physical group), nodes
            let (line, element) = numbers::<u64>(section, lines, 4)?;
            let tags = element[2] as usize;
            if element.len() <= 3 + tags {
                return bad(line, "this element has no nodes".into());
            }
            let group = if tags > 0 { element[3] as i64 } else { 0 };
            let groups: &[i64] = if group == 0 { &[] } else { &[group] };
            self.element(line, element[1], groups, &element[3 + tags..])?;
        }
        Ok(())
    }

    fn element(&mut self, line: usize, number: u64, groups: &[i64], nodes: &[u64]) -> Result<(), MeshError> {
        if let Some(missing) = nodes.iter().find(|node| !self.nodes.contains_key(node)) {
            return bad(line, format!("this element names node {missing}, which $Nodes does not list"));
        }
        match kind(line, number)? {
            Some(kind) if nodes.len() == kind.nodes() => self.elements.push((kind, nodes.to_vec())),
            Some(kind) => return bad(line, format!("a {} needs {} nodes", kind.name(), kind.nodes())),
            // lines; the corners come first
            None if nodes.len() >= 2 => {
                self.edges.extend(groups.iter().map(|&group| (group, [nodes[0], nodes[1]])));
            }
            None => {}
        }
        Ok(())
    }

    fn mesh(self) -> Result<Mesh, MeshError> {
        let mut number: BTreeMap<u64, usize> =
            self.elements.iter().flat_map(|(_, nodes)| nodes).map(|&tag| (tag, 0)).collect();
        let mut mesh = Mesh::default();
        let mut height = None;
        for (tag, number) in &mut number {
            let [x, y, z] = self.nodes[tag];
            let plane = *height.get_or_insert(z);
            if (z - plane).abs() > 1e-9 * (1.0 + x.abs() + y.abs()) {
                let wrong = format!("node {tag} is at z = {z}, others at z = {plane}");
                return bad_unless(1, wrong, "the body must lie in the x-y plane");
            }
            *number = mesh.nodes.len();
            mesh.nodes.push([x, y]);
        }
        for (kind, nodes) in &self.elements {
            let nodes = nodes.iter().map(|tag| number[tag]).collect();
            mesh.elements.push(Element { kind: *kind, nodes });
        }
        mesh.face_front();
        let mut sides: BTreeMap<i64, Vec<[usize; 2]>> = BTreeMap::new();
        for (group, edge) in self.edges {
            if let [Some(&a), Some(&b)] = edge.map(|tag| number.get(&tag)) {
                sides.entry(group).or_default().push([a, b]);
            }
        }
        mesh.sides = sides
            .into_iter()
            .map(|(group, edges)| {
                (self.names.get(&group).cloned().unwrap_or_else(|| group.to_string()), edges)
            })
            .collect();
        Ok(mesh)
    }
}

impl Mesh {
    /// Turns all elements over if all are clockwise.
    fn face_front(&mut self) {
        let clockwise = |element: &Element| {
            let x = |i: usize| self.nodes[element.nodes[i]];
            let n = element.kind.corners();
            (0..n).map(|i| (x(i), x((i + 1) % n))).map(|(p, q)| p[0] * q[1] - p[1] * q[0]).sum::<f64>() < 0.0
        };
        if self.elements.iter().all(clockwise) {
            for Element { kind, nodes } in &mut self.elements {
                // corners backwards from the last, and the middles of the same edges
                nodes[..kind.corners()].reverse();
                if kind.quadratic() {
                    let middles = kind.corners();
                    nodes[middles..].reverse();
                    nodes[middles..].rotate_left(1);
                }
            }
        }
    }
}
