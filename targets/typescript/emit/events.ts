import {
  childrenOf,
  type Expression,
  firstOr,
  freeVariables,
  literal,
  member,
  variable,
} from "../../../src/expressions/index.ts";
import type { ClosedUse } from "../../../src/expressions/js/index.ts";
import { camelCase, type PrintedExpression, printedExpression } from "../../../src/expressions/js/index.ts";
import { constantAttributes, givenAttributes } from "../../../src/ir/emitted-events.ts";
import { escapeStepName } from "../../../src/ir/step-keys.ts";
import { patternsOf } from "../../../src/ir/walk.ts";
import type { Emit, EventCombination, EventPattern, Receive } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  js,
  type ObjectLiteral,
  type ParameterDeclaration,
  type Property,
  type JsExpression as Tree,
} from "../../../src/js-ast/index.ts";
import { type FunctionContext, printAt, printCondition, scopeAt } from "./context.ts";
import { optionsObject } from "./effects.ts";
import type { Module } from "./module.ts";
import { jsonType } from "./runtime-imports.ts";
import { bindResult, boundWeb, flowCall, stepName } from "./steps.ts";
import { eventUse } from "./value-types.ts";

/** `const received = await flow.receive("Wait", { variables: { limit }, correlation: { order: data.order } });` */
export function lowerReceive(step: Receive, context: FunctionContext): Code {
  const { members, conditionScope } = conditionVariables(step, context);
  const name = defineWait(step, conditionScope, context);
  const correlation = (step.correlation ?? []).map(({ key, value }) =>
    js.property(key, orUndefined(printAt(context, step.id, value).code)),
  );
  const options = optionsObject([
    ...(members.length === 0 ? [] : [js.property("variables", js.object(members))]),
    ...(correlation.length === 0 ? [] : [js.property("correlation", js.object(correlation))]),
  ]);
  const received = js.method(js.name("flow"), "receive", [js.literal(name), ...(options ? [options] : [])]);
  return [bindResult(context, boundWeb(context, step), js.awaitExpression(received))];
}

/** `value` for `value ?? null`, where undefined and null mean the same. */
export const orUndefined = (value: Tree): Tree =>
  value.kind === "binary" && value.operator === "??" && value.right.kind === "literal" && value.right.value === null
    ? value.left
    : value;

/** Adds a wait to the workflow. Returns its name: that of the step, or its whole id if another wait has that name. */
function defineWait(step: Receive, conditionScope: ConditionScope, context: FunctionContext): string {
  const { waits } = context.module.parts;
  const names = [stepName(context, step.id), escapeStepName(step.id)];
  for (let i = 2; ; i++) {
    const name = names.shift() ?? `${escapeStepName(step.id)} ${i}`;
    const other = waits.get(name);
    if (other && other.step !== step.id) continue;
    const alternatives = step.alternatives.map((alternative) =>
      lowerAlternative(alternative, (pattern) => lowerPattern(pattern, step.id, conditionScope, context)),
    );
    const wait = js.record({
      alternatives: js.array(alternatives),
      unused: step.unused === "drop" ? js.literal("drop") : undefined,
    });
    waits.set(name, { step: step.id, wait });
    return name;
  }
}

/** A wait of the workflow. */
export interface LoweredWait {
  readonly step: string;
  readonly wait: ObjectLiteral;
}

/** `{ "Await payment": { alternatives: [{ all: [["Paid"]] }] } }`: the waits with these names. */
export function lowerWaits({ parts }: Module, names: ReadonlySet<string>): Tree | undefined {
  const waits = [...parts.waits].filter(([name]) => names.has(name));
  return waits.length === 0 ? undefined : js.object(waits.map(([name, { wait }]) => js.property(name, wait)));
}

/** The variables that a wait passes to its conditions, and how these name them. */
interface ConditionVariables {
  readonly members: readonly Property[];
  readonly conditionScope: ConditionScope;
}

/** The variables that a condition reads, and the parameter for them. */
type ConditionScope = (when: Expression) => {
  readonly variables: readonly (readonly [string, PrintedExpression])[];
  readonly parameter: ParameterDeclaration | undefined;
};

function conditionVariables(step: Receive, context: FunctionContext): ConditionVariables {
  const conditions = patternsOf(step.alternatives).flatMap(({ when }) => (when ? [when] : []));
  const captured = new Set(conditions.flatMap((when) => [...freeVariables(when)]));
  captured.delete("event");
  const [only, ...others] = captured;
  const projected =
    only === undefined || others.length > 0 ? undefined : projectedVariable(only, conditions, step, context);
  return projected ?? wholeVariables([...captured].sort(), step, context);
}

/** `variables: { claim: data.claim }` and `(event, data) => …` if conditions read only members of one variable. */
function projectedVariable(
  variableName: string,
  conditions: readonly Expression[],
  step: Receive,
  context: FunctionContext,
): ConditionVariables | undefined {
  const names = new Set<string>();
  for (const when of conditions) {
    const read = membersRead(when, variableName);
    if (!read) return undefined;
    for (const name of read) names.add(name);
  }
  const members: Property[] = [];
  for (const name of names) {
    const { code } = printAt(context, step.id, firstOr(member(variable(variableName), name), literal(null)));
    const value = orUndefined(code);
    if (value === code) return undefined;
    members.push(js.property(name, value));
  }
  const parameter = context.module.names.inner(["event"]).fresh(camelCase(variableName));
  const use: ClosedUse = {
    kind: "closed",
    members: Object.fromEntries([...names].map((name) => [name, { isOptional: true, isNullable: true }])),
  };
  const printed = printedExpression(js.name(parameter), { use, isPresent: true });
  const conditionScope: ConditionScope = (when) =>
    freeVariables(when).has(variableName)
      ? { variables: [[variableName, printed]], parameter: js.parameter(parameter) }
      : { variables: [], parameter: undefined };
  return { members, conditionScope };
}

/** The members of a variable that an expression reads; undefined if it reads anything else of it. */
function membersRead(expression: Expression, variableName: string): readonly string[] | undefined {
  if (!freeVariables(expression).has(variableName)) return [];
  if (expression.kind === "variable") return undefined;
  const names: string[] = [];
  let children = childrenOf(expression);
  if (expression.kind === "query" && expression.source.kind === "variable" && expression.source.name === variableName) {
    const [segment] = expression.segments;
    const [selector, ...others] = segment?.selectors ?? [];
    if (segment?.descend || selector?.kind !== "name" || others.length > 0 || selector.name === "__proto__")
      return undefined;
    names.push(selector.name);
    children = children.slice(1);
  }
  for (const child of children) {
    if (child.boundVariable === variableName) continue;
    const read = membersRead(child.expression, variableName);
    if (!read) return undefined;
    names.push(...read);
  }
  return names;
}

/** `variables: { data }` and `(event, { data }: { readonly data: Data }) => …` */
function wholeVariables(captured: readonly string[], step: Receive, context: FunctionContext): ConditionVariables {
  const names = context.module.names.inner(["event"]);
  const scope = scopeAt(context, step.id);
  const whole = captured.flatMap((variableName) => {
    const web = context.webs.read(step.id, variableName);
    const local = web && context.variables.get(web.id);
    const printed = scope.variable(variableName);
    if (!local || !printed) return [];
    return [{ variableName, name: names.fresh(camelCase(variableName)), printed, type: local.type }];
  });
  return {
    members: whole.map(({ name, printed }) => js.property(name, printed.code)),
    conditionScope(when) {
      const free = freeVariables(when);
      const read = whole.filter(({ variableName }) => free.has(variableName));
      if (read.length === 0) return { variables: [], parameter: undefined };
      const pattern = js.membersPattern(read.map(({ name }) => name));
      const type = js.objectType(read.map((each) => js.propertySignature(each.name, each.type)));
      return {
        variables: read.map(({ variableName, name, printed }) => [variableName, { ...printed, code: js.name(name) }]),
        parameter: js.parameter(pattern, type),
      };
    },
  };
}

/** `{ all: [["Paid"]], within: 60 }` */
export const lowerAlternative = (
  { all, none, within }: EventCombination,
  pattern: (pattern: EventPattern) => Tree,
): Tree =>
  js.record({
    all: js.array(all.map((group) => js.array(group.map(pattern)))),
    none: none.length === 0 ? undefined : js.array(none.map(pattern)),
    within: within === undefined ? undefined : js.literal(within),
  });

/** `{ event: "Paid", when: (event, data) => event.order === data.id }` */
function lowerPattern(
  { event, when }: EventPattern,
  step: string,
  conditionScope: ConditionScope,
  context: FunctionContext,
): Tree {
  if (!when) return js.literal(event.name);
  const { variables, parameter } = conditionScope(when);
  const printedEvent = printedExpression(js.name("event"), { use: eventUse, isPresent: true });
  const test = printCondition(context, step, when, new Map([...variables, ["event", printedEvent]]));
  const parameters = parameter ? [js.parameter("event"), parameter] : ["event"];
  return js.record({ event: js.literal(event.name), when: js.arrow(parameters, test.code) });
}

/** `await flow.emit("Placed", "OrderPlaced", data, { correlation: data.order });` */
export function lowerEmit(step: Emit, context: FunctionContext): Code {
  const { attributes = {}, correlation } = step;
  const options = optionsObject([
    ...(Object.keys(attributes).length === 0 ? [] : [js.property("attributes", lowerAttributes(step, context))]),
    ...(correlation ? [js.property("correlation", orUndefined(printAt(context, step.id, correlation).code))] : []),
  ]);
  const data = printAt(context, step.id, step.data).code;
  return [js.expressionStatement(flowCall(context, "emit", step, [js.literal(step.event.name), data, options]))];
}

const attributesType = js.objectType([js.indexSignature("name", jsonType)]);

/** `{ type: data.kind }` */
function lowerAttributes(step: Emit, context: FunctionContext): Tree {
  const constant = constantAttributes(step);
  if (constant) return js.value(constant);
  return js.as(printAt(context, step.id, givenAttributes(step)).code, attributesType);
}
