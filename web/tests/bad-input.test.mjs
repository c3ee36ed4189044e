// Results that are damaged, half-way, full of gaps or named to do harm: shown as they are, and said.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { carom, folder, gallery, open, parseCsv, series, start, stop } from "./support.mjs";

before(start);
after(stop);
const model = name => fileURLToPath(new URL(name, import.meta.url));

/** A copy of a result that may be damaged. */
function copy(out, name) {
  const to = join(folder, name);
  cpSync(out, to, { recursive: true });
  rmSync(join(to, "report.html"));
  return to;
}

test("names of all alphabets, and a title full of markup, are text", async () => {
  const out = join(folder, "names");
  carom(["run", model("names.toml"), "--out", out]);
  const { page, shot, close } = await open(join(out, "report.html"));
  const title = 'Мяч "<script>alert(1)</script>" & 球 {{data}} <img src=x onerror=alert(2)>';
  assert.equal(await page.locator("#title").innerText(), title);
  assert.equal(await page.title(), title);
  assert.ok(await page.locator("#channels label", { hasText: "球.x" }).first().isVisible());
  assert.equal(await page.locator("img").count(), 0);
  await page.locator("#names").check();
  await shot("names");
  await close();
});

test("hostile names in the files are text, also in tables and downloads", async () => {
  const out = copy(gallery("slider-crank"), "hostile"),
    bad = `<img src=x onerror=alert(1)>"'`;
  const quoted = `"${bad.replaceAll('"', '""')}.x"`,
    path = join(out, "series.csv"),
    text = readFileSync(path, "utf8");
  // Names that every object of the language has are names like any other.
  writeFileSync(path, text.replace("crank.x", quoted).replace("crank.y", "constructor.y").replace("rod.x", "__proto__.x"));
  const events = join(out, "events.csv");
  writeFileSync(
    events,
    readFileSync(events, "utf8")
      .replace(/guide\.1/, '"=cmd|calc,""x"""')
      .replaceAll("guide.2", "</script><b>"),
  );
  carom(["report", out]);
  const { page, state, shot, close } = await open(join(out, "report.html"));
  for (const name of ["constructor.y", "__proto__.x"]) {
    await page.locator("#search").fill(name);
    assert.equal(await page.locator("#channels .name").innerText(), name);
  }
  await page.locator("#search").fill("onerror");
  assert.equal(await page.locator("#channels .name").innerText(), `${bad}.x`);
  await page.evaluate(n => carom.addPane([n]), `${bad}.x`);
  assert.deepEqual((await state()).panes.at(-1).names, [`${bad}.x`]);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("#events td.subject").first().innerText(), '=cmd|calc,"x"');
  assert.equal(await page.locator("#events td.subject").nth(1).innerText(), "</script><b>");
  // In the CSV a spreadsheet is not told to calculate.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#events").getByRole("button", { name: "CSV" }).click(),
  ]);
  const saved = readFileSync(await download.path(), "utf8");
  assert.equal(parseCsv(saved)[1][2], `'=cmd|calc,"x"`);
  await shot("hostile-names");
  await close();
});

test("values that are not numbers are gaps, and counted", async () => {
  const out = copy(gallery("slider-crank"), "gaps"),
    path = join(out, "series.csv"),
    rows = parseCsv(readFileSync(path, "utf8")),
    i = rows[0].indexOf("slider.x");
  for (let k = 1001; k <= 1012; k++) rows[k][i] = "NaN";
  writeFileSync(path, rows.map(r => r.join(",")).join("\n") + "\n");
  carom(["report", out]);
  const { page, shot, close } = await open(join(out, "report.html"));
  await page.locator("#search").fill("slider.x");
  assert.match(await page.locator("#channels label").first().innerText(), /12 values are not numbers/);
  await page.evaluate(() => carom.addPane(["slider.x"]));
  const pane = page.locator("#panes .pane").last();
  assert.match(await pane.locator(".legend").innerText(), /12 values are not numbers/);
  await page.evaluate(t => carom.seek(t), Number(rows[1005][0]));
  assert.match(await pane.locator(".legend b").innerText(), /not a number/);
  await page.evaluate(t => carom.seek(t), Number(rows[1000][0]));
  assert.equal(
    (await page.evaluate(t => carom.valueAt(0, "slider.x", t), Number(rows[1000][0]))).value,
    Math.fround(Number(rows[1000][i])),
  );
  assert.match(await page.locator("#problems").innerText(), /12 values are not numbers/);
  await shot("gaps");
  await close();
});

test("a run that failed half-way shows what there is and says so", async () => {
  const out = join(folder, "failed");
  carom(["run", model("failing.toml"), "--out", out], [1]);
  const { page, state, shot, close } = await open(join(out, "report.html"));
  const t = series(out).column("t");
  assert.equal((await state()).end, t.at(-1));
  assert.match(await page.locator("#problems").innerText(), /stopped at t = /);
  assert.match(await page.locator(".verdict").getAttribute("class"), /bad/);
  await page.evaluate(() => carom.seek(carom.state().end));
  await shot("failed");
  await close();
});

test("a truncated folder: no scene, no summary, series cut in a line", async () => {
  const whole = gallery("slider-crank"),
    out = copy(whole, "truncated"),
    path = join(out, "series.csv");
  rmSync(join(out, "scene.json"));
  truncateSync(join(out, "summary.json"), 300);
  truncateSync(path, Math.floor(statSync(path).size / 2));
  carom(["report", out]);
  const { page, state, shot, close } = await open(join(out, "report.html"));
  const said = await page.locator("#problems").innerText();
  for (const word of ["scene.json", "summary.json", "series"]) assert.ok(said.includes(word), `${word} in ${said}`);
  assert.ok(await page.locator("#no-scene").isVisible());
  // The lines that are whole are there.
  const t = series(whole).column("t"),
    { end } = await state();
  assert.ok(t.includes(end) && end < t.at(-1), `${end}`);
  assert.match(await page.locator(".verdict").innerText(), /nothing can be said/);
  await shot("truncated");
  await close();
});
