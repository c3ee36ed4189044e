//! Results out. Every file is written under another name and then renamed, so a reader never meets half a file; the
//! directory appears only when there is something to put into it. Whatever was recorded can be written, also after a
//! failure or an interruption.

pub mod csv;
pub mod gltf;
pub mod npz;
mod number;
pub mod report;
pub mod summary;
pub mod vtk;

use crate::drawing::Drawing;
use crate::{Facts, Scene};
use carom_dynamics::{Recording, Summary};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use summary::RunInfo;

pub(crate) use number::{push as push_number, rounded, text as number_text};

/// Everything about a run that can be written.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// Channels and events, SI.
    pub recording: &'a Recording,
    /// Counters and audit.
    pub summary: &'a Summary,
    /// What was asked for.
    pub run: &'a RunInfo,
    /// What the mechanism looks like; may be empty.
    pub drawing: &'a Drawing,
    /// What it is made of, if that is known.
    pub facts: Option<&'a Facts>,
    /// Half-widths of the channels, SI, of a certified run.
    pub bands: Option<&'a Recording>,
}

/// Which files to write beside `scene.json` and `summary.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formats {
    /// `series.csv`; `events.csv` is always written.
    pub csv: bool,
    /// `report.html`.
    pub report: bool,
    /// `series.npz` for NumPy.
    pub npz: bool,
    /// `series.pvd` and frames for ParaView.
    pub vtk: bool,
    /// `scene.glb`, of a mechanism in space.
    pub gltf: bool,
    /// Most frames for ParaView.
    pub vtk_frames: usize,
}

impl Default for Formats {
    fn default() -> Self {
        Self { csv: true, report: true, npz: false, vtk: false, gltf: false, vtk_frames: 500 }
    }
}

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// Which.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Writes the results into `directory` and returns the paths written, `summary.json` last.
pub fn write_results(
    directory: &Path,
    results: &Results<'_>,
    formats: &Formats,
) -> Result<Vec<PathBuf>, WriteError> {
    let Results { recording, summary, run, drawing, facts, bands } = *results;
    let mut files = Vec::new();
    let presented = run.units.present(recording);
    let bands = bands.map(|bands| run.units.present(bands));
    remove_other_formats(directory, formats, bands.is_some());
    if formats.csv {
        files.push(write_file(directory, "series.csv", |out| csv::series(&presented, out))?);
    }
    if let Some(bands) = &bands {
        files.push(write_file(directory, "bands.csv", |out| csv::series(bands, out))?);
    }
    files.push(write_file(directory, "events.csv", |out| csv::events(&presented, out))?);
    if formats.npz {
        files.push(write_file(directory, "series.npz", |out| npz::series(&presented, out))?);
    }
    if formats.vtk {
        // Geometry and time in SI: ParaView knows no units.
        for file in vtk::collection(recording, drawing, formats.vtk_frames) {
            files.push(write_file(directory, &file.path, |out| out.write_all(file.content.as_bytes()))?);
        }
    }
    let scene = Scene::of(recording, drawing);
    if let Some(content) = formats.gltf.then(|| gltf::glb(&scene)).flatten() {
        files.push(write_file(directory, "scene.glb", |out| out.write_all(&content))?);
    }
    let text = scene.json();
    files.push(write_file(directory, "scene.json", |out| out.write_all(text.as_bytes()))?);
    if formats.report {
        let page = page(results, &presented, bands.as_deref(), &scene);
        files.push(write_file(directory, "report.html", |out| out.write_all(page.as_bytes()))?);
    }
    let text = summary::json(recording, summary, run, facts);
    files.push(write_file(directory, "summary.json", |out| out.write_all(text.as_bytes()))?);
    Ok(files)
}

/// The report page of a run.
pub fn report_page(results: &Results<'_>) -> String {
    let presented = results.run.units.present(results.recording);
    let bands = results.bands.map(|bands| results.run.units.present(bands));
    page(results, &presented, bands.as_deref(), &Scene::of(results.recording, results.drawing))
}

fn page(results: &Results<'_>, presented: &Recording, bands: Option<&Recording>, scene: &Scene) -> String {
    let Results { summary, run, facts, .. } = *results;
    let page_run = report::PageRun::new(presented, summary, run, facts, scene);
    report::html(&[report::PageRun { bands, ..page_run }])
}

/// Takes away what an earlier run left in other formats: a folder holds one run.
fn remove_other_formats(directory: &Path, formats: &Formats, bands: bool) {
    let others = [
        ("series.csv", formats.csv),
        ("bands.csv", bands),
        ("series.npz", formats.npz),
        ("series.pvd", formats.vtk),
        ("scene.glb", formats.gltf),
        ("report.html", formats.report),
    ];
    for (name, _) in others.into_iter().filter(|(_, written)| !written) {
        // mostly there is none; one that cannot be removed is met again when its neighbours are written
        let _ = fs::remove_file(directory.join(name));
    }
}

/// Writes one file whole or not at all, for callers with content of their own.
pub fn write_bytes(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let Some(name) = path.file_name() else {
        let source = io::Error::new(io::ErrorKind::InvalidInput, "it is not the name of a file");
        return Err(WriteError { path: path.into(), source });
    };
    write_file(folder, &name.to_string_lossy(), |out| out.write_all(content)).map(|_| ())
}

/// Writes one file whole or not at all.
fn write_file(
    directory: &Path,
    name: &str,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, WriteError> {
    let path = directory.join(name);
    let mut partial = path.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(directory))?;
        let mut out = BufWriter::new(File::create(&partial)?);
        content(&mut out)?;
        out.flush()?;
        drop(out);
        fs::rename(&partial, &path)
    };
    write().map_err(|source| {
        // The half file is of no use to anybody; that it cannot be removed adds nothing to the first error.
        let _ = fs::remove_file(&partial);
        WriteError { path: path.clone(), source }
    })?;
    Ok(path)
}
