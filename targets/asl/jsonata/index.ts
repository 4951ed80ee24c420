import {
  canFail,
  childrenOf,
  type Expression,
  factsOf,
  freeVariables,
  outputs,
} from "../../../src/expressions/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { after, apply, type Code, code, lambda, whole } from "./code.ts";
import { each, value } from "./each.ts";
import { definitions } from "./helpers.ts";
import { collect } from "./modes.ts";
import { type Environment, fresh, help, type Printer, Refused, refuse, withBound } from "./printer.ts";
import { bindCalls } from "./provided.ts";
import { shareParts } from "./share.ts";

export { functionNames } from "./helpers.ts";
export { type Environment, Refused } from "./printer.ts";
export { jsonataString, jsonataTemplate } from "./template.ts";

/** What is known of variables. */
export type Counts = (variable: string) => boolean;

const noCounts: Counts = () => false;

/**
 * An expression with one output as JSONata, on one line, that gives exactly that value, or fails exactly when it fails and carries the same name and message (`parseErrorMarker`).
 * Throws `Refused` for what `refusals` names. `isCount` knows variables that surely hold small whole numbers, for which arithmetic is written as it is.
 */
export function printJsonata(expression: Expression, environment: Environment, isCount: Counts = noCounts): string {
  const parts = shareParts(expression);
  return complete(environment, isCount, [parts], (printer) =>
    bindCalls(parts, printer, (inner) => value(parts, inner)),
  );
}

/** The variables that stand for the element and its index. */
interface MapVariables {
  readonly element: string;
  readonly index: string;
}

/** What a Map goes over: for each element of `items`, which is an array, what `selected` makes of it; the element and its index are variables there. */
export function printItems(
  items: Expression,
  variables: MapVariables,
  selected: Expression,
  environment: Environment,
): string {
  return complete(
    environment,
    (name) => name === variables.index,
    [items, selected],
    (printer) => mapped(items, variables, selected, printer),
  );
}

function mapped(items: Expression, variables: MapVariables, selected: Expression, printer: Printer): Code {
  const [element, index] = [fresh(printer, "element"), fresh(printer, "index")];
  const nodes = items.kind === "array" && items.items && outputs(items.items) === "many" ? items.items : undefined;
  const item = code(nodes ? `${element}.value` : element);
  const inner = withBound(withBound(printer, variables.element, item), variables.index, code(index));
  const parameters = freeVariables(selected).has(variables.index) ? [element, index] : [element];
  const isObject = factsOf(selected).type === "object";
  const list = nodes ? each(nodes, printer, collect, collect.pass) : value(items, printer);
  const made = value(selected, inner);
  const map = apply("map", list, code(lambda(parameters, isObject ? made : code(`{"value": ${whole(made)}}`))));
  return isObject ? code(`[${whole(map)}]`) : help(printer, "unbox", map);
}

/** What of an expression has no exact form in JSONata: nothing when `printJsonata` can print it. */
export function refusals(
  expression: Expression,
): readonly { readonly span: Span | undefined; readonly construct: string; readonly expression: Expression }[] {
  try {
    printJsonata(expression, (name) => `$${name.replace(/\W/g, "_")}`);
    return [];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [{ span: spanOf(expression, error.expression), construct: error.construct, expression: error.expression }];
  }
}

/** Where a part of an expression was written, or else the innermost expression around it of which that is known. */
function spanOf(expression: Expression, part: Expression): Span | undefined {
  if (part.span !== undefined) return part.span;
  const parents: Expression[] = [];
  const find = (other: Expression): boolean => {
    if (other === part) return true;
    parents.push(other);
    if (childrenOf(other).some((child) => find(child.expression))) return true;
    parents.pop();
    return false;
  };
  return find(expression) ? parents.findLast(({ span }) => span !== undefined)?.span : expression.span;
}

/** Step Functions evaluates no deeper nested expressions. */
const deepest = 100;

/** How deep brackets of any kind are nested in a text; those in strings do not count. */
function nestingOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[()[\]{}]/g)) {
    if (part.length > 1) continue;
    depth += "([{".includes(part) ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}

/** What is printed, after the functions and with the names that it needs. */
function complete(
  environment: Environment,
  isCount: Counts,
  expressions: readonly Expression[],
  print: (printer: Printer) => Code,
): string {
  const taken = new Set<string>();
  for (const expression of expressions) {
    for (const name of freeVariables(expression))
      for (const [, used] of environment(name).matchAll(/\$([A-Za-z_]\w*)/g)) taken.add(used!);
  }
  const used = new Set<string>();
  const text = print({
    environment,
    isCount,
    canFail: expressions.some(canFail),
    present: new Set<string>(),
    used,
    taken,
    bound: new Map(),
    dot: "null",
    caught: false,
    copies: { count: 0 },
    functions: new Map(),
  });
  const written = whole(after(definitions(used), text));
  return nestingOf(written) > deepest ? refuse("an expression that is nested so deeply", expressions[0]!) : written;
}
