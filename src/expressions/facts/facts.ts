import { assertNever } from "../../json.ts";
import { builtinOf } from "../builtins/builtins.ts";
import type { Alternative, Binary, Call, Expression, Query, Try } from "../core/ast.ts";
import { Mark } from "../core/mark.ts";
import { type ControlKind, childrenOf, type PathKind } from "../core/walk.ts";
import { select } from "../evaluate/select.ts";
import { type TypeName, typeOf as typeOfValue } from "../library/types.ts";

/** How many outputs an expression has where it does not fail: none, exactly one, at most one, or any number. */
export type Outputs = "none" | "one" | "optional" | "many";

/** How many outputs an expression has. */
export const outputs = (expression: Expression): Outputs => factsOf(expression).outputs;

/** Whether an expression may fail, other than by a limit. */
export const canFail = (expression: Expression): boolean => factsOf(expression).canFail;

/** The variables that an expression takes from outside. */
export const freeVariables = (expression: Expression): ReadonlySet<string> => new Set(factsOf(expression).free.keys());

/** Whether an expression surely gives exactly one value and does not fail. */
export const isTotal = (expression: Expression): boolean => outputs(expression) === "one" && !canFail(expression);

/** All facts about an expression: computed once for each of its parts, and each when it is first asked for. */
export const factsOf = (expression: Expression): Facts =>
  expression.kind === "literal" ? factsOfValues[typeOfValue(expression.value)] : Known.of(expression);

/** What is known of an expression without evaluating it. */
interface Facts {
  readonly outputs: Outputs;
  /** Whether it may fail, other than by a limit. */
  readonly canFail: boolean;
  /** The type of all its outputs, where it is known to be one. */
  readonly type: TypeName | undefined;
  /** The variables that it takes from outside, and how often each is written in it. */
  readonly free: ReadonlyMap<string, number>;
  /** Whether it depends on the `.` around it. */
  readonly usesInput: boolean;
  readonly weight: Weight;
}

/** How large an expression is. */
interface Weight {
  /** How many expressions it consists of, itself included. */
  readonly size: number;
  /** How many are within each other, itself included. */
  readonly depth: number;
}

/** Facts that are computed when they are asked for. A class, as there are very many of them: its getters are made once. */
class KnownFacts implements Facts {
  readonly outputs: Outputs;
  readonly canFail: boolean;
  readonly type: TypeName | undefined;
  readonly #expression: Expression;
  #free: ReadonlyMap<string, number> | undefined;
  #usesInput: boolean | undefined;
  #weight: Weight | undefined;

  constructor(expression: Expression) {
    this.#expression = expression;
    this.outputs = outputsOf(expression);
    this.canFail = failsOf(expression);
    this.type = typeOf(expression);
  }

  get free(): ReadonlyMap<string, number> {
    this.#free ??= freeOf(this.#expression);
    return this.#free;
  }

  get usesInput(): boolean {
    this.#usesInput ??= readsInput(this.#expression);
    return this.#usesInput;
  }

  get weight(): Weight {
    this.#weight ??= weightOf(this.#expression);
    return this.#weight;
  }
}

class Known extends Mark {
  readonly #facts: KnownFacts;

  private constructor(expression: Expression) {
    super(expression);
    this.#facts = new KnownFacts(expression);
  }

  static of(expression: Expression): Facts {
    const known: object = expression;
    return #facts in known ? known.#facts : new Known(expression).#facts;
  }
}

/** The free variables of what has none. */
const noVariables: ReadonlyMap<string, number> = new Map();

function freeOf(expression: Expression): ReadonlyMap<string, number> {
  if (expression.kind === "variable") return new Map([[expression.name, 1]]);
  const children = childrenOf(expression).filter((child) => child.expression.kind !== "literal");
  const [only] = children;
  if (!only) return noVariables;
  if (children.length === 1 && only.binds === undefined) return factsOf(only.expression).free;
  const free = new Map<string, number>();
  for (const child of children) {
    for (const [name, count] of factsOf(child.expression).free)
      if (name !== child.binds) free.set(name, (free.get(name) ?? 0) + count);
  }
  return free;
}

const readsInput = (expression: Expression): boolean =>
  ["identity", "apply", "recurse", "path", "update"].includes(expression.kind) ||
  childrenOf(expression).some((child) => !child.rebinds && factsOf(child.expression).usesInput);

function weightOf(expression: Expression): Weight {
  let size = 1;
  let depth = 0;
  for (const child of childrenOf(expression)) {
    const { weight } = factsOf(child.expression);
    size += weight.size;
    depth = Math.max(depth, weight.depth);
  }
  return { size, depth: depth + 1 };
}

/** The facts about a constant: they depend on its type only. */
const factsOfValues: { readonly [type in TypeName]: Facts } = {
  null: constant("null"),
  boolean: constant("boolean"),
  number: constant("number"),
  string: constant("string"),
  array: constant("array"),
  object: constant("object"),
};

function constant(type: TypeName): Facts {
  return { outputs: "one", canFail: false, type, free: noVariables, usesInput: false, weight: { size: 1, depth: 1 } };
}

/** How many outputs an expression has, by those of its parts. */
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
      return partsOutputs(expression);
    case "comma":
      return expression.items.map(outputsInSequence).reduce(plus, "none");
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
    default:
      return moreOutputs(expression);
  }
}

type More = Extract<Expression, { kind: PathKind | Exclude<ControlKind, "reduce"> | "break" }>;

function moreOutputs(expression: More): Outputs {
  switch (expression.kind) {
    case "access":
    case "slice":
      return expression.optional ? either("none", partsOutputs(expression)) : partsOutputs(expression);
    case "iterate":
    case "recurse":
    case "foreach":
    case "apply":
      return "many";
    case "path":
      return outputs(expression.body);
    case "update":
      return "one";
    case "alternative":
      return alternativeOutputs(expression);
    case "try":
      return tryOutputs(expression);
    case "label":
      return either("none", outputs(expression.body));
    case "break":
      return "none";
    case "define":
      return outputs(expression.rest);
    case "interpolation":
      return partsOutputs(expression);
    default:
      return assertNever(expression);
  }
}

const partsOutputs = (expression: Expression): Outputs =>
  product(childrenOf(expression).map((child) => child.expression));

function alternativeOutputs({ left, right }: Alternative): Outputs {
  if (outputs(left) === "many") return "many";
  return either(outputs(left) === "none" ? "none" : "one", outputs(right));
}

function tryOutputs({ body, handler }: Try): Outputs {
  return canFail(body) ? either(outputs(body), handler ? outputs(handler) : "none") : outputs(body);
}

/** What only fails is not left out of a sequence: with it there is never one output for certain. */
function outputsInSequence(item: Expression): Outputs {
  const own = outputs(item);
  return own === "none" && canFail(item) ? "optional" : own;
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
    return yieldsSome(expression.args[0]!)
      ? "one"
      : times(outputs(expression.args[0]!), "optional") === "none"
        ? "none"
        : "optional";
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

/** Whether an expression may fail: one of its parts may, or what it does with their values. */
function failsOf(expression: Expression): boolean {
  if (expression.kind === "try")
    return expression.handler !== undefined && factsOf(expression.body).canFail && factsOf(expression.handler).canFail;
  if (childrenOf(expression).some((child) => factsOf(child.expression).canFail)) return true;
  switch (expression.kind) {
    case "object":
      return expression.entries.some((entry) => factsOf(entry.key).type !== "string");
    case "binary":
      return binaryFails(expression);
    case "call":
      return callFails(expression);
    case "access":
    case "slice":
    case "iterate":
      return !expression.optional;
    case "path":
    case "update":
    case "apply":
    case "break":
      return true;
    default:
      return false;
  }
}

function binaryFails(expression: Binary): boolean {
  const [left, right] = [factsOf(expression.left).type, factsOf(expression.right).type];
  const same = left === right ? left : undefined;
  switch (expression.operator) {
    case "+":
      return left !== "null" && right !== "null" && !["number", "string", "array", "object"].includes(same ?? "");
    case "-":
      return same !== "number" && same !== "array";
    case "*":
      return same !== "number" && same !== "object";
    case "/":
      return same !== "string";
    case "%":
      return true;
    default:
      return false;
  }
}

function callFails(expression: Call): boolean {
  const [first, second, third] = expression.args;
  const target = first && factsOf(first).type;
  const value = second && factsOf(second).type;
  switch (expression.name) {
    case "merge":
      return target !== "object" && (value === undefined || value === "object");
    case "mergeResult":
      return target !== "object" && value !== "null";
    case "place":
      return (
        target !== "object" && !(second?.kind === "literal" && Array.isArray(second.value) && second.value.length === 0)
      );
    case "switchCondition":
      return second?.kind !== "literal" || (isPattern(second.value) && !isRegularExpression(third));
    default: {
      const builtin = builtinOf(expression.name, expression.args.length);
      return builtin?.kind === "value" ? builtin.fails : ["limit", "skip", "range"].includes(expression.name);
    }
  }
}

const isPattern = (operator: unknown): boolean => operator === "matches" || operator === "notmatches";

function isRegularExpression(operand: Expression | undefined): boolean {
  if (operand?.kind !== "literal" || typeof operand.value !== "string") return false;
  try {
    return new RegExp(operand.value) !== undefined;
  } catch {
    return false;
  }
}

/** The type of all outputs of an expression, where it is known to be one, by the types of its parts. */
function typeOf(expression: Expression): TypeName | undefined {
  switch (expression.kind) {
    case "literal":
      return typeOfValue(expression.value);
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
      return moreType(expression);
  }
}

function moreType(expression: Expression): TypeName | undefined {
  switch (expression.kind) {
    case "path":
      return "array";
    case "interpolation":
      return "string";
    case "alternative":
      return commonType([expression.left, expression.right]);
    case "try":
      return expression.handler ? commonType([expression.body, expression.handler]) : factsOf(expression.body).type;
    case "label":
      return factsOf(expression.body).type;
    case "define":
      return factsOf(expression.rest).type;
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
    case "mergeResult":
      return valueType === "null" || valueType === undefined
        ? targetType === "object"
          ? "object"
          : undefined
        : "object";
    case "place": {
      const literalPath = value?.kind === "literal" && Array.isArray(value.value) ? value.value : undefined;
      if (literalPath === undefined) return undefined;
      return literalPath.length === 0 ? third && factsOf(third).type : "object";
    }
    default:
      return builtinOf(expression.name, expression.args.length)?.returns;
  }
}
