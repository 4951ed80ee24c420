import type { Jsonata, ObjectEntry } from "./syntax.ts";

/** The children of an expression in source order, without bound variables, parameters and placeholders. */
export function childrenOf(node: Jsonata): readonly Jsonata[] {
  switch (node.kind) {
    case "name":
    case "variable":
    case "string":
    case "number":
    case "constant":
    case "regex":
    case "wildcard":
    case "descendants":
    case "parent":
      return [];
    case "map":
    case "operation":
    case "chain":
    case "fallback":
      return [node.left, node.right];
    case "filter":
      return [node.target, node.predicate];
    case "keepArray":
    case "focus":
    case "index":
      return [node.target];
    case "group":
      return [node.target, ...entryChildren(node.entries)];
    case "sort":
      return [node.target, ...node.terms.map(({ expression }) => expression)];
    case "assign":
      return [node.value];
    case "negation":
      return [node.operand];
    case "if":
      return node.otherwise ? [node.condition, node.result, node.otherwise] : [node.condition, node.result];
    case "array":
      return node.items;
    case "range":
      return [node.from, node.upTo];
    case "object":
      return entryChildren(node.entries);
    case "block":
      return node.expressions;
    case "call":
      return [node.procedure, ...node.args.filter((arg) => arg.kind !== "placeholder")];
    case "lambda":
      return [node.body];
    case "transform":
      return node.deletions ? [node.pattern, node.update, node.deletions] : [node.pattern, node.update];
  }
}

const entryChildren = (entries: readonly ObjectEntry[]): readonly Jsonata[] =>
  entries.flatMap(({ key, value }) => [key, value]);
