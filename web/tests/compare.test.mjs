// Two runs of one model on one page.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { carom, folder, gallery, open, series, start, stop } from "./support.mjs";

before(start);
after(stop);

test("two steps of the slider-crank, overlaid", async () => {
  const a = gallery("slider-crank"),
    b = gallery("slider-crank", "--step", "1e-4"),
    file = join(folder, "comparison.html");
  carom(["report", a, b, "-o", file]);
  const { page, state, shot, close } = await open(file);
  const { runs } = await state();
  assert.equal(runs.length, 2);
  assert.notEqual(runs[0].name, runs[1].name);
  // Each run's value is that of its own file.
  for (const [i, out] of [a, b].entries()) {
    const s = series(out),
      k = Math.floor(s.rows.length / 2),
      t = s.column("t")[k];
    assert.deepEqual(await page.evaluate(([r, x]) => carom.valueAt(r, "slider.x", x), [i, t]), {
      t,
      value: Math.fround(s.column("slider.x")[k]),
      band: null,
    });
  }
  // One line per run in a pane, and none of a run that is switched off.
  await page.evaluate(() => carom.addPane(["slider.x"]));
  const lines = page.locator("#panes .pane").last().locator(".legend li");
  assert.equal(await lines.count(), 2);
  await page.evaluate(() => carom.seek(0.06));
  await shot("comparison");
  await page.locator(".verdict input").nth(1).uncheck();
  assert.equal(await lines.count(), 1);
  assert.equal(await page.locator("#comparison tbody tr").count(), 2);
  await close();
});
