//! Frames for ParaView: `series.pvd` names one `frames/NNNNN.vtp` per time, each the outlines of all bodies where
//! they are, or in space the faces and edges of their solids. The cell array `body` numbers the bodies in the order of
//! the drawing.

use super::number::{push, text};
use crate::drawing::mesh::Mesh;
use crate::drawing::space::{SpaceDrawing, SpacePose};
use crate::drawing::{Columns, Drawing, Posture, SpaceTrack, Track, even_samples};
use carom_dynamics::Recording;

/// One file of the collection: path below the output directory and content.
pub struct VtkFile {
    /// Path with `/`, relative.
    pub path: String,
    /// XML.
    pub content: String,
}

/// The collection and at most `frames` frames, one after the other. The collection comes last, when all it names is
/// there.
pub fn collection<'a>(
    recording: &'a Recording,
    drawing: &'a Drawing,
    frames: usize,
) -> impl Iterator<Item = VtkFile> + 'a {
    let t: &'a [f64] = recording.columns.first().map_or(&[], Vec::as_slice);
    let picked = even_samples(t, frames);
    let columns = Columns::new(recording);
    let tracks: Vec<_> = drawing.figures.iter().map(|f| columns.track(&f.body)).collect();
    let solids = drawing.space.as_ref().map(|space| Solids::new(space, &columns));
    let mut index = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (i, &k) in picked.iter().enumerate() {
        let time = text(t[k]);
        index.push_str(&format!("<DataSet timestep=\"{time}\" part=\"0\" file=\"frames/{i:05}.vtp\"/>\n"));
    }
    index.push_str("</Collection>\n</VTKFile>\n");
    let last = VtkFile { path: "series.pvd".into(), content: index };
    let each = picked.into_iter().enumerate().map(move |(i, k)| VtkFile {
        path: format!("frames/{i:05}.vtp"),
        content: solids.as_ref().map_or_else(|| frame(&tracks, drawing, k), |solids| solids.frame(k)),
    });
    each.chain(std::iter::once(last))
}

/// One frame as PolyData.
fn frame(tracks: &[Option<Track<'_>>], drawing: &Drawing, k: usize) -> String {
    let (mut points, mut connectivity, mut offsets, mut bodies) =
        (String::new(), String::new(), String::new(), String::new());
    let (mut count, mut used, mut lines) = (0, 0, 0);
    for (number, figure) in drawing.figures.iter().enumerate() {
        let posture = tracks[number].as_ref().map_or(Posture::default(), |track| track.posture(k));
        for stroke in &figure.strokes {
            let (chain, closed) = stroke.polyline(&posture);
            for p in &chain {
                push(&mut points, p[0]);
                points.push(' ');
                push(&mut points, p[1]);
                points.push_str(" 0\n");
            }
            for i in count..count + chain.len() {
                connectivity.push_str(&format!("{i} "));
            }
            used += chain.len();
            if closed {
                connectivity.push_str(&format!("{count} "));
                used += 1;
            }
            connectivity.push('\n');
            offsets.push_str(&format!("{used} "));
            bodies.push_str(&format!("{number} "));
            count += chain.len();
            lines += 1;
        }
    }
    format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n\
         <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"0\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <CellData Scalars=\"body\">\n<DataArray type=\"Int32\" Name=\"body\" format=\"ascii\">\n{bodies}\n</DataArray>\n</CellData>\n\
         <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n{points}</DataArray>\n</Points>\n\
         <Lines>\n<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n{connectivity}</DataArray>\n\
         <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n{offsets}\n</DataArray>\n</Lines>\n\
         </Piece>\n</PolyData>\n</VTKFile>\n"
    )
}

/// All solids of a drawing in space, each in the frame of its body.
struct Solids<'a> {
    /// Number of the body, its track and the faces.
    parts: Vec<(usize, Option<SpaceTrack<'a>>, Mesh)>,
}

impl<'a> Solids<'a> {
    fn new(drawing: &SpaceDrawing, columns: &Columns<'a>) -> Self {
        let mut parts = Vec::new();
        for (number, figure) in drawing.bodies.iter().enumerate() {
            for solid in &figure.solids {
                let place = SpacePose::new(solid.at, solid.turn);
                let mut mesh = solid.form.mesh();
                mesh.vertices.iter_mut().for_each(|p| *p = place.apply(*p));
                parts.push((number, columns.space_track(&figure.body), mesh));
            }
        }
        Self { parts }
    }

    /// One frame as PolyData: lines first and faces after, as cell arrays have them.
    fn frame(&self, k: usize) -> String {
        let mut points = String::new();
        let mut first = Vec::with_capacity(self.parts.len());
        let mut count = 0;
        for (_, track, mesh) in &self.parts {
            let pose = track.as_ref().map_or_else(SpacePose::default, |track| track.pose(k));
            first.push(count);
            count += mesh.vertices.len();
            for p in &mesh.vertices {
                for x in pose.apply(*p) {
                    push(&mut points, x);
                    points.push(' ');
                }
                points.push('\n');
            }
        }
        let mut lines = Cells::default();
        let mut faces = Cells::default();
        for ((number, _, mesh), first) in self.parts.iter().zip(first) {
            mesh.edges.iter().for_each(|edge| lines.add(edge, first, *number));
            mesh.faces.iter().for_each(|face| faces.add(face, first, *number));
        }
        let bodies = lines.bodies.clone() + &faces.bodies;
        let (line_count, face_count) = (lines.count, faces.count);
        format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n\
             <Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"0\" NumberOfLines=\"{line_count}\" NumberOfStrips=\"0\" NumberOfPolys=\"{face_count}\">\n\
             <CellData Scalars=\"body\">\n<DataArray type=\"Int32\" Name=\"body\" format=\"ascii\">\n{bodies}\n</DataArray>\n</CellData>\n\
             <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n{points}</DataArray>\n</Points>\n\
             <Lines>\n{}</Lines>\n<Polys>\n{}</Polys>\n\
             </Piece>\n</PolyData>\n</VTKFile>\n",
            lines.arrays(),
            faces.arrays(),
        )
    }
}

/// Cells of one kind.
#[derive(Default)]
struct Cells {
    connectivity: String,
    offsets: String,
    bodies: String,
    used: usize,
    count: usize,
}

impl Cells {
    fn add(&mut self, corners: &[usize], first: usize, body: usize) {
        for corner in corners {
            self.connectivity.push_str(&format!("{} ", first + corner));
        }
        self.connectivity.push('\n');
        self.used += corners.len();
        self.offsets.push_str(&format!("{} ", self.used));
        self.bodies.push_str(&format!("{body} "));
        self.count += 1;
    }

    fn arrays(&self) -> String {
        let Self { connectivity, offsets, .. } = self;
        format!(
            "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n{connectivity}</DataArray>\n\
             <DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n{offsets}\n</DataArray>\n"
        )
    }
}
