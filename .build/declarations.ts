// Makes one file of declarations of those of several modules: what entries export, and all that this refers to, each once.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ts } from "ts-morph";

type Declaration = ts.Statement & { readonly name: ts.Identifier };

/** A module's declarations by their names, and where the other names come from that it knows or exports. */
interface Module {
  readonly path: string;
  readonly declared: ReadonlyMap<string, ts.Statement>;
  readonly imported: ReadonlyMap<string, Place>;
  readonly exported: ReadonlyMap<string, Place>;
  /** The modules of which it exports all. */
  readonly all: readonly string[];
}

/** A name in a module. */
interface Place {
  readonly path: string;
  readonly name: string;
}

/** The text of one module that declares what `entries` export. `at` is where another file stands for one, such as a module that is exchanged in bundles. */
export function flattened(entries: readonly string[], at: (path: string) => string): string {
  const modules = new Map<string, Module>();
  const moduleAt = (path: string): Module => {
    const known = modules.get(path) ?? readModule(path, at);
    modules.set(path, known);
    return known;
  };
  const exported = new Map(entries.flatMap((path) => [...exportsOf(path, moduleAt)]));
  const mentionsOf = ({ path, name }: Place) => {
    const module = moduleAt(path);
    return mentionsIn(module.declared.get(name)!, module, moduleAt, at);
  };
  const own = [...exported].flatMap(([name, place]) => (name === place.name ? [place] : []));
  const order = reachedFrom([...exported.values()], (place) => mentionsOf(place).map((mention) => mention.place));
  const nameOf = namesFor([...own, ...order]);
  const isExported = new Set(own.map(keyOf));
  const texts = order.map((place) => {
    const statement = moduleAt(place.path).declared.get(place.name)!;
    return textOf(statement, isExported.has(keyOf(place)), [
      ...mentionsOf(place).map(({ node, place: other }) => [node, nameOf(other)] as const),
      ...namesOf(statement).map((node) => [node, nameOf(place)] as const),
    ]);
  });
  const aliases = [...exported].filter(([name, place]) => name !== place.name);
  const last = aliases.map(([name, place]) => `${nameOf(place)} as ${name}`).sort();
  return `${[...texts, last.length === 0 ? "export {};" : `export {\n  ${last.join(",\n  ")},\n};`].join("\n\n")}\n`;
}

/** Tells one place from all others. */
const keyOf = ({ path, name }: Place): string => JSON.stringify([path, name]);

/** The declarations that some refer to, in several steps too, and these, each once: those that are referred to behind what refers to them first. */
function reachedFrom(places: readonly Place[], next: (place: Place) => readonly Place[]): readonly Place[] {
  const reached = new Map<string, Place>();
  const visit = (place: Place): void => {
    if (reached.has(keyOf(place))) return;
    reached.set(keyOf(place), place);
    next(place).forEach(visit);
  };
  places.forEach(visit);
  return [...reached.values()];
}

/** Names for declarations that come from several modules: the first of those that are called the same keeps its name. */
function namesFor(places: readonly Place[]): (place: Place) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const place of places) {
    if (names.has(keyOf(place))) continue;
    let fresh = place.name;
    for (let i = 2; taken.has(fresh); i++) fresh = `${place.name}${i}`;
    taken.add(fresh);
    names.set(keyOf(place), fresh);
  }
  return (place) => names.get(keyOf(place))!;
}

function exportsOf(path: string, moduleAt: (path: string) => Module): ReadonlyMap<string, Place> {
  const { exported, all } = moduleAt(path);
  const found = new Map<string, Place>();
  for (const other of all) for (const [name, place] of exportsOf(other, moduleAt)) found.set(name, place);
  for (const [name, place] of exported) found.set(name, resolved(place, moduleAt));
  return found;
}

/** Where a name is declared. */
function resolved({ path, name }: Place, moduleAt: (path: string) => Module): Place {
  const module = moduleAt(path);
  if (module.declared.has(name)) return { path, name };
  const next = module.imported.get(name) ?? module.exported.get(name);
  if (next) return resolved(next, moduleAt);
  const found = exportsOf(path, moduleAt).get(name);
  if (!found) throw new Error(`${path} has no declaration of ${name}.`);
  return found;
}

function readModule(path: string, at: (path: string) => string): Module {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const [declared, imported, exported] = [
    new Map<string, ts.Statement>(),
    new Map<string, Place>(),
    new Map<string, Place>(),
  ];
  const all: string[] = [];
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = fileOf(statement.moduleSpecifier, path, at);
      const bindings = statement.importClause?.namedBindings;
      if (from === undefined || !bindings || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements)
        imported.set(name.text, { path: from, name: (propertyName ?? name).text });
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier && fileOf(statement.moduleSpecifier, path, at);
      if (!statement.exportClause && from !== undefined) all.push(from);
      if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
      for (const { name, propertyName } of statement.exportClause.elements)
        exported.set(name.text, { path: from ?? path, name: (propertyName ?? name).text });
    } else {
      for (const { text } of namesOf(statement)) {
        declared.set(text, statement);
        if (isExporting(statement)) exported.set(text, { path, name: text });
      }
    }
  }
  return { path, declared, imported, exported, all };
}

const isExporting = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function fileOf(specifier: ts.Expression, path: string, at: (path: string) => string): string | undefined {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return at(join(dirname(path), specifier.text.replace(/\.[jt]s$/, ".d.ts")));
}

/** The names that a statement declares. */
function namesOf(statement: ts.Statement): readonly ts.Identifier[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name] : []));
  const { name } = statement as Partial<Declaration>;
  return name && ts.isIdentifier(name) ? [name] : [];
}

interface Mention {
  readonly node: ts.Node;
  readonly place: Place;
}

/** What a declaration refers to that modules of ours declare. */
function mentionsIn(
  statement: ts.Statement,
  module: Module,
  moduleAt: (path: string) => Module,
  at: (path: string) => string,
): readonly Mention[] {
  const found: Mention[] = [];
  const own = new Set(namesOf(statement));
  const visit = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = fileOf(node.argument.literal as ts.Expression, module.path, at);
      if (from !== undefined && node.qualifier && ts.isIdentifier(node.qualifier))
        found.push({ node, place: resolved({ path: from, name: node.qualifier.text }, moduleAt) });
    } else if (ts.isIdentifier(node) && !own.has(node) && isReference(node)) {
      const { text } = node;
      if (module.declared.has(text) || module.imported.has(text))
        found.push({ node, place: resolved({ path: module.path, name: text }, moduleAt) });
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

/** Whether an identifier stands for a declaration, and is no name of a member or a parameter. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isTypeReferenceNode(parent)) return parent.typeName === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  return ts.isExpressionWithTypeArguments(parent) || ts.isTypeQueryNode(parent);
}

/** The text of a declaration with other names in it. */
function textOf(
  statement: ts.Statement,
  isExported: boolean,
  edits: readonly (readonly [node: ts.Node, text: string])[],
): string {
  const source = statement.getSourceFile().text;
  const [comment] = (ts.getLeadingCommentRanges(source, statement.pos) ?? []).slice(-1);
  const doc = comment && source.slice(comment.pos, comment.end).startsWith("/**") ? comment.pos : statement.getStart();
  const code = [...edits]
    .sort(([a], [b]) => b.getStart() - a.getStart())
    .reduce(
      (text, [node, name]) => text.slice(0, node.getStart() - doc) + name + text.slice(node.getEnd() - doc),
      source.slice(doc, statement.getEnd()),
    );
  const start = statement.getStart() - doc;
  const plain = code.slice(start).replace(/^export /, "");
  return `${code.slice(0, start)}${isExported ? "export " : ""}${plain}`;
}
