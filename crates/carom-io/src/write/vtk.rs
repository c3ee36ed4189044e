//! Frames for ParaView: `series.pvd` names one `frames/NNNNN.vtp` per time, each the outlines of all bodies where
//! they are. The cell array `body` numbers the bodies in the order of the drawing.

use super::number::{push, text};
use crate::drawing::{Columns, Drawing, Posture, Track, even_samples};
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
        content: frame(&tracks, drawing, k),
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
