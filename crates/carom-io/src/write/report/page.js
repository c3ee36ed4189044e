"use strict";
// Draws the object in #data: nothing else is known here, and nothing is fetched.
const D = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const S = D.summary, A = S.audit, T = D.motion.t, still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const t0 = T[0] ?? 0, t1 = T.length ? T[T.length - 1] : 0, span = t1 - t0 || 1;
const state = { t: t0, playing: false, speed: 1, trails: D.motion.bodies.length <= 8, names: false, window: [t0, t1], view: null };
let color = {};

// --- words and numbers -------------------------------------------------------------------------------------------
function number(x, digits = 4) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const a = Math.abs(x);
  return (a >= 1e-3 && a < 1e5 ? String(+x.toPrecision(digits)) : x.toExponential(digits - 2).replace(/\.?0*e/, "e")).replace("e+", "e").replace("-", "−").replace("e-", "e−");
}
const showTime = t => number(t / D.time.factor, 5) + " " + D.time.unit;
function element(tag, text, name) { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (name) e.className = name; return e; }
function rows(table, head, body) {
  const fill = (cells, tag, into) => { const tr = element("tr"); cells.forEach(c => tr.append(element(tag, c, tag === "td" && /^[−\d]/.test(c) ? "n" : ""))); into.append(tr); return tr; };
  if (head) { const h = element("thead"); fill(head, "th", h); table.append(h); }
  const b = element("tbody"); table.append(b);
  return body.map(cells => fill(cells, "td", b));
}
// Ticks at 1, 2 or 5 times a power of ten.
function ticks(low, high, count) {
  const raw = (high - low) / Math.max(count, 1), p = 10 ** Math.floor(Math.log10(raw)), m = raw / p;
  const step = (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * p, list = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) list.push(i * step);
  return { step, list };
}
// Last index with series[i] <= t.
function before(series, t) { let a = 0, b = series.length - 1; while (a < b) { const m = (a + b + 1) >> 1; series[m] <= t ? a = m : b = m - 1; } return a; }
function valueAt(c, t) {
  if (!c.t.length) return null;
  const i = before(c.t, t), j = Math.min(i + 1, c.t.length - 1), w = c.t[j] > c.t[i] ? Math.min(Math.max((t - c.t[i]) / (c.t[j] - c.t[i]), 0), 1) : 0;
  return c.y[i] === null || c.y[j] === null ? c.y[i] : c.y[i] * (1 - w) + c.y[j] * w;
}
function surface(canvas) {
  const r = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * r) || canvas.height !== Math.round(h * r)) { canvas.width = Math.round(w * r); canvas.height = Math.round(h * r); }
  const g = canvas.getContext("2d"); g.setTransform(r, 0, 0, r, 0, 0); g.clearRect(0, 0, w, h); g.font = "12px system-ui, sans-serif";
  return [g, w, h];
}
function readColors() {
  const s = getComputedStyle(document.documentElement);
  for (const k of ["paper", "card", "ink", "quiet", "line", "grid", "accent", "good", "bad", "ground"]) color[k] = s.getPropertyValue("--" + k).trim();
  color.c = [...Array(8).keys()].map(i => s.getPropertyValue("--c" + i).trim());
}

// --- the mechanism -----------------------------------------------------------------------------------------------
const tracks = new Map(D.motion.bodies.map((b, i) => [b.name, Object.assign(b, { tint: i % 8 })]));
const figures = D.drawing.figures.slice();
const drawn = new Set(figures.map(f => f.body));
for (const b of tracks.values()) if (!drawn.has(b.name) && !b.name.includes(".")) figures.push({ body: b.name, strokes: [] });
function pose(body, t) {
  const b = tracks.get(body);
  if (!b) return { x: 0, y: 0, c: 1, s: 0, shape: [] };
  const i = before(T, t), j = Math.min(i + 1, T.length - 1), w = T[j] > T[i] ? Math.min(Math.max((t - T[i]) / (T[j] - T[i]), 0), 1) : 0;
  const mix = a => a[i] * (1 - w) + a[j] * w, angle = b.angle ? mix(b.angle) : 0;
  return { x: mix(b.x), y: mix(b.y), c: Math.cos(angle), s: Math.sin(angle), shape: b.shape.map(([x, y]) => [mix(x), mix(y)]) };
}
const place = (p, q) => [p.x + p.c * q[0] - p.s * q[1], p.y + p.s * q[0] + p.c * q[1]];
// Points of a line in the inertial frame: fixed to the body, or its shape points.
const through = (p, stroke) => stroke.shape ? stroke.shape.points.map(n => p.shape[n]) : stroke.line.points.map(q => place(p, q));
function spots(stroke) {
  if (stroke.shape) return [];
  if (stroke.line) return stroke.line.points;
  const { center: [x, y], radius: r } = stroke.circle;
  return [[x - r, y], [x + r, y], [x, y - r], [x, y + r]];
}
// The box that holds all motion; of the ground only what is near it.
const box = (() => {
  const b = [Infinity, Infinity, -Infinity, -Infinity], add = ([x, y]) => { if (isFinite(x) && isFinite(y)) { b[0] = Math.min(b[0], x); b[1] = Math.min(b[1], y); b[2] = Math.max(b[2], x); b[3] = Math.max(b[3], y); } };
  const every = Math.max(1, Math.floor(T.length / 200));
  for (const f of figures) if (tracks.has(f.body)) for (let k = 0; k < T.length; k += every) { const p = pose(f.body, T[k]); add([p.x, p.y]); for (const s of f.strokes) for (const q of spots(s)) add(place(p, q)); p.shape.forEach(add); }
  const ground = figures.filter(f => !tracks.has(f.body)).flatMap(f => f.strokes.flatMap(spots));
  if (!isFinite(b[0])) ground.forEach(add);
  if (!isFinite(b[0])) return [-1, -1, 1, 1];
  const size = Math.max(b[2] - b[0], b[3] - b[1]) || 1, near = [b[0] - .4 * size, b[1] - .4 * size, b[2] + .4 * size, b[3] + .4 * size];
  for (const q of ground) if (q[0] >= near[0] && q[0] <= near[2] && q[1] >= near[1] && q[1] <= near[3]) add(q);
  const least = .25 * Math.max(b[2] - b[0], b[3] - b[1], 1e-12);
  for (const i of [0, 1]) if (b[i + 2] - b[i] < least) { const m = (b[i] + b[i + 2]) / 2; b[i] = m - least / 2; b[i + 2] = m + least / 2; }
  return b;
})();
const impacts = D.events.filter(e => e[1] === "impact"), hardest = Math.max(...impacts.map(e => Math.abs(e[5])), 1e-300);
const marks = new Map(D.drawing.marks.map(m => [m.subject, m]));
// `guide.2.1` is shown where `guide.2` is, or where `guide` is.
const markOf = name => marks.get(name) ?? (name.includes(".") ? markOf(name.replace(/\.[^.]*$/, "")) : undefined);

function drawStage() {
  const [g, w, h] = surface($("stage")), pad = 34, v = state.view ?? { x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2, zoom: 1 };
  const k = v.zoom * Math.min((w - 2 * pad) / (box[2] - box[0]), (h - 2 * pad) / (box[3] - box[1]));
  const X = p => w / 2 + (p[0] - v.x) * k, Y = p => h / 2 - (p[1] - v.y) * k;
  // Grid with a step that is named in the corner.
  const grid = ticks(0, w / k / D.length.factor, w / 70).step * D.length.factor;
  g.strokeStyle = color.grid; g.lineWidth = 1; g.beginPath();
  for (let i = Math.ceil((v.x - w / 2 / k) / grid); i * grid < v.x + w / 2 / k; i++) { const x = Math.round(X([i * grid, 0])) + .5; g.moveTo(x, 0); g.lineTo(x, h); }
  for (let i = Math.ceil((v.y - h / 2 / k) / grid); i * grid < v.y + h / 2 / k; i++) { const y = Math.round(Y([0, i * grid])) + .5; g.moveTo(0, y); g.lineTo(w, y); }
  g.stroke();
  g.fillStyle = color.quiet; g.textAlign = "right"; g.fillText("grid " + number(grid / D.length.factor) + " " + D.length.unit, w - 12, h - 12);
  const chain = (points, closed) => { g.beginPath(); points.forEach((r, i) => i ? g.lineTo(X(r), Y(r)) : g.moveTo(X(r), Y(r))); if (closed) g.closePath(); };
  if (state.trails) for (const b of tracks.values()) if (!b.name.includes(".")) {
    g.strokeStyle = color.c[b.tint]; g.globalAlpha = .35; g.lineWidth = 1.2; g.beginPath();
    for (let i = 0, n = before(T, state.t); i <= n; i++) { const r = [b.x[i], b.y[i]]; i ? g.lineTo(X(r), Y(r)) : g.moveTo(X(r), Y(r)); }
    g.stroke(); g.globalAlpha = 1;
  }
  g.lineJoin = g.lineCap = "round";
  for (const f of figures) {
    const p = pose(f.body, state.t), body = tracks.get(f.body), tint = body ? color.c[body.tint] : color.ground;
    for (const s of f.strokes) {
      g.strokeStyle = tint; g.fillStyle = tint; g.lineWidth = body ? 2.2 : 2;
      if (s.circle) {
        const c = place(p, s.circle.center), r = Math.max(s.circle.radius * k, 2);
        g.beginPath(); g.arc(X(c), Y(c), r, 0, 7); g.globalAlpha = .16; g.fill(); g.globalAlpha = 1; g.stroke();
        if (body && body.angle && r > 7) { g.globalAlpha = .6; g.beginPath(); g.moveTo(X(c), Y(c)); g.lineTo(X(c) + r * p.c, Y(c) - r * p.s); g.stroke(); g.globalAlpha = 1; }
      } else {
        const points = through(p, s), closed = (s.shape ?? s.line).closed;
        chain(points, closed);
        if (closed) { g.globalAlpha = .16; g.fill(); g.globalAlpha = 1; }
        else if (!body) hatch(g, points.map(q => [X(q), Y(q)]), w, h);
        chain(points, closed);
        // A link shows its pins, if it is long enough on the screen to have room for them.
        const ends = [points[0], points[points.length - 1]], long = Math.hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]) * k;
        if (body && !closed) g.lineWidth = Math.min(4, Math.max(1.5, long / 4));
        g.stroke();
        if (body && !closed && long > 16) for (const r of ends) { g.beginPath(); g.arc(X(r), Y(r), 4.2, 0, 7); g.fillStyle = color.card; g.fill(); g.lineWidth = 2; g.stroke(); }
      }
    }
    if (body) { g.fillStyle = tint; g.beginPath(); g.arc(X([p.x]), Y([0, p.y]), f.strokes.length ? 2.4 : 6, 0, 7); g.fill(); }
    if (body && state.names) { g.fillStyle = color.ink; g.textAlign = "left"; g.fillText(f.body, X([p.x]) + 7, Y([0, p.y]) - 7); }
  }
  // Impacts flash for a third of a second as it is watched.
  for (let i = impacts.length - 1; i >= 0; i--) {
    const age = (state.t - impacts[i][0]) / state.speed / .35;
    if (age < 0) continue;
    if (age > 1) break;
    const m = markOf(impacts[i][2]);
    if (!m) continue;
    const c = place(pose(m.body, state.t), m.at), strength = .25 + .75 * Math.sqrt(Math.abs(impacts[i][5]) / hardest);
    g.strokeStyle = color.accent; g.lineWidth = 3.5 * strength * (1 - age) + .5; g.globalAlpha = 1 - age;
    g.beginPath(); g.arc(X(c), Y(c), m.radius * k + 4 + 20 * strength * age, 0, 7); g.stroke(); g.globalAlpha = 1;
  }
}
// Short strokes on the right of a wall, where the solid side is.
function hatch(g, points, w, h) {
  g.save(); g.lineWidth = 1; g.globalAlpha = .55; g.beginPath();
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]], l = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (l < 1e-9) continue;
    const u = [(b[0] - a[0]) / l, (b[1] - a[1]) / l], n = [-u[1], u[0]];
    // Of a wall without end, only the part on the screen.
    const mid = (w / 2 - a[0]) * u[0] + (h / 2 - a[1]) * u[1], reach = w + h;
    for (let s = Math.max(4, 9 * Math.ceil((mid - reach) / 9)); s < Math.min(l, mid + reach); s += 9) { const x = a[0] + s * u[0], y = a[1] + s * u[1]; g.moveTo(x, y); g.lineTo(x + 7 * (n[0] - u[0] * .8), y + 7 * (n[1] - u[1] * .8)); }
  }
  g.stroke(); g.restore();
}

// --- plots -------------------------------------------------------------------------------------------------------
const byName = new Map(D.channels.map(c => [c.name, c])), panes = [];
let left = 40; // of all panes, so that the cursors stand above each other
function addPane(names) {
  const root = element("div", undefined, "pane"), chips = element("div", undefined, "chips"), canvas = element("canvas");
  const pane = { names: names.filter(n => byName.has(n)), canvas, values: new Map() };
  const input = element("input"); input.setAttribute("list", "channel-list"); input.placeholder = "add a channel"; input.setAttribute("aria-label", "add a channel");
  const rebuild = () => {
    chips.replaceChildren(); pane.values.clear();
    pane.names.forEach((n, i) => {
      const chip = element("button", undefined, "chip"), dash = element("i"), value = element("b");
      dash.style.background = `var(--c${i % 8})`; chip.title = "remove"; chip.append(dash, n, value); pane.values.set(n, value);
      chip.onclick = () => { pane.names.splice(i, 1); rebuild(); };
      chips.append(chip);
    });
    chips.append(input); redraw();
  };
  input.onchange = () => { if (byName.has(input.value) && !pane.names.includes(input.value)) pane.names.push(input.value); input.value = ""; rebuild(); };
  const seek = e => { const r = canvas.getBoundingClientRect(), [a, b] = state.window; setTime(a + (e.clientX - r.left - left) / (r.width - left - 8) * (b - a)); };
  canvas.onpointerdown = e => { canvas.setPointerCapture(e.pointerId); pause(); seek(e); };
  canvas.onpointermove = e => { if (e.buttons) seek(e); };
  canvas.addEventListener("wheel", e => {
    if (!e.ctrlKey && !e.shiftKey) return;
    e.preventDefault();
    const r = canvas.getBoundingClientRect(), [a, b] = state.window, at = a + (e.clientX - r.left - left) / (r.width - left - 8) * (b - a), f = (e.deltaY || e.deltaX) > 0 ? 1.25 : .8;
    state.window = [Math.max(t0, at - (at - a) * f), Math.min(t1, at + (b - at) * f)]; redraw();
  }, { passive: false });
  canvas.ondblclick = () => { state.window = [t0, t1]; redraw(); };
  canvas.title = "click: go to that time; shift + wheel: closer; double click: all";
  root.append(chips, canvas); $("plots").append(root); panes.push(pane); rebuild();
}
function drawPane(pane) {
  const [g, w, h] = surface(pane.canvas), [a, b] = state.window, list = pane.names.map(n => byName.get(n));
  const top = 20, bottom = 22;
  let low = Infinity, high = -Infinity;
  for (const c of list) for (let i = Math.max(before(c.t, a), 0); i < c.t.length && c.t[i] <= b; i++) { const y = c.y[i]; if (y !== null) { if (y < low) low = y; if (y > high) high = y; } }
  if (!(low <= high)) { low = 0; high = 1; }
  if (high - low < 1e-12 * Math.max(Math.abs(low), Math.abs(high), 1e-300)) { const d = Math.abs(low) * .1 || 1; low -= d; high += d; }
  const margin = .06 * (high - low); low -= margin; high += margin;
  const yt = ticks(low, high, (h - top - bottom) / 38).list;
  pane.want = Math.min(90, Math.max(...yt.map(y => g.measureText(number(y)).width), 20) + 12);
  const X = t => left + (t - a) / (b - a || 1) * (w - left - 8), Y = y => top + (high - y) / (high - low) * (h - top - bottom);
  g.lineWidth = 1; g.textBaseline = "middle"; g.textAlign = "right";
  for (const y of yt) { g.strokeStyle = Math.abs(y) < 1e-9 * (high - low) ? color.quiet : color.grid; const p = Math.round(Y(y)) + .5; g.beginPath(); g.moveTo(left, p); g.lineTo(w - 8, p); g.stroke(); g.fillStyle = color.quiet; g.fillText(number(y), left - 7, p); }
  const f = D.time.factor, xt = ticks(a / f, b / f, w / 95);
  g.textAlign = "center"; g.textBaseline = "alphabetic";
  for (const x of xt.list) { const p = Math.round(X(x * f)) + .5; g.strokeStyle = color.grid; g.beginPath(); g.moveTo(p, top); g.lineTo(p, h - bottom); g.stroke(); if (p < w - 46) g.fillText(number(x), p, h - 7); }
  g.textAlign = "right"; g.fillText("t / " + D.time.unit, w - 8, h - 7);
  const units = [...new Set(list.map(c => c.unit))].filter(Boolean);
  g.textAlign = "left"; g.fillText(units.join(", "), 2, 11);
  g.save(); g.beginPath(); g.rect(left, top - 4, w - left - 8, h - top - bottom + 8); g.clip(); g.lineWidth = 1.7; g.lineJoin = "round";
  list.forEach((c, n) => {
    g.strokeStyle = color.c[n % 8]; g.beginPath();
    let pen = false;
    for (let i = Math.max(before(c.t, a), 0); i < c.t.length; i++) { if (c.y[i] === null) { pen = false; continue; } const x = X(c.t[i]), y = Y(c.y[i]); pen ? g.lineTo(x, y) : g.moveTo(x, y); pen = true; if (c.t[i] > b) break; }
    g.stroke();
  });
  const x = X(state.t); g.strokeStyle = color.accent; g.lineWidth = 1.2; g.beginPath(); g.moveTo(x, top - 4); g.lineTo(x, h - bottom + 4); g.stroke();
  list.forEach((c, n) => { const y = valueAt(c, state.t); if (y !== null) { g.fillStyle = color.c[n % 8]; g.beginPath(); g.arc(x, Y(y), 3.2, 0, 7); g.fill(); } pane.values.get(c.name).textContent = number(y) + (c.unit ? " " + c.unit : ""); });
  g.restore();
}

// --- time --------------------------------------------------------------------------------------------------------
let queued = false;
function redraw() { if (!queued) { queued = true; requestAnimationFrame(() => { queued = false; paint(); }); } }
function drawPanes() { panes.forEach(drawPane); const want = Math.max(...panes.map(p => p.want)); if (want !== left) { left = want; panes.forEach(drawPane); } }
function paint() { drawStage(); drawPanes(); $("time").value = (state.t - t0) / span; $("clock").textContent = showTime(state.t); }
function setTime(t) { state.t = Math.min(Math.max(t, t0), t1); redraw(); }
let last = 0;
function tick(now) {
  if (!state.playing) return;
  state.t += Math.min((now - last) / 1000, .1) * state.speed; last = now;
  if (state.t > t1) state.t = t0;
  paint(); requestAnimationFrame(tick);
}
function play() { if (state.playing || t1 <= t0) return; state.playing = true; $("play").textContent = "❚❚"; if (state.t >= t1) state.t = t0; last = performance.now(); requestAnimationFrame(tick); }
function pause() { state.playing = false; $("play").textContent = "▶"; }
function drawTicks() {
  const [g, w, h] = surface($("ticks"));
  g.fillStyle = color.accent; g.globalAlpha = .55;
  for (const e of impacts) g.fillRect(8 + (e[0] - t0) / span * (w - 16), h - 6, 1, 5);
}

// --- tables ------------------------------------------------------------------------------------------------------
function words() {
  $("title").textContent = D.title || D.model;
  const failed = typeof S.stop === "object" ? S.stop.failed : null;
  const setting = Object.entries(D.scheme_parameters).map(([k, v]) => `${k} ${v}`).join(", ");
  $("facts").textContent = [S.scheme + (setting ? ` (${setting})` : ""), "step " + showTime(S.step_range[0] === S.step_range[1] || !S.steps ? D.step : S.step_range[0]) + (S.step_range[0] < S.step_range[1] * (1 - 1e-6) ? " to " + showTime(S.step_range[1]) : ""),
    S.steps.toLocaleString("en") + " steps to " + showTime(S.t), number(D.wall_seconds, 3) + " s on the clock"].join("  ·  ");
  if (D.scheme_choice) $("facts").append(element("br"), D.scheme_choice + ".");
  const share = A.energy_scale > 0 ? Math.abs(A.numerical_loss) / A.energy_scale : 0;
  $("verdict").textContent = failed ? `Stopped: ${failed} ${A.verdict}` : (S.stop === "interrupted" ? "Interrupted. " : "") + A.verdict;
  $("verdict").className = failed ? "bad" : share > .01 || A.failures || S.stop !== "done" ? "warn" : "";
  const worst = (what, x, unit) => [what, number(x.value) + " " + unit, x.subject || "–", x.subject ? showTime(x.t) : "–"];
  rows($("audit"), ["", "largest", "where", "when"], [
    worst("Joints open by", A.drift_length, "m"), worst("Joints turned by", A.drift_angle, "rad"), worst("Penetration", A.penetration, "m"), worst("Contact residual", A.contact_residual, ""),
    ["Numerical loss", number(100 * share, 3) + " % of energy", "–", "–"], ["Fallback solver used", String(A.fallbacks), "–", "–"], ["Did not converge, retried", String(A.failures), "–", "–"],
    ["Redundant constraints", A.redundant.length ? A.redundant.join(", ") : "none", "–", "–"]]);
  const sheet = [["Energy at the start", A.energy_start, "c0"], ["Applied forces", A.applied_work, "c2"], ["Prescribed motions", A.prescribed_work, "c2"], ["Dampers", -A.damping_loss, "c1"], ["Friction", -A.friction_loss, "c1"], ["Impacts", -A.impact_loss, "c1"], ["The scheme itself", -A.numerical_loss, "c3"], ["Energy at the end", A.energy_end, "c0"]].filter(([, x], i) => x !== 0 || i === 0 || i === 7);
  // A waterfall: every entry begins where the one before ended.
  let level = 0; const bars = sheet.map(([name, x, tint], i) => { const from = i === 0 || i === sheet.length - 1 ? 0 : level; level = from + x; return { name, x, tint, low: Math.min(from, level), high: Math.max(from, level) }; });
  const low = Math.min(0, ...bars.map(b => b.low)), high = Math.max(0, ...bars.map(b => b.high)), whole = Math.max(high - low, A.energy_scale) || 1;
  for (const b of bars) {
    const row = element("div", undefined, "bar"), track = element("div"), bar = element("i");
    bar.style.cssText = `left:${100 * (b.low - low) / whole}%;width:${100 * (b.high - b.low) / whole}%;background:var(--${b.tint})`; if (b.x === 0) bar.style.display = "none";
    track.append(bar); row.append(element("span", b.name), track, element("span", number(b.x, 5) + " J")); $("balance").append(row);
  }
  const counts = {}; D.events.forEach(e => counts[e[1]] = (counts[e[1]] ?? 0) + 1);
  $("event-count").textContent = Object.entries(counts).map(([k, n]) => `${n} ${k}`).join(", ") || "nothing but smooth motion";
  if (D.events.length) rows($("events"), ["t", "", "", "before", "after", "impulse"], D.events.slice(0, 500).map(e => [showTime(e[0]), e[1], e[2], number(e[3]), number(e[4]), number(e[5])])).forEach((tr, i) => tr.onclick = () => { pause(); setTime(D.events[i][0]); });
  rows($("run"), null, [["Model", D.model], ["Contact solver", D.solver], [S.tangent_factorisations ? "Newton iterations" : "Iterations (no tangents)", String(S.newton_iterations)], ["Factorisations / with tangents", `${S.factorisations} / ${S.tangent_factorisations}`], ["Contact problems / iterations", `${S.contact_problems} / ${S.contact_iterations}`], ...(S.phases || []).filter((p) => p.steps).map((p) => [`By ${p.name}`, `${showTime(p.time)} in ${p.steps} steps; began: ${p.began.map(([why, n]) => n > 1 ? `${why} (${n} times)` : why).join(", ")}`]), ["Steps retried / rejected", `${S.retries} / ${S.rejected}`],
    ...(Object.keys(D.parameters).length ? [["Parameters", Object.entries(D.parameters).map(([k, v]) => `${k} = ${v}`).join(", ")]] : []), ["Trajectory digest", S.digest], ["Carom", D.carom]]);
  $("command").textContent = D.command; $("copy").onclick = () => navigator.clipboard?.writeText(D.command);
  $("left-out").textContent = D.left_out.join(". ");
}

// --- begin -------------------------------------------------------------------------------------------------------
readColors(); words();
const options = element("datalist"); options.id = "channel-list"; D.channels.forEach(c => { const o = element("option"); o.value = c.name; options.append(o); }); document.body.append(options);
const first = D.motion.bodies[0]?.name, other = D.channels.filter(c => !c.name.startsWith("energy.")).slice(0, 2).map(c => c.name);
addPane(first ? [first + ".x", first + ".y"] : other);
addPane(["energy.kinetic", "energy.potential", "energy.strain", "energy.total"]);
// A speed at which the whole run lasts about ten seconds.
const natural = [1, 2, 5].flatMap(m => [...Array(15).keys()].map(p => m * 10 ** (p - 9))).sort((a, b) => Math.abs(Math.log(a * 10 / span)) - Math.abs(Math.log(b * 10 / span)))[0];
for (const f of [.05, .1, .2, .5, 1, 2, 5, 10]) { const o = element("option", number(natural * f) + " ×"); o.value = natural * f; o.selected = f === 1; $("speed").append(o); }
state.speed = natural; $("trails").checked = state.trails;
$("speed").onchange = e => state.speed = +e.target.value;
$("play").onclick = () => state.playing ? pause() : play();
$("time").oninput = e => { pause(); setTime(t0 + span * e.target.value); };
$("trails").onchange = e => { state.trails = e.target.checked; redraw(); };
$("names").onchange = e => { state.names = e.target.checked; redraw(); };
document.onkeydown = e => { if (/INPUT|SELECT|BUTTON/.test(e.target.tagName)) return; if (e.key === " ") { e.preventDefault(); $("play").click(); } else if (e.key.startsWith("Arrow")) { pause(); setTime(state.t + (e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0) * span / 400); } };
const stage = $("stage"), current = () => state.view ??= { x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2, zoom: 1 };
const scale = () => current().zoom * Math.min((stage.clientWidth - 68) / (box[2] - box[0]), (stage.clientHeight - 68) / (box[3] - box[1]));
stage.onpointerdown = e => stage.setPointerCapture(e.pointerId);
stage.onpointermove = e => { if (e.buttons) { const v = current(), k = scale(); v.x -= e.movementX / k; v.y += e.movementY / k; redraw(); } };
stage.addEventListener("wheel", e => {
  e.preventDefault();
  const v = current(), r = stage.getBoundingClientRect(), dx = e.clientX - r.left - r.width / 2, dy = e.clientY - r.top - r.height / 2, k = scale();
  v.zoom *= e.deltaY > 0 ? .87 : 1.15; const k2 = scale(); v.x += dx / k - dx / k2; v.y -= dy / k - dy / k2; redraw();
}, { passive: false });
stage.ondblclick = () => { state.view = null; redraw(); };
$("theme").onclick = () => { const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches; document.documentElement.dataset.theme = dark ? "light" : "dark"; readColors(); drawTicks(); redraw(); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColors(); drawTicks(); redraw(); });
new ResizeObserver(() => { drawTicks(); redraw(); }).observe(document.body);
// `#t=0.25` opens at that time (SI), standing still.
const hash = /[#&]t=([^&]+)/.exec(location.hash);
if (hash) setTime(+hash[1]); else if (!still) play();
drawTicks(); redraw();
