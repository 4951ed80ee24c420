import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CatalogueEntry } from "../src/diagnostics/renderers/catalogue.ts";
import type { DiagnosticKind } from "../src/text/diagnostics.ts";

type Kind = Pick<DiagnosticKind<never>, "code" | "severity">;

/**
 * All kinds of diagnostics by code, each with its page: whatever the modules in folders named `diagnostics` below `roots` export, and the files
 * `<code>.md` beside them. Throws where a kind has no page beside it, a page no kind, or a code two kinds.
 */
export async function collectPages(folder: string, roots: readonly string[]): Promise<readonly CatalogueEntry[]> {
  const folders = roots.flatMap((root) => diagnosticsFolders(folder, root)).sort();
  const pages = (await Promise.all(folders.map((path) => pagesIn(folder, path)))).flat();
  pages.sort((a, b) => (a.code < b.code ? -1 : 1));
  const twice = pages.find(({ code }, i) => code === pages[i + 1]?.code);
  if (twice) throw new Error(`There are two kinds of diagnostics ${twice.code}, one of them in ${twice.path}.`);
  return pages;
}

function diagnosticsFolders(folder: string, root: string): readonly string[] {
  const entries = readdirSync(join(folder, root), { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory() && entry.name === "diagnostics");
  return found.map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, "/").length));
}

async function pagesIn(folder: string, path: string): Promise<readonly CatalogueEntry[]> {
  const names = readdirSync(join(folder, path)).sort();
  const modules = await Promise.all(
    names.filter((name) => name.endsWith(".ts")).map((name) => load(folder, path, name)),
  );
  const kinds = new Map(modules.flatMap(kindsIn).map((kind) => [kind.code, kind]));
  const texts = new Set(names.filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -".md".length)));
  for (const code of texts)
    if (!kinds.has(code)) throw new Error(`No kind of diagnostic belongs to ${path}/${code}.md.`);
  return [...kinds.values()].map(({ code, severity }) => {
    if (!texts.has(code)) throw new Error(`${code} has no page: write ${path}/${code}.md.`);
    const page = readFileSync(join(folder, path, `${code}.md`), "utf8");
    return { code, severity, summary: summaryOf(page, code), page, path: `${path}/${code}.md` };
  });
}

const load = (folder: string, path: string, name: string): Promise<object> =>
  import(pathToFileURL(join(folder, path, name)).href);

function kindsIn(module: object): readonly Kind[] {
  return Object.values(module).filter(
    (value: unknown): value is Kind => typeof value === "function" && "code" in value && "severity" in value,
  );
}

/** The title of a page, as a sentence. */
function summaryOf(page: string, code: string): string {
  const head = `# ${code}: `;
  const title = page.slice(0, page.indexOf("\n"));
  if (!title.startsWith(head)) throw new Error(`The page of ${code} does not begin with \`${head}\` and a title.`);
  return `${title.slice(head.length)}.`;
}
