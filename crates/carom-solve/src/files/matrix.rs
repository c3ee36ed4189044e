//! Matrices in problem files.
//!
//! ```text
//!   storage 1   blocks  block_rows  block_columns
//!               where each block row ends, where each block column ends
//!               block_rows + 1, blocks                              lengths of the two lists that follow
//!               first block of each block row and the end, block column of each block
//!               per block: its number, then its entries column by column
//!   storage 2   1 (triplets), 2 (columns) or 3 (rows): where the entries come from
//!               CSparse Version …                                   a line that nobody reads
//!               triplet: R-by-C, nzmax: E nnz: E                    then per entry: row column : value
//!               R-by-C, nzmax: E nnz: E, 1-norm: …                  then per column: "col j : locations a to b",
//!                                                                   and per entry: row : value
//!               csr: R-by-C, nzmax: …                               the same with rows for columns
//! ```

use super::{TextError, Words, words::cut, write_numbers};
use crate::SparseMatrix;
use std::fmt::Write;

/// How a matrix is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// All entries.
    Dense,
    /// Blocks of contacts; complementarity problems are written sparse instead.
    Blocks,
    /// Entries that are not zero, one by one.
    Sparse,
}

type Triplets = Vec<(u32, u32, f64)>;

/// Reads a matrix; `name` is what people call it.
pub(super) fn parse(words: &mut Words<'_>, name: &str) -> Result<SparseMatrix, TextError> {
    let line = words.peek_line();
    let storage = words.count(&format!("the storage of {name}"))?;
    let rows = words.count(&format!("the number of rows of {name}"))?;
    let columns = words.count(&format!("the number of columns of {name}"))?;
    if rows.max(columns) > words.most() {
        return Words::error_at(
            line,
            format!("{name} has {rows} rows and {columns} columns, more than the file could fill"),
        );
    }
    let triplets = match storage {
        0 => dense(words, name, rows, columns)?,
        1 => blocks(words, name, rows, columns)?,
        2 => sparse(words, name, rows, columns)?,
        _ => {
            let what = format!("storage {storage} of {name} is not known: 0 is dense, 1 blocks, 2 sparse");
            return Words::error_at(line, what);
        }
    };
    Ok(SparseMatrix::from_triplets(rows, columns, triplets))
}

fn dense(words: &mut Words<'_>, name: &str, rows: usize, columns: usize) -> Result<Triplets, TextError> {
    let line = words.peek_line();
    let again = [words.count("the number of rows")?, words.count("the number of columns")?];
    if again != [rows, columns] {
        let what = format!(
            "{name} is first {rows} × {columns} and then {} × {}: the sizes stand there twice and must agree",
            again[0], again[1]
        );
        return Words::error_at(line, what);
    }
    let mut triplets = Vec::new();
    for j in 0..columns {
        for i in 0..rows {
            let value = words.number(&format!("entry ({}, {}) of {name}", i + 1, j + 1))?;
            if value != 0.0 {
                triplets.push((i as u32, j as u32, value));
            }
        }
    }
    Ok(triplets)
}

fn blocks(words: &mut Words<'_>, name: &str, rows: usize, columns: usize) -> Result<Triplets, TextError> {
    let count = words.count(&format!("the number of blocks of {name}"))?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let (block_rows, block_columns) =
        (words.count("the number of block rows")?, words.count("the number of block columns")?);
    let row_ends = ends(words, block_rows, rows, &format!("block rows of {name}"))?;
    let column_ends = ends(words, block_columns, columns, &format!("block columns of {name}"))?;
    let line = words.peek_line();
    let lengths =
        [words.count("the length of the list of rows")?, words.count("the length of the list of blocks")?];
    if lengths != [block_rows + 1, count] {
        let [a, b] = lengths;
        let what = format!(
            "the lists of {name} have lengths {a} and {b}; {block_rows} block rows and {count} blocks make {} and {count}",
            block_rows + 1
        );
        return Words::error_at(line, what);
    }
    let line = words.peek_line();
    let first = (0..=block_rows)
        .map(|_| words.count("the first block of a block row"))
        .collect::<Result<Vec<_>, _>>()?;
    if first[0] != 0 || first[block_rows] != count || !first.is_sorted() {
        return Words::error_at(
            line,
            format!("the first blocks of the rows of {name} rise from 0 to {count}, these do not"),
        );
    }
    let mut column_of = Vec::new();
    for _ in 0..count {
        let line = words.peek_line();
        let column = words.count("the block column of a block")?;
        if column >= block_columns {
            let what = format!("block column {column} of {name} is none of 0 to {}", block_columns - 1);
            return Words::error_at(line, what);
        }
        column_of.push(column);
    }
    let mut triplets = Vec::new();
    for row in 0..block_rows {
        let i_range = begin(&row_ends, row)..row_ends[row];
        for block in first[row]..first[row + 1] {
            let line = words.peek_line();
            let number = words.count(&format!("the number of block {block} of {name}"))?;
            if number != block {
                let what = format!(
                    "block {number} of {name} stands where block {block} should; is a block larger or smaller than its \
                     row and column say?"
                );
                return Words::error_at(line, what);
            }
            let column = column_of[block];
            for j in begin(&column_ends, column)..column_ends[column] {
                for i in i_range.clone() {
                    let value = words.number(&format!("an entry of block {block} of {name}"))?;
                    triplets.push((i as u32, j as u32, value));
                }
            }
        }
    }
    Ok(triplets)
}

/// Where blocks end: rising up to the size of the matrix.
fn ends(words: &mut Words<'_>, count: usize, size: usize, name: &str) -> Result<Vec<usize>, TextError> {
    let line = words.peek_line();
    let mut ends = Vec::new();
    for _ in 0..count {
        ends.push(words.count(&format!("the end of one of the {count} {name}"))?);
    }
    if ends.last() != Some(&size) || !ends.is_sorted_by(|a, b| a < b) || ends.first() == Some(&0) {
        return Words::error_at(
            line,
            format!("the ends of the {name} must rise to {size}, the size of the matrix"),
        );
    }
    Ok(ends)
}

fn begin(ends: &[usize], block: usize) -> usize {
    if block == 0 { 0 } else { ends[block - 1] }
}

fn sparse(words: &mut Words<'_>, name: &str, rows: usize, columns: usize) -> Result<Triplets, TextError> {
    words.count(&format!("where the entries of {name} come from"))?;
    words.rest_of_line();
    words.line("a line about the sparse library")?;
    let line = words.peek_line();
    let head = words.line("the size of the sparse matrix")?;
    let Some(head) = Head::parse(head) else {
        let what = format!("`{}` should be the size, as in `triplet: 6-by-6, nzmax: 9 nnz: 9`", cut(head));
        return Words::error_at(line, what);
    };
    if (head.rows, head.columns) != (rows, columns) {
        let what = format!("{name} is {rows} × {columns} above and {} × {} here", head.rows, head.columns);
        return Words::error_at(line, what);
    }
    let mut triplets = Vec::new();
    let mut push = |line: usize, i: usize, j: usize, value: f64| {
        if i >= rows || j >= columns {
            return Words::error_at(
                line,
                format!("entry ({i}, {j}) of {name} lies outside: counted from 0, {rows} × {columns}"),
            );
        }
        triplets.push((i as u32, j as u32, value));
        Ok(())
    };
    if head.form == "triplet:" {
        for _ in 0..head.entries {
            let line = words.peek_line();
            let (i, j) = (words.count("a row number")?, words.count("a column number")?);
            colon(words)?;
            push(line, i, j, words.number(&format!("an entry of {name}"))?)?;
        }
        return Ok(triplets);
    }
    let by_rows = head.form == "csr:";
    let (many, word) = if by_rows { (rows, "row") } else { (columns, "col") };
    let mut seen = 0;
    for k in 0..many {
        let line = words.peek_line();
        let head = words.line(&format!("`{word} {k} : locations …`"))?;
        let parts: Vec<&str> = head.split_whitespace().collect();
        let range = match parts[..] {
            [w, number, ":", "locations", from, "to", to] if w == word && number.parse() == Ok(k) => {
                from.parse::<i64>().ok().zip(to.parse::<i64>().ok())
            }
            _ => None,
        };
        let Some((from, to)) = range else {
            return Words::error_at(
                line,
                format!("`{}` should be `{word} {k} : locations A to B`", cut(head)),
            );
        };
        if from != seen || to < from - 1 {
            return Words::error_at(
                line,
                format!("locations {from} to {to} do not follow those before, which end at {seen}"),
            );
        }
        seen = to + 1;
        for _ in from..=to {
            let line = words.peek_line();
            let other = words.count(&format!("an index in {word} {k}"))?;
            colon(words)?;
            let value = words.number(&format!("an entry of {name}"))?;
            if by_rows { push(line, k, other, value)? } else { push(line, other, k, value)? }
        }
    }
    Ok(triplets)
}

fn colon(words: &mut Words<'_>) -> Result<(), TextError> {
    let before = words.clone();
    match words.word("a colon")? {
        ":" => Ok(()),
        other => before.error(format!("`{}` stands where a colon should be", cut(other))),
    }
}

/// The line about the size of a sparse matrix.
struct Head<'a> {
    /// `triplet:`, `csr:` or nothing.
    form: &'a str,
    rows: usize,
    columns: usize,
    entries: usize,
}

impl<'a> Head<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (form, rest) = match line.split_once(' ') {
            Some((form @ ("triplet:" | "csr:"), rest)) => (form, rest),
            _ => ("", line),
        };
        let (size, rest) = rest.split_once(',')?;
        let (rows, columns) = size.trim().split_once("-by-")?;
        let mut words = rest.split_whitespace().skip_while(|word| *word != "nnz:");
        let entries = words.nth(1)?.trim_end_matches(',');
        Some(Self {
            form,
            rows: rows.parse().ok()?,
            columns: columns.parse().ok()?,
            entries: entries.parse().ok()?,
        })
    }
}

/// Writes a matrix whose rows and columns come in blocks that end there.
pub(super) fn write(
    text: &mut String,
    matrix: &SparseMatrix,
    storage: Storage,
    row_ends: &[usize],
    column_ends: &[usize],
) {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let code = [Storage::Dense, Storage::Blocks, Storage::Sparse].iter().position(|s| *s == storage);
    writeln!(text, "{}\n{rows}\n{columns}", code.expect("three of them")).expect("text grows");
    match storage {
        Storage::Dense => {
            writeln!(text, "{rows}\t{columns}").expect("text grows");
            let transposed = matrix.transposed();
            let mut column = vec![0.0; rows];
            for j in 0..columns {
                column.fill(0.0);
                transposed.row(j).for_each(|(i, v)| column[i] = v);
                write_numbers(text, &column);
            }
        }
        Storage::Blocks => write_blocks(text, matrix, row_ends, column_ends),
        Storage::Sparse => {
            let entries = matrix.entries();
            write!(text, "1\nCSparse Version 3.2.0, layout only\ntriplet: {rows}-by-{columns}, nzmax: {entries} nnz: {entries}\n")
                .expect("text grows");
            for (i, j, value) in matrix.triplets() {
                writeln!(text, "    {i} {j} : {value:e}").expect("text grows");
            }
        }
    }
}

fn write_blocks(text: &mut String, matrix: &SparseMatrix, row_ends: &[usize], column_ends: &[usize]) {
    let mut block_of = vec![0; matrix.columns()];
    for (block, &end) in column_ends.iter().enumerate() {
        block_of[begin(column_ends, block)..end].fill(block);
    }
    // Block columns of every block row.
    let mut first = vec![0];
    let mut column_of = Vec::new();
    for (row, &end) in row_ends.iter().enumerate() {
        let touched: std::collections::BTreeSet<usize> =
            (begin(row_ends, row)..end).flat_map(|i| matrix.row(i)).map(|(j, _)| block_of[j]).collect();
        column_of.extend(touched);
        first.push(column_of.len());
    }
    let list = |numbers: &[usize]| numbers.iter().map(|n| format!("{n}\t")).collect::<String>();
    let (block_rows, blocks) = (row_ends.len(), column_of.len());
    writeln!(text, "{blocks}\n{block_rows}\n{}", column_ends.len()).expect("text grows");
    writeln!(text, "{}\n{}\n{}\n{blocks}", list(row_ends), list(column_ends), block_rows + 1)
        .expect("text grows");
    writeln!(text, "{}\n{}", list(&first), list(&column_of)).expect("text grows");
    for row in 0..block_rows {
        for block in first[row]..first[row + 1] {
            writeln!(text, "{block}").expect("text grows");
            let column = column_of[block];
            for j in begin(column_ends, column)..column_ends[column] {
                for i in begin(row_ends, row)..row_ends[row] {
                    writeln!(text, "{:e}", matrix.entry(i, j)).expect("text grows");
                }
            }
        }
    }
}
