// Builds the page into the two assets that the Rust crate embeds: the page, and what pages of mechanisms in space have
// besides; `--verify` only compares.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = path => fileURLToPath(new URL(path, import.meta.url));
const assets = here("../crates/carom-io/src/write/report/");

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

const [template, style, code, space, licence, library] = await Promise.all([
  readFile(here("src/page.html"), "utf8"),
  bundle("src/page.css"),
  bundle("src/main.ts"),
  bundle("src/space/main.ts"),
  readFile(here("node_modules/uplot/LICENSE"), "utf8"),
  readFile(here("node_modules/uplot/package.json"), "utf8"),
]);
// The library's licence goes where its code goes.
const script = `/* Plots by uPlot ${JSON.parse(library).version}.\n\n${licence.trim()} */\n${code}`;
for (const [name, text] of [
  ["page.css", style],
  ["main.ts", script],
  ["space/main.ts", space],
]) {
  // These would be taken for the end of an element or for a place to fill.
  const forbidden = /<\/(script|style)|\{\{(title|data|space)\}\}/i.exec(text);
  if (forbidden) throw new Error(`${name} contains ${forbidden[0]}, which would break the page`);
}
const page = template.replace("{{style}}", () => style).replace("{{script}}", () => script);

const built = { "page.html": page, "space.html": `<script>${space}</script>\n` };

for (const [name, text] of Object.entries(built)) {
  if (process.argv.includes("--verify")) {
    const committed = await readFile(assets + name, "utf8").catch(() => "");
    if (committed !== text) {
      console.error(`the committed ${name} differs from the one built from web/: run \`npm run build\` in web/ and commit it`);
      process.exit(1);
    }
    console.log(`the committed ${name} is the one built from web/ (${text.length} characters)`);
  } else {
    await writeFile(assets + name, text);
    console.log(`${name}: ${(text.length / 1024).toFixed(0)} kB`);
  }
}
