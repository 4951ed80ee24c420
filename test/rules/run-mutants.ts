import { readdirSync, readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { definitionsFor, mutantsOf, ruleFolders, scenariosOf } from "./files.ts";
import type { Mutant } from "./mutant.ts";

// Runs the scenarios of rules on the reference interpreter of each mutant, and prints a line of JSON per mutant. Takes
// the languages as arguments, by default all. Only modules that depend on the changed file are loaded again.

/** What became of a mutant. Only `killed` is right: a scenario has failed. */
export interface MutantVerdict extends Pick<Mutant, "rule" | "reading"> {
  readonly language: string;
  readonly verdict: "killed" | "survives" | "crashes" | "misses";
  readonly detail: string;
}

const root = join(import.meta.dirname, "../..");
const modules = ["test/languages.ts", "src/scenario/read.ts", "src/scenario/run.ts", "src/text/uris.ts"] as const;

const targetNames = readdirSync(join(root, "targets"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Change {
  readonly id: number;
  readonly url: string;
  readonly text: string;
  readonly dependents: ReadonlySet<string>;
}

let change: Change | undefined;
const importers = new Map<string, Set<string>>();
const stripped = new Map<string, string>();

const withoutQuery = (url: string): string => url.replace(/\?mutant=\d+$/, "");

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context);
    const url = withoutQuery(resolved.url);
    const known = importers.get(url) ?? new Set();
    importers.set(url, known);
    if (context.parentURL !== undefined) known.add(withoutQuery(context.parentURL));
    return change?.dependents.has(url) ? { ...resolved, url: `${url}?mutant=${change.id}` } : resolved;
  },
  load: (url, context, nextLoad) => {
    const path = withoutQuery(url);
    if (!path.startsWith("file:") || path.includes("/node_modules/") || !/\.[jt]s$/.test(path))
      return nextLoad(url, context);
    const isChanged = url !== path && path === change?.url;
    const source = isChanged ? scriptOf(path, change!.text) : (stripped.get(path) ?? scriptOf(path));
    if (!isChanged) stripped.set(path, source);
    return { format: "module", source, shortCircuit: true };
  },
});

function scriptOf(url: string, text: string = readFileSync(new URL(url), "utf8")): string {
  return url.endsWith(".ts") ? stripTypeScriptTypes(text) : text;
}

/** Loads the compiler, or those modules of it that depend on the changed file. */
export async function loadCompiler() {
  const [languages, read, run, uris] = await Promise.all(
    modules.map((path) => import(pathToFileURL(join(root, path)).href)),
  );
  return { ...languages, ...read, ...run, ...uris } as typeof import("../languages.ts") &
    typeof import("../../src/scenario/read.ts") &
    typeof import("../../src/scenario/run.ts") &
    typeof import("../../src/text/uris.ts");
}

function dependentsOf(url: string): ReadonlySet<string> {
  const found = new Set([url]);
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  return found;
}

async function runScenarios(language: string, rule: string): Promise<readonly string[]> {
  const { languages, readScenarioFile, openScenarios, onReference, readerOf } = await loadCompiler();
  const file = readScenarioFile(scenariosOf(language, rule), { languages, targets: targetNames }, () => {});
  if (!file) throw new Error("The scenarios cannot be read.");
  const { sources, schemas } = definitionsFor(language, file);
  const session = openScenarios(file, { sources, read: readerOf(schemas) }, languages);
  try {
    const results = await session.run(onReference);
    return results.filter(({ isFailure }) => isFailure).map(({ scenario }) => scenario);
  } finally {
    await session.close();
  }
}

/** Runs the scenarios of a rule on a mutant. `id` differs for each. */
export async function verdictOn(language: string, mutant: Mutant, id: number): Promise<MutantVerdict> {
  const { rule, reading, file, replace, by } = mutant;
  const verdict = (name: MutantVerdict["verdict"], detail: string) => ({
    language,
    rule,
    reading,
    verdict: name,
    detail,
  });
  const url = pathToFileURL(join(root, file)).href;
  const text = readFileSync(join(root, file), "utf8");
  const count = text.split(replace).length - 1;
  if (count !== 1) return verdict("misses", `\`replace\` occurs ${count} times in ${file}`);
  if (!importers.has(url)) return verdict("misses", `${file} is not part of the compiler`);
  change = { id, url, text: text.replace(replace, () => by), dependents: dependentsOf(url) };
  try {
    const failed = await runScenarios(language, rule);
    return failed.length > 0
      ? verdict("killed", failed.join("; "))
      : verdict("survives", `all scenarios of ${rule} pass`);
  } catch (error) {
    return verdict("crashes", String(error));
  } finally {
    change = undefined;
  }
}

if (process.argv[1] === import.meta.filename) {
  await loadCompiler();
  const wanted = process.argv.slice(2);
  let id = 0;
  for (const language of wanted.length > 0 ? wanted : ruleFolders) {
    const { mutants } = await mutantsOf(language);
    for (const mutant of mutants) console.log(JSON.stringify(await verdictOn(language, mutant, ++id)));
  }
}
