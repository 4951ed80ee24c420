import type { Block, CallExpression, JsExpression as Code } from "../../../js-ast/index.ts";
import { js } from "../../../js-ast/index.ts";
import { canFail, effectsOf } from "../../analysis/effects.ts";
import { textParts } from "../../analysis/text-parts.ts";
import { builtinOf } from "../../builtins/builtins.ts";
import type { Call, Conditional, Expression, Iterate, Let } from "../../core/ast.ts";
import { identity } from "../../core/build.ts";
import { isBinary, isLogic } from "../../core/views.ts";
import { childrenOf, withChildren } from "../../core/walk.ts";
import { conditional } from "./narrowing.ts";
import { standing } from "./order.ts";
import { isDefinite, itemName, linesIn, writeNodes } from "./paths.ts";
import type { OpenUse } from "./use.ts";
import { write, writeOne, writeTruth } from "./write.ts";
import {
  helped,
  type Lines,
  type PrintedExpression,
  printedExpression,
  type Scope,
  unguarded,
  withInput,
  withoutLines,
  withVariable,
} from "./written.ts";

/** A list, and what is looked at in its elements. */
type List = PrintedExpression & { readonly element?: OpenUse | undefined };

const array = { type: "array", isPresent: true } as const;

const listOf = (...elements: readonly Code[]): List => printedExpression(js.array(elements), array);

/** All outputs of an expression as an array: `$data[] | select(.on) | .id` → `elements(data).filter((item) => …).map((item) => …)` */
export function writeList(expression: Expression, outside: Scope): List | undefined {
  const scope = { ...outside, guards: undefined };
  if (scope.engine && effectsOf(expression).outputs === "many" && expression.kind !== "comma") return undefined;
  if (effectsOf(expression).outputs === "one") return writeSingle(expression, scope);
  const stages = stagesOf(expression);
  return stages.length > 1 ? writePiped(stages, scope) : writeWhole(expression, scope);
}

function writeWhole(expression: Expression, scope: Scope): List | undefined {
  switch (expression.kind) {
    case "iterate":
      return writeElements(expression, scope);
    case "query":
      return expression.segments.every(isDefinite) ? writeSingle(expression, scope) : writeNodes(expression, scope);
    case "comma":
      return writeSeveral(expression.items, scope);
    case "let":
      return writeNamed(expression, scope);
    case "if":
      return writeChosen(expression, scope);
    default:
      return effectsOf(expression).outputs === "optional" ? writeSingle(expression, scope) : undefined;
  }
}

function writeElements({ source, optional }: Iterate, scope: Scope): List | undefined {
  if (effectsOf(source).outputs === "many") return undefined;
  const value = writeOne(source, scope);
  return value && printedExpression(helped(scope, optional ? "itemsOf" : "elementsOf", [value.code]), array);
}

/** One value, or none. */
function writeSingle(expression: Expression, scope: Scope): List | undefined {
  const value = write(expression, scope);
  if (!value) return undefined;
  return value.isOptional ? printedExpression(helped(scope, "present", [value.code]), array) : listOf(value.code);
}

/** `A, B` → `[a, ...b]` */
function writeSeveral(items: readonly Expression[], scope: Scope): List | undefined {
  const elements: Code[] = [];
  let current = scope;
  for (const item of items) {
    const isOne = effectsOf(item).outputs === "one";
    const value = isOne ? writeOne(item, current) : writeList(item, current);
    if (!value) return undefined;
    if (canFail(item)) current = withoutLines(current);
    elements.push(isOne ? value.code : js.spread(value.code));
  }
  return listOf(...elements);
}

function writeNamed({ name, value, body }: Let, scope: Scope): List | undefined {
  const named = standing(value, body, { kind: "variable", name }, scope);
  return named && writeList(body, withVariable(named.around, name, named.written));
}

function writeChosen({ condition, then, otherwise }: Conditional, scope: Scope): List | undefined {
  const test = writeTruth(condition, scope);
  const yes = test && writeList(then, unguarded(scope));
  const no = yes && (isNothing(otherwise) ? listOf() : writeList(otherwise, unguarded(scope)));
  return no && choice(test, yes, no);
}

const choice = (test: PrintedExpression, yes: PrintedExpression, no: PrintedExpression): List =>
  printedExpression(conditional(test.code, yes.code, no.code), array);

/** `A | B | …`: B for each element of A, and so on; with one value of A, B for that. */
function writePiped(stages: readonly Expression[], scope: Scope): List | undefined {
  const [first, ...rest] = stages as [Expression, ...Expression[]];
  if (effectsOf(first).outputs === "one") {
    const value = standing(first, piped(rest), { kind: "input" }, scope);
    return value && writeList(piped(rest), withInput(value.around, value.written));
  }
  const condition = selectCondition(first);
  if (condition) {
    const test = writeTruth(condition, scope);
    const list = test && writeList(piped(rest), unguarded(scope));
    return list && choice(test, list, listOf());
  }
  const list = failsLate(first) && rest.some((stage) => effectsOf(stage).canFail) ? undefined : writeList(first, scope);
  return list && writeStages(list, rest, scope);
}

const piped = (stages: readonly Expression[]): Expression =>
  stages.reduceRight((right, left) => ({ kind: "pipe", left, right }));

/** What is done for each element: `map`, `filter`, or `flatMap` where an element gives none or several. */
function writeStages(list: List, stages: readonly Expression[], scope: Scope): List | undefined {
  const [stage, ...rest] = stages;
  if (!stage) return list;
  const isAlone = rest.length === 0 || isSeparable(stages);
  const done = isAlone ? stage : piped(stages);
  const next = writeStage(list, done, scope);
  return next && isAlone ? writeStages(next, rest, scope) : next;
}

function writeStage(list: List, stage: Expression, scope: Scope): List | undefined {
  const name = itemName(stage, scope, list.code);
  const lines = linesIn(stage, name, scope);
  const inner = { ...withInput(scope, printedExpression(js.name(name), { use: list.element })), lines };
  const condition = selectCondition(stage);
  if (condition) {
    const test = writeTruth(condition, inner);
    return test && { ...printedExpression(forEach(list, "filter", name, test, lines), array), element: list.element };
  }
  const isOne = effectsOf(stage).outputs === "one";
  if (!isOne && scope.hasLoops) return undefined;
  const body = isOne ? writeOne(stage, inner) : writeList(stage, inner);
  return body && printedExpression(forEach(list, isOne ? "map" : "flatMap", name, body, lines), array);
}

/** `list.map((item) => body)`, `list.map(getPrice)` */
function forEach(
  list: PrintedExpression,
  method: string,
  name: string,
  body: PrintedExpression,
  { statements }: Lines,
): Code {
  const { code } = body;
  if (statements.length === 0 && code.kind === "call" && isLocalFunctionOf(code, name))
    return js.method(list.code, method, [code.callee]);
  const result: Code | Block = statements.length === 0 ? code : [...statements, js.returnStatement(code)];
  return js.method(list.code, method, [js.arrow([name], result)]);
}

/** Whether a call passes a name alone to a function of the module, which takes one argument. */
const isLocalFunctionOf = ({ callee, args }: CallExpression, name: string): boolean =>
  callee.kind === "identifier" &&
  callee.from === undefined &&
  args.length === 1 &&
  args[0]!.kind === "identifier" &&
  args[0]!.name === name;

/** What is done one after the other: `A | B | …`, however it is grouped; `A.b`, `A[]` and functions of A are such too where A need not give one value. */
function stagesOf(expression: Expression): readonly Expression[] {
  if (expression.kind === "pipe") return [...stagesOf(expression.left), ...stagesOf(expression.right)];
  const source = sourceOf(expression);
  if (!source || effectsOf(source).outputs === "one") return [expression];
  const [, ...others] = childrenOf(expression);
  if (!others.every((child) => child.rebindsInput || child.expression.kind === "literal")) return [expression];
  return [...stagesOf(source), withChildren(expression, [identity, ...others.map((child) => child.expression)])];
}

function sourceOf(expression: Expression): Expression | undefined {
  switch (expression.kind) {
    case "access":
    case "iterate":
      return expression.source;
    case "query":
      return effectsOf(expression.source).outputs === "many" ? expression.source : undefined;
    case "call":
      if (isBinary(expression)) return undefined;
      return isValueCall(expression) ? expression.args[0] : undefined;
    default:
      return undefined;
  }
}

/** `select(E)`, which is `if E then . else empty end`: its condition. */
function selectCondition(expression: Expression): Expression | undefined {
  if (
    expression.kind !== "if" ||
    expression.then.kind !== "identity" ||
    effectsOf(expression.condition).outputs !== "one"
  )
    return undefined;
  return isNothing(expression.otherwise) ? expression.condition : undefined;
}

/** Whether an expression gives no output, and does not fail either. */
export const isNothing = (expression: Expression): boolean =>
  effectsOf(expression).outputs === "none" && !canFail(expression);

/** Whether a list can fail after it has given elements: then a later stage, done element by element, might have failed first. */
function failsLate(expression: Expression): boolean {
  if (effectsOf(expression).outputs !== "many" || !canFail(expression)) return false;
  return !(
    (expression.kind === "iterate" || expression.kind === "query") &&
    effectsOf(expression.source).outputs === "one"
  );
}

/**
 * Whether all elements can go through the first stage before any goes through the second: of those that follow none fails, or none that the first one
 * lets through.
 */
function isSeparable([stage, ...rest]: readonly Expression[]): boolean {
  if (!stage || !canFail(stage)) return true;
  const condition = selectCondition(stage);
  const [next, ...others] = rest;
  if (!condition || !next || !takesMember(condition)) return !rest.some(canFail);
  return failsForNoObject(next) && !others.some(canFail);
}

/** Whether an expression fails unless `.` is an object or null: it begins with a member of it. */
function takesMember(expression: Expression): boolean {
  switch (expression.kind) {
    case "access":
      return isMember(expression) || takesMember(expression.source);
    case "pipe":
      return takesMember(expression.left);
    case "call":
      if (isLogic(expression)) return takesMember(expression.args[0]);
      return isValueCall(expression) && expression.args.some(takesMember);
    default:
      return false;
  }
}

const isValueCall = ({ name, args, isLocal }: Call): boolean =>
  !isLocal && builtinOf(name, args.length)?.kind === "value";

const isMember = (expression: Expression): boolean =>
  expression.kind === "access" &&
  !expression.optional &&
  expression.source.kind === "identity" &&
  expression.key.kind === "literal" &&
  typeof expression.key.value === "string";

/** Whether an expression cannot fail where `.` is an object or null. */
function failsForNoObject(expression: Expression): boolean {
  if (!canFail(expression) || isMember(expression)) return true;
  switch (expression.kind) {
    case "object":
      return expression.entries.every(
        ({ key, value }) => key.kind === "literal" && typeof key.value === "string" && failsForNoObject(value),
      );
    case "array":
      return expression.items === undefined || failsForNoObject(expression.items);
    case "comma":
      return expression.items.every(failsForNoObject);
    case "if":
      return [expression.condition, expression.then, expression.otherwise].every(failsForNoObject);
    case "call":
      return (isLogic(expression) || textParts(expression) !== undefined) && expression.args.every(failsForNoObject);
    default:
      return false;
  }
}
