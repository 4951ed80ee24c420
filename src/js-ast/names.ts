import { assertNever } from "../json.ts";
import type { ImportDeclaration, ImportedName } from "./statements.ts";
import type { BindingPattern, JsExpression, JsNode, ParameterDeclaration } from "./tree.ts";
import { childrenOf, walkNodes } from "./walk.ts";

/** The free variables of a block's nodes, including imports. */
export function freeNames(nodes: Iterable<JsNode>): ReadonlySet<string> {
  const found = new Set<string>();
  visitBlock([...nodes], new Set(), (name) => found.add(name));
  return found;
}

/** Whether nodes use an outer variable other than an import. */
export function referencesName(nodes: Iterable<JsNode>, name: string): boolean {
  return usesName(nodes, name, ({ read, written }) => read.has(name) || written.has(name));
}

/** Whether nodes assign an outer variable. */
export function assignsName(nodes: Iterable<JsNode>, name: string): boolean {
  return usesName(nodes, name, ({ written }) => written.has(name));
}

/** The free variables of a node, except imports. */
interface NameUses {
  readonly read: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
}

/** A scope with many variables queries the same statements for each of them. */
const knownUses = new WeakMap<JsNode, NameUses>();

function usesName(nodes: Iterable<JsNode>, name: string, isUse: (uses: NameUses) => boolean): boolean {
  const all = [...nodes];
  return !all.some((node) => declaredNames(node).includes(name)) && all.some((node) => isUse(nameUsesOf(node)));
}

function nameUsesOf(node: JsNode): NameUses {
  const known = knownUses.get(node);
  if (known) return known;
  const [read, written] = [new Set<string>(), new Set<string>()];
  visitNode(node, new Set(), (name, { isWritten, isImported }) => {
    if (isWritten) written.add(name);
    else if (!isImported) read.add(name);
  });
  const uses: NameUses = { read, written };
  knownUses.set(node, uses);
  return uses;
}

/** All names in nodes, for new ones to avoid. */
export function allNames(nodes: Iterable<JsNode>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of walkNodes(nodes)) {
    if (node.kind === "identifier" || node.kind === "namedType") found.add(node.name);
    for (const name of node.kind === "function" && node.name !== undefined ? [node.name] : declaredNames(node))
      found.add(name);
  }
  return found;
}

/** The types that nodes refer to. */
export function typeNames(nodes: Iterable<JsNode>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of walkNodes(nodes)) if (node.kind === "namedType") found.add(node.name);
  return found;
}

/** The names that a pattern binds. */
export function boundNames(pattern: BindingPattern): readonly string[] {
  switch (pattern.kind) {
    case "identifier":
      return [pattern.name];
    case "objectPattern":
      return [
        ...pattern.members.flatMap(({ target }) => boundNames(target)),
        ...(pattern.rest ? [pattern.rest.name] : []),
      ];
    case "arrayPattern":
      return [
        ...pattern.elements.flatMap((element) => (element ? boundNames(element) : [])),
        ...(pattern.rest ? [pattern.rest.name] : []),
      ];
    default:
      return assertNever(pattern);
  }
}

/** The names that a statement declares in its block. */
export function declaredNames(node: JsNode): readonly string[] {
  switch (node.kind) {
    case "variable":
      return boundNames(node.target);
    case "functionDeclaration":
    case "interface":
    case "typeDeclaration":
      return [node.name];
    case "import":
      return [...node.names.map(({ name }) => name), ...(node.namespace === undefined ? [] : [node.namespace])];
    default:
      return [];
  }
}

/** Collects the required imports, sorted: one per module, and one of its namespace. */
export function collectImports(nodes: Iterable<JsNode>): readonly ImportDeclaration[] {
  const modules = new Map<string, Map<string, ImportedName>>();
  for (const node of walkNodes(nodes)) {
    if ((node.kind !== "identifier" && node.kind !== "namedType") || !node.from) continue;
    const { module, exported } = node.from;
    const names = modules.get(module) ?? new Map<string, ImportedName>();
    modules.set(module, names);
    const isType = node.kind === "namedType" && (names.get(node.name)?.isType ?? true);
    names.set(node.name, { name: node.name, exported, isType });
  }
  return [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([module, names]) => importsOf(module, [...names.values()].sort(byName)));
}

function importsOf(module: string, all: readonly ImportedName[]): readonly ImportDeclaration[] {
  const names = all.filter(({ exported }) => exported !== "*");
  const namespaces = all.filter(({ exported }) => exported === "*");
  return [
    ...namespaces.map(({ name }): ImportDeclaration => ({ kind: "import", module, names: [], namespace: name })),
    ...(names.length === 0 ? [] : [{ kind: "import", module, names } as const]),
  ];
}

const byName = (a: ImportedName, b: ImportedName): number => ((a.exported ?? a.name) < (b.exported ?? b.name) ? -1 : 1);

type VisitName = (name: string, use: { readonly isWritten: boolean; readonly isImported: boolean }) => void;

function visitBlock(block: readonly JsNode[], outer: KnownNames, visit: VisitName): void {
  const known = extend(outer, block.flatMap(declaredNames));
  for (const node of block) visitNode(node, known, visit);
}

/** The names that are known in a block. Blocks share those of enclosing ones. */
type KnownNames = Pick<ReadonlySet<string>, "has">;

function extend(outer: KnownNames, names: readonly string[]): KnownNames {
  if (names.length === 0) return outer;
  const own = new Set(names);
  return { has: (name) => own.has(name) || outer.has(name) };
}

function visitNode(node: JsNode, known: KnownNames, visit: VisitName): void {
  switch (node.kind) {
    case "identifier":
      if (!known.has(node.name)) visit(node.name, { isWritten: false, isImported: node.from !== undefined });
      break;
    case "assign":
      visitTarget(node.target, known, visit);
      visitNode(node.value, known, visit);
      break;
    case "function":
      visitFunction(node, extend(known, node.name === undefined ? [] : [node.name]), visit);
      break;
    case "functionDeclaration":
      visitFunction(node, known, visit);
      break;
    case "if":
      visitNode(node.test, known, visit);
      visitBlock(node.then, known, visit);
      visitBlock(node.otherwise ?? [], known, visit);
      break;
    case "while":
    case "doWhile":
      visitNode(node.test, known, visit);
      visitBlock(node.body, known, visit);
      break;
    case "for": {
      const inner = extend(known, node.initial ? declaredNames(node.initial) : []);
      for (const part of [node.initial, node.test, node.update]) if (part) visitNode(part, inner, visit);
      visitBlock(node.body, inner, visit);
      break;
    }
    case "forOf": {
      const inner = extend(known, boundNames(node.target));
      visitNode(node.values, known, visit);
      visitNode(node.target, inner, visit);
      visitBlock(node.body, inner, visit);
      break;
    }
    case "block":
      visitBlock(node.body, known, visit);
      break;
    case "switch":
      visitNode(node.subject, known, visit);
      for (const { tests, body } of node.cases) {
        for (const test of tests) visitNode(test, known, visit);
        visitBlock(body, known, visit);
      }
      break;
    case "try":
      visitBlock(node.body, known, visit);
      if (node.handler) {
        const { caught, body } = node.handler;
        visitBlock(body, extend(known, caught ? boundNames(caught) : []), visit);
      }
      visitBlock(node.finalizer ?? [], known, visit);
      break;
    default:
      for (const child of childrenOf(node)) visitNode(child, known, visit);
  }
}

function visitTarget(target: JsExpression | BindingPattern, known: KnownNames, visit: VisitName): void {
  if (target.kind !== "identifier" && target.kind !== "objectPattern" && target.kind !== "arrayPattern") {
    visitNode(target, known, visit);
    return;
  }
  for (const name of boundNames(target)) if (!known.has(name)) visit(name, { isWritten: true, isImported: false });
  if (target.kind !== "identifier")
    for (const child of walkNodes([target])) if (child.kind !== "identifier") visitDefaults(child, known, visit);
}

function visitDefaults(node: JsNode, known: KnownNames, visit: VisitName): void {
  if (node.kind !== "objectPattern") return;
  for (const { initial } of node.members) if (initial) visitNode(initial, known, visit);
}

function visitFunction(
  node: { readonly parameters: readonly ParameterDeclaration[]; readonly body: JsExpression | readonly JsNode[] },
  known: KnownNames,
  visit: VisitName,
): void {
  const inner = extend(
    known,
    node.parameters.flatMap(({ target }) => boundNames(target)),
  );
  for (const parameter of node.parameters) visitNode(parameter, inner, visit);
  if ("kind" in node.body) visitNode(node.body, inner, visit);
  else visitBlock(node.body, inner, visit);
}
