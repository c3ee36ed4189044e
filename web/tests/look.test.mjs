// Phone width, dark mode, keyboard.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { gallery, open, start, stop, until } from "./support.mjs";

before(start);
after(stop);

test("a phone's width has no sideways scrolling", async () => {
  for (const name of ["slider-crank", "dominoes"]) {
    const { page, shot, close } = await open(join(gallery(name), "report.html"), { width: 390, height: 844, isMobile: true, hasTouch: true });
    await page.evaluate(() => carom.addPhase());
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await shot(`phone-${name}`);
    await close();
  }
});

test("dark by the system, light by the button", async () => {
  const { page, shot, close } = await open(join(gallery("slider-crank"), "report.html"), { colorScheme: "dark" });
  const lightness = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0) / 3);
  assert.ok(await lightness() < 60);
  await page.evaluate(() => carom.seek(carom.state().end / 3));
  await shot("dark");
  await page.click("#theme");
  assert.ok(await lightness() > 200);
  await close();
});

test("everything by keyboard", async () => {
  const { page, state, close } = await open(join(gallery("slider-crank"), "report.html"));
  const begin = await state(), press = key => page.keyboard.press(key);
  await press("Space");
  await until(page, t => carom.state().t > t, begin.t);
  await press("Space");
  assert.equal((await state()).playing, false);
  await press("Home");
  assert.equal((await state()).t, begin.start);
  await press("ArrowRight");
  const one = (await state()).t;
  assert.ok(one > begin.start);
  await press("ArrowLeft");
  assert.ok(Math.abs((await state()).t - begin.start) < 1e-12);
  await press("End");
  assert.equal((await state()).t, begin.end);
  await press("+");
  assert.equal((await state()).speed, 2 * begin.speed);
  await press("-");
  assert.equal((await state()).speed, begin.speed);
  await press("i");
  assert.ok((await state()).window[0] > begin.start);
  await press("0");
  assert.deepEqual((await state()).window, [begin.start, begin.end]);
  // Into the list of channels and out again, without a mouse.
  await press("/");
  await page.keyboard.type("slider.omega");
  await press("ArrowDown");
  await press("Space");
  assert.ok((await state()).panes.some(p => p.names.includes("slider.omega")));
  await press("ArrowUp");
  await press("Escape");
  await press("?");
  assert.ok(await page.locator("#keys").isVisible());
  await press("Escape");
  assert.ok(!await page.locator("#keys").isVisible());
  // The focus can be seen on all that takes it.
  for (let i = 0; i < 12; i++) {
    await press("Tab");
    const outline = await page.evaluate(() => { const e = document.activeElement; return e === document.body ? "body" : getComputedStyle(e).outlineStyle; });
    assert.notEqual(outline, "none");
  }
  await close();
});

test("every control has a name", async () => {
  const { page, close } = await open(join(gallery("crank-slider-flex"), "report.html"));
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select")].filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim())).map(e => e.outerHTML));
  assert.deepEqual(nameless, []);
  await close();
});
