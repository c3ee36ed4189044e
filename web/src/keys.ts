/** Everything by keyboard. */
import { button, byId, el } from "./dom";
import { toggleTheme } from "./theme";
import type { Clock, Window } from "./time";
import type { Stage } from "./stage/stage";
import type { Plots } from "./plots/plots";

const WORDS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one frame back or on; with Ctrl ten times as far"],
  ["Home End", "first and last moment"],
  ["+ −", "faster, slower"],
  ["Shift+arrows", "move the picture"],
  ["PageUp PageDown", "closer, farther (on the picture)"],
  ["r", "show the whole mechanism"],
  ["/", "search channels; ↓ goes into the list, Enter takes the first"],
  ["i o", "less or more time around the moment in the plots"],
  ["0", "all times in the plots"],
  ["d", "light or dark"],
  ["?", "these keys"],
];
/** Arrow keys step this share of the whole time. */
const STEP = 1 / 400;
const PAN = 40;

export function startKeys(clock: Clock, view: Window, stage: Stage, plots: Plots) {
  const dialog = byId<HTMLDialogElement>("keys");
  dialog.append(
    el("h2", {}, "Keys"),
    el(
      "dl",
      {},
      ...[...WORDS, ...(stage.space?.words ?? [])].flatMap(([k, what]) => [el("dt", {}, ...k.split(" ").map(w => el("kbd", {}, w))), el("dd", {}, what)]),
    ),
    button("close", () => dialog.close()),
  );
  const help = () => {
    if (dialog.open) dialog.close();
    else dialog.showModal();
  };
  byId("keys-button").onclick = help;
  byId("theme").onclick = toggleTheme;
  const step = (by: number) => {
    clock.pause();
    clock.seek(clock.t + by * clock.span * STEP);
  };

  document.addEventListener("keydown", e => {
    const target = e.target as HTMLElement,
      tag = target.tagName;
    const typing =
      (tag === "INPUT" && !["checkbox", "range"].includes((target as HTMLInputElement).type)) || tag === "TEXTAREA";
    if (typing || e.altKey || e.metaKey || (dialog.open && e.key !== "?")) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    const slider = tag === "INPUT" && (target as HTMLInputElement).type === "range" && target.id !== "time";
    const done = () => e.preventDefault();
    if (!slider && stage.space?.key(e)) return done();
    if (arrow && e.shiftKey && !slider) {
      stage.pan(-PAN * arrow[0], -PAN * arrow[1]);
      return done();
    }
    if (arrow && arrow[0] && !slider && tag !== "SELECT") {
      step(arrow[0] * (e.ctrlKey ? 10 : 1));
      return done();
    }
    if (e.ctrlKey) return;
    if (target.id === "stage" && (e.key === "PageUp" || e.key === "PageDown")) {
      stage.zoom(e.key === "PageUp" ? 1.4 : 1 / 1.4);
      return done();
    }
    switch (e.key) {
      case " ":
        if (
          tag === "BUTTON" ||
          tag === "SELECT" ||
          tag === "SUMMARY" ||
          (tag === "INPUT" && (target as HTMLInputElement).type === "checkbox")
        )
          return;
        clock.toggle();
        return done();
      case "Home":
        if (slider || tag === "SELECT") return;
        clock.pause();
        clock.seek(clock.start);
        return done();
      case "End":
        if (slider || tag === "SELECT") return;
        clock.pause();
        clock.seek(clock.end);
        return done();
    }
    if (tag === "SELECT") return;
    switch (e.key) {
      case "+":
      case "=":
        stage.stepSpeed(1);
        return done();
      case "-":
      case "−":
        stage.stepSpeed(-1);
        return done();
      case "/":
        plots.picker.focus();
        return done();
      case "?":
        help();
        return done();
      case "r":
        stage.resetView();
        return done();
      case "d":
        toggleTheme();
        return done();
      case "i":
        view.zoom(1 / 1.6, clock.t);
        return done();
      case "o":
        view.zoom(1.6, clock.t);
        return done();
      case "0":
        view.all();
        return done();
    }
  });
}
