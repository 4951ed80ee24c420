import {
  type Assignment,
  type BinaryExpression,
  type Block,
  blockMayComplete,
  type JsExpression,
  js,
  type JsNode,
  walkNodes,
  mapNodes,
  equalNodes,
  type VariableDeclaration,
} from "../../../src/js-ast/index.ts";
import { isSamePath } from "../../../src/readable/narrowing.ts";
import { jsonType } from "../expressions/runtime.ts";

/**
 * Code whose tests tell TypeScript no more than it can bear. A definition may look into what a condition before has found missing, or to be a text; that
 * gives nothing, and TypeScript, which knows it too, would refuse to read it:
 *
 * `if (data?.list === undefined) f(data?.list?.a);` → `if ((data?.list as unknown) === undefined) f(data?.list?.a);`
 *
 * `typeof data === "string" && data?.a === 1` → `typeof (data as unknown) === "string" && data?.a === 1`
 *
 * Neither does what is assigned:
 *
 * `data = { a: data }; if (data === 0) f();` → `data = { a: data } as Json; if (data === 0) f();`
 */
export function unnarrowed(code: Block): Block {
  const following = new Map<JsNode, Following>();
  noteFollowing(code, nothing, following);
  const taken = takenFor(code);
  return mapNodes(code, (node) => {
    switch (node.kind) {
      case "if": {
        const { then, otherwise = [] } = node;
        const rest = following.get(node) ?? nothing;
        const holds: Following = (name) => [...then, ...(blockMayComplete(otherwise) ? [] : rest(name))];
        const fails: Following = (name) => [...otherwise, ...(blockMayComplete(then) ? [] : rest(name))];
        return { ...node, test: bearable(node.test, holds, fails) };
      }
      case "conditional": {
        const { condition, then, otherwise } = node;
        return {
          ...node,
          condition: bearable(
            condition,
            () => [then],
            () => [otherwise],
          ),
        };
      }
      case "binary":
        return node.operator === "&&" || node.operator === "||" ? bearable(node, nothing, nothing) : node;
      case "assign":
      case "variable":
        return untold(node, taken);
      default:
        return node;
    }
  });
}

/** What comes after something that may still see a variable: only asked where it matters. */
type Following = (name: string) => readonly JsNode[];

const nothing: Following = () => [];

/** Notes what comes after each `if`, in the function that it stands in, or in the loop: what has been found in one round is not known in the next. */
function noteFollowing(code: Block, after: Following, following: Map<JsNode, Following>): void {
  for (const [i, statement] of code.entries()) {
    const rest: Following = (name) => [...code.slice(i + 1), ...(declares(code, name) ? [] : after(name))];
    switch (statement.kind) {
      case "if":
        following.set(statement, rest);
        noteFollowing(statement.then, rest, following);
        noteFollowing(statement.otherwise ?? [], rest, following);
        break;
      case "while":
      case "doWhile":
      case "for":
      case "forOf":
        noteFollowing(statement.body, nothing, following);
        break;
      case "labeled":
        noteFollowing([statement.body], rest, following);
        break;
      case "block":
        noteFollowing(statement.body, rest, following);
        break;
      case "try":
        noteFollowing(statement.body, rest, following);
        noteFollowing(statement.handler?.body ?? [], rest, following);
        break;
      case "functionDeclaration":
        noteFollowing(statement.body, nothing, following);
        break;
      default:
        for (const node of walkNodes([statement]))
          if (node.kind === "function" && !("kind" in node.body)) noteFollowing(node.body, nothing, following);
    }
  }
}

const declares = (code: Block, name: string): boolean =>
  code.some(({ kind, ...rest }) => kind === "variable" && "target" in rest && equalNodes(rest.target, js.name(name)));

/** What variables are taken for anywhere in some code, by their names: the types of what they are compared with, and `unknown` for any other. */
function takenFor(code: Block): ReadonlyMap<string, ReadonlySet<unknown>> {
  const taken = new Map<string, Set<unknown>>();
  const note = (path: JsExpression, type: unknown) => {
    if (path.kind !== "identifier") return;
    taken.set(path.name, (taken.get(path.name) ?? new Set()).add(type));
  };
  for (const node of walkNodes(code)) {
    if (node.kind === "assertion") for (const end of endsOf(node.operand)) note(end, "unknown");
    const isCompared = node.kind === "binary" && (node.operator === "===" || node.operator === "!==");
    if (!isCompared || node.right.kind !== "literal" || node.right.value === null) continue;
    const { left } = node;
    note(left.kind === "unary" && left.operator === "typeof" ? left.operand : left, typeTold(left, node.right));
  }
  return taken;
}

/** What an expression may come to. */
function endsOf(value: JsExpression): readonly JsExpression[] {
  return value.kind === "conditional" ? [...endsOf(value.then), ...endsOf(value.otherwise)] : [value];
}

/** An assignment of JSON, where something takes the variable for something else. An object may be taken for one with certain members. */
function untold<T extends Assignment | VariableDeclaration>(node: T, taken: ReturnType<typeof takenFor>): T {
  const { target, value } = node;
  const type = value && typeOfForm(value);
  if (!value || type === undefined || target.kind !== "identifier") return node;
  const isOtherwise = [...(taken.get(target.name) ?? [])].some(
    (other) => other !== type && !(other === "unknown" && value.kind === "object"),
  );
  return isOtherwise ? { ...node, value: js.as(value, jsonType) } : node;
}

/** What `typeof` gives for a value of this form; undefined where that is not told by the form, and of null, which TypeScript compares with everything. */
function typeOfForm(value: JsExpression): string | undefined {
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

/** A test in which what is looked at in another way, where it holds or where it does not, is of no known type. */
function bearable(test: JsExpression, holds: Following, fails: Following): JsExpression {
  if (test.kind === "unary")
    return test.operator === "!" ? { ...test, operand: bearable(test.operand, fails, holds) } : test;
  if (test.kind !== "binary") return test;
  const { operator, left, right } = test;
  switch (operator) {
    case "&&":
      return {
        ...test,
        left: bearable(left, (name) => [right, ...holds(name)], fails),
        right: bearable(right, holds, fails),
      };
    case "||":
      return {
        ...test,
        left: bearable(left, holds, (name) => [right, ...fails(name)]),
        right: bearable(right, holds, fails),
      };
    case "===":
    case "!==":
      return operator === "===" ? widened(test, holds, fails) : widened(test, fails, holds);
    default:
      return test;
  }
}

/** A comparison whose path TypeScript is to forget where it `holds` or `fails`, as something there looks at it in another way. */
function widened(test: BinaryExpression, holds: Following, fails: Following): JsExpression {
  const { left, right } = test;
  const asked = left.kind === "unary" && left.operator === "typeof" ? left.operand : left;
  const root = rootOf(asked);
  if (root === undefined) return test;
  if (isNothing(right)) {
    const isMember = asked.kind === "member" && looksInto(holds(root), asked);
    return isMember ? { ...test, left: js.as(left, js.keyword("unknown")) } : test;
  }
  if (right.kind !== "literal") return test;
  const isForgotten =
    looksInto(holds(root), asked) ||
    asksOtherwise(holds(root), asked, test) ||
    (typeof right.value === "boolean" && asksAgain(fails(root), asked, right));
  if (!isForgotten) return test;
  const forgotten = js.as(asked, js.keyword("unknown"));
  return { ...test, left: asked === left ? forgotten : js.unary("typeof", forgotten) };
}

/** The variable that a path begins with. */
function rootOf(path: JsExpression): string | undefined {
  if (path.kind === "identifier") return path.name;
  return path.kind === "member" ? rootOf(path.object) : path.kind === "nonNull" ? rootOf(path.operand) : undefined;
}

const isNothing = (code: JsExpression): boolean =>
  (code.kind === "identifier" && code.name === "undefined") || (code.kind === "literal" && code.value === null);

/** Whether something reads a member of what a path leads to, or takes it for something else. */
const looksInto = (nodes: readonly JsNode[], path: JsExpression): boolean =>
  Array.from(walkNodes(nodes)).some(
    (node) =>
      ((node.kind === "member" || node.kind === "element") && isSamePath(node.object, path)) ||
      (node.kind === "assertion" && isSamePath(node.operand, path)),
  );

/** Whether something compares what a path leads to with what it is not, where a test holds. */
const asksOtherwise = (nodes: readonly JsNode[], path: JsExpression, { left, right }: BinaryExpression): boolean =>
  comparisonsIn(nodes, path).some((other) => {
    const [type, otherType] = [typeTold(left, right), typeTold(other.left, other.right)];
    return (
      type !== otherType || (left.kind !== "unary" && other.left.kind !== "unary" && !equalNodes(right, other.right))
    );
  });

/** The type of what is compared with a literal, or whose type is. */
const typeTold = (left: JsExpression, right: JsExpression): unknown =>
  right.kind !== "literal" ? undefined : left.kind === "unary" ? right.value : typeof right.value;

/** Whether something compares what a path leads to with the same literal. */
const asksAgain = (nodes: readonly JsNode[], path: JsExpression, right: JsExpression): boolean =>
  comparisonsIn(nodes, path).some((other) => equalNodes(other.right, right));

/** The comparisons with literals of what a path leads to, and of its type. */
const comparisonsIn = (nodes: readonly JsNode[], path: JsExpression): readonly BinaryExpression[] =>
  Array.from(walkNodes(nodes)).filter((node): node is BinaryExpression => {
    if (node.kind !== "binary" || (node.operator !== "===" && node.operator !== "!==")) return false;
    if (node.right.kind !== "literal" || node.right.value === null) return false;
    const { left } = node;
    return isSamePath(left.kind === "unary" && left.operator === "typeof" ? left.operand : left, path);
  });
