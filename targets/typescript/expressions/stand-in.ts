import { canFail, childrenOf, type Expression, factsOf } from "../../../src/expressions/index.ts";
import { isSimple, type Written } from "./written.ts";

/** Something that has a value: `.`, or a variable. */
export type Named = { readonly kind: "input" } | { readonly kind: "variable"; readonly name: string };

/**
 * Whether the text of a value can be written where a body uses it, so that it is evaluated no more often than before, and fails where it failed: it is a
 * path or constant; or it is used once, and where it may fail, that is the first thing that the body does.
 */
export function mayStandIn(value: Expression, { text }: Written, body: Expression, named: Named): boolean {
  if (isSimple(text) && !canFail(value)) return true;
  if (
    value.kind === "literal" &&
    (value.value === null || typeof value.value !== "object") &&
    text.length <= longestCopied
  )
    return true;
  if (canFail(value)) return isUsedFirst(body, named);
  return usesIn(body, named) <= 1;
}

const longestCopied = 60;

/** How often a value is used: several times too where that is for each of many values. */
export function usesIn(expression: Expression, named: Named): number {
  if (isUse(expression, named)) return 1;
  let count = 0;
  for (const child of childrenOf(expression)) {
    if (!mayUse(child, named)) continue;
    count += child.rebinds ? 2 : usesIn(child.expression, named);
    if (count > 1) return count;
  }
  return count;
}

/** Whether a body uses a value once, before all else in it that could fail, and whatever the values are. */
function isUsedFirst(expression: Expression, named: Named): boolean {
  if (isUse(expression, named)) return true;
  for (const [i, child] of childrenOf(expression).entries()) {
    if (mayUse(child, named))
      return isDoneAnyway(expression, i) && usesIn(expression, named) === 1 && isUsedFirst(child.expression, named);
    if (canFail(child.expression)) return false;
  }
  return false;
}

const isUse = (expression: Expression, named: Named): boolean =>
  named.kind === "input"
    ? expression.kind === "identity"
    : expression.kind === "variable" && expression.name === named.name;

type Part = ReturnType<typeof childrenOf>[number];

const mayUse = ({ expression, rebinds, binds }: Part, named: Named): boolean =>
  named.kind === "input"
    ? !rebinds && factsOf(expression).usesInput
    : binds !== named.name && factsOf(expression).free.has(named.name);

/** Whether a part of an expression is evaluated once each time, in the order in which it is written, and in what is written for it too. */
function isDoneAnyway(expression: Expression, part: number): boolean {
  switch (expression.kind) {
    case "pipe":
      return (
        part === 0 && (factsOf(expression.left).outputs !== "one" || isUsedFirst(expression.right, { kind: "input" }))
      );
    case "let":
      return part === 0 && isUsedFirst(expression.body, { kind: "variable", name: expression.name });
    case "object":
      return expression.entries.every(({ key }) => factsOf(key).type === "string");
    case "query":
    case "if":
    case "logic":
    case "alternative":
      return part === 0;
    case "array":
    case "comma":
    case "binary":
    case "access":
    case "slice":
    case "iterate":
    case "interpolation":
      return true;
    case "call":
      return !streamFunctions.has(expression.name);
    default:
      return false;
  }
}

/** Functions that decide how much of their arguments is evaluated, or are written without some. */
const streamFunctions: ReadonlySet<string> = new Set([
  "switchCondition",
  "first",
  "exists",
  "truthy",
  "isEmpty",
  "compareInCondition",
  "comparesNodes",
  "attribute",
]);
