import { type Expression, js, type Node, nodesIn, sameCode } from "../../../src/code/index.ts";

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
