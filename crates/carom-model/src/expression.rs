//! Formulas of time and of named parameters, with exact derivatives.
//!
//! A formula is parsed once into postfix form and evaluated on a fixed stack with second-order jets
//! (f, f', f''), the Taylor arithmetic of one variable:
//!
//! ```text
//!   (f g)'' = f'' g + 2 f' g' + f g''          φ(f)'' = φ''(f) f'² + φ'(f) f''
//! ```
//!
//! A formula may also name *channels*, quantities of the motion that are given when it is evaluated; such a formula has a
//! value and the first derivative with respect to each of them. Evaluation allocates nothing.

use crate::outer::{self, Functions, MOST_ARGUMENTS, OuterFunction};
use crate::table::Table;
use indexmap::IndexMap;
use std::fmt;
use std::sync::Arc;

/// What a formula may call by name: curves, and functions of the program around.
#[derive(Clone, Debug, Default)]
pub(crate) struct Callables {
    pub tables: IndexMap<String, Arc<Table>>,
    pub functions: Functions,
}

/// A function of the program around that a formula calls. Equal to itself alone.
#[derive(Clone, Debug)]
struct Called(Arc<dyn OuterFunction>);

impl PartialEq for Called {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Deepest nesting of a formula; the stack of an evaluation has this many places.
const DEPTH: usize = 32;

/// Value, first and second derivative with respect to time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// f(t).
    pub value: f64,
    /// f'(t).
    pub first: f64,
    /// f''(t).
    pub second: f64,
}

impl Jet {
    /// A number that does not change.
    pub fn constant(value: f64) -> Self {
        Self { value, first: 0.0, second: 0.0 }
    }

    /// Time itself.
    pub fn time(t: f64) -> Self {
        Self { value: t, first: 1.0, second: 0.0 }
    }

    fn add(self, o: Self) -> Self {
        Self { value: self.value + o.value, first: self.first + o.first, second: self.second + o.second }
    }

    fn scale(self, a: f64) -> Self {
        Self { value: a * self.value, first: a * self.first, second: a * self.second }
    }

    fn mul(self, o: Self) -> Self {
        Self {
            value: self.value * o.value,
            first: self.first * o.value + self.value * o.first,
            second: self.second * o.value + 2.0 * self.first * o.first + self.value * o.second,
        }
    }

    /// φ(self) from φ, φ', φ'' at the value. A constant stays one even where φ' is infinite.
    fn chain(self, f: f64, d: f64, dd: f64) -> Self {
        if self.is_constant() {
            return Self::constant(f);
        }
        Self { value: f, first: d * self.first, second: dd * self.first * self.first + d * self.second }
    }

    fn is_constant(self) -> bool {
        self.first == 0.0 && self.second == 0.0
    }

    fn recip(self) -> Self {
        let r = 1.0 / self.value;
        self.chain(r, -r * r, 2.0 * r * r * r)
    }

    fn pow(self, o: Self) -> Self {
        if o.is_constant() {
            let n = o.value;
            let x = self.value;
            // Integer powers hold for negative bases; the falling factors keep x⁰ and x¹ exact at x = 0.
            let d = if n == 0.0 { 0.0 } else { n * x.powf(n - 1.0) };
            let dd = if n == 0.0 || n == 1.0 { 0.0 } else { n * (n - 1.0) * x.powf(n - 2.0) };
            return self.chain(x.powf(n), d, dd);
        }
        let f = self.value.powf(o.value);
        let exponent = o.mul(self.chain(self.value.ln(), self.value.recip(), -self.value.powi(-2)));
        exponent.chain(f, f, f)
    }

    fn atan2(self, x: Self) -> Self {
        // d atan2(y, x) = (x y' - y x') / r²
        let r2 = x.value * x.value + self.value * self.value;
        let numerator = x.value * self.first - self.value * x.first;
        let numerator_dot = x.value * self.second - self.value * x.second;
        let r2_dot = 2.0 * (x.value * x.first + self.value * self.first);
        let value = self.value.atan2(x.value);
        if self.is_constant() && x.is_constant() {
            return Self::constant(value);
        }
        Self { value, first: numerator / r2, second: (numerator_dot - numerator / r2 * r2_dot) / r2 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Sqrt,
    Abs,
    Sign,
    Floor,
    Ceil,
    Step,
    Min,
    Max,
    Mod,
}

/// Every function a formula may call: name, number of arguments.
const FUNCTIONS: &[(&str, Function, usize)] = &[
    ("sin", Function::Sin, 1),
    ("cos", Function::Cos, 1),
    ("tan", Function::Tan, 1),
    ("asin", Function::Asin, 1),
    ("acos", Function::Acos, 1),
    ("atan", Function::Atan, 1),
    ("atan2", Function::Atan2, 2),
    ("sinh", Function::Sinh, 1),
    ("cosh", Function::Cosh, 1),
    ("tanh", Function::Tanh, 1),
    ("exp", Function::Exp, 1),
    ("log", Function::Log, 1),
    ("sqrt", Function::Sqrt, 1),
    ("abs", Function::Abs, 1),
    ("sign", Function::Sign, 1),
    ("floor", Function::Floor, 1),
    ("ceil", Function::Ceil, 1),
    ("step", Function::Step, 1),
    ("min", Function::Min, 2),
    ("max", Function::Max, 2),
    ("mod", Function::Mod, 2),
];

/// Quantities of two places: how far apart they are, and the rate of that.
pub(crate) const MEASURES: [&str; 2] = ["distance", "distance_rate"];

/// Names of all functions, for messages and documentation.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|f| f.0)
}

impl Function {
    fn one(self, x: Jet) -> Jet {
        let f = x.value;
        match self {
            Function::Sin => {
                let (s, c) = f.sin_cos();
                x.chain(s, c, -s)
            }
            Function::Cos => {
                let (s, c) = f.sin_cos();
                x.chain(c, -s, -c)
            }
            Function::Tan => {
                let y = f.tan();
                let d = 1.0 + y * y;
                x.chain(y, d, 2.0 * y * d)
            }
            Function::Asin => {
                let d = (1.0 - f * f).sqrt().recip();
                x.chain(f.asin(), d, f * d * d * d)
            }
            Function::Acos => {
                let d = (1.0 - f * f).sqrt().recip();
                x.chain(f.acos(), -d, -f * d * d * d)
            }
            Function::Atan => {
                let d = (1.0 + f * f).recip();
                x.chain(f.atan(), d, -2.0 * f * d * d)
            }
            Function::Sinh => x.chain(f.sinh(), f.cosh(), f.sinh()),
            Function::Cosh => x.chain(f.cosh(), f.sinh(), f.cosh()),
            Function::Tanh => {
                let y = f.tanh();
                let d = 1.0 - y * y;
                x.chain(y, d, -2.0 * y * d)
            }
            Function::Exp => {
                let y = f.exp();
                x.chain(y, y, y)
            }
            Function::Log => x.chain(f.ln(), f.recip(), -f.powi(-2)),
            Function::Sqrt => {
                let y = f.sqrt();
                x.chain(y, 0.5 / y, -0.25 / (y * f))
            }
            Function::Abs => x.chain(f.abs(), sign(f), 0.0),
            Function::Sign => Jet::constant(sign(f)),
            Function::Floor => Jet::constant(f.floor()),
            Function::Ceil => Jet::constant(f.ceil()),
            Function::Step => Jet::constant(if f >= 0.0 { 1.0 } else { 0.0 }),
            Function::Atan2 | Function::Min | Function::Max | Function::Mod => {
                unreachable!("the parser gives functions of two arguments to `two`")
            }
        }
    }

    fn two(self, x: Jet, y: Jet) -> Jet {
        match self {
            Function::Atan2 => x.atan2(y),
            Function::Min if y.value < x.value => y,
            Function::Max if y.value > x.value => y,
            Function::Min | Function::Max => x,
            // x - y floor(x/y): the remainder with the sign of y.
            Function::Mod => x.add(y.scale(-(x.value / y.value).floor())),
            _ => unreachable!("the parser gives functions of one argument to `one`"),
        }
    }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Number(f64),
    Time,
    Name(usize),
    /// A quantity of the motion, by number.
    Channel(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    One(Function),
    Two(Function),
    /// A curve of one number, by its place among those of the formula.
    Table(usize),
    /// A function of the program around, by its place among those of the formula, and how many arguments it takes.
    Call(usize, usize),
}

/// A formula in postfix form.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    ops: Vec<Op>,
    /// Free names with the column (from 1) of their first use.
    names: Vec<(String, usize)>,
    /// The curves that it calls.
    tables: Vec<Arc<Table>>,
    /// The functions of the program around that it calls.
    functions: Vec<Called>,
}

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Character of the text, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub expected: String,
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}; expected {}", self.column, self.message, self.expected)
    }
}

impl std::error::Error for FormulaError {}

impl Formula {
    /// Reads a formula. Names other than `t` stay free until [`Formula::bind`].
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        Self::parse_with(text, &[], &Callables::default())
    }

    /// Reads a formula whose names may also be words of `vocabulary`, which need not be plain: `left-arm.x`. A word that
    /// ends in a dot is the beginning of names. It may call `callables` by their names.
    pub(crate) fn parse_with(
        text: &str,
        vocabulary: &[Vec<char>],
        callables: &Callables,
    ) -> Result<Self, FormulaError> {
        let text: Vec<char> = text.chars().collect();
        let (ops, names, called, functions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut parser =
            Parser { text, at: 0, ops, names, height: 0, vocabulary, callables, called, functions };
        parser.sum(0)?;
        parser.space();
        if parser.at < parser.text.len() {
            return Err(parser.wrong("an operator such as + - * / ^, or the end"));
        }
        Ok(Self { ops: parser.ops, names: parser.names, tables: parser.called, functions: parser.functions })
    }

    /// A formula that is a number.
    pub fn constant(value: f64) -> Self {
        Self { ops: vec![Op::Number(value)], names: Vec::new(), tables: Vec::new(), functions: Vec::new() }
    }

    /// Names the formula uses, in order of first use, `t` left out; `pi` and `e` are in the list if they occur, since
    /// a parameter may carry that name.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|n| n.0.as_str())
    }

    /// Puts numbers or channels, by number, in place of the names; the first name that is neither is the error.
    pub(crate) fn resolve(&self, lookup: &mut dyn FnMut(&str) -> Option<Word>) -> Result<Self, &str> {
        let mut words = Vec::with_capacity(self.names.len());
        for (name, _) in &self.names {
            words.push(
                match lookup(name).or_else(|| constant(name).map(Word::Number)).ok_or(name.as_str())? {
                    Word::Number(value) => Op::Number(value),
                    Word::Channel(i) => Op::Channel(i),
                },
            );
        }
        let ops = self.ops.iter().map(|&op| if let Op::Name(i) = op { words[i] } else { op });
        Ok(self.with(ops.collect()))
    }

    /// Puts numbers in place of the names. The constants `pi` and `e` stand in where `lookup` knows nothing.
    pub fn bind(&self, lookup: &dyn Fn(&str) -> Option<f64>) -> Result<Self, FormulaError> {
        let mut values = Vec::with_capacity(self.names.len());
        for (name, column) in &self.names {
            let value = lookup(name).or_else(|| constant(name));
            values.push(value.ok_or_else(|| FormulaError {
                column: *column,
                message: format!("`{name}` is not known"),
                expected: "`t`, a parameter, `pi`, `e` or a function".into(),
            })?);
        }
        let ops = self.ops.iter().map(|&op| if let Op::Name(i) = op { Op::Number(values[i]) } else { op });
        Ok(self.with(ops.collect()))
    }

    /// Other operations without names that call the same things.
    fn with(&self, ops: Vec<Op>) -> Self {
        let (tables, functions) = (self.tables.clone(), self.functions.clone());
        Self { ops, names: Vec::new(), tables, functions }
    }

    /// Whether time does not enter, nor the motion, nor a function of the program around.
    pub fn is_constant(&self) -> bool {
        !varies(&self.ops)
    }

    /// Functions that are continuous and change their sign where the formula has a kink or a jump: the arguments of
    /// `abs`, `sign` and `step`, the difference of those of `min` and `max`, sin(π x) for `floor(x)`, `ceil(x)` and
    /// `mod(x, 1)`, and y of `atan2(y, x)`, which jumps behind the origin.
    pub fn switches(&self) -> Vec<Formula> {
        let mut found = Vec::new();
        for (at, op) in self.ops.iter().enumerate() {
            let last = |end: usize| operand(&self.ops, end)..end;
            let turns = [Op::Number(std::f64::consts::PI), Op::Multiply, Op::One(Function::Sin)];
            let ops: Vec<Op> = match op {
                Op::One(Function::Abs | Function::Sign | Function::Step) => self.ops[last(at)].to_vec(),
                Op::One(Function::Floor | Function::Ceil) => [&self.ops[last(at)], &turns].concat(),
                Op::Two(Function::Min | Function::Max) => {
                    [&self.ops[last(last(at).start).start..at], &[Op::Subtract]].concat()
                }
                Op::Two(Function::Mod) => {
                    [&self.ops[last(last(at).start).start..at], &[Op::Divide], &turns].concat()
                }
                Op::Two(Function::Atan2) => self.ops[last(last(at).start)].to_vec(),
                _ => continue,
            };
            let switch = self.with(ops);
            if varies(&switch.ops) && !found.contains(&switch) {
                found.push(switch);
            }
        }
        found
    }

    /// Name of the first function that jumps as its arguments vary.
    pub(crate) fn jump(&self) -> Option<&'static str> {
        self.jump_where(varies)
    }

    /// Name of the first function that jumps as the motion goes on; a pole is no jump.
    pub(crate) fn jump_of_motion(&self) -> Option<&'static str> {
        self.jump_where(moves).filter(|name| *name != "tan")
    }

    /// Whether the motion enters.
    pub(crate) fn moves(&self) -> bool {
        moves(&self.ops)
    }

    /// The same function of seconds, times a factor; none if that is nested too deeply.
    pub(crate) fn in_units(&self, second: f64, factor: f64) -> Option<Self> {
        let mut ops = Vec::with_capacity(self.ops.len());
        for &op in &self.ops {
            ops.push(op);
            if op == Op::Time && second != 1.0 {
                ops.extend([Op::Number(second), Op::Divide]);
            }
        }
        if factor != 1.0 {
            ops.extend([Op::Number(factor), Op::Multiply]);
        }
        (height(&ops) <= DEPTH).then(|| Self { names: self.names.clone(), ..self.with(ops) })
    }

    fn jump_where(&self, varies: fn(&[Op]) -> bool) -> Option<&'static str> {
        self.ops.iter().enumerate().find_map(|(at, op)| {
            let (function, from) = match *op {
                Op::One(function) => (function, operand(&self.ops, at)),
                Op::Two(function) => (function, operand(&self.ops, operand(&self.ops, at))),
                _ => return None,
            };
            let jumps = matches!(
                function,
                Function::Step
                    | Function::Sign
                    | Function::Floor
                    | Function::Ceil
                    | Function::Mod
                    | Function::Atan2
                    | Function::Tan
            );
            let name = FUNCTIONS.iter().find(|f| f.1 == function).map(|f| f.0);
            name.filter(|_| jumps && varies(&self.ops[from..at]))
        })
    }

    /// Value of a formula in which time does not enter.
    pub fn evaluate(&self, lookup: &dyn Fn(&str) -> Option<f64>) -> Result<f64, FormulaError> {
        if !self.is_constant() {
            return Err(FormulaError {
                column: 1,
                message: "the formula depends on `t`".into(),
                expected: "numbers and parameters only".into(),
            });
        }
        Ok(self.bind(lookup)?.jet(0.0).value)
    }

    /// Value and derivatives at time t. Names that are still free give NaN, and so do channels.
    pub fn jet(&self, t: f64) -> Jet {
        self.run::<false>(Jet::time(t), &|_| Jet::constant(f64::NAN))
    }

    /// Value at time t, with the values of the channels.
    pub(crate) fn value(&self, t: f64, channel: &dyn Fn(usize) -> f64) -> f64 {
        self.run::<false>(Jet::constant(t), &|i| Jet::constant(channel(i))).value
    }

    /// ∂f/∂c of channel number `of`, time and the other channels held. What does not move does not count, even where it stands
    /// on an infinite slope: |v| v has the slope 0 at v = 0, written with a root too.
    pub(crate) fn partial(&self, t: f64, channels: &[f64], of: usize) -> f64 {
        let seed = |i: usize| Jet { value: channels[i], first: if i == of { 1.0 } else { 0.0 }, second: 0.0 };
        self.run::<true>(Jet::constant(t), &seed).first
    }

    /// Runs on jets; with `FIRST` second derivatives are left out, and functions of the program around have first ones.
    #[inline]
    fn run<const FIRST: bool>(&self, time: Jet, channel: &dyn Fn(usize) -> Jet) -> Jet {
        let mut stack = [Jet::default(); DEPTH];
        let mut n = 0;
        for op in &self.ops {
            match *op {
                Op::Number(_) | Op::Time | Op::Name(_) | Op::Channel(_) => {
                    stack[n] = match *op {
                        Op::Number(value) => Jet::constant(value),
                        Op::Time => time,
                        Op::Channel(i) => channel(i),
                        _ => Jet::constant(f64::NAN),
                    };
                    n += 1;
                }
                Op::Negate => stack[n - 1] = stack[n - 1].scale(-1.0),
                Op::One(function) => stack[n - 1] = function.one(stack[n - 1]),
                Op::Table(i) => {
                    let [f, d, dd] = self.tables[i].at(stack[n - 1].value);
                    stack[n - 1] = stack[n - 1].chain(f, d, dd);
                }
                Op::Call(i, arguments) => {
                    n -= arguments;
                    stack[n] = call::<FIRST>(&*self.functions[i].0, &stack[n..n + arguments]);
                    n += 1;
                }
                Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power | Op::Two(_) => {
                    let (x, y) = (stack[n - 2], stack[n - 1]);
                    n -= 1;
                    stack[n - 1] = match *op {
                        Op::Add => x.add(y),
                        Op::Subtract => x.add(y.scale(-1.0)),
                        Op::Multiply => x.mul(y),
                        Op::Divide => {
                            let mut z = x.mul(y.recip());
                            z.value = x.value / y.value;
                            z
                        }
                        Op::Power => x.pow(y),
                        Op::Two(function) => function.two(x, y),
                        _ => unreachable!("only operators of two arguments come here"),
                    };
                }
            }
            if FIRST {
                stack[n - 1].second = 0.0;
            }
        }
        stack[0]
    }
}

/// The value of a function of the program around, and its first derivative where it is asked for.
fn call<const FIRST: bool>(function: &dyn OuterFunction, arguments: &[Jet]) -> Jet {
    let (mut x, mut rates) = ([0.0; MOST_ARGUMENTS], [0.0; MOST_ARGUMENTS]);
    for (i, argument) in arguments.iter().enumerate() {
        (x[i], rates[i]) = (argument.value, argument.first);
    }
    let (x, rates) = (&x[..arguments.len()], &rates[..arguments.len()]);
    let value = function.call(x);
    if arguments.iter().all(|argument| argument.is_constant()) {
        return Jet::constant(value);
    }
    let first = if FIRST { outer::rate(function, x, rates) } else { f64::NAN };
    Jet { value, first, second: f64::NAN }
}

/// What a name stands for.
pub(crate) enum Word {
    Number(f64),
    Channel(usize),
}

/// Names that need no definition.
fn constant(name: &str) -> Option<f64> {
    match name {
        "pi" => Some(std::f64::consts::PI),
        "e" => Some(std::f64::consts::E),
        _ => None,
    }
}

/// Whether time or the motion enters, or the program around.
fn varies(ops: &[Op]) -> bool {
    ops.iter().any(|op| matches!(op, Op::Time | Op::Channel(_) | Op::Call(..)))
}

/// Whether the motion enters.
fn moves(ops: &[Op]) -> bool {
    ops.iter().any(|op| matches!(op, Op::Channel(_)))
}

/// Places of the stack that an evaluation takes.
fn height(ops: &[Op]) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for op in ops {
        match op {
            Op::Number(_) | Op::Time | Op::Name(_) | Op::Channel(_) => now += 1,
            Op::Negate | Op::One(_) | Op::Table(_) => {}
            Op::Call(_, arguments) => now = now + 1 - arguments,
            _ => now -= 1,
        }
        most = most.max(now);
    }
    most
}

/// Where the operand that ends before `end` begins.
fn operand(ops: &[Op], end: usize) -> usize {
    let mut missing: usize = 1;
    let mut at = end;
    while missing > 0 {
        at -= 1;
        missing += match ops[at] {
            Op::Number(_) | Op::Time | Op::Name(_) | Op::Channel(_) => 0,
            Op::Negate | Op::One(_) | Op::Table(_) => 1,
            Op::Call(_, arguments) => arguments,
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power | Op::Two(_) => 2,
        };
        missing -= 1;
    }
    at
}

struct Parser<'v> {
    text: Vec<char>,
    at: usize,
    ops: Vec<Op>,
    names: Vec<(String, usize)>,
    height: usize,
    /// Names that need not be plain words.
    vocabulary: &'v [Vec<char>],
    callables: &'v Callables,
    /// Those that were called so far.
    called: Vec<Arc<Table>>,
    functions: Vec<Called>,
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

const OPERAND: &str = "a number, a name, a function or `(`";

// Inlined into each other, these take the optimiser minutes: it reasons over every sum of positions.
// sum = product { (+|-) product };  product = sign { (*|/) sign };  sign = { - | + } power;  power = atom [ ^ sign ]
impl Parser<'_> {
    #[inline(never)]
    fn space(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    #[inline(never)]
    fn peek(&mut self) -> Option<char> {
        self.space();
        self.text.get(self.at).copied()
    }

    #[inline(never)]
    fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        self.at += found as usize;
        found
    }

    fn wrong(&mut self, expected: &str) -> FormulaError {
        let message = match self.peek() {
            Some(c) => format!("`{c}` does not belong here"),
            None => "the formula ends too early".into(),
        };
        FormulaError { column: self.at + 1, message, expected: expected.into() }
    }

    #[inline(never)]
    fn push(&mut self, op: Op) -> Result<(), FormulaError> {
        match op {
            Op::Number(_) | Op::Time | Op::Name(_) | Op::Channel(_) => self.height += 1,
            Op::Negate | Op::One(_) | Op::Table(_) => {}
            Op::Call(_, arguments) => self.height = self.height + 1 - arguments,
            _ => self.height -= 1,
        }
        self.ops.push(op);
        if self.height > DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    fn too_deep(&self) -> FormulaError {
        FormulaError {
            column: self.at + 1,
            message: "the formula is nested too deeply".into(),
            expected: format!("at most {DEPTH} open operations"),
        }
    }

    #[inline(never)]
    fn sum(&mut self, depth: usize) -> Result<(), FormulaError> {
        // The recursion of the parser itself is bounded too: sum, product, sign, power, atom per parenthesis.
        if depth > DEPTH {
            return Err(self.too_deep());
        }
        self.product(depth)?;
        loop {
            let op = match self.peek() {
                Some('+') => Op::Add,
                Some('-') => Op::Subtract,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product(depth)?;
            self.push(op)?;
        }
    }

    #[inline(never)]
    fn product(&mut self, depth: usize) -> Result<(), FormulaError> {
        self.sign(depth)?;
        loop {
            let op = match self.peek() {
                Some('*') => Op::Multiply,
                Some('/') => Op::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.sign(depth)?;
            self.push(op)?;
        }
    }

    #[inline(never)]
    fn sign(&mut self, depth: usize) -> Result<(), FormulaError> {
        let mut negative = false;
        loop {
            match self.peek() {
                Some('-') => negative = !negative,
                Some('+') => {}
                _ => break,
            }
            self.at += 1;
        }
        self.power(depth)?;
        if negative { self.push(Op::Negate) } else { Ok(()) }
    }

    #[inline(never)]
    fn power(&mut self, depth: usize) -> Result<(), FormulaError> {
        self.atom(depth)?;
        if self.take('^') {
            if depth + 1 > DEPTH {
                return Err(self.too_deep());
            }
            self.sign(depth + 1)?;
            self.push(Op::Power)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn atom(&mut self, depth: usize) -> Result<(), FormulaError> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.sum(depth + 1)?;
                if self.take(')') { Ok(()) } else { Err(self.wrong("`)`")) }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.word(depth),
            _ => Err(self.wrong(OPERAND)),
        }
    }

    #[inline(never)]
    fn number(&mut self) -> Result<(), FormulaError> {
        let from = self.at;
        let digits = |p: &mut Self| {
            while p.text.get(p.at).is_some_and(|c| c.is_ascii_digit() || *c == '_') {
                p.at += 1;
            }
        };
        digits(self);
        if self.text.get(self.at) == Some(&'.') {
            self.at += 1;
            digits(self);
        }
        // An exponent only if digits follow, so that `2e` is told as what it is.
        if matches!(self.text.get(self.at), Some('e' | 'E')) {
            let sign = matches!(self.text.get(self.at + 1), Some('+' | '-')) as usize;
            if self.text.get(self.at + 1 + sign).is_some_and(|c| c.is_ascii_digit()) {
                self.at += 1 + sign;
                digits(self);
            }
        }
        let word: String = self.text[from..self.at].iter().filter(|c| **c != '_').collect();
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => self.push(Op::Number(value)),
            _ => Err(FormulaError {
                column: from + 1,
                message: format!("`{word}` is not a number"),
                expected: "a finite number such as 0.5 or 1e-3".into(),
            }),
        }
    }

    /// Characters of the longest word of the vocabulary that stands here.
    #[inline(never)]
    fn listed(&self) -> usize {
        let rest = &self.text[self.at..];
        let stands = |word: &&Vec<char>| {
            let next = rest.get(word.len()).is_some_and(|&c| in_word(c));
            rest.starts_with(word) && next == word.ends_with(&['.'])
        };
        self.vocabulary.iter().filter(stands).map(Vec::len).max().unwrap_or(0)
    }

    /// Whether a dot belongs to a name: only where there are such names, and if the name goes on.
    fn goes_on(&self, c: char) -> bool {
        c == '.' && !self.vocabulary.is_empty() && self.text.get(self.at + 1).is_some_and(|&c| in_word(c))
    }

    #[inline(never)]
    fn word(&mut self, depth: usize) -> Result<(), FormulaError> {
        let from = self.at;
        let listed = self.listed();
        self.at += listed;
        while self.text.get(self.at).is_some_and(|&c| in_word(c) || self.goes_on(c)) {
            self.at += 1;
        }
        let word: String = self.text[from..self.at].iter().collect();
        if self.peek() != Some('(') {
            if FUNCTIONS.iter().any(|f| f.0 == word) {
                return Err(FormulaError {
                    column: from + 1,
                    message: format!("`{word}` is a function"),
                    expected: format!("`{word}(...)`"),
                });
            }
            if word == "t" {
                return self.push(Op::Time);
            }
            let place = self.names.iter().position(|n| n.0 == word).unwrap_or(self.names.len());
            if place == self.names.len() {
                self.names.push((word, from + 1));
            }
            return self.push(Op::Name(place));
        }
        if !self.vocabulary.is_empty() && MEASURES.contains(&word.as_str()) {
            return self.measured(from);
        }
        if let Some(table) = self.callables.tables.get(&word).cloned() {
            return self.curve(table, depth);
        }
        if let Some(function) = self.callables.functions.0.get(&word).cloned() {
            return self.call(&word, from, Called(function), depth);
        }
        let Some(&(_, function, arguments)) = FUNCTIONS.iter().find(|f| f.0 == word) else {
            let Callables { tables, functions } = self.callables;
            let own = tables.keys().chain(functions.0.keys()).cloned();
            let known: Vec<String> = function_names().map(String::from).chain(own).collect();
            return Err(FormulaError {
                column: from + 1,
                message: format!("there is no function `{word}`"),
                expected: format!("one of {}", known.join(", ")),
            });
        };
        self.at += 1;
        self.sum(depth + 1)?;
        if arguments == 2 {
            if !self.take(',') {
                return Err(self.wrong("`,` and a second argument"));
            }
            self.sum(depth + 1)?;
        }
        if !self.take(')') {
            return Err(self.wrong("`)`"));
        }
        self.push(if arguments == 2 { Op::Two(function) } else { Op::One(function) })
    }

    /// A curve of one number.
    #[inline(never)]
    fn curve(&mut self, table: Arc<Table>, depth: usize) -> Result<(), FormulaError> {
        self.at += 1;
        self.sum(depth + 1)?;
        if !self.take(')') {
            return Err(self.wrong("`)`"));
        }
        let place = self.called.iter().position(|known| Arc::ptr_eq(known, &table));
        let place = place.unwrap_or_else(|| {
            self.called.push(table);
            self.called.len() - 1
        });
        self.push(Op::Table(place))
    }

    /// A function of the program around, with all its arguments.
    #[inline(never)]
    fn call(&mut self, word: &str, from: usize, function: Called, depth: usize) -> Result<(), FormulaError> {
        self.at += 1;
        let wanted = function.0.arguments();
        let mut given = 0;
        if self.peek() != Some(')') {
            loop {
                self.sum(depth + 1)?;
                given += 1;
                if !self.take(',') {
                    break;
                }
            }
        }
        if !self.take(')') {
            return Err(self.wrong("`,` or `)`"));
        }
        if given != wanted {
            let many = |n: usize| if n == 1 { "1 argument".into() } else { format!("{n} arguments") };
            return Err(FormulaError {
                column: from + 1,
                message: format!("`{word}` is called with {}", many(given)),
                expected: many(wanted),
            });
        }
        let place = self.functions.iter().position(|known| *known == function);
        let place = place.unwrap_or_else(|| {
            self.functions.push(function);
            self.functions.len() - 1
        });
        self.push(Op::Call(place, wanted))
    }

    /// A quantity of two places, `distance(crank.tip, ground.pin)`: one name, without blanks.
    #[inline(never)]
    fn measured(&mut self, from: usize) -> Result<(), FormulaError> {
        while self.text.get(self.at).is_some_and(|c| *c != ')') {
            self.at += 1;
        }
        if !self.take(')') {
            return Err(self.wrong("two places and `)`, such as `distance(crank.tip, ground.pin)`"));
        }
        let name: String = self.text[from..self.at].iter().filter(|c| !c.is_whitespace()).collect();
        let place = self.names.iter().position(|n| n.0 == name).unwrap_or(self.names.len());
        if place == self.names.len() {
            self.names.push((name, from + 1));
        }
        self.push(Op::Name(place))
    }
}
