import { type Expression, js, type Node, nodesIn, rebuilt, sameCode } from "../code/index.ts";

// What is known after a test: what it has found to be there needs no question any more, and what it has found missing may still be looked into.

/**
 * `test ? then : otherwise`, where either takes to be there what the test has found: `ask?.price !== undefined`
 *
 * `… ? merge(data, { price: ask?.price ?? null }) : place(data, ["price"], ask)` → `… ? merge(data, { price: ask.price }) : …`
 */
export const conditional = (test: Expression, then: Expression, otherwise: Expression): Expression =>
  js.conditional(test, afterTest(test, true, then), afterTest(test, false, otherwise));

function afterTest(test: Expression, holds: boolean, code: Expression): Expression {
  const found = foundPresent(test, holds);
  return found.length === 0 ? code : rebuilt(code, (node) => taken(node, found), isLeft);
}

/** What surely is there where a test holds, or does not. */
function foundPresent(test: Expression, holds: boolean): readonly Expression[] {
  if (test.kind === "unary" && test.operator === "!") return foundPresent(test.operand, !holds);
  if (test.kind !== "binary") return [];
  const { operator, left, right } = test;
  if (operator === (holds ? "&&" : "||")) return [...foundPresent(left, holds), ...foundPresent(right, holds)];
  const isFound = operator === (holds ? "!==" : "===") && right.kind === "identifier" && right.name === "undefined";
  return isFound ? [left] : [];
}

/** `a?.b ?? null`, `a?.b` and `a?.b?.c`, where `a?.b` is there: `a.b`, `a.b`, `a.b?.c` */
function taken(node: Node, found: readonly Expression[]): Node {
  if (node.kind === "binary" && node.operator === "??" && found.some((path) => isSamePath(path, node.left)))
    return node.left.kind === "call" ? js.nonNull(node.left) : withoutQuestions(node.left);
  const isPath = node.kind === "member" || node.kind === "element";
  return isPath && found.some((path) => isOn(path, node)) ? withoutQuestions(node) : node;
}

/** Whether a path leads to a place on the way of another one, or its end. */
const isOn = (path: Expression, place: Expression): boolean =>
  isSamePath(path, place) || ((path.kind === "member" || path.kind === "element") && isOn(path.object, place));

function withoutQuestions(path: Expression): Expression {
  if (path.kind !== "member" && path.kind !== "element") return path;
  return { ...path, object: withoutQuestions(path.object), optional: false };
}

/** Functions may be called when something else is there. */
const isLeft = ({ kind }: Node): boolean => kind === "function" || kind === "nonNull";

/**
 * A test after which TypeScript still reads what is looked into, where the test says that it is not there:
 * `if (data?.list === undefined) f(data?.list?.a);` → `if ((data?.list as unknown) === undefined) f(data?.list?.a);`
 *
 * A definition may look into what a condition before has found missing. That gives nothing; TypeScript, which knows it too, would refuse to read it.
 * `holds` and `fails` are what is done in either case.
 */
export function unnarrowed(test: Expression, holds: readonly Node[], fails: readonly Node[]): Expression {
  if (test.kind === "unary")
    return test.operator === "!" ? { ...test, operand: unnarrowed(test.operand, fails, holds) } : test;
  if (test.kind !== "binary") return test;
  const { operator, left, right } = test;
  switch (operator) {
    case "&&":
      return { ...test, left: unnarrowed(left, [...holds, right], fails), right: unnarrowed(right, holds, fails) };
    case "||":
      return { ...test, left: unnarrowed(left, holds, [...fails, right]), right: unnarrowed(right, holds, fails) };
    case "===":
    case "!==":
      return isNothing(right) && looksInto(operator === "===" ? holds : fails, left)
        ? { ...test, left: js.as(left, js.keyword("unknown")) }
        : test;
    default:
      return test;
  }
}

const isNothing = (code: Expression): boolean =>
  (code.kind === "identifier" && code.name === "undefined") || (code.kind === "literal" && code.value === null);

const looksInto = (nodes: readonly Node[], path: Expression): boolean =>
  path.kind === "member" &&
  Array.from(nodesIn(nodes)).some(
    (node) => (node.kind === "member" || node.kind === "element") && isSamePath(node.object, path),
  );

/** Whether two paths lead to the same place, however much is known to be there on the way. */
function isSamePath(a: Expression, b: Expression): boolean {
  if (a.kind === "nonNull") return isSamePath(a.operand, b);
  if (a.kind === "member" && b.kind === "member") return a.name === b.name && isSamePath(a.object, b.object);
  return sameCode(a, b);
}
