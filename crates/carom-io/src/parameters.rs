//! Named parameters: numbers and formulas of each other, in any order.

use crate::diagnostic::{Diagnostic, Source, Topic};
use crate::read::formula::{Parameters, Written};
use crate::read::tree::{Entry, Table, Value};
use carom_model::expression::function_names;

/// Values of all parameters, in the order of the file.
pub(crate) fn resolve(table: &Table, sources: &[Source]) -> Result<Parameters, Vec<Diagnostic>> {
    let names: Vec<&str> = table.keys().map(String::as_str).collect();
    let mut wrong = Vec::new();
    // What each parameter needs; numbers need nothing.
    let mut needs: Vec<Vec<usize>> = Vec::new();
    for (name, entry) in table {
        if let Err(diagnostic) = check_name(name, entry, sources) {
            wrong.push(diagnostic);
        }
        let need = match &entry.node.value {
            Value::Integer(_) => Ok(Vec::new()),
            Value::Number(x) if x.is_finite() => Ok(Vec::new()),
            Value::Text(text) if text.trim_start().starts_with('=') => {
                Written::new(text, &entry.node.place).needs(&names, sources)
            }
            other => {
                let what = match other {
                    Value::Number(x) => x.to_string(),
                    _ => other.kind().to_string(),
                };
                let message = format!("parameter `{name}` must be a finite number, found {what}");
                let help = "a number such as 0.25, or a formula of other parameters such as \"=2*l1\"";
                Err(Diagnostic::at(sources, &entry.node.place, message, help, Topic::Parameters))
            }
        };
        let indices = |need: Vec<String>| need.iter().filter_map(|n| table.get_index_of(n)).collect();
        needs.push(need.map(indices).unwrap_or_else(|diagnostic| {
            wrong.push(diagnostic);
            Vec::new()
        }));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let order = order(&needs).map_err(|cycle| {
        let chain: Vec<&str> = cycle.iter().map(|&i| names[i]).collect();
        let place = &table[cycle[0]].node.place;
        let message = format!("parameters need each other in a circle: {}", chain.join(" → "));
        vec![Diagnostic::at(sources, place, message, "give one of them as a number", Topic::Parameters)]
    })?;
    let mut values = Parameters::new();
    for i in order {
        let (name, entry) = table.get_index(i).expect("the order holds places of the table");
        let value = match &entry.node.value {
            Value::Integer(n) => Ok(*n as f64),
            Value::Number(x) => Ok(*x),
            Value::Text(text) => Written::new(text, &entry.node.place).evaluate(&values, sources),
            _ => unreachable!("other kinds were refused above"),
        };
        match value {
            Ok(x) => {
                values.insert(name.clone(), x);
            }
            Err(diagnostic) => return Err(vec![diagnostic]),
        }
    }
    values.sort_by(|a, _, b, _| table.get_index_of(a).cmp(&table.get_index_of(b)));
    Ok(values)
}

/// A name that a formula can use.
fn check_name(name: &str, entry: &Entry, sources: &[Source]) -> Result<(), Diagnostic> {
    let help = "a name of letters, digits and _, such as `l1`";
    let word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let message = if name == "t" {
        "`t` is time and cannot be a parameter".to_string()
    } else if function_names().any(|f| f == name) {
        format!("`{name}` is a function and cannot be a parameter")
    } else if !word || name.is_empty() || name.starts_with(|c: char| c.is_numeric()) {
        format!("a formula cannot use the name `{name}`")
    } else {
        return Ok(());
    };
    Err(Diagnostic::at(sources, &entry.key, message, help, Topic::Parameters))
}

/// An order in which everything comes after what it needs, or a circle (first = last).
fn order(needs: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    fn visit(
        i: usize,
        needs: &[Vec<usize>],
        path: &mut Vec<usize>,
        done: &mut Vec<usize>,
    ) -> Result<(), Vec<usize>> {
        if done.contains(&i) {
            return Ok(());
        }
        if let Some(from) = path.iter().position(|&p| p == i) {
            let mut circle = path[from..].to_vec();
            circle.push(i);
            return Err(circle);
        }
        path.push(i);
        for &j in &needs[i] {
            visit(j, needs, path, done)?;
        }
        path.pop();
        done.push(i);
        Ok(())
    }
    let mut done = Vec::new();
    for i in 0..needs.len() {
        visit(i, needs, &mut Vec::new(), &mut done)?;
    }
    Ok(done)
}
