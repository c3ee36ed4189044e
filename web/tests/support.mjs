// What all browser tests share: runs made by the binary, pages that must stay silent, and the CSV files as truth.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const folder = mkdtempSync(join(tmpdir(), "carom-page-"));
const shots = fileURLToPath(new URL("shots/", import.meta.url));
let browser;
export async function start(more = []) {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...(more.length ? more : ["--disable-gpu"])],
  });
}
export async function stop() {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the binary; what it says on failure is in the error. `codes` are the exit codes that are fine. */
export function carom(args, codes = [0]) {
  try {
    return execFileSync(process.env.CAROM, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (codes.includes(error.status)) return error.stdout;
    throw new Error(`carom ${args.join(" ")}: ${error.status}\n${error.stderr}`);
  }
}
/** The result folder of a gallery model, made once. */
const made = new Map();
export function gallery(name, ...more) {
  const key = [name, ...more].join(" ");
  if (!made.has(key)) {
    const out = join(folder, `${name}-${made.size}`);
    carom(["run", name, "--out", out, ...more]);
    made.set(key, out);
  }
  return made.get(key);
}

/** Opens a page; `close()` fails if anything was said on the console, thrown or asked of a network. */
export async function open(file, { width = 1300, height = 950, hash = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...options });
  const page = await context.newPage(),
    trouble = [];
  page.on("console", m => {
    // what the browser says of a test that reads pixels is not the page's
    if (m.text().startsWith("Canvas2D: Multiple readback") || m.text().includes("GPU stall due to ReadPixels")) return;
    if (m.type() === "error" || m.type() === "warning") trouble.push(`console: ${m.text()}`);
  });
  page.on("pageerror", e => trouble.push(`thrown: ${e.stack}`));
  page.on("dialog", d => {
    trouble.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  page.on("request", r => {
    if (!/^(file|blob|data):/.test(r.url())) trouble.push(`network: ${r.url()}`);
  });
  await page.goto(pathToFileURL(file).href + hash);
  await page.waitForFunction(() => globalThis.carom?.state().painted !== null);
  return {
    page,
    state: () => page.evaluate(() => carom.state()),
    shot: async name => {
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    },
    async close() {
      await context.close();
      assert.deepEqual(trouble, []);
    },
  };
}
/** A value with the rest of the page waited for: no fixed sleeps. */
export const until = (page, what, argument) => page.waitForFunction(what, argument, { timeout: 15_000 });

/** RFC 4180. */
export function parseCsv(text) {
  const rows = [];
  let row = [],
    field = "",
    quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') {
        field += '"';
        i++;
      } else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ",") {
      row.push(field);
      field = "";
    } else if (c === "\n") {
      row.push(field.replace(/\r$/, ""));
      rows.push(row);
      row = [];
      field = "";
    } else field += c;
  }
  if (field || row.length) {
    row.push(field);
    rows.push(row);
  }
  return rows;
}
/** Columns of series.csv by name. */
export function series(out) {
  const [head, ...rows] = parseCsv(readFileSync(join(out, "series.csv"), "utf8"));
  return {
    names: head,
    rows,
    column: name => {
      const i = head.indexOf(name);
      assert.ok(i >= 0, `no channel ${name}`);
      return rows.map(r => Number(r[i]));
    },
  };
}
export const events = out => parseCsv(readFileSync(join(out, "events.csv"), "utf8")).slice(1);

/** The page's way to write a number with seven digits, said once more: the test must not ask the page for it. */
export function sevenDigits(x) {
  if (x === 0) return "0";
  const short = Number(x.toPrecision(7)),
    a = Math.abs(x);
  return (a >= 1e-3 && a < 1e6 ? String(short) : short.toExponential()).replace("e+", "e").replaceAll("-", "−");
}
