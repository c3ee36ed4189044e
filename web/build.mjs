// Builds the page into the one asset that the Rust crate embeds; `--verify` only compares.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const asset = here("../crates/carom-io/src/write/report/page.html");

/** The bundled text of one entry. Nothing in it depends on the machine, the folder or the day. */
async function bundle(entry) {
  const result = await build({
    absWorkingDir: here("."),
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

const [template, style, script] = await Promise.all([
  readFile(here("src/page.html"), "utf8"),
  bundle("src/page.css"),
  bundle("src/main.ts"),
]);
for (const [name, text] of [["page.css", style], ["main.ts", script]]) {
  // These would be taken for the end of an element or for a place to fill.
  const forbidden = /<\/(script|style)|\{\{(title|data)\}\}/i.exec(text);
  if (forbidden) throw new Error(`${name} contains ${forbidden[0]}, which would break the page`);
}
const page = template.replace("{{style}}", () => style).replace("{{script}}", () => script);

if (process.argv.includes("--verify")) {
  const committed = await readFile(asset, "utf8").catch(() => "");
  if (committed !== page) {
    console.error("the committed page differs from the one built from web/: run `npm run build` in web/ and commit the asset");
    process.exit(1);
  }
  console.log(`the committed page is the one built from web/ (${page.length} characters)`);
} else {
  await writeFile(asset, page);
  console.log(`${asset}: ${(page.length / 1024).toFixed(0)} kB`);
}
