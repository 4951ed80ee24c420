import { equalNodes, type JsExpression, type JsNode, js, mapNodes } from "../../../js-ast/index.ts";

// What is known after a test: what it has found to be there needs no question any more.

/**
 * `test ? then : otherwise`, where either takes to be there what the test has found: `ask?.price !== undefined`
 *
 * `… ? merge(data, { price: ask?.price ?? null }) : place(data, ["price"], ask)` → `… ? merge(data, { price: ask.price }) : …`
 */
export const conditional = (test: JsExpression, then: JsExpression, otherwise: JsExpression): JsExpression =>
  js.conditional(test, afterTest(test, true, then), afterTest(test, false, otherwise));

function afterTest(test: JsExpression, holds: boolean, code: JsExpression): JsExpression {
  const found = foundPresent(test, holds);
  return found.length === 0 ? code : mapNodes(code, (node) => taken(node, found), isLeft);
}

/** What surely is there where a test holds, or does not. */
function foundPresent(test: JsExpression, holds: boolean): readonly JsExpression[] {
  if (test.kind === "unary" && test.operator === "!") return foundPresent(test.operand, !holds);
  if (test.kind !== "binary") return [];
  const { operator, left, right } = test;
  if (operator === (holds ? "&&" : "||")) return [...foundPresent(left, holds), ...foundPresent(right, holds)];
  const isFound = operator === (holds ? "!==" : "===") && right.kind === "identifier" && right.name === "undefined";
  return isFound ? [left] : [];
}

/** `a?.b ?? null`, `a?.b` and `a?.b?.c`, where `a?.b` is there: `a.b`, `a.b`, `a.b?.c` */
function taken(node: JsNode, found: readonly JsExpression[]): JsNode {
  if (node.kind === "binary" && node.operator === "??" && found.some((path) => isSamePath(path, node.left)))
    return node.left.kind === "call" ? js.nonNull(node.left) : withoutQuestions(node.left);
  const isPath = node.kind === "member" || node.kind === "element";
  return isPath && found.some((path) => isOn(path, node)) ? withoutQuestions(node) : node;
}

/** Whether a path leads to a place on the way of another one, or its end. */
const isOn = (path: JsExpression, place: JsExpression): boolean =>
  isSamePath(path, place) || ((path.kind === "member" || path.kind === "element") && isOn(path.object, place));

function withoutQuestions(path: JsExpression): JsExpression {
  if (path.kind !== "member" && path.kind !== "element") return path;
  return { ...path, object: withoutQuestions(path.object), optional: false };
}

/** Functions may be called when something else is there. */
const isLeft = ({ kind }: JsNode): boolean => kind === "function" || kind === "nonNull";

/** Whether two paths lead to the same place, however much is known to be there on the way. */
export function isSamePath(a: JsExpression, b: JsExpression): boolean {
  if (a.kind === "nonNull") return isSamePath(a.operand, b);
  if (b.kind === "nonNull") return isSamePath(a, b.operand);
  if (a.kind === "member" && b.kind === "member") return a.name === b.name && isSamePath(a.object, b.object);
  return equalNodes(a, b);
}
