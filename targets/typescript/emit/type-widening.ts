import { isSamePath } from "../../../src/expressions/js/index.ts";
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
import { jsonType } from "./runtime-imports.ts";

/**
 * Widens tests whose narrowing would make later code an error: reading members of a missing value or a string yields
 * null in a definition.
 *
 * `if (data?.list === undefined) f(data?.list?.a);` → `if ((data?.list as unknown) === undefined) f(data?.list?.a);`
 *
 * `typeof data === "string" && data?.a === 1` → `typeof (data as unknown) === "string" && data?.a === 1`
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

/** The compared types of each variable, and `unknown` for casts. */
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

function possibleValues(value: JsExpression): readonly JsExpression[] {
  return value.kind === "conditional" ? [...possibleValues(value.then), ...possibleValues(value.otherwise)] : [value];
}

/** Casts an assigned value to `Json` if other code assumes another type, except objects cast to object types. */
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
    default:
      return undefined;
  }
}

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

/** Casts a path to `unknown` if its narrowing conflicts with code where the test `holds` or `fails`. */
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

function rootOf(path: JsExpression): string | undefined {
  if (path.kind === "identifier") return path.name;
  return path.kind === "member" ? rootOf(path.object) : path.kind === "nonNull" ? rootOf(path.operand) : undefined;
}

const isNullish = (code: JsExpression): boolean =>
  (code.kind === "identifier" && code.name === "undefined") || (code.kind === "literal" && code.value === null);

const accessesPath = (nodes: readonly JsNode[], path: JsExpression): boolean =>
  Array.from(walkNodes(nodes)).some(
    (node) =>
      ((node.kind === "member" || node.kind === "element") && isSamePath(node.object, path)) ||
      (node.kind === "assertion" && isSamePath(node.operand, path)),
  );

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

const comparisonsIn = (nodes: readonly JsNode[], path: JsExpression): readonly BinaryExpression[] =>
  Array.from(walkNodes(nodes)).filter((node): node is BinaryExpression => {
    if (node.kind !== "binary" || (node.operator !== "===" && node.operator !== "!==")) return false;
    if (node.right.kind !== "literal" || node.right.value === null) return false;
    const { left } = node;
    return isSamePath(left.kind === "unary" && left.operator === "typeof" ? left.operand : left, path);
  });
