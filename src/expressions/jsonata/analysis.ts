import type { Jsonata, ObjectEntry } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";

/** The type of a JSONata value. */
export type JsonataType = "null" | "boolean" | "number" | "string" | "array" | "object" | "function";

/**
 * The type of every value that an expression may yield, if its root decides it. The expression may also yield nothing
 * or fail.
 */
export function jsonataType(node: Jsonata): JsonataType | undefined {
  switch (node.kind) {
    case "string":
    case "number":
    case "array":
    case "object":
      return node.kind;
    case "constant":
      return node.value === null ? "null" : "boolean";
    case "negation":
      return "number";
    case "lambda":
    case "regex":
    case "transform":
      return "function";
    case "operation":
      if (node.operator === "&") return "string";
      return arithmetic.has(node.operator) ? "number" : "boolean";
    case "block": {
      const last = node.expressions.at(-1);
      return last && jsonataType(last);
    }
    case "assign":
      return jsonataType(node.value);
    case "if": {
      const type = jsonataType(node.result);
      return !node.otherwise || jsonataType(node.otherwise) === type ? type : undefined;
    }
    case "fallback": {
      const type = jsonataType(node.left);
      return jsonataType(node.right) === type ? type : undefined;
    }
    default:
      return undefined;
  }
}

const arithmetic: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%"]);

/**
 * Whether an expression may fail for a document and variables of JSON, except by exceeding a limit. True unless it
 * consists only of parts that never fail.
 */
export function jsonataMayFail(node: Jsonata): boolean {
  switch (node.kind) {
    case "string":
    case "number":
    case "constant":
    case "name":
    case "variable":
    case "lambda":
      return false;
    case "negation":
      return node.operand.kind !== "number";
    case "operation":
      return !safeOperators.has(node.operator) || childrenOf(node).some(jsonataMayFail);
    case "object":
      return !hasDistinctKeys(node.entries) || node.entries.some(({ value }) => jsonataMayFail(value));
    case "map":
    case "array":
    case "block":
    case "assign":
    case "if":
    case "fallback":
      return childrenOf(node).some(jsonataMayFail);
    default:
      return true;
  }
}

const safeOperators: ReadonlySet<string> = new Set(["=", "!=", "in", "and", "or", "&"]);

function hasDistinctKeys(entries: readonly ObjectEntry[]): boolean {
  const keys = entries.map(({ key }) =>
    key.kind === "string" && !key.value.startsWith("_jsonata_") ? key.value : null,
  );
  return !keys.includes(null) && new Set(keys).size === keys.length;
}

/** Whether an expression may yield nothing. False only if its root always yields a value, unless it fails. */
export function jsonataYieldsNothing(node: Jsonata): boolean {
  switch (node.kind) {
    case "string":
    case "number":
    case "constant":
    case "object":
    case "array":
      return false;
    case "operation":
      return arithmetic.has(node.operator) || ["<", "<=", ">", ">="].includes(node.operator);
    case "block": {
      const last = node.expressions.at(-1);
      return !last || jsonataYieldsNothing(last);
    }
    case "if":
      return !node.otherwise || jsonataYieldsNothing(node.result) || jsonataYieldsNothing(node.otherwise);
    default:
      return true;
  }
}

/**
 * The parts of an expression that read its document: names, `$`, `$$`, `*`, `**` and `%` outside of steps, predicates,
 * order terms, groupings, functions and transforms, where the context is another value.
 */
export function jsonataDocumentReads(node: Jsonata): readonly Jsonata[] {
  switch (node.kind) {
    case "name":
    case "wildcard":
    case "descendants":
    case "parent":
      return [node];
    case "variable":
      return node.name === "" || node.name === "$" ? [node] : [];
    case "map":
      // A string that is the first step is a name.
      return node.left.kind === "string" ? [node.left] : jsonataDocumentReads(node.left);
    case "filter":
    case "keepArray":
    case "sort":
    case "group":
    case "focus":
    case "index":
      return jsonataDocumentReads(node.target);
    case "lambda":
    case "transform":
      return [];
    default:
      return childrenOf(node).flatMap(jsonataDocumentReads);
  }
}

/**
 * The variables, including functions, that an expression may read from outside, in source order, without `$` and `$$`.
 * A variable that is assigned anywhere in a block counts as bound in functions of this block: they run later.
 */
export function jsonataFreeVariables(node: Jsonata): readonly string[] {
  const free = new Set<string>();
  visit(node, { bound: new Set(), later: new Set(), free });
  return [...free];
}

interface Scope {
  /** Assigned before the current expression, in every run. */
  readonly bound: Set<string>;
  /** Assigned in an enclosing block, perhaps after the current expression. */
  readonly later: ReadonlySet<string>;
  readonly free: Set<string>;
}

function visit(node: Jsonata, scope: Scope): void {
  const within = (names: readonly string[]): Scope => ({ ...scope, bound: new Set([...scope.bound, ...names]) });
  switch (node.kind) {
    case "variable":
      if (node.name !== "" && node.name !== "$" && !scope.bound.has(node.name)) scope.free.add(node.name);
      return;
    case "block": {
      const later = new Set([...scope.later, ...node.expressions.flatMap(assignedIn)]);
      const inner: Scope = { ...scope, bound: new Set(scope.bound), later };
      for (const expression of node.expressions) visit(expression, inner);
      return;
    }
    case "assign":
      visit(node.value, scope);
      scope.bound.add(node.variable.name);
      return;
    case "lambda":
      visit(node.body, within([...scope.later, ...node.parameters.map(({ name }) => name)]));
      return;
    case "map":
      visit(node.left, scope);
      visit(node.right, within(stepBindings(node.left)));
      return;
    case "filter":
    case "sort":
    case "group": {
      visit(node.target, scope);
      const inner = within(stepBindings(node.target));
      for (const child of childrenOf(node).slice(1)) visit(child, inner);
      return;
    }
    case "operation":
    case "fallback":
    case "if":
    case "transform": {
      // An assignment in a part that may be skipped binds nothing behind it.
      const [first, ...rest] = childrenOf(node);
      if (first) visit(first, node.kind === "transform" ? within([]) : scope);
      for (const child of rest) visit(child, within([]));
      return;
    }
    default:
      for (const child of childrenOf(node)) visit(child, scope);
  }
}

function assignedIn(node: Jsonata): readonly string[] {
  if (node.kind === "block" || node.kind === "lambda") return [];
  const inner = childrenOf(node).flatMap(assignedIn);
  return node.kind === "assign" ? [...inner, node.variable.name] : inner;
}

/** The variables that the steps of a path bind for what follows. */
function stepBindings(node: Jsonata): readonly string[] {
  switch (node.kind) {
    case "map":
      return [...stepBindings(node.left), ...stepBindings(node.right)];
    case "filter":
    case "keepArray":
    case "sort":
    case "group":
      return stepBindings(node.target);
    case "focus":
    case "index":
      return [...stepBindings(node.target), node.variable.name];
    default:
      return [];
  }
}
