import type { Call, Expression, Query } from "./ast.ts";
import { builtinOf } from "./builtins.ts";
import type { TypeName } from "./compare.ts";
import { typeName } from "./compare.ts";
import { failsOf } from "./facts/failing.ts";
import { select } from "./select.ts";
import { type Child, childrenOf } from "./walk.ts";

/** How many outputs an expression has where it does not fail: none, exactly one, at most one, or any number. */
export type Outputs = "none" | "one" | "optional" | "many";

/** What is known of an expression without evaluating it. */
export interface Facts {
  readonly outputs: Outputs;
  /** Whether it may fail, other than by a limit. */
  readonly canFail: boolean;
  /** The type of all its outputs, where it is known to be one. */
  readonly type: TypeName | undefined;
  /** The variables that it takes from outside, and how often each is written in it. */
  readonly free: ReadonlyMap<string, number>;
  /** Whether it depends on the `.` around it. */
  readonly usesInput: boolean;
}

/** How many outputs an expression has. */
export const outputs = (expression: Expression): Outputs => factsOf(expression).outputs;

/** Whether an expression may fail, other than by a limit. */
export const canFail = (expression: Expression): boolean => factsOf(expression).canFail;

/** The variables that an expression takes from outside. */
export const freeVariables = (expression: Expression): ReadonlySet<string> => new Set(factsOf(expression).free.keys());

/** Whether an expression surely gives exactly one value and does not fail. */
export const isTotal = (expression: Expression): boolean => outputs(expression) === "one" && !canFail(expression);

const known = new WeakMap<Expression, Facts>();

/** All facts about an expression: computed once for each of its parts; those that cost more only when they are asked for. */
export function factsOf(expression: Expression): Facts {
  const before = known.get(expression);
  if (before) return before;
  const children = childrenOf(expression);
  let free: ReadonlyMap<string, number> | undefined;
  let usesInput: boolean | undefined;
  const facts: Facts = {
    outputs: outputsOf(expression),
    canFail: failsOf(expression, children),
    type: typeOf(expression),
    get free() {
      free ??= freeOf(expression, children);
      return free;
    },
    get usesInput() {
      usesInput ??= expression.kind === "identity" || children.some((child) => !child.rebinds && factsOf(child.expression).usesInput);
      return usesInput;
    },
  };
  known.set(expression, facts);
  return facts;
}

/** The free variables of what has none. */
const noVariables: ReadonlyMap<string, number> = new Map();

function freeOf(expression: Expression, children: readonly Child[]): ReadonlyMap<string, number> {
  if (expression.kind === "variable") return new Map([[expression.name, 1]]);
  const [only] = children;
  if (!only) return noVariables;
  if (children.length === 1 && only.binds === undefined) return factsOf(only.expression).free;
  const free = new Map<string, number>();
  for (const child of children) {
    for (const [name, count] of factsOf(child.expression).free) if (name !== child.binds) free.set(name, (free.get(name) ?? 0) + count);
  }
  return free;
}

function outputsOf(expression: Expression): Outputs {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
    case "array":
      return "one";
    case "query":
      return queryOutputs(expression);
    case "object":
      return product(childrenOf(expression).map((child) => child.expression));
    case "comma":
      return expression.items.map(outputs).reduce(plus, "none");
    case "pipe":
    case "binary":
      return times(outputs(expression.left), outputs(expression.right));
    case "let":
      return times(outputs(expression.value), outputs(expression.body));
    case "if":
      return times(outputs(expression.condition), either(outputs(expression.then), outputs(expression.otherwise)));
    case "logic":
      return times(outputs(expression.left), either("one", outputs(expression.right)));
    case "reduce":
      return outputs(expression.initial);
    case "call":
      return callOutputs(expression);
  }
}

function queryOutputs(expression: Query): Outputs {
  const { source, segments } = expression;
  const definite = segments.every(
    ({ descend, selectors }) => !descend && selectors.length === 1 && ["name", "index"].includes(selectors[0]!.kind),
  );
  if (!definite) return times(outputs(source), segments.length === 0 ? "one" : "many");
  if (source.kind === "literal") return select(source.value, segments, () => false).length === 0 ? "none" : "one";
  return times(outputs(source), "optional");
}

function callOutputs(expression: Call): Outputs {
  const builtin = builtinOf(expression.name, expression.args.length);
  if (builtin?.kind === "value") return product(expression.args);
  if (expression.name === "first")
    return yieldsSome(expression.args[0]!) ? "one" : times(outputs(expression.args[0]!), "optional") === "none" ? "none" : "optional";
  if (expression.name === "attribute") return expression.args.map(outputs).reduce(times, "optional");
  return builtin?.outputs ?? "many";
}

/** Whether an expression surely has an output. */
function yieldsSome(expression: Expression): boolean {
  return expression.kind === "comma" ? expression.items.some(yieldsSome) : outputs(expression) === "one";
}

const product = (expressions: readonly Expression[]): Outputs => expressions.map(outputs).reduce(times, "one");

function times(a: Outputs, b: Outputs): Outputs {
  if (a === "none" || b === "none") return "none";
  if (a === "one") return b;
  if (b === "one") return a;
  return a === "many" || b === "many" ? "many" : "optional";
}

function plus(a: Outputs, b: Outputs): Outputs {
  if (a === "none") return b;
  return b === "none" ? a : "many";
}

function either(a: Outputs, b: Outputs): Outputs {
  if (a === b) return a;
  return a === "many" || b === "many" ? "many" : "optional";
}

function typeOf(expression: Expression): TypeName | undefined {
  switch (expression.kind) {
    case "literal":
      return typeName(expression.value);
    case "object":
    case "array":
      return expression.kind;
    case "logic":
      return "boolean";
    case "binary":
      return binaryType(expression.operator, commonType([expression.left, expression.right]));
    case "comma":
      return commonType(expression.items);
    case "pipe":
      return factsOf(expression.right).type;
    case "let":
      return factsOf(expression.body).type;
    case "if":
      return commonType([expression.then, expression.otherwise]);
    case "call":
      return callType(expression);
    default:
      return undefined;
  }
}

function commonType(expressions: readonly Expression[]): TypeName | undefined {
  const [first, ...rest] = expressions.map((expression) => factsOf(expression).type);
  return rest.every((type) => type === first) ? first : undefined;
}

function binaryType(operator: string, operands: TypeName | undefined): TypeName | undefined {
  if (/^[=!<>]/.test(operator)) return "boolean";
  return operator === "+" || operands === "number" ? operands : undefined;
}

function callType(expression: Call): TypeName | undefined {
  const [target, value, third] = expression.args;
  const [targetType, valueType] = [target && factsOf(target).type, value && factsOf(value).type];
  switch (expression.name) {
    case "first":
      return targetType;
    case "merge":
      return valueType;
    case "absorb":
      return valueType === "null" || valueType === undefined ? (targetType === "object" ? "object" : undefined) : "object";
    case "place": {
      const literalPath = value?.kind === "literal" && Array.isArray(value.value) ? value.value : undefined;
      if (literalPath === undefined) return undefined;
      return literalPath.length === 0 ? third && factsOf(third).type : "object";
    }
    default:
      return builtinOf(expression.name, expression.args.length)?.returns;
  }
}
