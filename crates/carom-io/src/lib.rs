//! Model files in, results out.
//!
//! ```
//! let text = r#"
//!     units = "mm"
//!     gravity = [0, -9810]
//!     parameters = { h = 250 }
//!     [bodies.ball]
//!     mass = 0.2
//!     position = [0, "=2*h"]
//! "#;
//! let overrides = [("h".to_string(), "300".to_string())];
//! let loaded = carom_io::load_text("ball.toml", text, &overrides)?;
//! let model = loaded.build()?;
//! assert_eq!(loaded.description.plane().unwrap().bodies["ball"].position, [0.0, 0.6]);
//! assert_eq!(model.bodies()[0].name, "ball");
//!
//! let wrong = carom_io::load_text("ball.toml", "[bodies.ball]\nmas = 0.2", &[]).unwrap_err();
//! assert!(wrong.to_string().contains("did you mean `mass`?"));
//! # Ok::<(), carom_io::Diagnostics>(())
//! ```

pub mod animation;
mod block;
pub mod chart;
pub mod diagnostic;
pub mod drawing;
pub mod facts;
pub mod fclib;
mod parameters;
pub mod picture;
pub mod read;
pub mod results;
pub mod scene;
mod shapes;
pub mod units;
pub mod write;
mod zip;

pub use diagnostic::{Diagnostic, Diagnostics, Severity, Topic};
pub use drawing::space::SpaceDrawing;
pub use drawing::{Anchor, Drawing, Figure, JointMark, Mark, SpringMark, Stroke};
pub use facts::Facts;
pub use read::{LoadedModel, load, load_text, load_texts, schema};
pub use results::Stored;
pub use scene::Scene;
pub use units::Units;
pub use write::summary::RunInfo;
pub use write::{Formats, Results, WriteError, report_page, write_bytes, write_results};
