// Five gallery runs as a reader meets them: play, seek, pick, zoom, read values that are those of the files.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { events, gallery, open, series, sevenDigits, start, stop, until } from "./support.mjs";

before(start);
after(stop);

for (const name of ["slider-crank", "crank-slider-flex", "dominoes", "woodpecker", "four-bar-clearance"]) {
  test(name, async () => {
    const out = gallery(name), file = series(out), { page, state, shot, close } = await open(join(out, "report.html"));

    // Play moves the time on, pause holds it.
    const begin = await state();
    assert.equal(begin.playing, false);
    await page.click("#play");
    await until(page, t => carom.state().t > t, begin.t);
    await page.click("#play");
    assert.equal((await state()).playing, false);

    // The slider goes where it is put, and the clock says so.
    const span = begin.end - begin.start;
    await page.locator("#time").fill("0.5");
    const half = await state();
    assert.ok(Math.abs(half.t - (begin.start + span / 2)) < 1e-9 * Math.abs(begin.end));

    // A channel found by typing goes into a new pane.
    const channel = file.names.filter(n => n.endsWith(".vx"))[0];
    await page.getByRole("button", { name: "+ pane" }).click();
    await page.locator("#search").fill(channel);
    await page.locator("#channels label", { hasText: channel }).first().locator("input").check();
    assert.deepEqual((await state()).panes.at(-1).names, [channel]);

    // At a stored time, value and readout are those of series.csv in single precision.
    const t = file.column("t"), y = file.column(channel);
    for (const k of [0, Math.floor(t.length / 3), t.length - 1]) {
      await page.evaluate(s => carom.seek(s), t[k]);
      const got = await page.evaluate(([c, s]) => carom.valueAt(0, c, s), [channel, t[k]]);
      // Of a run beyond the budget the page has the samples that matter; the value is then that of its own time.
      const row = t.indexOf(got.t);
      assert.ok(row >= 0, `time ${got.t} is not in series.csv`);
      assert.equal(got.value, Math.fround(y[row]));
      const shown = await page.locator("#panes .pane").last().locator(".legend b").innerText();
      assert.equal(shown.split(" ")[0], sevenDigits(Math.fround(y[row])));
      const when = await page.locator("#panes .pane").last().locator(".when").innerText();
      assert.equal(when.split(" ")[1], sevenDigits(got.t));
    }

    // Every channel of the file is there, but those only drawn.
    const plotted = file.names.slice(1).filter(n => !/\.(shape|touch)\./.test(n));
    assert.equal((await state()).runs[0].channels, plotted.length);

    // Dragging over a pane zooms all of them; double click shows all again.
    const over = page.locator("#panes .u-over").first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    await until(page, s => carom.state().window[1] - carom.state().window[0] < 0.3 * s, span);
    const zoomed = (await state()).window;
    assert.ok(Math.abs(zoomed[0] - (begin.start + 0.25 * span)) < 0.02 * span && Math.abs(zoomed[1] - (begin.start + 0.5 * span)) < 0.02 * span, String(zoomed));
    // A click goes to the time under the pointer: in the middle of the window.
    await page.mouse.click(box.x + 0.5 * box.width, box.y + box.height / 2);
    const clicked = (await state()).t;
    assert.ok(Math.abs(clicked - (zoomed[0] + zoomed[1]) / 2) < 0.02 * span, `${clicked} in ${zoomed}`);
    await page.getByRole("button", { name: "whole time" }).click();
    assert.deepEqual((await state()).window, [begin.start, begin.end]);

    // As many events as in the file.
    const listed = events(out);
    assert.equal((await state()).runs[0].events, listed.length);
    if (listed.length) {
      assert.ok((await page.locator("#event-count").innerText()).includes(listed.length.toLocaleString("en")));
      // The first one's time is a way to get there.
      await page.locator("#events .link").first().click();
      assert.ok(Math.abs((await state()).t - Number(listed[0][0])) <= 1e-12 * Math.abs(begin.end));
    }
    await page.evaluate(s => carom.seek(s), begin.start + 0.37 * span);
    await shot(name);
    await close();
  });
}

test("forces, names, trace, follow, colours and a phase plot", async () => {
  const out = gallery("crank-slider-flex"), { page, state, shot, close } = await open(join(out, "report.html"));
  await page.locator("#names").check();
  await page.locator("#forces").check();
  await page.locator("#trace").selectOption("=slider");
  await page.locator("#coloring").selectOption("stress");
  await page.locator("#deformation").fill("1.5");
  assert.equal(await page.locator("#deformation-word").innerText(), "32 ×");
  const before = (await state()).camera;
  await page.locator("#follow").selectOption("=slider");
  await page.evaluate(() => carom.seek(carom.state().end / 2));
  // The first frame notes where the body is, the next goes with it.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.evaluate(() => carom.seek(carom.state().end / 3));
  await until(page, x => carom.state().camera.x !== x, before.x);
  await page.evaluate(() => carom.addPhase("slider.x", "slider.vx"));
  assert.equal((await state()).panes.at(-1).kind, "phase");
  await shot("stage-options");
  await close();
});

test("a pane takes two units and refuses a third with a word", async () => {
  const { page, state, close } = await open(join(gallery("slider-crank"), "report.html"));
  await page.evaluate(() => { carom.addPane(["slider.x", "slider.vx"]); carom.toggle("slider.angle"); });
  assert.deepEqual((await state()).panes.at(-1).names, ["slider.x", "slider.vx"]);
  assert.match(await page.locator(".refused").innerText(), /already shows m and m\/s.*slider\.angle is in rad/);
  await close();
});

test("downloads: what a pane shows as CSV, SVG and PNG, and tables", async () => {
  const out = gallery("slider-crank"), file = series(out), { page, close } = await open(join(out, "report.html"));
  const { readFileSync } = await import("node:fs"), { parseCsv } = await import("./support.mjs");
  const fetchFile = async (root, name) => { const [d] = await Promise.all([page.waitForEvent("download"), root.getByRole("button", { name, exact: true }).click()]); return { name: d.suggestedFilename(), bytes: readFileSync(await d.path()) }; };
  const pane = page.locator("#panes .pane").first();
  const names = (await page.evaluate(() => carom.state().panes[0].names));
  const t = file.column("t"), from = t[1000], to = t[1500];
  await page.evaluate(([a, b]) => carom.zoom(a, b), [from, to]);
  const rows = parseCsv((await fetchFile(pane, "CSV")).bytes.toString());
  assert.equal(rows[0][0], "t / s");
  assert.equal(rows.length - 1, 501);
  const y = file.column(names[0]);
  for (const k of [0, 250, 500]) {
    assert.equal(Number(rows[k + 1][0]), t[1000 + k]);
    assert.equal(Math.fround(Number(rows[k + 1][1])), Math.fround(y[1000 + k]));
  }
  const svg = (await fetchFile(pane, "SVG")).bytes.toString();
  assert.match(svg, /^<svg /);
  assert.ok(svg.includes(names[0]) && svg.includes("t / s") && svg.includes("<path"));
  const png = (await fetchFile(pane, "PNG")).bytes;
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const stage = (await fetchFile(page.locator("#stage-card"), "Picture as PNG")).bytes;
  assert.deepEqual([...stage.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const listed = parseCsv((await fetchFile(page.locator("#events"), "CSV")).bytes.toString());
  assert.equal(listed.length - 1, events(out).length);
  await close();
});
