import { isSamePath } from "../../../src/expressions/js/index.ts";
import {
  type AssignmentExpression,
  type BinaryExpression,
  type Block,
  blockMayComplete,
  equalNodes,
  type Identifier,
  type JsExpression,
  type JsNode,
  js,
  mapNodes,
  type VariableDeclaration,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { helperOfAlias, helperType, jsonType } from "./runtime-imports.ts";

/**
 * Widens tests whose narrowing would make later code an error: reading members of a missing value or a string yields
 * null in a definition.
 *
 * `if (data?.list === undefined) f(data?.list?.a);` → `if ((data?.list as unknown) === undefined) f(data?.list?.a);`
 *
 * `typeof data === "string" && data?.a === 1` → `typeof (data as unknown) === "string" && data?.a === 1`
 *
 * `data = { a: data }; if (data === 0) f();` → `data = { a: data } as Json; if (data === 0) f();`
 *
 * `const b = a === false ? 0 : a; if (b === false) f();` → `const b = (a === false ? 0 : a) as Json; …`
 *
 * `const c = 0; if (c === 1) f();` → `const c = 0 as Json; …`
 */
export function widenTypes(code: Block): Block {
  const following = new Map<JsNode, LaterNodes>();
  collectLaterNodes(code, noNodes, following);
  const variables = variableTypes(code);
  return mapNodes(code, (node) => {
    switch (node.kind) {
      case "if": {
        const { then, otherwise = [] } = node;
        const rest = following.get(node) ?? noNodes;
        const holds: LaterNodes = (name) => [...then, ...(blockMayComplete(otherwise) ? [] : rest(name))];
        const fails: LaterNodes = (name) => [...otherwise, ...(blockMayComplete(then) ? [] : rest(name))];
        return { ...node, test: widenTest(node.test, holds, fails, variables) };
      }
      case "conditional": {
        const { condition, then, otherwise } = node;
        return {
          ...node,
          condition: widenTest(
            condition,
            () => [then],
            () => [otherwise],
            variables,
          ),
        };
      }
      case "binary":
        if (node.operator === "===" || node.operator === "!==") return widenOperands(node, variables);
        return node.operator === "&&" || node.operator === "||" ? widenTest(node, noNodes, noNodes, variables) : node;
      case "assign":
      case "variable":
        return widenAssignment(node, variables);
      default:
        return node;
    }
  });
}

/** The nodes that run later and may refer to a variable, computed on demand. */
type LaterNodes = (name: string) => readonly JsNode[];

const noNodes: LaterNodes = () => [];

/** Within one function or iteration, since narrowing does not carry over. */
function collectLaterNodes(code: Block, after: LaterNodes, following: Map<JsNode, LaterNodes>): void {
  for (const [i, statement] of code.entries()) {
    const rest: LaterNodes = (name) => [...code.slice(i + 1), ...(declares(code, name) ? [] : after(name))];
    switch (statement.kind) {
      case "if":
        following.set(statement, rest);
        collectLaterNodes(statement.then, rest, following);
        collectLaterNodes(statement.otherwise ?? [], rest, following);
        break;
      case "while":
      case "doWhile":
      case "for":
      case "forOf":
        collectLaterNodes(statement.body, noNodes, following);
        break;
      case "labeled":
        collectLaterNodes([statement.body], rest, following);
        break;
      case "block":
        collectLaterNodes(statement.body, rest, following);
        break;
      case "try":
        collectLaterNodes(statement.body, rest, following);
        collectLaterNodes(statement.handler?.body ?? [], rest, following);
        break;
      case "functionDeclaration":
        collectLaterNodes(statement.body, noNodes, following);
        break;
      default:
        for (const node of walkNodes([statement]))
          if (node.kind === "function" && !("kind" in node.body)) collectLaterNodes(node.body, noNodes, following);
    }
  }
}

const declares = (code: Block, name: string): boolean =>
  code.some(({ kind, ...rest }) => kind === "variable" && "target" in rest && equalNodes(rest.target, js.name(name)));

/** What a variable is compared with: a type, `unknown` in a cast, and the constant if it is one. */
interface AssumedType {
  readonly type: unknown;
  readonly constant?: JsExpression | undefined;
}

/** What code assumes and the type checker infers of variables, by name. */
interface VariableTypes {
  /** The types that each is compared with. */
  readonly assumed: ReadonlyMap<string, readonly AssumedType[]>;
  /** Constants whose inferred type may exclude values, since a condition narrowed them. */
  readonly narrowed: ReadonlySet<string>;
  /** The keys of paths whose members are accessed or that are cast, including arrays that are filled. */
  readonly accessedPaths: ReadonlySet<string>;
}

function variableTypes(code: Block): VariableTypes {
  const assumed = new Map<string, AssumedType[]>();
  const [narrowed, accessedPaths] = [new Set<string>(), new Set<string>()];
  const note = (path: JsExpression, type: AssumedType) => {
    if (path.kind === "identifier") assumed.set(path.name, [...(assumed.get(path.name) ?? []), type]);
  };
  for (const node of walkNodes(code)) {
    if (node.kind === "member" || node.kind === "element") accessedPaths.add(pathKey(node.object));
    if (node.kind === "assertion") accessedPaths.add(pathKey(node.operand));
    if (node.kind === "assertion") for (const end of possibleValues(node.operand)) note(end, { type: "unknown" });
    if (node.kind === "variable" && node.keyword === "const" && node.target.kind === "identifier" && node.value)
      if (endsOf(node.value, [], narrowed).every(isKnownResult)) narrowed.add(node.target.name);
    const isCompared = node.kind === "binary" && (node.operator === "===" || node.operator === "!==");
    if (!isCompared) continue;
    for (const [path, other] of [[node.left, node.right] as const, [node.right, node.left] as const]) {
      if (other.kind !== "literal" || other.value === null) continue;
      const type = comparedType(path, other);
      if (path.kind === "unary" && path.operator === "typeof") note(path.operand, { type });
      else note(path, { type, constant: other });
    }
  }
  return { assumed, narrowed, accessedPaths };
}

function possibleValues(value: JsExpression): readonly JsExpression[] {
  return value.kind === "conditional" ? [...possibleValues(value.then), ...possibleValues(value.otherwise)] : [value];
}

/** Casts an assigned value to `Json` if other code assumes another type, except objects cast to object types. */
function widenAssignment<T extends AssignmentExpression | VariableDeclaration>(
  node: T,
  { assumed, narrowed, accessedPaths }: VariableTypes,
): T {
  const { target, value } = node;
  if (!value || target.kind !== "identifier") return node;
  const isUntypedArray =
    node.kind === "variable" && !node.type && value.kind === "array" && value.elements.length === 0;
  const isFixed =
    node.kind === "variable" && node.keyword === "const" && value.kind === "literal" && value.value !== null;
  const isWidened =
    (isUntypedArray && !accessedPaths.has(target.name)) ||
    (isFixed && assumed.get(target.name)?.some(({ constant }) => constant && !equalNodes(constant, value))) ||
    assumed.get(target.name)?.some((other) => conflicts(value, other, narrowed));
  return isWidened ? { ...node, value: js.as(value, jsonType) } : node;
}

/** `(a === false ? 0 : a) === false` → `((a === false ? 0 : a) as Json) === false` */
function widenOperands(comparison: BinaryExpression, { narrowed }: VariableTypes): BinaryExpression {
  const { left, right } = comparison;
  if (left.kind === "literal" && right.kind === "literal")
    return equalNodes(left, right) ? comparison : { ...comparison, left: js.as(left, jsonType) };
  const widened = (code: JsExpression, constant: JsExpression): JsExpression =>
    isDecided(code, constant) ||
    (code.kind === "conditional" &&
      constant.kind === "literal" &&
      constant.value !== null &&
      conflicts(code, { type: typeof constant.value, constant }, narrowed))
      ? js.as(code, jsonType)
      : code;
  return { ...comparison, left: widened(left, right), right: widened(right, left) };
}

/** Whether a constant operand decides a condition that is compared with the other boolean: `(a && false) === true`. */
function isDecided(code: JsExpression, constant: JsExpression): boolean {
  if (code.kind !== "binary" || constant.kind !== "literal" || typeof constant.value !== "boolean") return false;
  const decisive = code.operator === "&&" ? false : code.operator === "||" ? true : undefined;
  if (decisive === undefined || constant.value === decisive) return false;
  return [code.left, code.right].some((operand) => operand.kind === "literal" && operand.value === decisive);
}

/** Whether the type checker infers a type for a value that excludes what it is compared with. */
function conflicts(value: JsExpression, { type, constant }: AssumedType, narrowed: ReadonlySet<string>): boolean {
  if (value.kind !== "conditional") {
    const inferred = typeofResult(value);
    return inferred !== undefined && inferred !== type && !(type === "unknown" && value.kind === "object");
  }
  const ends = endsOf(value, [], narrowed);
  const isPossible = ({ code }: ConditionalResult): boolean =>
    code.kind === "literal" && constant ? equalNodes(code, constant) : typeofResult(code) === type;
  return type !== "unknown" && ends.every(isKnownResult) && !ends.some(isPossible);
}

/** A value of a conditional expression, and whether a condition narrows its type. */
interface ConditionalResult {
  readonly code: JsExpression;
  readonly isNarrowed: boolean;
}

/** Whether the type of a result may exclude values. */
const isKnownResult = ({ code, isNarrowed }: ConditionalResult): boolean =>
  isNarrowed || typeofResult(code) !== undefined;

/** The values of a conditional expression that are not null or undefined. `tests`: the conditions around it. */
function endsOf(
  value: JsExpression,
  tests: readonly JsExpression[],
  narrowed: ReadonlySet<string>,
): readonly ConditionalResult[] {
  if (value.kind === "conditional") {
    const { condition, then, otherwise } = value;
    const all = [...tests, condition];
    return [
      ...(isNullWhere(condition, true, then) ? [] : endsOf(then, all, narrowed)),
      ...(isNullWhere(condition, false, otherwise) ? [] : endsOf(otherwise, all, narrowed)),
    ];
  }
  if (isNullish(value)) return [];
  const isNarrowed =
    (value.kind === "identifier" && narrowed.has(value.name)) || comparisonsIn(tests, value).length > 0;
  return [{ code: value, isNarrowed }];
}

/** Whether a test finds a path to be null or undefined where it holds, or where it fails. */
function isNullWhere(test: JsExpression, holds: boolean, path: JsExpression): boolean {
  if (test.kind === "unary") return test.operator === "!" && isNullWhere(test.operand, !holds, path);
  if (test.kind !== "binary") return false;
  const { operator, left, right } = test;
  if (operator === (holds ? "&&" : "||")) return isNullWhere(left, holds, path) || isNullWhere(right, holds, path);
  return operator === (holds ? "===" : "!==") && isNullish(right) && isSamePath(left, path);
}

/** Undefined if the form does not show it, and for null, which is comparable to everything. */
function typeofResult(value: JsExpression): string | undefined {
  switch (value.kind) {
    case "object":
    case "array":
      return "object";
    case "template":
      return "string";
    case "literal":
      return value.value === null ? undefined : typeof value.value;
    case "unary":
      return value.operator === "!" ? "boolean" : undefined;
    case "binary":
      return /^[!=<>]/.test(value.operator) ? "boolean" : undefined;
    case "call":
      return value.callee.kind === "identifier" ? returnedType(value.callee) : undefined;
    default:
      return undefined;
  }
}

/** What a function of the runtime returns: `boolean` or `string`. */
function returnedType({ from, name }: Identifier): string | undefined {
  const helper = from && helperOfAlias(from.exported ?? name);
  const type = helper === undefined ? undefined : helperType(helper);
  return type && /=> (boolean|string)$/.exec(type)?.[1];
}

function widenTest(test: JsExpression, holds: LaterNodes, fails: LaterNodes, variables: VariableTypes): JsExpression {
  if (test.kind === "unary")
    return test.operator === "!" ? { ...test, operand: widenTest(test.operand, fails, holds, variables) } : test;
  if (test.kind !== "binary") return test;
  const { operator, left, right } = test;
  switch (operator) {
    case "&&":
      return {
        ...test,
        left: widenTest(left, (name) => [right, ...holds(name)], fails, variables),
        right: widenTest(right, holds, fails, variables),
      };
    case "||":
      return {
        ...test,
        left: widenTest(left, holds, (name) => [right, ...fails(name)], variables),
        right: widenTest(right, holds, fails, variables),
      };
    case "===":
    case "!==":
      return operator === "==="
        ? widenComparison(test, holds, fails, variables)
        : widenComparison(test, fails, holds, variables);
    default:
      return test;
  }
}

/** Casts a path to `unknown` if its narrowing conflicts with code where the test `holds` or `fails`. */
function widenComparison(
  test: BinaryExpression,
  holds: LaterNodes,
  fails: LaterNodes,
  { accessedPaths }: VariableTypes,
): JsExpression {
  const { left, right } = test;
  const path = left.kind === "unary" && left.operator === "typeof" ? left.operand : left;
  const root = rootOf(path);
  if (root === undefined) return test;
  const isAccessed = accessedPaths.has(pathKey(path));
  if (isNullish(right)) {
    const isMember = path.kind === "member" && isAccessed && accessesPath(holds(root), path);
    return isMember ? { ...test, left: js.as(left, js.keyword("unknown")) } : test;
  }
  if (right.kind !== "literal") return test;
  const isWidened =
    (isAccessed && accessesPath(holds(root), path)) ||
    comparesDifferently(holds(root), path, test) ||
    (typeof right.value === "boolean" && comparesAgain(fails(root), path, right));
  if (!isWidened) return test;
  const widened = js.as(path, js.keyword("unknown"));
  return { ...test, left: path === left ? widened : js.unary("typeof", widened) };
}

/** Equal for paths that lead to the same place; empty for other expressions. */
function pathKey(path: JsExpression): string {
  if (path.kind === "identifier") return path.name;
  if (path.kind === "nonNull") return pathKey(path.operand);
  const object = path.kind === "member" ? pathKey(path.object) : "";
  return object === "" || path.kind !== "member" ? "" : `${object}.${path.name}`;
}

function rootOf(path: JsExpression): string | undefined {
  if (path.kind === "identifier") return path.name;
  return path.kind === "member" ? rootOf(path.object) : path.kind === "nonNull" ? rootOf(path.operand) : undefined;
}

const isNullish = (code: JsExpression): boolean =>
  (code.kind === "identifier" && code.name === "undefined") || (code.kind === "literal" && code.value === null);

const accessesPath = (nodes: readonly JsNode[], path: JsExpression): boolean =>
  someNode(
    nodes,
    (node) =>
      ((node.kind === "member" || node.kind === "element") && isSamePath(node.object, path)) ||
      (node.kind === "assertion" && isSamePath(node.operand, path)),
  );

function someNode(nodes: readonly JsNode[], isWanted: (node: JsNode) => boolean): boolean {
  for (const node of walkNodes(nodes)) if (isWanted(node)) return true;
  return false;
}

const comparesDifferently = (
  nodes: readonly JsNode[],
  path: JsExpression,
  { left, right }: BinaryExpression,
): boolean =>
  comparisonsIn(nodes, path).some((other) => {
    const [type, otherType] = [comparedType(left, right), comparedType(other.left, other.right)];
    return (
      type !== otherType || (left.kind !== "unary" && other.left.kind !== "unary" && !equalNodes(right, other.right))
    );
  });

/** The type of a literal, or in a `typeof` test. */
const comparedType = (left: JsExpression, right: JsExpression): unknown =>
  right.kind !== "literal" ? undefined : left.kind === "unary" ? right.value : typeof right.value;

const comparesAgain = (nodes: readonly JsNode[], path: JsExpression, right: JsExpression): boolean =>
  comparisonsIn(nodes, path).some((other) => equalNodes(other.right, right));

/** The comparisons of a path or its `typeof` with constants other than null, the path on the left. */
const comparisonsIn = (nodes: readonly JsNode[], path: JsExpression): readonly BinaryExpression[] =>
  walkNodes(nodes).flatMap((node) => {
    if (node.kind !== "binary" || (node.operator !== "===" && node.operator !== "!==")) return [];
    const comparison = node.left.kind === "literal" ? { ...node, left: node.right, right: node.left } : node;
    const { left, right } = comparison;
    if (right.kind !== "literal" || right.value === null) return [];
    return isSamePath(left.kind === "unary" && left.operator === "typeof" ? left.operand : left, path)
      ? [comparison]
      : [];
  });
