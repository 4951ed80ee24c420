import { childrenOf, type Expression, variable, withChildren } from "../../../src/expressions/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { caughtParts, type ErrorPart } from "../problem-parts.ts";

const caughtNames: ReadonlySet<string> = new Set([intrinsics.errorData, ...Object.values(caughtParts)]);

/** Whether a variable is a part or the data of a caught or stored error. */
export const isPartName = (name: string): boolean =>
  caughtNames.has(name) || /\.(?:data|kind|type|status|title|detail|given)$/.test(name);

const partFunctions: ReadonlyMap<string, ErrorPart> = new Map([
  ["problemName", "kind"],
  ["problemType", "type"],
  ["problemStatus", "status"],
  ["problemTitle", "title"],
  ["problemDetail", "detail"],
]);

/** Whether a function computes a part of problem details. */
export const computesPart = (name: string): boolean => partFunctions.has(name);

/** Reads parts of caught and stored errors from their variables: `first($error.data.status, null)` → `$error.given`. */
export function readParts(expression: Expression): Expression {
  const part = partOf(expression);
  if (part) return part;
  const children = childrenOf(expression);
  const read = children.map((child) => readParts(child.expression));
  return read.every((each, i) => each === children[i]!.expression) ? expression : withChildren(expression, read);
}

function partOf(expression: Expression): Expression | undefined {
  if (expression.kind === "query") {
    const [segment, ...more] = expression.segments;
    const [selector, ...others] = segment?.selectors ?? [];
    const isStatus = selector?.kind === "name" && selector.name === "status" && segment?.descend === false;
    return isStatus && more.length + others.length === 0 ? given(expression.source) : undefined;
  }
  if (expression.kind !== "call" || expression.isLocal) return undefined;
  const part = partFunctions.get(expression.name);
  const [error] = expression.args;
  const origin = error?.kind === "object" ? error.entries[0]?.value : undefined;
  if (!part || origin?.kind !== "variable") return undefined;
  if (origin.name === intrinsics.errorOrigin) return variable(caughtParts[part]);
  return origin.name.endsWith(".origin") ? variable(`${origin.name.slice(0, -".origin".length)}.${part}`) : undefined;
}

function given(data: Expression): Expression | undefined {
  if (data.kind !== "variable") return undefined;
  if (data.name === intrinsics.errorData) return variable(caughtParts.given);
  return data.name.endsWith(".data") ? variable(`${data.name.slice(0, -".data".length)}.given`) : undefined;
}
