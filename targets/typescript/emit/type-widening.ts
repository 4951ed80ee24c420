import {
  type AssignmentExpression,
  type BinaryExpression,
  type Block,
  blockMayComplete,
  equalNodes,
  type JsExpression,
  type JsNode,
  js,
  mapNodes,
  type VariableDeclaration,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { isSamePath } from "../../../src/readable/narrowing.ts";
import { jsonType } from "./runtime-imports.ts";

/**
 * Widens tests that would make TypeScript reject later code. A definition may read members of a value that a test has
 * found missing, or to be a string; that yields null, but TypeScript reports an error:
 *
 * `if (data?.list === undefined) f(data?.list?.a);` → `if ((data?.list as unknown) === undefined) f(data?.list?.a);`
 *
 * `typeof data === "string" && data?.a === 1` → `typeof (data as unknown) === "string" && data?.a === 1`
 *
 * Assignments narrow too:
 *
 * `data = { a: data }; if (data === 0) f();` → `data = { a: data } as Json; if (data === 0) f();`
 */
export function widenTypes(code: Block): Block {
  const following = new Map<JsNode, LaterNodes>();
  collectLaterNodes(code, noNodes, following);
  const assumed = assumedTypes(code);
  return mapNodes(code, (node) => {
    switch (node.kind) {
      case "if": {
        const { then, otherwise = [] } = node;
        const rest = following.get(node) ?? noNodes;
        const holds: LaterNodes = (name) => [...then, ...(blockMayComplete(otherwise) ? [] : rest(name))];
        const fails: LaterNodes = (name) => [...otherwise, ...(blockMayComplete(then) ? [] : rest(name))];
        return { ...node, test: widenTest(node.test, holds, fails) };
      }
      case "conditional": {
        const { condition, then, otherwise } = node;
        return {
          ...node,
          condition: widenTest(
            condition,
            () => [then],
            () => [otherwise],
          ),
        };
      }
      case "binary":
        return node.operator === "&&" || node.operator === "||" ? widenTest(node, noNodes, noNodes) : node;
      case "assign":
      case "variable":
        return widenAssignment(node, assumed);
      default:
        return node;
    }
  });
}

/** The nodes that run after something and may refer to a variable. Computed on demand. */
type LaterNodes = (name: string) => readonly JsNode[];

const noNodes: LaterNodes = () => [];

/**
 * Collects the nodes after each `if` within its function or loop: narrowing does not carry over to the next iteration.
 */
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

/** The types that code assumes of each variable: those it compares with, and `unknown` for casts. */
function assumedTypes(code: Block): ReadonlyMap<string, ReadonlySet<unknown>> {
  const assumed = new Map<string, Set<unknown>>();
  const note = (path: JsExpression, type: unknown) => {
    if (path.kind !== "identifier") return;
    assumed.set(path.name, (assumed.get(path.name) ?? new Set()).add(type));
  };
  for (const node of walkNodes(code)) {
    if (node.kind === "assertion") for (const end of possibleValues(node.operand)) note(end, "unknown");
    const isCompared = node.kind === "binary" && (node.operator === "===" || node.operator === "!==");
    if (!isCompared || node.right.kind !== "literal" || node.right.value === null) continue;
    const { left } = node;
    note(left.kind === "unary" && left.operator === "typeof" ? left.operand : left, comparedType(left, node.right));
  }
  return assumed;
}

/** The expressions that may yield the value. */
function possibleValues(value: JsExpression): readonly JsExpression[] {
  return value.kind === "conditional" ? [...possibleValues(value.then), ...possibleValues(value.otherwise)] : [value];
}

/**
 * Casts an assigned value to `Json` if other code assumes a different type. An object may be cast to one with members.
 */
function widenAssignment<T extends AssignmentExpression | VariableDeclaration>(
  node: T,
  assumed: ReturnType<typeof assumedTypes>,
): T {
  const { target, value } = node;
  const type = value && typeofResult(value);
  if (!value || type === undefined || target.kind !== "identifier") return node;
  const isOtherwise = [...(assumed.get(target.name) ?? [])].some(
    (other) => other !== type && !(other === "unknown" && value.kind === "object"),
  );
  return isOtherwise ? { ...node, value: js.as(value, jsonType) } : node;
}

/** The `typeof` of a value if its form shows it; undefined for null, which TypeScript compares with everything. */
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
    default:
      return undefined;
  }
}

/** Widens the paths of a test that code assumes to have another type, where the test holds or fails. */
function widenTest(test: JsExpression, holds: LaterNodes, fails: LaterNodes): JsExpression {
  if (test.kind === "unary")
    return test.operator === "!" ? { ...test, operand: widenTest(test.operand, fails, holds) } : test;
  if (test.kind !== "binary") return test;
  const { operator, left, right } = test;
  switch (operator) {
    case "&&":
      return {
        ...test,
        left: widenTest(left, (name) => [right, ...holds(name)], fails),
        right: widenTest(right, holds, fails),
      };
    case "||":
      return {
        ...test,
        left: widenTest(left, holds, (name) => [right, ...fails(name)]),
        right: widenTest(right, holds, fails),
      };
    case "===":
    case "!==":
      return operator === "===" ? widenComparison(test, holds, fails) : widenComparison(test, fails, holds);
    default:
      return test;
  }
}

/** Casts the path of a comparison to `unknown` if narrowing it conflicts with code where it `holds` or `fails`. */
function widenComparison(test: BinaryExpression, holds: LaterNodes, fails: LaterNodes): JsExpression {
  const { left, right } = test;
  const path = left.kind === "unary" && left.operator === "typeof" ? left.operand : left;
  const root = rootOf(path);
  if (root === undefined) return test;
  if (isNullish(right)) {
    const isMember = path.kind === "member" && accessesPath(holds(root), path);
    return isMember ? { ...test, left: js.as(left, js.keyword("unknown")) } : test;
  }
  if (right.kind !== "literal") return test;
  const isWidened =
    accessesPath(holds(root), path) ||
    comparesDifferently(holds(root), path, test) ||
    (typeof right.value === "boolean" && comparesAgain(fails(root), path, right));
  if (!isWidened) return test;
  const widened = js.as(path, js.keyword("unknown"));
  return { ...test, left: path === left ? widened : js.unary("typeof", widened) };
}

/** The variable at the root of a path. */
function rootOf(path: JsExpression): string | undefined {
  if (path.kind === "identifier") return path.name;
  return path.kind === "member" ? rootOf(path.object) : path.kind === "nonNull" ? rootOf(path.operand) : undefined;
}

const isNullish = (code: JsExpression): boolean =>
  (code.kind === "identifier" && code.name === "undefined") || (code.kind === "literal" && code.value === null);

/** Whether nodes read a member of a path, or cast it. */
const accessesPath = (nodes: readonly JsNode[], path: JsExpression): boolean =>
  Array.from(walkNodes(nodes)).some(
    (node) =>
      ((node.kind === "member" || node.kind === "element") && isSamePath(node.object, path)) ||
      (node.kind === "assertion" && isSamePath(node.operand, path)),
  );

/** Whether nodes compare a path with another value or type than a test that holds. */
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

/** The type that a comparison implies, with a literal or by `typeof`. */
const comparedType = (left: JsExpression, right: JsExpression): unknown =>
  right.kind !== "literal" ? undefined : left.kind === "unary" ? right.value : typeof right.value;

/** Whether nodes compare a path with the same literal. */
const comparesAgain = (nodes: readonly JsNode[], path: JsExpression, right: JsExpression): boolean =>
  comparisonsIn(nodes, path).some((other) => equalNodes(other.right, right));

/** The comparisons of a path, or its `typeof`, with literals. */
const comparisonsIn = (nodes: readonly JsNode[], path: JsExpression): readonly BinaryExpression[] =>
  Array.from(walkNodes(nodes)).filter((node): node is BinaryExpression => {
    if (node.kind !== "binary" || (node.operator !== "===" && node.operator !== "!==")) return false;
    if (node.right.kind !== "literal" || node.right.value === null) return false;
    const { left } = node;
    return isSamePath(left.kind === "unary" && left.operator === "typeof" ? left.operand : left, path);
  });
