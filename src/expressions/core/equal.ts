import type { Json } from "../../json.ts";
import { toJson } from "../library/json-text.ts";
import { equalValues } from "../library/order.ts";
import type { Expression, Segment, Selector } from "./ast.ts";
import { childrenOf } from "./walk.ts";

/** Whether two expressions are structurally equal, ignoring spans. */
export function equalExpressions(a: Expression, b: Expression): boolean {
  if (a === b) return true;
  if (!equalHeads(a, b)) return false;
  const [partsOfA, partsOfB] = [childrenOf(a), childrenOf(b)];
  return (
    partsOfA.length === partsOfB.length &&
    partsOfA.every((part, i) => equalExpressions(part.expression, partsOfB[i]!.expression))
  );
}

function equalHeads(a: Expression, b: Expression): boolean {
  if (a.kind === "literal")
    return b.kind === "literal" && equalValues(a.value, b.value) && printAlike(a.value, b.value);
  if (a.kind === "query")
    return (
      b.kind === "query" &&
      a.segments.length === b.segments.length &&
      a.segments.every((segment, i) => equalSegments(segment, b.segments[i]!))
    );
  if (a.kind === "dialect" && b.kind === "dialect" && a.dialect !== b.dialect) return false;
  return a.kind === b.kind && attributesOf(a) === attributesOf(b);
}

const printAlike = (a: Json, b: Json): boolean =>
  typeof a === "string" || typeof a === "boolean" || a === null || toJson(a) === toJson(b);

/** What a node says besides its children: names, options and strings. */
function attributesOf(expression: Expression): string {
  const { span: _, ...own } = expression;
  const attributes = Object.entries(own).flatMap(([name, value]) => {
    if (isAttribute(value)) return [[name, value]];
    const names = Array.isArray(value) ? value.map((each: unknown) => (isNamed(each) ? each.name : each)) : [];
    return names.length > 0 && names.every(isAttribute) ? [[name, names]] : [];
  });
  return JSON.stringify(attributes);
}

const isAttribute = (value: unknown): boolean => typeof value === "string" || typeof value === "boolean";

const isNamed = (value: unknown): value is { readonly name: unknown } =>
  typeof value === "object" && value !== null && !("kind" in value) && "name" in value;

function equalSegments(a: Segment, b: Segment): boolean {
  return (
    a.descend === b.descend &&
    a.selectors.length === b.selectors.length &&
    a.selectors.every((selector, i) => equalSelectors(selector, b.selectors[i]!))
  );
}

function equalSelectors(a: Selector, b: Selector): boolean {
  switch (a.kind) {
    case "name":
      return b.kind === "name" && a.name === b.name;
    case "index":
      return b.kind === "index" && a.index === b.index;
    case "slice":
      return b.kind === "slice" && a.start === b.start && a.end === b.end && a.step === b.step;
    default:
      return a.kind === b.kind;
  }
}
