/** The report page: reads #data, draws it, and fetches nothing. */
import { AuditSection, comparisonTable } from "./audit/audit";
import { readPage, type Run } from "./data";
import { byId, choices, el } from "./dom";
import { EventsTable } from "./events";
import { showHead } from "./head";
import { startKeys } from "./keys";
import { showModel, showRun } from "./model";
import { Plots } from "./plots/plots";
import { Stage } from "./stage/stage";
import { onTheme, startTheme } from "./theme";
import { Clock, Window } from "./time";

startTheme();
const page = readPage();
const [start, end] = page.span;
const clock = new Clock(start, end),
  view = new Window(start, end);
const stage = new Stage(page, clock);
const plots = new Plots(page, clock, view);
const audit = new AuditSection(page, plots.shared, plots.file);
const events = new EventsTable(page, clock);

showHead(page, () => {
  plots.redraw();
  audit.show(chosen);
  stage.redraw();
});

/** The run that tables and the energy balance are about. */
let chosen: Run = page.runs[0];
function choose(run: Run) {
  chosen = run;
  audit.show(run);
  showModel(run);
  showRun(run, page);
  events.show(run);
}
if (page.runs.length > 1) {
  const select = el("select", { "aria-label": "Run that the tables are about" });
  choices(
    select,
    page.runs.map((r, i) => [String(i), r.name]),
    "0",
  );
  select.onchange = () => choose(page.runs[+select.value]);
  audit.head.append(el("label", { class: "pick" }, "tables and energy of ", select));
  byId("audit").before(
    el("section", { class: "card wide", id: "comparison", "aria-label": "Comparison" }, comparisonTable(page)),
  );
}
choose(chosen);
startKeys(clock, view, stage, plots);
onTheme(() => stage.drawTicks());
byId("foot").textContent =
  `Made by Carom ${page.carom}. This page is complete in itself: it asks nothing of any network.`;

// `#t=0.25` opens at that time, in the unit of the page.
const wanted = () => {
  const t = /[#&]t=([^&]+)/.exec(location.hash);
  return t && Number.isFinite(+t[1]) ? +t[1] : null;
};
clock.seek(wanted() ?? start);
addEventListener("hashchange", () => {
  const t = wanted();
  if (t !== null) {
    clock.pause();
    clock.seek(t);
  }
});

let painted: number | null = null;
requestAnimationFrame(() =>
  requestAnimationFrame(() => {
    painted = performance.now();
  }),
);

/** For tests, described in web/README.md. */
Object.assign(globalThis, {
  carom: {
    state: () => ({
      t: clock.t,
      start,
      end,
      playing: clock.playing,
      speed: clock.speed,
      window: [view.min, view.max],
      painted,
      camera: stage.space?.view ?? stage.camera.view,
      runs: page.runs.map(r => ({
        name: r.name,
        visible: r.visible,
        channels: r.channels.length,
        events: r.json.events.total,
      })),
      panes: plots.list.map(p => ({ kind: p.kind, names: p.names() })),
    }),
    seek: (t: number) => {
      clock.pause();
      clock.seek(t);
    },
    /** Draws a moment in space at once, to be timed. */
    draw: (t: number) => {
      clock.t = t;
      stage.space?.paint();
    },
    play: () => clock.play(),
    pause: () => clock.pause(),
    zoom: (from: number, to: number) => view.set(from, to),
    valueAt: (run: number, channel: string, t: number) => page.runs[run].channel(channel)?.at(t) ?? null,
    toggle: (channel: string) => plots.toggle(channel),
    addPane: (names: string[]) => {
      plots.add(names);
    },
    addPhase: (x: string, y: string) => {
      plots.addPhase(x, y);
    },
  },
});
