//! `carom completions`: what a shell needs to complete commands, options, and the names of models.

use crate::args::Cli;
use crate::failure::Failure;
use crate::gallery::GALLERY;
use crate::table::say;
use carom::SYSTEMS;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

/// Commands that take a model.
const TAKE_MODELS: [&str; 5] = ["run", "check", "convergence", "modes", "sweep"];

/// `carom completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// Of which shell
    pub shell: Shell,
}

/// Prints the script.
pub fn completions(args: &Completions) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    generate(args.shell, &mut Cli::command(), "carom", &mut bytes);
    let mut text = String::from_utf8(bytes).expect("names of commands are text");
    text.push_str(&models(args.shell));
    say(&text)
}

/// Models of the gallery and coded systems beside the files that the shell completes by itself.
fn models(shell: Shell) -> String {
    let names: Vec<&str> =
        GALLERY.iter().map(|(name, _)| *name).chain(SYSTEMS.iter().map(|s| s.name)).collect();
    let names = names.join(" ");
    match shell {
        Shell::Bash => format!(
            r#"
# the models that come with Carom, beside files
_carom_models() {{
    _carom "$@"
    local cur="${{COMP_WORDS[COMP_CWORD]}}"
    case "${{COMP_WORDS[1]}}" in
        {})
            if [[ $COMP_CWORD -eq 2 && $cur != -* ]]; then
                COMPREPLY=($(compgen -W "{names}" -- "$cur") $(compgen -f -- "$cur"))
            fi
            ;;
    esac
}}
complete -F _carom_models -o nosort -o bashdefault -o default carom
"#,
            TAKE_MODELS.join("|")
        ),
        Shell::Fish => format!(
            "\n# the models that come with Carom, beside files\ncomplete -c carom -n \"__fish_seen_subcommand_from {}\" -a \"{names}\"\n",
            TAKE_MODELS.join(" ")
        ),
        _ => String::new(),
    }
}
