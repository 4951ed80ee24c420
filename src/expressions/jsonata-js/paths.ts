import { type JsExpression as Code, js } from "../../js-ast/index.ts";
import type { Expression } from "../core/ast.ts";
import type { Jsonata } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";
import { print } from "./print.ts";
import { call, fresh, helper, nothing, type Printed, read, refuse, type Scope, withContext } from "./scope.ts";
import { printBuilder } from "./values.ts";

/** A step of a path and its predicates. */
interface Step {
  readonly node: Jsonata;
  readonly stages: readonly Jsonata[];
}

interface Path {
  readonly steps: readonly Step[];
  /** Whether it is a path of the package's tree; a predicate of another expression is not one. */
  readonly isPath: boolean;
  /** Whether a single item stays in an array. */
  readonly keepsArray: boolean;
}

function pathOf(node: Jsonata): Path {
  switch (node.kind) {
    case "name":
      return { steps: [{ node, stages: [] }], isPath: true, keepsArray: false };
    case "map": {
      const [left, right] = [pathOf(node.left), pathOf(node.right)];
      return { steps: [...left.steps, ...right.steps], isPath: true, keepsArray: left.keepsArray || right.keepsArray };
    }
    case "filter": {
      const { steps, ...path } = pathOf(node.target);
      const { node: last, stages } = steps.at(-1)!;
      return { ...path, steps: [...steps.slice(0, -1), { node: last, stages: [...stages, node.predicate] }] };
    }
    case "keepArray": {
      const path = pathOf(node.target);
      return path.isPath ? { ...path, keepsArray: true } : refuse("`[]` of another expression than a name");
    }
    default:
      return { steps: [{ node, stages: [] }], isPath: false, keepsArray: false };
  }
}

/** `A.B[0].C`: `path(a, "B", 0, "C")` */
export function printPath(node: Jsonata, scope: Scope): Printed {
  const { steps, isPath, keepsArray } = pathOf(node);
  const [first, ...others] = steps as [Step, ...Step[]];
  if (keepsArray) scope.program.keepsArrays = true;
  if (isPath && first.node.kind === "string" && first.stages.length > 0) return refuse("a predicate of a string");
  const start =
    isPath && nameOf(first.node) !== undefined ? startOfName(first, scope) : printStart(first, others, scope);
  const rest = start.rest ?? steps;
  const parts = [
    ...start.stages.map((stage) => printStage(stage, scope)),
    ...rest.flatMap((step) => printStep(step, scope)),
  ];
  if (parts.length === 0 && !keepsArray) return start.value;
  const codes = parts.map(({ code }) => code);
  const canFail = start.value.canFail || parts.some((part) => part.canFail);
  return call(scope, keepsArray ? "pathList" : "path", [start.value.code, ...codes], { isOptional: true, canFail });
}

/** Where a path begins, and the steps that are left. */
interface Start {
  readonly value: Printed;
  readonly stages: readonly Jsonata[];
  readonly rest?: readonly Step[];
}

/** The package asks a predicate of a name that nothing has. */
function startOfName({ stages }: Step, { context }: Scope): Start {
  if (!context || (context.isOptional && stages.some((stage) => indexOf(stage) === undefined)))
    return refuse("a name of nothing");
  return { value: context, stages: [] };
}

function printStart({ node, stages }: Step, others: readonly Step[], scope: Scope): Start {
  if (node.kind === "variable" && node.name === "states" && stages.length === 0 && !scope.locals.has("states"))
    return startOfStates(others, scope);
  // The package evaluates another first step for each item of an array.
  if (scope.context && others.length > 0 && node.kind !== "variable") return refuse("a path that begins with a value");
  if (others.length > 0 && beginsWithArray(node)) return refuse("a path that begins with an array");
  const value = print(node, scope);
  if (others.length === 0 || stages.every((stage) => indexOf(stage) !== undefined))
    return { value, stages, rest: others };
  const parts = stages.map((stage) => printStage(stage, scope));
  const canFail = value.canFail || parts.some((part) => part.canFail);
  const filtered = call(scope, "path", [value.code, ...parts.map(({ code }) => code)], { isOptional: true, canFail });
  return { value: filtered, stages: [], rest: others };
}

/** The package does not take apart an array that a path begins with. */
function beginsWithArray(node: Jsonata): boolean {
  if (node.kind === "block") return node.expressions.some(beginsWithArray);
  if (node.kind === "map" || node.kind === "filter") return beginsWithArray(childrenOf(node)[0]!);
  return node.kind === "array";
}

/** A member of `$states` is the value that it was made of. */
function startOfStates(steps: readonly Step[], scope: Scope): Start {
  const { inputs } = scope.program;
  let found: Expression | undefined = inputs.get("states") ?? refuse("$states");
  for (const [i, { node, stages }] of steps.entries()) {
    const name = nameOf(node);
    const member: Expression | undefined = name === undefined ? undefined : memberOf(found, name);
    if (!member) {
      const isMissing = name !== undefined && found.kind === "object";
      if (isMissing && stages.length > 0) return refuse("a predicate of a missing member");
      return { value: isMissing ? nothing : read(scope, found), stages: [], rest: steps.slice(isMissing ? i + 1 : i) };
    }
    found = member;
    if (stages.length > 0) return { value: read(scope, found), stages, rest: steps.slice(i + 1) };
  }
  return { value: read(scope, found), stages: [], rest: [] };
}

function memberOf(expression: Expression, name: string): Expression | undefined {
  if (expression.kind !== "object") return undefined;
  return expression.entries.findLast(({ key }) => key.kind === "literal" && key.value === name)?.value;
}

/** The name that a step selects. */
function nameOf(node: Jsonata): string | undefined {
  if (node.kind === "name") return node.name;
  return node.kind === "string" ? node.value : undefined;
}

interface Part {
  readonly code: Code;
  readonly canFail: boolean;
}

function printStep({ node, stages }: Step, scope: Scope): readonly Part[] {
  return [printMapping(node, scope), ...stages.map((stage) => printStage(stage, scope))];
}

function printMapping(node: Jsonata, scope: Scope): Part {
  const name = nameOf(node);
  if (name !== undefined) return { code: js.literal(name), canFail: false };
  if (node.kind === "wildcard") return { code: helper(scope, "members"), canFail: false };
  if (node.kind === "array") return refuse("an array as a step");
  scope.program.mapsItems = true;
  if (node.kind === "object") return printBuilder(node, scope);
  return printItemFunction(node, scope, false);
}

/** A predicate: `0`, `where((item) => …)` */
function printStage(predicate: Jsonata, scope: Scope): Part {
  const index = indexOf(predicate);
  if (index !== undefined) return { code: js.literal(index), canFail: false };
  const { code, canFail } = printItemFunction(predicate, scope, true);
  return { code: js.call(helper(scope, "where"), [code]), canFail };
}

function indexOf(predicate: Jsonata): number | undefined {
  if (predicate.kind === "number") return predicate.value;
  return predicate.kind === "negation" && predicate.operand.kind === "number" ? -predicate.operand.value : undefined;
}

/** `(item) => …` */
function printItemFunction(node: Jsonata, scope: Scope, isOptional: boolean): Part {
  const item = fresh(scope, "item");
  const { code, canFail } = print(node, withContext(scope, { code: js.name(item), isOptional, canFail: false }));
  return { code: js.arrow(readsContext(node) ? [item] : [], code), canFail };
}

/** Whether an expression reads the value of `$` around it. */
export function readsContext(node: Jsonata): boolean {
  switch (node.kind) {
    case "name":
    case "wildcard":
      return true;
    case "variable":
      return node.name === "";
    case "map":
      return node.left.kind === "string" || readsContext(node.left);
    case "filter":
    case "keepArray":
      return readsContext(childrenOf(node)[0]!);
    default:
      return childrenOf(node).some(readsContext);
  }
}
