import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ts } from "ts-morph";

type Declaration = ts.Statement & { readonly name: ts.Identifier };

/** The declarations of a module, and the origins of other names. */
interface DeclarationModule {
  readonly path: string;
  readonly declared: ReadonlyMap<string, ts.Statement>;
  readonly imported: ReadonlyMap<string, DeclarationName>;
  /** Names from packages and from Node, and their modules. */
  readonly external: ReadonlyMap<string, DeclarationName>;
  readonly exported: ReadonlyMap<string, DeclarationName>;
  /** From `export *`. */
  readonly exportedModules: readonly string[];
}

interface DeclarationName {
  readonly path: string;
  readonly name: string;
}

/** How to flatten declarations. */
export interface FlattenOptions {
  /** Declarations of another module that are imported, by their names: `Target` → `./ir.js`. */
  readonly outside?: ReadonlyMap<string, string>;
  /** Whether to export the declarations, too, that the exports refer to. */
  readonly exportsAll?: boolean;
}

/**
 * Flattens the exports of `entries`, and the declarations that they refer to, into one module, which imports only from
 * packages, Node and modules outside. `at` may redirect modules.
 */
export function flattenDeclarations(
  entries: readonly string[],
  at: (path: string) => string,
  { outside = new Map(), exportsAll = false }: FlattenOptions = {},
): string {
  const modules = new Map<string, DeclarationModule>();
  const moduleAt = (path: string): DeclarationModule => {
    const known = modules.get(path) ?? readModule(path, at);
    modules.set(path, known);
    return known;
  };
  const exported = new Map(entries.flatMap((path) => [...exportsOf(path, moduleAt)]));
  const isOutside = ({ name }: DeclarationName): boolean => outside.has(name);
  const referencesOf = ({ path, name }: DeclarationName) => {
    const module = moduleAt(path);
    return referencesIn(module.declared.get(name)!, module, moduleAt, at);
  };
  const own = [...exported].flatMap(([name, place]) => (name === place.name ? [place] : []));
  const inside = [...exported.values()].filter((place) => !isOutside(place));
  const order = collectReachable(inside, (place) =>
    referencesOf(place)
      .map((mention) => mention.target)
      .filter((target) => !isOutside(target)),
  );
  const imports = new Map(
    [
      ...order.flatMap((place) => externalNames(moduleAt(place.path), place.name)),
      ...[...outside].map(([name, path]) => ({ name, path })),
    ].map((each) => [each.name, each]),
  );
  const nameInside = namesFor([...own.filter((place) => !isOutside(place)), ...order], imports.keys());
  const nameOf = (place: DeclarationName): string => (isOutside(place) ? place.name : nameInside(place));
  const aliased = new Set([...exported].flatMap(([name, place]) => (name === place.name ? [] : [keyOf(place)])));
  const others = exportsAll ? order.filter((place) => !aliased.has(keyOf(place))) : [];
  const isExported = new Set([...own, ...others].map(keyOf));
  const texts = order.map((place) => {
    const statement = moduleAt(place.path).declared.get(place.name)!;
    return printDeclaration(statement, isExported.has(keyOf(place)), [
      ...referencesOf(place).map(({ node, target: other }) => [node, nameOf(other)] as const),
      ...namesOf(statement).map((node) => [node, nameOf(place)] as const),
    ]);
  });
  const aliases = [...exported].filter(([name, place]) => name !== place.name || isOutside(place));
  const last = aliases
    .map(([name, place]) => (nameOf(place) === name ? `type ${name}` : `${nameOf(place)} as ${name}`))
    .sort();
  const head = [...imports.values()].map(({ name, path }) => `import type { ${name} } from "${path}";`).sort();
  const first = head.length === 0 ? [] : [head.join("\n")];
  return `${[...first, ...texts, last.length === 0 ? "export {};" : `export {\n  ${last.join(",\n  ")},\n};`].join("\n\n")}\n`;
}

const keyOf = ({ path, name }: DeclarationName): string => JSON.stringify([path, name]);

/** In order of first reference. */
function collectReachable(
  places: readonly DeclarationName[],
  next: (place: DeclarationName) => readonly DeclarationName[],
): readonly DeclarationName[] {
  const reached = new Map<string, DeclarationName>();
  const visit = (place: DeclarationName): void => {
    if (reached.has(keyOf(place))) return;
    reached.set(keyOf(place), place);
    next(place).forEach(visit);
  };
  places.forEach(visit);
  return [...reached.values()];
}

/** The first declaration of a name keeps it, unless it is `reserved`. */
function namesFor(places: readonly DeclarationName[], reserved: Iterable<string>): (place: DeclarationName) => string {
  const names = new Map<string, string>();
  const taken = new Set(reserved);
  for (const place of places) {
    if (names.has(keyOf(place))) continue;
    let fresh = place.name;
    for (let i = 2; taken.has(fresh); i++) fresh = `${place.name}${i}`;
    taken.add(fresh);
    names.set(keyOf(place), fresh);
  }
  return (place) => names.get(keyOf(place))!;
}

function exportsOf(path: string, moduleAt: (path: string) => DeclarationModule): ReadonlyMap<string, DeclarationName> {
  const { exported, exportedModules } = moduleAt(path);
  const found = new Map<string, DeclarationName>();
  for (const other of exportedModules) for (const [name, place] of exportsOf(other, moduleAt)) found.set(name, place);
  for (const [name, place] of exported) found.set(name, resolveName(place, moduleAt));
  return found;
}

function resolveName({ path, name }: DeclarationName, moduleAt: (path: string) => DeclarationModule): DeclarationName {
  const module = moduleAt(path);
  if (module.declared.has(name)) return { path, name };
  const next = module.imported.get(name) ?? module.exported.get(name);
  if (next) return resolveName(next, moduleAt);
  const found = exportsOf(path, moduleAt).get(name);
  if (!found) throw new Error(`${path} has no declaration of ${name}.`);
  return found;
}

function readModule(path: string, at: (path: string) => string): DeclarationModule {
  const { statements } = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const declared = new Map<string, ts.Statement>();
  const [imported, external, exported] = [
    new Map<string, DeclarationName>(),
    new Map<string, DeclarationName>(),
    new Map<string, DeclarationName>(),
  ];
  const exportedModules: string[] = [];
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = resolveSpecifier(statement.moduleSpecifier, path, at);
      const bindings = statement.importClause?.namedBindings;
      if (!bindings || !ts.isNamedImports(bindings)) continue;
      for (const { name, propertyName } of bindings.elements)
        if (from !== undefined) imported.set(name.text, { path: from, name: (propertyName ?? name).text });
        else external.set(name.text, { path: externalModule(statement), name: importedName(name, propertyName) });
    } else if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier && resolveSpecifier(statement.moduleSpecifier, path, at);
      if (!statement.exportClause && from !== undefined) exportedModules.push(from);
      if (!statement.exportClause || !ts.isNamedExports(statement.exportClause)) continue;
      for (const { name, propertyName } of statement.exportClause.elements)
        exported.set(name.text, { path: from ?? path, name: (propertyName ?? name).text });
    } else {
      for (const { text } of namesOf(statement)) {
        declared.set(text, statement);
        if (hasExportModifier(statement)) exported.set(text, { path, name: text });
      }
    }
  }
  return { path, declared, imported, external, exported, exportedModules };
}

const externalModule = ({ moduleSpecifier }: ts.ImportDeclaration): string =>
  (moduleSpecifier as ts.StringLiteral).text;

/** Renamed imports would need names of their own in the flat module. */
function importedName(name: ts.Identifier, propertyName: ts.ModuleExportName | undefined): string {
  if (propertyName && propertyName.text !== name.text) throw new Error(`The import ${name.text} is renamed.`);
  return name.text;
}

/** The names from packages and Node to which a declaration refers. */
function externalNames({ declared, external }: DeclarationModule, name: string): readonly DeclarationName[] {
  const found: DeclarationName[] = [];
  const visit = (node: ts.Node): void => {
    const place = ts.isIdentifier(node) && isReference(node) ? external.get(node.text) : undefined;
    if (place) found.push(place);
    ts.forEachChild(node, visit);
  };
  visit(declared.get(name)!);
  return found;
}

const hasExportModifier = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function resolveSpecifier(specifier: ts.Expression, path: string, at: (path: string) => string): string | undefined {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return at(join(dirname(path), specifier.text.replace(/\.[jt]s$/, ".d.ts")));
}

function namesOf(statement: ts.Statement): readonly ts.Identifier[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name] : []));
  const { name } = statement as Partial<Declaration>;
  return name && ts.isIdentifier(name) ? [name] : [];
}

interface NameReference {
  readonly node: ts.Node;
  readonly target: DeclarationName;
}

function referencesIn(
  statement: ts.Statement,
  module: DeclarationModule,
  moduleAt: (path: string) => DeclarationModule,
  at: (path: string) => string,
): readonly NameReference[] {
  const found: NameReference[] = [];
  const own = new Set(namesOf(statement));
  const visit = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = resolveSpecifier(node.argument.literal as ts.Expression, module.path, at);
      if (from !== undefined && node.qualifier && ts.isIdentifier(node.qualifier))
        found.push({ node, target: resolveName({ path: from, name: node.qualifier.text }, moduleAt) });
    } else if (ts.isIdentifier(node) && !own.has(node) && isReference(node)) {
      const { text } = node;
      if (module.declared.has(text) || module.imported.has(text))
        found.push({ node, target: resolveName({ path: module.path, name: text }, moduleAt) });
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isTypeReferenceNode(parent)) return parent.typeName === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  return ts.isExpressionWithTypeArguments(parent) || ts.isTypeQueryNode(parent);
}

function printDeclaration(
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
