import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CatalogEntry } from "../src/diagnostics/renderers/catalog.ts";
import type { DiagnosticKind } from "../src/text/diagnostics.ts";

type Kind = Pick<DiagnosticKind<never>, "code" | "severity">;

/**
 * Collects the exported kinds of diagnostics below `roots` with their pages, sorted by code. Throws if a page or kind
 * is missing, or a code is not unique.
 */
export async function collectPages(folder: string, roots: readonly string[]): Promise<readonly CatalogEntry[]> {
  const paths = roots.flatMap((root) =>
    readdirSync(join(folder, root), { recursive: true, encoding: "utf8" }).map((path) =>
      `${root}/${path}`.replaceAll("\\", "/"),
    ),
  );
  const modules = paths.filter(
    (path) => path.endsWith(".ts") && definesKinds(readFileSync(join(folder, path), "utf8")),
  );
  const folders = new Map<string, string[]>();
  for (const path of modules.sort()) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  for (const path of paths) if (pageName.test(path) && !folders.has(dirname(path))) folders.set(dirname(path), []);
  const pages = (await Promise.all([...folders].map(([path, files]) => pagesIn(folder, path, files)))).flat();
  pages.sort((a, b) => (a.code < b.code ? -1 : 1));
  const duplicate = pages.find(({ code }, i) => code === pages[i + 1]?.code);
  if (duplicate)
    throw new Error(`Two kinds of diagnostics have the code ${duplicate.code}, one of them in ${duplicate.path}.`);
  return pages;
}

const pageName = /(?:^|\/)WB\d{4}\.md$/;

const definesKinds = (text: string): boolean => /\bdefine(?:Error|Warning|Info)\(\s*"WB\d{4}"/.test(text);

async function pagesIn(folder: string, path: string, files: readonly string[]): Promise<readonly CatalogEntry[]> {
  const modules = await Promise.all(files.map((file) => load(folder, file)));
  const kinds = new Map(modules.flatMap(kindsIn).map((kind) => [kind.code, kind]));
  const codes = new Set(
    readdirSync(join(folder, path))
      .filter((name) => pageName.test(name))
      .map((name) => name.slice(0, -".md".length)),
  );
  for (const code of codes)
    if (!kinds.has(code)) throw new Error(`No kind of diagnostic has the page ${path}/${code}.md.`);
  return [...kinds.values()].map(({ code, severity }) => {
    if (!codes.has(code)) throw new Error(`${code} has no page: write ${path}/${code}.md.`);
    const page = readFileSync(join(folder, path, `${code}.md`), "utf8");
    return { code, severity, summary: summaryOf(page, code), page, path: `${path}/${code}.md` };
  });
}

const load = (folder: string, path: string): Promise<object> => import(pathToFileURL(join(folder, path)).href);

function kindsIn(module: object): readonly Kind[] {
  return Object.values(module).filter(
    (value: unknown): value is Kind => typeof value === "function" && "code" in value && "severity" in value,
  );
}

function summaryOf(page: string, code: string): string {
  const head = `# ${code}: `;
  const title = page.slice(0, page.indexOf("\n"));
  if (!title.startsWith(head)) throw new Error(`The page of ${code} does not begin with \`${head}\` and a title.`);
  return `${title.slice(head.length)}.`;
}
