// Generates the functions that compiled expressions call: src/generated/runtime.js for single-file programs,
// expression-modules.js for the TypeScript runtime. Run by `npm run generate`.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { transform } from "esbuild";
import { ts } from "ts-morph";

interface FunctionDeclaration {
  readonly name: string;
  readonly text: string;
  readonly exported: boolean;
  /** Except for member names. */
  readonly mentions: ReadonlySet<string>;
}

interface SourceModule {
  readonly declarations: ReadonlyMap<string, FunctionDeclaration>;
  /** By local name. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>;
}

const root = new URL("../", import.meta.url);
const expressions = "src/expressions/";
/** Not called by compiled expressions. */
const excluded = new Set(["registry.ts", "registration.ts", "mathematics.ts"]);
const folders = ["library/", "builtins/dialect/", "js/runtime/"];
const jsonModule = "src/json.ts";
/** Programs of TypeScript import these from a module of their own, `query.js`. */
const jsonataFunctions = `${expressions}jsonata-functions/`;
/** Programs of TypeScript import the evaluator of JSONata from a module of its own, `jsonata.js`. */
const jsonata = {
  helper: "src/expressions/jsonata-evaluator/helper.ts",
  evaluator: "src/generated/jsonata-evaluator.js",
};

const modules = new Map<string, SourceModule>();
const table = new Map<string, { readonly file: string; readonly text: string; readonly needs: readonly string[] }>();
const sources = new Map<string, readonly string[]>();

const files = folders
  .flatMap((folder) => readdirSync(new URL(expressions + folder, root)).map((file) => `${expressions}${folder}${file}`))
  .filter((file) => !excluded.has(file.slice(file.lastIndexOf("/") + 1)))
  .sort();
for (const file of files) {
  await addExported(file);
  addModule(file);
}
const functionFiles = readdirSync(new URL(jsonataFunctions, root))
  .filter((file) => file !== "index.ts")
  .map((file) => jsonataFunctions + file);
for (const file of functionFiles.sort()) await addExported(file);
table.set("jsonata", { file: jsonata.evaluator, text: await minifyEvaluator(), needs: [] });
await addExported(jsonata.helper);
const [helpers, queryFunctions] = [jsonata.helper, `${jsonataFunctions}index.ts`].map((file) =>
  parseStatements(file, readFileSync(new URL(file, root), "utf8")),
) as [readonly ts.Statement[], readonly ts.Statement[]];
const queryNames = queryFunctions.flatMap(importedBy).sort();

mkdirSync(new URL("src/generated/", root), { recursive: true });
writeModule("runtime", {
  constant: "runtime",
  doc: "The functions that compiled expressions call, by name, with source text and dependencies.",
  type: "() => { readonly [name: string]: { readonly text: string; readonly needs: readonly string[] } }",
  value: sorted([...table].map(([name, { text, needs }]) => [name, { text, needs }])),
  isCalled: true,
});
writeModule("expression-names", {
  constant: "expressionNames",
  doc: "The exported functions of these modules, sorted.",
  type: "readonly string[]",
  value: [...sources.values(), helpers.filter(isExported).flatMap(declaredIn), queryNames].flat().sort(),
});
writeModule("query-names", {
  constant: "queryNames",
  doc: "The functions of `query.js`, sorted.",
  type: "readonly string[]",
  value: queryNames,
});
writeModule("expression-modules", {
  constant: "expressionModules",
  doc: "The exported functions of modules, by path in `src`.",
  type: "{ readonly [path: string]: readonly string[] }",
  value: sorted([...sources].map(([file, exports]) => [pathInSource(file), exports])),
});

function writeModule(
  file: string,
  {
    constant,
    doc,
    type,
    value,
    isCalled = false,
  }: {
    readonly constant: string;
    readonly doc: string;
    readonly type: string;
    readonly value: object;
    /** Whether the constant is a function that returns the value. */
    readonly isCalled?: boolean;
  },
): void {
  const literal = JSON.stringify(value, undefined, 1);
  const text = `export const ${constant} = ${isCalled ? `() => (${literal})` : literal};\n`;
  writeFileSync(new URL(`src/generated/${file}.js`, root), text);
  const declaration = `/** ${doc} */\nexport declare const ${constant}: ${type};\n`;
  writeFileSync(new URL(`src/generated/${file}.d.ts`, root), declaration);
}

/** `const jsonata = (() => {…})().jsonata;` */
async function minifyEvaluator(): Promise<string> {
  const source = readFileSync(new URL(jsonata.evaluator, root), "utf8");
  const { code } = await transform(source, {
    format: "iife",
    globalName: "evaluator",
    target: "es2019",
    charset: "ascii",
    minify: true,
    legalComments: "none",
  });
  const [license = ""] = /^\/\*![\s\S]*?\*\//.exec(source) ?? [];
  const [, module] = /^(?:"use strict";)?var evaluator=(.*?);?\n*$/s.exec(code) ?? [];
  if (module === undefined || license === "") throw new Error("The evaluator of JSONata has another form.");
  return `${license}\nconst jsonata = ${module}.jsonata;`;
}

function sorted(entries: readonly (readonly [string, object])[]): object {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function pathInSource(file: string): string {
  return file.slice("src/".length);
}

function addModule(file: string): void {
  if (file === jsonModule || sources.has(file)) return;
  const statements = parseStatements(file, readFileSync(new URL(file, root), "utf8"));
  sources.set(file, statements.filter(isExported).flatMap(declaredIn));
  for (const statement of statements) {
    const from = importedFile(statement, file);
    if (from !== undefined) addModule(from);
  }
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

async function addExported(file: string): Promise<void> {
  for (const { name, exported } of (await loadModule(file)).declarations.values())
    if (exported) await addDeclaration(file, name);
}

/** Names must be unique in a compiled program. */
async function addDeclaration(file: string, name: string): Promise<string> {
  const { declarations, imports } = await loadModule(file);
  const declaration = declarations.get(name);
  if (!declaration) {
    const from = imports.get(name);
    if (!from) throw new Error(`${file} has no declaration of ${name}.`);
    return addDeclaration(...from);
  }
  const known = table.get(name);
  if (known) {
    if (known.file !== file)
      throw new Error(
        `${known.file} and ${file} both declare ${name}, but names must be unique in compiled expressions.`,
      );
    return name;
  }
  if (/^[a-z]\d+$/.test(name)) throw new Error(`${file}: ${name} is reserved for variables of compiled expressions.`);
  const needs: string[] = [];
  table.set(name, { file, text: declaration.text, needs });
  for (const other of [...declarations.keys(), ...imports.keys()]) {
    if (other === name || !declaration.mentions.has(other)) continue;
    const needed = declarations.has(other)
      ? await addDeclaration(file, other)
      : await addDeclaration(...imports.get(other)!);
    if (needed !== other) throw new Error(`${file} imports ${needed} under another name.`);
    needs.push(needed);
  }
  return name;
}

async function loadModule(file: string): Promise<SourceModule> {
  const known = modules.get(file);
  if (known) return known;
  const { code } = await transform(readFileSync(new URL(file, root), "utf8"), {
    loader: "ts",
    format: "esm",
    target: "es2019",
    charset: "ascii",
    legalComments: "none",
    define: { "Object.hasOwn": "Object.prototype.hasOwnProperty.call" },
  });
  const module = readModule(file, renamePrivate(file, code));
  modules.set(file, module);
  return module;
}

function renamePrivate(file: string, code: string): string {
  const statements = parseStatements(file, code);
  const exported = new Set(statements.flatMap(exportedBy));
  const stem = file.replace(/^.*\/|\.ts$/g, "").replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const own = statements.flatMap(declaredIn).filter((name) => {
    return !exported.has(name) && [...modules.values()].some((other) => other.declarations.has(name));
  });
  const edits = statements
    .flatMap((statement) => [...namesIn(statement)])
    .filter((node) => own.includes(node.text))
    .map((node) => ({
      start: node.getStart(),
      end: node.getEnd(),
      text: ts.isShorthandPropertyAssignment(node.parent)
        ? `${node.text}: ${node.text}Of${stem}`
        : `${node.text}Of${stem}`,
    }));
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: name }) => text.slice(0, start) + name + text.slice(end), code);
}

function readModule(file: string, code: string): SourceModule {
  const declarations = new Map<string, FunctionDeclaration>();
  const imports = new Map<string, readonly [string, string]>();
  const statements = parseStatements(file, code);
  const exported = new Set(statements.flatMap(exportedBy));
  for (const statement of statements) {
    const from = importedFile(statement, file);
    if (from !== undefined) for (const name of importedBy(statement)) imports.set(name, [from, name]);
    for (const name of declaredIn(statement)) {
      const mentions = new Set([...namesIn(statement)].map((node) => node.text));
      declarations.set(name, { name, text: statement.getText(), exported: exported.has(name), mentions });
    }
  }
  for (const name of declarations.keys()) imports.delete(name);
  return { declarations, imports };
}

function parseStatements(file: string, code: string): readonly ts.Statement[] {
  return ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true).statements;
}

function importedFile(statement: ts.Statement, file: string): string | undefined {
  const specifier =
    ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
  if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return new URL(specifier.text, new URL(file, root)).href.slice(root.href.length);
}

/** Without renamed ones. */
function importedBy(statement: ts.Statement): readonly string[] {
  const clause = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : ts.isExportDeclaration(statement)
      ? statement.exportClause
      : undefined;
  if (!clause || (!ts.isNamedImports(clause) && !ts.isNamedExports(clause))) return [];
  const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = [...clause.elements];
  return elements.filter(({ propertyName }) => !propertyName).map(({ name }) => name.text);
}

function exportedBy(statement: ts.Statement): readonly string[] {
  return ts.isExportDeclaration(statement) && !statement.moduleSpecifier ? importedBy(statement) : [];
}

function declaredIn(statement: ts.Statement): readonly string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
    return statement.name ? [statement.name.text] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

/** Except for member names. */
function* namesIn(node: ts.Node): Generator<ts.Identifier> {
  if (ts.isIdentifier(node)) {
    const { parent } = node;
    const isMember =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) &&
        parent.name === node) ||
      (ts.isBindingElement(parent) && parent.propertyName === node);
    if (!isMember) yield node;
    return;
  }
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* namesIn(child);
}
