import { type StructuredBlock, createDataFlowGraph } from "../../../src/cfg/index.ts";
import type { Attempt, Branch, ForEach, Fork, Scope } from "../../../src/ir/workflow.ts";
import { type Block as Code, type JsExpression, js, type ParameterDeclaration } from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { type ClosedUse, isFreeName } from "../../../src/readable/use.ts";
import type { Written } from "../../../src/readable/written.ts";
import { jsonType, runtimeType } from "../expressions/runtime.ts";
import { writeBlock } from "./blocks.ts";
import { limitsOf, numbered, options, triedAgain } from "./effects.ts";
import { type FunctionPart, writeFunction } from "./functions.ts";
import { linesAndExpression, type Place, plainVariable, scopeAt } from "./place.ts";
import { bound, boundAsJson, effect, fitted, webOf } from "./steps.ts";

/** Branches side by side, each a function of the module: `await flow.fork("Check", { stock: (flow) => checkStock(flow, data) });` */
export function writeFork(step: Fork, place: Place): Code {
  const branches = step.branches.map((branch) => {
    const body = branchFunction(step, branch, place);
    const parameters = body.usesFlow ? [flowOf(branch)] : [];
    return js.property(branch.name, js.arrow(parameters, callOf(body, [], place, step.id)));
  });
  const members = [
    ...(step.join.kind === "all" ? [] : [numbered("join", step.join.count)]),
    ...(step.failure === "spare" ? [js.property("spare", js.literal(true))] : []),
    ...(step.width === undefined ? [] : [numbered("width", step.width)]),
    ...(isInOrder(step) ? [] : [js.property("order", js.value(step.branches.map(({ name }) => name)))]),
    ...limitsOf(step, place),
  ];
  return [bound(place, webOf(place, step), effect(place, "fork", step, [js.object(branches), options(members)]))];
}

/** Whether an object has its branches in their order: names that are whole numbers come first there. */
function isInOrder({ branches }: Fork): boolean {
  const sorted = Object.keys(Object.fromEntries(branches.map(({ name }) => [name, true])));
  return branches.every(({ name }, i) => name === sorted[i]);
}

/** The type checker does not see of itself what the parameter is where every object has a member of that name. */
const flowOf = ({ name }: Branch): ParameterDeclaration =>
  js.parameter("flow", isFreeName(name) && name !== "__proto__" ? undefined : runtimeType("Flow"));

/** What the ids of all steps within begin with: the id of what is around them, or a part of it where that is one of several steps of a construct: `P/` of `P/each`. */
function prefixIn({ id }: Fork | ForEach, { steps }: Scope, inner = ""): string {
  const parts = id.split("/");
  const prefixes = parts.map((_, i) => `${parts.slice(0, parts.length - i).join("/")}/${inner}`);
  return prefixes.find((prefix) => steps.every((step) => step.id.startsWith(prefix))) ?? prefixes[0]!;
}

function branchFunction(step: Fork, { name, scope }: Branch, place: Place): FunctionPart {
  const prefix = prefixIn(step, scope, `${name}/`);
  const wanted = [`${step.id} ${name}`, `${step.id} ${name} branch`] as const;
  return writeFunction({ scope, given: [], prefix, wanted, doc: `${step.origin.name} / ${name}` }, place.module);
}

/** What is known of the values of a fork's branches. */
export function forkUse({ branches, join }: Fork): ClosedUse {
  const isOptional = join.kind === "some";
  return {
    kind: "closed",
    members: Object.fromEntries(branches.map(({ name }) => [name, { isOptional, isNullable: true }])),
  };
}

/** A scope for each element, as a function of the module: `await flow.forEach("Assign", items, (flow, item) => assign(flow, item, data));` */
export function writeForEach(step: ForEach, place: Place): Code {
  const given = [step.element, ...(step.index === undefined ? [] : [step.index])];
  const doc = `${step.origin.name}, for each element`;
  const body = writeFunction(
    { scope: step.scope, given, prefix: prefixIn(step, step.scope), wanted: [step.id, `${step.id} each`], doc },
    place.module,
  );
  const inner = place.names.inner();
  const names = given.map((name) => inner.fresh(camelCase(name)));
  const { lines, code } = itemsOf(step, place);
  const each = js.arrow([body.usesFlow ? "flow" : "_flow", ...names], callOf(body, names, place, step.id));
  const members = [
    ...(step.width === undefined ? [] : [numbered("width", step.width)]),
    ...(step.gap === undefined ? [] : [numbered("gap", step.gap)]),
    ...limitsOf(step, place),
  ];
  const call = effect(place, "forEach", step, [code, each, options(members)]);
  return [...lines, boundAsJson(place, webOf(place, step), call)];
}

/** The collection, with what stands before it; a function that computes it where its failure is tried again. */
function itemsOf(step: ForEach, place: Place): { readonly lines: Code; readonly code: JsExpression } {
  const again = triedAgain(step, step.items, place, asItems);
  if (again) return { lines: [], code: again };
  const { lines, written } = linesAndExpression(place, step.id, step.items, true);
  return { lines, code: asItems(written) };
}

const asItems = (items: Written): JsExpression =>
  items.type === "array" ? items.code : js.as(items.code, js.arrayType(jsonType));

/** A call of a function of the module: with the values of what it reads from outside, as the types that it says. */
function callOf(
  { name, parameters, usesFlow, usesFunctions }: FunctionPart,
  given: readonly string[],
  place: Place,
  step: string,
): JsExpression {
  const scope = scopeAt(place, step);
  const outer = parameters.map((variable) => {
    const value = scope.variable(variable);
    return value ? fitted(value, { ...plainVariable(variable, place), name: variable }) : js.literal(null);
  });
  const names = [...(usesFlow ? ["flow"] : []), ...(usesFunctions ? ["fn"] : []), ...given];
  return js.call(name, [...names.map((each) => js.name(each)), ...outer]);
}

/** Several steps that are tried as one, on the variables around them: `await flow.attempt("Pay", async (flow) => { … });` */
export function writeAttempt(step: Attempt, body: StructuredBlock, place: Place): Code {
  const bind = webOf(place, step);
  const inner: Place = { ...place, isOutermost: false, isAttempt: { bind } };
  const work = withoutLastReturn(writeBlock(body, inner));
  const restored = restoredVariables(step, place);
  const saved = restored.map(({ name }) => ({ name, before: place.names.fresh(`${name}Before`) }));
  const restore = saved.map(({ name, before }) => js.assign(name, js.name(before)));
  const attempt = js.arrow(["flow"], [...restore, ...work], { async: true });
  return [
    ...saved.map(({ name, before }) => js.constant(before, js.name(name))),
    boundAsJson(place, bind, effect(place, "attempt", step, [attempt, options(limitsOf(step, place))])),
  ];
}

/** The variables that an attempt that is made again puts back, as the body may have changed them. */
function restoredVariables(step: Attempt, place: Place): readonly { readonly name: string }[] {
  if (step.retries.length === 0) return [];
  const inside = createDataFlowGraph(step.body);
  return step.restore.flatMap((variable) => {
    const web = place.webs.read(step.body.entry.name, variable);
    const isChanged = web !== undefined && [...web.definitions].some((id) => inside.has(id));
    return (isChanged && place.variables.get(web.id)) || [];
  });
}

function withoutLastReturn(statements: Code): Code {
  const last = statements.at(-1);
  return last?.kind === "return" && last.value === undefined ? statements.slice(0, -1) : statements;
}
