//! `carom man`: pages of the manual, made from the same definition as `--help`.

use crate::args::Cli;
use crate::failure::{self, Failure};
use crate::table::say;
use carom::suggest;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// `carom man`.
#[derive(Debug, Args)]
pub struct Manual {
    /// Page of this command; without it, that of `carom`
    #[arg(conflicts_with = "out")]
    pub command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Prints a page, or writes all.
pub fn man(args: &Manual) -> Result<(), Failure> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        for (name, page) in pages(&cli) {
            let file = folder.join(format!("{name}.1"));
            std::fs::write(&file, page).map_err(|error| unwritable(&file, &error))?;
        }
        return Ok(());
    }
    let wanted = args.command.as_ref().map_or("carom".into(), |command| format!("carom-{command}"));
    let mut all = pages(&cli);
    match all.iter().position(|(name, _)| *name == wanted) {
        Some(i) => say(&all.swap_remove(i).1),
        None => Err(unknown(args.command.as_deref().unwrap_or_default(), &cli)),
    }
}

/// Names and texts: `carom`, and `carom-run` for each command.
fn pages(cli: &Command) -> Vec<(String, String)> {
    let commands = cli.get_subcommands().map(|command| {
        let name = format!("carom-{}", command.get_name());
        (name, page(command.clone().version(env!("CARGO_PKG_VERSION"))))
    });
    std::iter::once(("carom".to_string(), page(cli.clone()))).chain(commands).collect()
}

fn page(command: Command) -> String {
    let mut bytes = Vec::new();
    // no date: the same program gives the same page
    Man::new(command).render(&mut bytes).expect("a vector takes any bytes");
    String::from_utf8(bytes).expect("words of the command line are text")
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    failure::wrong(format_args!("`{}` cannot be written: {error}", path.display()))
        .help("name another folder with --out")
        .input()
}

fn unknown(command: &str, cli: &Command) -> Failure {
    let names: Vec<&str> = cli.get_subcommands().map(Command::get_name).collect();
    failure::wrong(format_args!("there is no command `{command}`"))
        .did_you_mean(suggest::nearest(command, names.iter().copied()))
        .help(format_args!("commands are {}", names.join(", ")))
        .input()
}
