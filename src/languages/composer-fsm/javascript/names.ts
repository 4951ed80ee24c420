import type { ts } from "ts-morph";
import type { FunctionTree, Typescript } from "./parse.ts";

/** A name that a function does not declare. */
export interface FreeName {
  readonly name: string;
  readonly from: number;
  readonly upTo: number;
  readonly isTypeofOperand: boolean;
}

/** Code that reaches outside of the function without a name. */
export interface ScopeEscape {
  readonly what: string;
  readonly from: number;
  readonly upTo: number;
  readonly isImpossible: boolean;
}

/** The external names and escapes of a function. */
export interface ExternalNames {
  readonly freeNames: readonly FreeName[];
  readonly escapes: readonly ScopeEscape[];
}

/** Finds the external names of strict-mode code. */
export function externalNames({ ts, expression }: FunctionTree): ExternalNames {
  const finder: NameFinder = { ts, freeNames: [], escapes: [] };
  visit(expression, { names: new Set(), outer: undefined, hasThis: false }, finder);
  return finder;
}

interface NameFinder {
  readonly ts: Typescript;
  readonly freeNames: FreeName[];
  readonly escapes: ScopeEscape[];
}

interface NameScope {
  readonly names: ReadonlySet<string>;
  readonly outer: NameScope | undefined;
  readonly hasThis: boolean;
}

const innerScope = (outer: NameScope, names: Iterable<string>, hasThis = outer.hasThis): NameScope => ({
  names: new Set(names),
  outer,
  hasThis,
});

const isDeclared = (name: string, scope: NameScope | undefined): boolean =>
  scope !== undefined && (scope.names.has(name) || isDeclared(name, scope.outer));

function visit(node: ts.Node, scope: NameScope, finder: NameFinder): void {
  const { ts } = finder;
  visitEscape(node, scope, finder);
  if (ts.isIdentifier(node)) visitIdentifier(node, scope, finder);
  const inner = scopeOf(node, scope, ts);
  ts.forEachChild(node, (child) => visit(child, inner, finder));
}

function scopeOf(node: ts.Node, scope: NameScope, ts: Typescript): NameScope {
  if (ts.isFunctionLike(node)) {
    const own = ts.isArrowFunction(node) ? [] : ["arguments"];
    const called = ts.isFunctionExpression(node) && node.name ? [node.name.text] : [];
    const parameters = node.parameters.flatMap(({ name }) => namesIn(name, ts));
    const body = "body" in node && node.body ? hoistedIn(node.body, ts) : [];
    return innerScope(scope, [...own, ...called, ...parameters, ...body], scope.hasThis || !ts.isArrowFunction(node));
  }
  if (ts.isClassExpression(node) || ts.isClassDeclaration(node))
    return innerScope(scope, node.name ? [node.name.text] : [], true);
  if (ts.isBlock(node)) return innerScope(scope, lexicalIn(node.statements, ts));
  if (ts.isCaseBlock(node))
    return innerScope(
      scope,
      node.clauses.flatMap(({ statements }) => lexicalIn(statements, ts)),
    );
  if (ts.isCatchClause(node))
    return innerScope(scope, node.variableDeclaration ? namesIn(node.variableDeclaration.name, ts) : []);
  if (ts.isForStatement(node) || ts.isForInStatement(node) || ts.isForOfStatement(node)) {
    const { initializer } = node;
    return initializer && ts.isVariableDeclarationList(initializer)
      ? innerScope(
          scope,
          initializer.declarations.flatMap(({ name }) => namesIn(name, ts)),
        )
      : scope;
  }
  return scope;
}

function namesIn(name: ts.BindingName, ts: Typescript): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name, ts) : []));
}

function lexicalIn(statements: readonly ts.Statement[], ts: Typescript): readonly string[] {
  return statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name, ts));
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return statement.name ? [statement.name.text] : [];
    return [];
  });
}

function hoistedIn(node: ts.Node, ts: Typescript): readonly string[] {
  const found: string[] = [];
  const look = (each: ts.Node): void => {
    if (ts.isFunctionLike(each) || ts.isClassLike(each)) return;
    if (ts.isVariableDeclarationList(each) && (each.flags & ts.NodeFlags.BlockScoped) === 0)
      found.push(...each.declarations.flatMap(({ name }) => namesIn(name, ts)));
    ts.forEachChild(each, look);
  };
  look(node);
  return found;
}

function visitIdentifier(node: ts.Identifier, scope: NameScope, { ts, freeNames, escapes }: NameFinder): void {
  if (!isReference(node, ts)) return;
  const { text: name, parent } = node;
  const place = offsetsOf(node);
  if (name === "await") escapes.push({ what: "`await` as an identifier", ...place, isImpossible: true });
  else if (!isDeclared(name, scope)) freeNames.push({ name, ...place, isTypeofOperand: ts.isTypeOfExpression(parent) });
}

function isReference(node: ts.Identifier, ts: Typescript): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isMetaProperty(parent)) return parent.name !== node;
  if (ts.isBindingElement(parent)) return parent.name !== node && parent.propertyName !== node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return !("name" in parent) || parent.name !== node;
}

function visitEscape(node: ts.Node, scope: NameScope, { ts, escapes }: NameFinder): void {
  const leads = (what: string, isImpossible: boolean) => escapes.push({ what, ...offsetsOf(node), isImpossible });
  if (node.kind === ts.SyntaxKind.ThisKeyword && !scope.hasThis) leads("`this` outside a nested function", true);
  if (node.kind === ts.SyntaxKind.ImportKeyword) leads("`import`", true);
  if (isConstructorChain(node, ts)) leads("`constructor`", false);
}

/** `x.constructor(…)`, `x.constructor.y` and `x["constructor"]` lead to `Function`. */
function isConstructorChain(node: ts.Node, ts: Typescript): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === "constructor" && isUsedFurther(node, ts);
  if (!ts.isElementAccessExpression(node)) return false;
  const key = node.argumentExpression;
  return ts.isStringLiteralLike(key) && key.text === "constructor" && isUsedFurther(node, ts);
}

function isUsedFurther(node: ts.Expression, ts: Typescript): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isUsedFurther(parent, ts);
  return (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent) ||
      ts.isCallOrNewExpression(parent)) &&
    parent.expression === node
  );
}

const offsetsOf = (node: ts.Node) => ({ from: node.getStart() - 1, upTo: node.end - 1 });

/** The globals that all targets have: those of JavaScript, and these of their platforms. */
export const standardNames: ReadonlySet<string> = new Set(
  (
    "console Buffer URL URLSearchParams TextEncoder TextDecoder structuredClone btoa atob setTimeout " +
    "undefined NaN Infinity Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect " +
    "Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError Iterator FinalizationRegistry Intl Atomics " +
    "ArrayBuffer SharedArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array " +
    "Float64Array BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape"
  ).split(" "),
);

/** Globals that give access to arbitrary code. */
export const escapingNames: ReadonlySet<string> = new Set(["eval", "Function", "globalThis"]);

/** Names of CommonJS modules, which ES modules lack. */
export const moduleNames: ReadonlySet<string> = new Set([
  "require",
  "module",
  "exports",
  "__filename",
  "__dirname",
  "arguments",
]);
