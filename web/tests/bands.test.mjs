// Certified runs: the page draws how far each channel may be off, and says it.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { carom, folder, gallery, open, parseCsv, series, start, stop, until } from "./support.mjs";

before(start);
after(stop);

/** Half-widths of a channel in bands.csv. */
function halfWidths(out, name) {
  const [head, ...rows] = parseCsv(readFileSync(join(out, "bands.csv"), "utf8"));
  return rows.map(r => Number(r[head.indexOf(name)]));
}
/** Pixels of the first canvas that are neither paper nor line: tinted by a band. Light: pale blue or orange on white. */
const tinted = (page, pane) =>
  page.evaluate(k => {
    const c = document.querySelectorAll("#panes canvas")[k],
      { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 40 && data[i + 3] < 70) n++;
    return n;
  }, pane);

test("a certified run has bands, and they are those of bands.csv", async () => {
  const out = gallery("ball", "--certify=1e-2"),
    { column } = series(out),
    [t, y, b] = [column("t"), column("ball.vy"), halfWidths(out, "ball.vy")];
  for (const colorScheme of ["light", "dark"]) {
    const { page, shot, close } = await open(join(out, "report.html"), { colorScheme });
    assert.match(await page.locator("#verdicts .certified").innerText(), /^Certified: two runs agree to [\d.e−]+ m\./);
    await page.evaluate(() => carom.addPane(["ball.vy"]));
    const k = b.indexOf(Math.max(...b)),
      got = await page.evaluate(t => carom.valueAt(0, "ball.vy", t), t[k]);
    assert.equal(got.value, Math.fround(y[k]));
    assert.equal(got.band, Math.fround(b[k]));
    // zoomed to the widest place, most of the window is inside the band
    await page.evaluate(([a, z]) => carom.zoom(a, z), [t[k] - 0.01, t[k] + 0.01]);
    await page.evaluate(t => carom.seek(t), t[k]);
    const pane = (await page.locator("#panes canvas").count()) - 1;
    await until(page, p => document.querySelectorAll("#panes canvas").length > p, pane);
    assert.ok((await tinted(page, pane)) > 2000, `${colorScheme}: ${await tinted(page, pane)} pixels`);
    assert.match(await page.locator("#panes .legend").last().innerText(), / ± [\d.e−]+ m\/s/);
    await shot(`bands-${colorScheme}`);
    await close();
  }
});

test("runs with and without bands on one page", async () => {
  const with_ = gallery("ball", "--certify=1e-2"),
    without = gallery("ball"),
    file = join(folder, "with-and-without.html");
  assert.ok(!existsSync(join(without, "bands.csv")));
  carom(["report", with_, without, "-o", file]);
  const { page, close } = await open(file);
  assert.equal(await page.locator("#verdicts .certified").count(), 1);
  const at = run => page.evaluate(run => carom.valueAt(run, "ball.y", 1), run);
  assert.ok((await at(0)).band > 0);
  assert.equal((await at(1)).band, null);
  await close();
});

test("a folder that is run again without --certify has no bands left", async () => {
  const out = join(folder, "again");
  carom(["run", "ball", "--certify=1e-2", "--out", out]);
  assert.ok(existsSync(join(out, "bands.csv")));
  carom(["plot", out, "ball.vy", "-o", "bands.svg"]);
  assert.match(readFileSync(join(folder, "bands.svg"), "utf8"), /fill-opacity="0.22"/);
  carom(["run", "ball", "--out", out]);
  assert.ok(!existsSync(join(out, "bands.csv")));
  const { page, close } = await open(join(out, "report.html"));
  assert.equal(await page.locator("#verdicts .certified").count(), 0);
  await close();
});
