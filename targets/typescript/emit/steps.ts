import type { StepItem, StructuredBlock, Web } from "../../../src/cfg/index.ts";
import { canFail, type Expression as Formula, freeVariables, type Reduce } from "../../../src/expressions/index.ts";
import { handlersOf } from "../../../src/ir/walk.ts";
import type { Assign, Handler, StepOrigin, Step } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  type JsExpression,
  js,
  referencesName,
  negate,
  type Statement,
  equalNodes,
} from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { writeNodes } from "../../../src/readable/paths.ts";
import { writeOne } from "../../../src/readable/write.ts";
import { type Written, withInput, withVariable, written } from "../../../src/readable/written.ts";
import { jsonType, runtime, runtimeType } from "../expressions/runtime.ts";
import { bare } from "./annotations.ts";
import { writeAttempt, writeForEach, writeFork } from "./concurrent.ts";
import { unread } from "./declarations.ts";
import { writeCall, writeDelay, writeEmit, writeInvoke, writeReceive } from "./effects.ts";
import { writeEnd } from "./ends.ts";
import { arrayUse, errorUse } from "./known.ts";
import { conditionAt, expressionAt, linesAndExpression, type Place, scopeAt, type Variable } from "./place.ts";

/** How blocks in a step are written. */
export type Inner = (block: StructuredBlock, place: Place) => Code;

/** A step, and what is done where it fails and that is handled: `try { step } catch (caught) { handlers }` */
export function writeAct(act: StepItem, place: Place, inner: Inner): Code {
  const { step } = act;
  const work = writeStep(act, place);
  const comment = originComment(step);
  if (act.handlers.length === 0) return [...comment, ...work];
  return [...comment, js.tryStatement(work, "caught", writeHandlers(act, place, inner))];
}

function writeStep(act: StepItem, place: Place): Code {
  const { step } = act;
  switch (step.kind) {
    case "assign":
      return writeAssign(step, place);
    case "call":
      return writeCall(step, place);
    case "delay":
      return writeDelay(step, place);
    case "receive":
      return writeReceive(step, place);
    case "emit":
      return writeEmit(step, place);
    case "fork":
      return writeFork(step, place);
    case "foreach":
      return writeForEach(step, place);
    case "invoke":
      return writeInvoke(step, place);
    case "attempt":
      return writeAttempt(step, act.body ?? [], place);
    case "end":
      return writeEnd(step, place);
    case "choose":
      throw new Error(`A choice is no act: ${step.id}`);
    default:
      return assertNever(step);
  }
}

/** Where a step comes from, where a construct of the definition begins: `// Check (switch state)` */
export const originComment = ({ origin }: { readonly origin: StepOrigin }): Code =>
  origin.entry ? [js.comment(oneLine(`${origin.name} (${origin.noun})`))] : [];

/** A text for a comment of one line, of so many characters at most; what is left out is shown by an ellipsis. */
export function oneLine(text: string, most = 120): string {
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

/** The name of a step in the scope where it stands: marks that count steps are not in it. */
export function stepName({ prefix }: Pick<Place, "prefix">, id: string): string {
  const name = id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : id;
  return name.replace(/[%#[]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

/** `await flow.method("step", …)`; arguments that are absent are left out. */
export function effect(
  place: Place,
  method: string,
  { id }: Step,
  args: readonly (JsExpression | undefined)[],
): JsExpression {
  const given = args.filter((arg) => arg !== undefined);
  return js.awaitExpression(js.method(js.name("flow"), method, [js.literal(stepName(place, id)), ...given]));
}

/**
 * What a step gives: `const value = …;`, `value = …;`, or nothing where it is not read. What is another variable by now has its type said, as that may
 * be one of a loop whose type TypeScript would look for in a circle.
 */
export function bound(place: Place, web: Web | undefined, value: JsExpression): Statement {
  const variable = web && place.variables.get(web.id);
  if (!variable || !web) return unread(value);
  const { name, type } = variable;
  if (!place.constants.has(web.id)) return js.assign(name, value);
  return js.constant(name, value, { type: bare(value).kind === "identifier" ? type : undefined });
}

/** The same for what may be of a type of its own: a variable that others share is to be of its declared type behind it. */
export function boundAsJson(place: Place, web: Web | undefined, value: JsExpression): Statement {
  const variable = web && !place.constants.has(web.id) ? place.variables.get(web.id) : undefined;
  return bound(place, web, variable ? castTo(js.as(value, jsonType), variable) : value);
}

/** The web of the variable that a step binds. */
export const webOf = (place: Place, { id, bind }: { readonly id: string; readonly bind?: string | undefined }) =>
  bind === undefined ? undefined : place.webs.defined(id, bind);

function writeHandlers({ step, handlers: blocks }: StepItem, around: Place, inner: Inner): Code {
  const handlers = handlersOf(step);
  const place: Place = { ...around, names: around.names.inner() };
  const name = place.names.fresh("error");
  const binds = handlers.map((handler, i) =>
    bindError(handler, place.webs.defined(step.id, handler.bind ?? "", i), name, place),
  );
  const body = chain(
    asked(testsOf(handlers, step.id, name, place)).map(({ test, index }) => ({
      test,
      body: [...binds[index]!, ...inner(blocks[index]!, place)],
    })),
  );
  const caught = [js.name("caught")];
  const named = around.module.workflow.errorNames !== undefined;
  const failure = named ? js.method(js.name("flow"), "failure", caught) : js.call(runtime("failure"), caught);
  return [referencesName(body, name) ? js.constant(name, failure) : js.expressionStatement(failure), ...body];
}

/** The conditions of handlers. Where one has ruled out names, the type checker is not to draw conclusions for those after it. */
function testsOf(
  handlers: readonly Handler[],
  step: string,
  name: string,
  place: Place,
): readonly (JsExpression | undefined)[] {
  let known: JsExpression = js.name(name);
  return handlers.map((handler) => {
    if (isAlways(handler)) return undefined;
    const error = written(known, { use: errorUse, isPresent: true });
    const test = conditionAt(place, step, handler.when, new Map([["error", error]])).code;
    if (rulesOut(test)) known = js.as(js.name(name), runtimeType("ErrorValue"));
    return test;
  });
}

/**
 * Of the conditions that are asked in order those that some run asks, with their places among all: none that turned out to be false, and none behind one
 * that is always true, which is then undefined.
 */
export function asked(
  tests: readonly (JsExpression | undefined)[],
): readonly { readonly test: JsExpression | undefined; readonly index: number }[] {
  const open = tests.map((test, index) => ({ test, index })).filter(({ test }) => !isLiteral(test, false));
  const last = open.findIndex(({ test }) => test === undefined || isLiteral(test, true));
  return last < 0 ? open : [...open.slice(0, last), { test: undefined, index: open[last]!.index }];
}

const isLiteral = (code: JsExpression | undefined, value: boolean): boolean =>
  code?.kind === "literal" && code.value === value;

/** Whether a condition has a negation in it. */
function rulesOut(test: JsExpression): boolean {
  if (test.kind === "unary") return test.operator === "!" || rulesOut(test.operand);
  if (test.kind !== "binary") return false;
  return test.operator === "!==" || rulesOut(test.left) || rulesOut(test.right);
}

function chain(ways: readonly { readonly test: JsExpression | undefined; readonly body: Code }[]): Code {
  const [first, ...rest] = ways;
  if (!first) return [js.throwStatement(js.name("caught"))];
  if (first.test === undefined) return first.body;
  if (rest.length === 0)
    return [js.ifStatement(negate(first.test), [js.throwStatement(js.name("caught"))]), ...first.body];
  const end = first.body.at(-1)?.kind;
  const goesOn = end !== "return" && end !== "throw" && end !== "jump";
  return goesOn
    ? [js.ifStatement(first.test, first.body, chain(rest))]
    : [js.ifStatement(first.test, first.body), ...chain(rest)];
}

/** The error as a variable of the workflow: the constant itself where only the handler's block sees it. */
function bindError({ bind }: Handler, web: Web | undefined, name: string, { variables, constants }: Place): Code {
  if (bind === undefined || !web) return [];
  if (constants.has(web.id)) variables.set(web.id, { name, use: errorUse, type: jsonType, isPresent: true });
  const variable = variables.get(web.id);
  if (!variable || variable.name === name) return [];
  return [js.assign(variable.name, castTo(js.as(js.name(name), jsonType), variable))];
}

const isAlways = ({ when }: Handler): boolean => when.kind === "literal" && when.value === true;

/** A value as what the variable is declared to be. */
export const castTo = (value: JsExpression, { type }: Variable): JsExpression =>
  equalNodes(type, jsonType) ? value : js.as(value, type);

/** A value for a variable: what is not of its type by itself is taken to be. What is surely no object has nothing of the type, and is taken for any JSON first. */
export function fitted(value: Written, variable: Variable | undefined): JsExpression {
  const fits = !variable || value.use === variable.use || (variable.isCount && value.type === "number");
  if (fits) return value.code;
  const isNull = value.type === "null" && value.code.kind === "literal";
  const isApart = value.use === arrayUse || (value.type !== undefined && value.type !== "object" && !isNull);
  return castTo(isApart ? js.as(value.code, jsonType) : value.code, variable);
}

/** Variables get new values, all computed from the old ones. */
function writeAssign(step: Assign, place: Place): Code {
  const pending = new Set(step.values.map(({ variable, value }): Target => targetOf(step, variable, value, place)));
  const statements = [...inOrder(pending)].flatMap((target) => writeOneAssignment(step, target, place));
  if (pending.size === 0) return statements;
  const names = place.names.inner();
  const rest = [...pending].map((target) => ({ ...target, name: names.fresh(target.variable?.name ?? "value") }));
  const values = rest.map(({ name, value, variable }) =>
    js.constant(name, fitted(expressionAt(place, step.id, value), variable)),
  );
  return scoped(
    [...statements, ...values],
    rest.map(({ name, web }) => bound(place, web, js.name(name))),
  );
}

/** A variable that gets a value, with the webs that the value is made of. */
interface Target {
  readonly web: Web | undefined;
  readonly variable: Variable | undefined;
  readonly value: Formula;
  readonly reads: ReadonlySet<Web>;
}

function targetOf(step: Assign, name: string, value: Formula, place: Place): Target {
  const web = place.webs.defined(step.id, name);
  const reads = new Set([...freeVariables(value)].flatMap((read) => place.webs.read(step.id, read) ?? []));
  return { web, variable: web && place.variables.get(web.id), value, reads };
}

/** Takes out those that can be assigned one after the other: whose old value none of the others needs any more. */
function* inOrder(pending: Set<Target>): Generator<Target> {
  for (let found = true; found; ) {
    found = false;
    for (const target of [...pending]) {
      if ([...pending].some((other) => other !== target && target.web && other.reads.has(target.web))) continue;
      pending.delete(target);
      found = true;
      yield target;
    }
  }
}

function writeOneAssignment(step: Assign, { value, web, variable }: Target, place: Place): Code {
  const isConstant = web !== undefined && place.constants.has(web.id);
  const loop = variable && value.kind === "reduce" && web && !isConstant && writeReduce(step, value, variable, place);
  if (loop) return loop;
  if (!variable && !canFail(value)) return [];
  const { lines, written: made } = linesAndExpression(place, step.id, value, false);
  const statement =
    isConstant || !variable ? bound(place, web, fitted(made, variable)) : assigned(variable, fitted(made, variable));
  return isConstant ? [...lines, statement] : scoped(lines, [statement]);
}

/** `variable = value;`, or `variable += more;` */
function assigned({ name, isCount }: Variable, value: JsExpression): Statement {
  const isAdded = isCount && value.kind === "binary" && value.operator === "+" && equalNodes(value.left, js.name(name));
  return isAdded ? js.assign(name, value.right, "+=") : js.assign(name, value);
}

/** Statements with constants that nothing else sees. */
const scoped = (constants: Code, statements: Code): Code =>
  constants.length === 0 ? statements : [js.block([...constants, ...statements])];

/** `x := reduce SOURCE as $each ($x; E)`: a loop over the source in which x is what E gives. */
function writeReduce(
  step: Assign,
  { source, name, initial, update }: Reduce,
  variable: Variable,
  place: Place,
): Code | undefined {
  const scope = scopeAt(place, step.id);
  if (source.kind !== "query" || initial.kind !== "variable") return undefined;
  const begin = scope.variable(initial.name)?.code;
  if (begin?.kind !== "identifier" || begin.name !== variable.name) return undefined;
  const nodes = writeNodes(source, scope);
  if (!nodes) return undefined;
  const declared = nodes.elementUse;
  const item = place.names.inner().fresh(camelCase(name));
  const each = written(js.name(item), { use: declared ?? nodes.element, isPresent: declared !== undefined });
  const soFar = written(js.name(variable.name), { use: variable.use });
  const body = writeOne(update, withInput(withVariable(scope, name, each), soFar));
  return body && [js.forOf(item, nodes.code, [js.assign(variable.name, fitted(body, variable))])];
}
