import { freeVariables } from "../../../src/expressions/index.ts";
import { patternsOf } from "../../../src/ir/walk.ts";
import type { Emit, EventCombination, EventPattern, Receive } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  js,
  type ObjectLiteral,
  type ParameterDeclaration,
  type JsExpression as Tree,
  type TypeNode,
} from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/paths.ts";
import { type PrintedExpression, printedExpression } from "../../../src/readable/written.ts";
import { type FunctionContext, printAt, printCondition, scopeAt } from "./context.ts";
import { optionsObject } from "./effects.ts";
import type { Module } from "./module.ts";
import { bindResult, boundWeb, escapeStepName, flowCall, stepName } from "./steps.ts";
import { eventUse } from "./value-types.ts";

/** `const received = await flow.receive("Wait", { variables: { limit }, correlation: { order: data.order } });` */
export function lowerReceive(step: Receive, context: FunctionContext): Code {
  const captured = capturedVariables(step, context);
  const name = defineWait(step, captured, context);
  const variables = captured.map((variable) => js.property(variable.name, variable.value));
  const correlation = (step.correlation ?? []).map(({ key, value }) =>
    js.property(key, orUndefined(printAt(context, step.id, value).code)),
  );
  const options = optionsObject([
    ...(variables.length === 0 ? [] : [js.property("variables", js.object(variables))]),
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

/** Adds a wait to the workflow's waits. Returns its name: that of the step, or its whole id if another wait has that. */
function defineWait(step: Receive, captured: readonly CapturedVariable[], context: FunctionContext): string {
  const { waits } = context.module.parts;
  const names = [stepName(context, step.id), escapeStepName(step.id)];
  for (let i = 2; ; i++) {
    const name = names.shift() ?? `${escapeStepName(step.id)} ${i}`;
    const other = waits.get(name);
    if (other && other.step !== step.id) continue;
    const alternatives = step.alternatives.map((alternative) =>
      lowerAlternative(alternative, (pattern) => lowerPattern(pattern, step.id, captured, context)),
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

/** A variable of the run that conditions of a wait read. */
interface CapturedVariable {
  readonly variable: string;
  readonly name: string;
  readonly value: Tree;
  readonly printed: PrintedExpression;
  readonly type: TypeNode;
}

function capturedVariables(step: Receive, context: FunctionContext): readonly CapturedVariable[] {
  const names = context.module.names.inner(["event"]);
  const conditions = patternsOf(step.alternatives).flatMap(({ when }) => (when ? [when] : []));
  const scope = scopeAt(context, step.id);
  return [...new Set(conditions.flatMap((when) => [...freeVariables(when)]))].sort().flatMap((variable) => {
    const web = context.webs.read(step.id, variable);
    const local = web && context.variables.get(web.id);
    const printed = variable === "event" ? undefined : scope.variable(variable);
    if (!local || !printed) return [];
    const name = names.fresh(camelCase(variable));
    return [{ variable, name, value: printed.code, printed: { ...printed, code: js.name(name) }, type: local.type }];
  });
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

/** `{ event: "Paid", when: (event, { data }: { readonly data: Data }) => … }` */
function lowerPattern(
  { event, when }: EventPattern,
  step: string,
  captured: readonly CapturedVariable[],
  context: FunctionContext,
): Tree {
  if (!when) return js.literal(event.name);
  const free = freeVariables(when);
  const used = captured.filter(({ variable }) => free.has(variable));
  const variables = new Map(used.map(({ variable, printed }) => [variable, printed]));
  variables.set("event", printedExpression(js.name("event"), { use: eventUse, isPresent: true }));
  const test = printCondition(context, step, when, variables);
  const parameters = used.length === 0 ? ["event"] : ["event", variablesParameter(used)];
  return js.record({ event: js.literal(event.name), when: js.arrow(parameters, test.code) });
}

const variablesParameter = (captured: readonly CapturedVariable[]): ParameterDeclaration =>
  js.parameter(
    js.membersPattern(captured.map(({ name }) => name)),
    js.objectType(captured.map(({ name, type }) => js.propertySignature(name, type))),
  );

/** `await flow.emit("Placed", "OrderPlaced", data, { correlation: data.order });` */
export function lowerEmit(step: Emit, context: FunctionContext): Code {
  const { attributes = {}, correlation } = step;
  const options = optionsObject([
    ...(Object.keys(attributes).length === 0 ? [] : [js.property("attributes", js.value(attributes))]),
    ...(correlation ? [js.property("correlation", orUndefined(printAt(context, step.id, correlation).code))] : []),
  ]);
  const data = printAt(context, step.id, step.data).code;
  return [js.expressionStatement(flowCall(context, "emit", step, [js.literal(step.event.name), data, options]))];
}
