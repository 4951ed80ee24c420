import { takesObjects } from "../../../src/analysis/types/flow.ts";
import { canFail, type Expression, effectsOf } from "../../../src/expressions/index.ts";
import {
  camelCase,
  type PrintedExpression,
  printedExpression,
  type Scope,
  write,
} from "../../../src/expressions/js/index.ts";
import { awaitsCallback } from "../../../src/ir/callbacks.ts";
import { scalarChoices } from "../../../src/ir/correlation.ts";
import { scopesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, Start, Timer, Workflow } from "../../../src/ir/workflow.ts";
import {
  assignsName,
  type Block as Code,
  equalNodes,
  type FunctionExpression,
  freeNames,
  type InterfaceDeclaration,
  js,
  oneLine,
  type ParameterDeclaration,
  referencesName,
  type Statement,
  type JsExpression as Tree,
  type TypeDeclaration,
  type TypeNode,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { assertNever } from "../../../src/json.ts";
import { alternatives, type SchemaRules, type Type } from "../../../src/types/index.ts";
import { callCompiled } from "./context.ts";
import { lowerAlternative, lowerWaits, orUndefined } from "./events.ts";
import { flowParameter, type LoweredFunction, lowerScope } from "./functions.ts";
import { constantNamed, type Module, resultUse, typeOfVariable, useOf } from "./module.ts";
import { resultType } from "./result-types.ts";
import { functionResultType, helper, jsonType, runtime, runtimeType } from "./runtime-imports.ts";
import { exportedType, fitsUse, type SchemaType, typeByUse, typeOfUse } from "./schemas.ts";
import { shareRetries } from "./shared-retries.ts";
import { eventUse } from "./value-types.ts";

/** The types, the workflow, then the functions of branches and iterations. */
export function lowerModule(module: Module, version: string): Code {
  const { workflow, exported } = module;
  const definition = js.constant(exported, lowerDefinition(module, version), {
    exported: true,
    doc: oneLine(workflow.description ?? workflow.name, 400),
  });
  const order = scopesOf(workflow).map(({ scope }) => scope);
  const functions = reachableFunctions([definition], module)
    .toSorted((a, b) => order.indexOf(a.scope) - order.indexOf(b.scope))
    .map(({ declaration }) => declaration);
  const calls = functionsInterface(module, [definition, ...functions]);
  const constants = [...module.parts.constants].map(([name, value]) => js.constant(name, js.value(value)));
  const shared = shareRetries([definition, ...functions], (wanted) => module.names.fresh(wanted));
  return [...(calls ? [calls] : []), ...typesOf(module), ...constants, ...shared.constants, ...shared.code];
}

/** The functions that are still called after unreachable code is removed. */
function reachableFunctions(code: Code, { parts }: Module): readonly LoweredFunction[] {
  const called = new Set<LoweredFunction>();
  const note = (block: Code): void => {
    const names = freeNames(block);
    for (const part of parts.functions) {
      if (called.has(part) || !names.has(part.name)) continue;
      called.add(part);
      note([part.declaration]);
    }
  };
  note(code);
  return [...called];
}

/** `defineWorkflow({ id, version, name, inputViolation, start, errors, secrets, events, waits, correlation, run })` */
function lowerDefinition(module: Module, version: string): Tree {
  const { workflow } = module;
  const run = lowerRun(module);
  const { events, correlation, errorNames, problems, functions } = workflow;
  const members = {
    id: js.literal(workflow.id),
    version: js.literal(version),
    name: js.literal(workflow.name),
    anyInput: workflow.anyInput && js.literal(true),
    inputViolation: workflow.inputRules && lowerInputRules(workflow.inputRules),
    start: lowerStart(workflow.start),
    errors:
      errorNames &&
      js.record({ expression: js.literal(errorNames.expression), timeout: js.literal(errorNames.timeout) }),
    problems:
      problems === undefined
        ? undefined
        : js.record({ of: helper("problemOf"), rules: js.name(constantNamed("standardErrors", problems, module)) }),
    secrets: optionalString(functions.find(({ protocol }) => protocol?.kind === "secret")?.name),
    events:
      events.length === 0
        ? undefined
        : js.object(events.map((event) => js.property(event.name, lowerEvent(event, module)))),
    waits: lowerWaits(module, calledWaits(run, module)),
    correlation: correlation && lowerCorrelation(correlation, module),
    run,
  };
  return js.call(runtime("defineWorkflow"), [js.record(members)]);
}

/** The names that `flow.receive` is called with. */
function calledWaits(run: FunctionExpression, module: Module): ReadonlySet<string> {
  const functions = reachableFunctions([js.expressionStatement(run)], module).map(({ declaration }) => declaration);
  const names = new Set<string>();
  for (const node of walkNodes([js.expressionStatement(run), ...functions])) {
    if (node.kind !== "call" || node.callee.kind !== "member" || node.callee.name !== "receive") continue;
    const { object } = node.callee;
    const [name] = node.args;
    if (object.kind === "identifier" && object.name === "flow" && name?.kind === "literal")
      names.add(String(name.value));
  }
  return names;
}

/** A parameter with the schema type is assigned to the workflow variable. */
function lowerRun(module: Module): FunctionExpression {
  const { input } = module.workflow;
  const scope = lowerScope(
    module.workflow.body,
    { ownParameters: [input], outer: [], prefix: "", isOutermost: true },
    module,
  );
  const [variable, ...others] = scope.parameters as readonly [ParameterDeclaration, ...ParameterDeclaration[]];
  const schema = inputSchemaType(module);
  const functions = reachableFunctions(scope.body, module).map(({ declaration }) => declaration);
  const usesFunctions = referencesName([js.block(scope.body), ...functions], "fn");
  const fn = usesFunctions
    ? js.parameter("fn", js.type(functionsInterfaceName))
    : js.parameter("_fn", js.keyword("object"));
  const parameter = schema ? js.parameter(inputName(schema, module), js.type(schema.name)) : variable;
  const binding = schema ? bindInput(module, variable, parameter, scope.body) : [];
  const { output } = module.schemas;
  const flow = referencesName(scope.body, "flow") ? flowParameter : js.parameter("_flow", flowParameter.type);
  return js.arrow([flow, fn, parameter, ...others], [...binding, ...scope.body], {
    async: true,
    returns: js.type("Promise", [output ? js.type(output.name) : jsonType]),
  });
}

const inputName = ({ name }: SchemaType, { names }: Module): string =>
  camelCase(name) === "value" ? "input" : names.fresh(camelCase(name), "input");

/** Undefined if the correlation value reads members beyond the schema. */
function inputSchemaType(module: Module): SchemaType | undefined {
  const { input } = module.schemas;
  return input && module.workflow.correlation && needsCast(module, input) ? undefined : input;
}

/** Whether the schema type is not assignable to the variable type. */
function needsCast(module: Module, { type, isWhole }: SchemaType): boolean {
  const use = useOf(module, module.workflow.input);
  return use.members.size > 0 && !(isWhole && fitsUse(use, type));
}

/** `const data: Data = order;` */
function bindInput(
  module: Module,
  { target, type }: ParameterDeclaration,
  parameter: ParameterDeclaration,
  body: Code,
): Code {
  if (target.kind !== "identifier" || parameter.target.kind !== "identifier" || !referencesName(body, target.name))
    return [];
  const isCast = type !== undefined && needsCast(module, module.schemas.input!);
  const value = isCast ? js.as(js.as(parameter.target, jsonType), type) : parameter.target;
  const declare = assignsName(body, target.name) ? js.variable : js.constant;
  return [declare(target, value, { type })];
}

/** `(input) => schemaViolation(input, [ … ])` */
function lowerInputRules(rules: SchemaRules): Tree {
  return js.arrow(
    [js.parameter("input", jsonType)],
    js.call(helper("schemaViolation"), [js.name("input"), js.value(rules)]),
  );
}

function lowerStart({ on = [], create, gap, window, timers = [] }: Start): Tree | undefined {
  const alternatives = on.map((alternative) => lowerAlternative(alternative, ({ event }) => js.literal(event.name)));
  const start = js.record({
    on: on.length === 0 ? undefined : js.array(alternatives),
    complete: create === "complete" ? js.literal(true) : undefined,
    gap: gap === undefined ? undefined : js.literal(gap),
    window: window && js.record({ from: optionalString(window.from), until: optionalString(window.until) }),
    timers: timers.length === 0 ? undefined : js.array(timers.map(lowerTimer)),
  });
  return start.members.length === 0 ? undefined : start;
}

function lowerTimer(timer: Timer): Tree {
  switch (timer.kind) {
    case "every":
      return js.record({
        every: js.literal(timer.seconds),
        from: optionalString(timer.from),
        until: optionalString(timer.until),
        times: timer.times === undefined ? undefined : js.literal(timer.times),
      });
    case "cron":
      return js.record({
        cron: js.literal(timer.expression),
        timezone: optionalString(timer.timezone),
        until: optionalString(timer.until),
      });
    case "after":
      return js.record({ after: js.literal(timer.seconds) });
    default:
      return assertNever(timer);
  }
}

const optionalString = (text: string | undefined): Tree | undefined =>
  text === undefined ? undefined : js.literal(text);

function lowerEvent(
  { name, type, source, subject, foldCase, correlation, correlationKey, correlationAttribute }: EventDefinition,
  module: Module,
): Tree {
  return js.record({
    type: optionalString(type),
    source: optionalString(source),
    subject: optionalString(subject),
    foldCase: foldCase ? js.literal(true) : undefined,
    correlation: correlation && lowerEventCorrelation(correlation, name, module),
    correlationKey: optionalString(correlationKey),
    correlationAttribute: optionalString(correlationAttribute),
  });
}

/** Contextual typing fails for names that `Object.prototype` has. */
function lowerEventCorrelation(expression: Expression, name: string, module: Module): Tree {
  const event = printedExpression(js.name("event"), { use: eventUse, isPresent: true });
  const parameter = name in Object.prototype ? js.parameter("event", runtimeType("CloudEvent")) : "event";
  return js.arrow([parameter], printAtMostOne(expression, new Map([["event", event]]), module).code);
}

function lowerCorrelation(expression: Expression, module: Module): Tree {
  const { input } = module.workflow;
  const run = printedExpression(js.name("run"), { use: { kind: "closed", members: { id: {} } }, isPresent: true });
  const name = module.names.inner(["run"]).fresh(camelCase(input));
  const data = js.parameter(name, typeOfVariable(module, input));
  const meanings = new Map([
    [
      input,
      printedExpression(js.name(name), {
        use: useOf(module, input),
        isPresent: takesObjects(module.workflow, module.program.workflows),
      }),
    ],
    ["run", run],
  ]);
  const choices = scalarChoices(expression);
  // `firstScalar` evaluates all of them.
  const values = choices.slice(1).some(canFail) ? [expression] : choices;
  const [only, ...others] = values.map((each) => printAtMostOne(each, meanings, module).code);
  const value = others.length === 0 ? only! : js.call(runtime("firstScalar"), [only!, ...others].map(orUndefined));
  return js.arrow([data, ...(effectsOf(expression).free.has("run") ? ["run"] : [])], value);
}

function printAtMostOne(
  expression: Expression,
  variables: ReadonlyMap<string, PrintedExpression>,
  module: Module,
): PrintedExpression {
  const scope: Scope = {
    variable: (name) => variables.get(name),
    helper,
  };
  const isOptional = effectsOf(expression).outputs !== "one";
  return write(expression, scope) ?? callCompiled(module, "correlation value", expression, scope, isOptional);
}

/** The exported interface of called functions. */
export const functionsInterfaceName = "Functions";

/**
 * `interface Functions { reserve(argument: { readonly id: Json }, step: Step): Answer<Json>; }`: the members of `fn`
 * that are called, in the order of the definition, followed by undefined functions by name.
 */
function functionsInterface(module: Module, statements: readonly Statement[]): InterfaceDeclaration | undefined {
  const calls = new Map<string, TypeNode[]>();
  for (const node of walkNodes(statements)) {
    const name = node.kind === "call" ? calledFunction(node.callee) : undefined;
    if (node.kind !== "call" || name === undefined) continue;
    const definition = module.workflow.functions.find((each) => each.name === name);
    const type = argumentType(node.args[0]!, definition?.parameterType?.type);
    const types = calls.get(name) ?? [];
    calls.set(name, types.some((other) => equalNodes(other, type)) ? types : [...types, type]);
  }
  if (calls.size === 0) return undefined;
  const awaited = awaitedFunctions(module.workflow);
  const defined = module.workflow.functions.map(({ name }) => name);
  const position = (name: string): number => (defined.includes(name) ? defined.indexOf(name) : defined.length);
  const members = [...calls]
    .sort(([a], [b]) => position(a) - position(b) || (a < b ? -1 : 1))
    .map(([name, types]) => {
      const argument = { name: "argument", type: types.length === 1 ? types[0]! : jsonType };
      if (awaited.has(name))
        return js.methodSignature(name, [argument, stepParameter("TaskStep")], js.keyword("unknown"));
      const trusted = module.workflow.functions.find((each) => each.name === name)?.resultType;
      const answer = functionResultType(resultType(resultUse(module, name), trusted));
      return js.methodSignature(name, [argument, stepParameter("Step")], answer);
    });
  const doc = "The functions that the workflow calls.";
  return {
    kind: "interface",
    name: functionsInterfaceName,
    typeParameters: [],
    extends: [],
    members,
    exported: true,
    doc,
  };
}

const stepParameter = (type: string) => ({ name: "step", type: runtimeType(type) });

/** The functions whose results only arrive by a token: what they return is ignored. */
function awaitedFunctions(workflow: Workflow): ReadonlySet<string> {
  const calls = stepsOf(workflow).filter((step) => step.kind === "call");
  const others = new Set(
    calls.flatMap((call) => (awaitsCallback(call) && !call.callback.orResult ? [] : [call.function.name])),
  );
  return new Set(calls.map((call) => call.function.name).filter((name) => !others.has(name)));
}

function calledFunction(callee: Tree): string | undefined {
  if (callee.kind !== "member" && callee.kind !== "element") return undefined;
  if (callee.object.kind !== "identifier" || callee.object.name !== "fn") return undefined;
  if (callee.kind === "member") return callee.name;
  return callee.index.kind === "literal" ? String(callee.index.value) : undefined;
}

/**
 * The type of an argument, as far as the call shows it: `{ readonly id: Json }`. Members that the function's own type
 * does not require are optional, or else TypeScript does not relate the two.
 */
function argumentType(argument: Tree, parameter: Type | undefined): TypeNode {
  if (argument.kind !== "object" || argument.members.length === 0) return jsonType;
  const names = argument.members.map((member) => (member.kind === "property" ? member.key : undefined));
  if (!names.every((name) => typeof name === "string" && name !== "__proto__")) return jsonType;
  const isOptional = (name: string): boolean =>
    parameter !== undefined &&
    alternatives(parameter).some((part) => part.kind === "object" && !part.members.get(name)?.required);
  return js.objectType(
    names.map((name) => js.propertySignature(name as string, jsonType, { optional: isOptional(name as string) })),
  );
}

function typesOf(module: Module): readonly TypeDeclaration[] {
  const { input, output } = module.schemas;
  const schemas = [...new Set([input, output])].flatMap((schema) => schema?.declarations ?? []);
  const accessed = [...module.types].filter(([variable]) => useOf(module, variable).members.size > 0);
  return [...schemas, ...accessed.map(([variable, name]) => accessedType(variable, name, module))];
}

function accessedType(variable: string, name: string, module: Module): TypeDeclaration {
  const { input } = module.schemas;
  const use = useOf(module, variable);
  if (variable !== module.workflow.input)
    return exportedType(name, typeByUse(use), `The members of \`${variable}\` that the workflow uses.`);
  const type = input ? typeOfUse(use, input.type, false) : typeByUse(use);
  return exportedType(name, type, "The members of the workflow data that the workflow uses.");
}
