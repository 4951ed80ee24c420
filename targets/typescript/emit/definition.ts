import { takesObjects } from "../../../src/analysis/types/index.ts";
import { type Expression, effectsOf } from "../../../src/expressions/index.ts";
import { scopesOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, Start } from "../../../src/ir/workflow.ts";
import {
  assignsName,
  type Block as Code,
  type FunctionExpression,
  freeNames,
  type InterfaceDeclaration,
  js,
  referencesName,
  walkNodes,
  type ParameterDeclaration,
  type Statement,
  equalNodes,
  type JsExpression as Tree,
  type TypeDeclaration,
  type TypeNode,
} from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { write } from "../../../src/readable/write.ts";
import { type Scope, type Written, written } from "../../../src/readable/written.ts";
import { answerType, helper, jsonType, runtime, runtimeType } from "../expressions/runtime.ts";
import { typeByUse } from "../expressions/types.ts";
import { alternativeCode } from "./effects.ts";
import { type FunctionPart, flowParameter, writeScope } from "./functions.ts";
import { eventUse } from "./known.ts";
import { answerUse, type Module, typeOfVariable, useOf } from "./module.ts";
import { computed } from "./place.ts";
import { exportedType, isOfUse, type SchemaType, typeOfUse } from "./schemas.ts";
import { oneLine } from "./steps.ts";

/** All that a module declares: its types, the workflow, and the functions of branches and iterations behind it. */
export function declarationsOf(module: Module, version: string): Code {
  const { workflow, exported } = module;
  const definition = js.constant(exported, definitionOf(module, version), {
    exported: true,
    doc: oneLine(workflow.description ?? workflow.name, 400),
  });
  const order = scopesOf(workflow).map(({ scope }) => scope);
  const functions = functionsCalledBy([definition], module)
    .toSorted((a, b) => order.indexOf(a.scope) - order.indexOf(b.scope))
    .map(({ declaration }) => declaration);
  const calls = functionsInterface(module, [definition, ...functions]);
  return [...(calls ? [calls] : []), ...typesOf(module), definition, ...functions];
}

/** The functions of branches and iterations that some code calls, itself or by others: what stands behind a sure failure is not there, and calls none. */
function functionsCalledBy(code: Code, { found }: Module): readonly FunctionPart[] {
  const called = new Set<FunctionPart>();
  const note = (block: Code): void => {
    const names = freeNames(block);
    for (const part of found.functions) {
      if (called.has(part) || !names.has(part.name)) continue;
      called.add(part);
      note([part.declaration]);
    }
  };
  note(code);
  return [...called];
}

/** `defineWorkflow({ id, version, name, start, errors, secrets, events, correlation, run })` */
function definitionOf(module: Module, version: string): Tree {
  const { workflow } = module;
  const { events, correlation, errorNames, functions } = workflow;
  const members = {
    id: js.literal(workflow.id),
    version: js.literal(version),
    name: js.literal(workflow.name),
    anyInput: workflow.anyInput && js.literal(true),
    start: startOf(workflow.start),
    errors:
      errorNames &&
      js.record({ expression: js.literal(errorNames.expression), timeout: js.literal(errorNames.timeout) }),
    secrets: textOf(functions.find(({ protocol }) => protocol?.kind === "secret")?.name),
    events:
      events.length === 0
        ? undefined
        : js.object(events.map((event) => js.property(event.name, eventOf(event, module)))),
    correlation: correlation && correlationOf(correlation, module),
    run: runOf(module),
  };
  return js.call(runtime("defineWorkflow"), [js.record(members)]);
}

/** What a run does. An input whose type a schema says is given by that type; it is a variable of the workflow from then on. */
function runOf(module: Module): FunctionExpression {
  const { input } = module.workflow;
  const made = writeScope(module.workflow.body, { given: [input], outer: [], prefix: "", isOutermost: true }, module);
  const [variable, ...others] = made.parameters as readonly [ParameterDeclaration, ...ParameterDeclaration[]];
  const schema = signatureType(module);
  const functions = functionsCalledBy(made.body, module).map(({ declaration }) => declaration);
  const usesFunctions = referencesName([js.block(made.body), ...functions], "fn");
  const fn = usesFunctions ? js.parameter("fn", js.type(calledFunctions)) : js.parameter("_fn", js.keyword("object"));
  const given = schema ? js.parameter(givenName(schema, module), js.type(schema.name)) : variable;
  const begin = schema ? beginOf(module, variable, given, made.body) : [];
  const { output } = module.schemas;
  const flow = referencesName(made.body, "flow") ? flowParameter : js.parameter("_flow", flowParameter.type);
  return js.arrow([flow, fn, given, ...others], [...begin, ...made.body], {
    async: true,
    returns: js.type("Promise", [output ? js.type(output.name) : jsonType]),
  });
}

const givenName = ({ name }: SchemaType, { names }: Module): string =>
  camelCase(name) === "value" ? "input" : names.fresh(camelCase(name), "input");

/** The type that a run's input has by its schema: none where the correlation value looks for what cannot be in it. */
function signatureType(module: Module): SchemaType | undefined {
  const { input } = module.schemas;
  return input && module.workflow.correlation && needsCast(module, input) ? undefined : input;
}

/** Whether an input of its schema's type is not of the type of the variable. */
function needsCast(module: Module, { type, isWhole }: SchemaType): boolean {
  const use = useOf(module, module.workflow.input);
  return use.members.size > 0 && !(isWhole && isOfUse(use, type));
}

/** `const data: Data = order;` */
function beginOf(
  module: Module,
  { target, type }: ParameterDeclaration,
  given: ParameterDeclaration,
  body: Code,
): Code {
  if (target.kind !== "identifier" || given.target.kind !== "identifier" || !referencesName(body, target.name))
    return [];
  const isCast = type !== undefined && needsCast(module, module.schemas.input!);
  const value = isCast ? js.as(js.as(given.target, jsonType), type) : given.target;
  const declare = assignsName(body, target.name) ? js.variable : js.constant;
  return [declare(target, value, { type })];
}

function startOf({ on = [], create, gap, window }: Start): Tree | undefined {
  const alternatives = on.map((alternative) => alternativeCode(alternative, ({ event }) => js.literal(event.name)));
  const start = js.record({
    on: on.length === 0 ? undefined : js.array(alternatives),
    complete: create === "complete" ? js.literal(true) : undefined,
    gap: gap === undefined ? undefined : js.literal(gap),
    window: window && js.record({ from: textOf(window.from), until: textOf(window.until) }),
  });
  return start.members.length === 0 ? undefined : start;
}

const textOf = (text: string | undefined): Tree | undefined => (text === undefined ? undefined : js.literal(text));

function eventOf(
  { name, type, source, subject, foldCase, correlation, correlationAttribute }: EventDefinition,
  module: Module,
): Tree {
  return js.record({
    type: textOf(type),
    source: textOf(source),
    subject: textOf(subject),
    foldCase: foldCase ? js.literal(true) : undefined,
    correlation: correlation && eventCorrelation(correlation, name, module),
    correlationAttribute: textOf(correlationAttribute),
  });
}

/** TypeScript knows the parameter by the type of `events`, but not under the name of a member that every object has. */
function eventCorrelation(expression: Expression, name: string, module: Module): Tree {
  const event = written(js.name("event"), { use: eventUse, isPresent: true });
  const parameter = name in Object.prototype ? js.parameter("event", runtimeType("CloudEvent")) : "event";
  return js.arrow([parameter], atMostOne(expression, new Map([["event", event]]), module).code);
}

function correlationOf(expression: Expression, module: Module): Tree {
  const { input } = module.workflow;
  const run = written(js.name("run"), { use: { kind: "closed", members: { id: {} } }, isPresent: true });
  const name = module.names.inner(["run"]).fresh(camelCase(input));
  const data = js.parameter(name, typeOfVariable(module, input));
  const meanings = new Map([
    [
      input,
      written(js.name(name), {
        use: useOf(module, input),
        isPresent: takesObjects(module.workflow, module.program.workflows),
      }),
    ],
    ["run", run],
  ]);
  const value = atMostOne(expression, meanings, module);
  return js.arrow([data, ...(effectsOf(expression).free.has("run") ? ["run"] : [])], value.code);
}

/** An expression with at most one output. */
function atMostOne(expression: Expression, variables: ReadonlyMap<string, Written>, module: Module): Written {
  const scope: Scope = {
    variable: (name) => variables.get(name),
    helper,
  };
  const isOptional = effectsOf(expression).outputs !== "one";
  return write(expression, scope) ?? computed(module, "correlation value", expression, scope, isOptional);
}

/** The interface of what a module calls, under which name it exports it. */
export const calledFunctions = "Functions";

/**
 * `interface Functions { reserve(argument: { readonly id: Json }, step: Step): Answer<Json>; }`: what is called of `fn`, in the order of the definition, and
 * what that does not define behind it by name.
 */
function functionsInterface(module: Module, statements: readonly Statement[]): InterfaceDeclaration | undefined {
  const calls = new Map<string, TypeNode[]>();
  for (const node of walkNodes(statements)) {
    const name = node.kind === "call" ? functionCalled(node.callee) : undefined;
    if (node.kind !== "call" || name === undefined) continue;
    const type = argumentType(node.args[0]!);
    const types = calls.get(name) ?? [];
    calls.set(name, types.some((other) => equalNodes(other, type)) ? types : [...types, type]);
  }
  if (calls.size === 0) return undefined;
  const defined = module.workflow.functions.map(({ name }) => name);
  const place = (name: string): number => (defined.includes(name) ? defined.indexOf(name) : defined.length);
  const members = [...calls]
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .map(([name, types]) => {
      const argument = { name: "argument", type: types.length === 1 ? types[0]! : jsonType };
      const answer = answerType(typeByUse(answerUse(module, name)));
      return js.methodSignature(name, [argument, { name: "step", type: runtimeType("Step") }], answer);
    });
  const doc = "What the workflow calls.";
  return { kind: "interface", name: calledFunctions, typeParameters: [], extends: [], members, exported: true, doc };
}

/** The name of a member of `fn`. */
function functionCalled(callee: Tree): string | undefined {
  if (callee.kind !== "member" && callee.kind !== "element") return undefined;
  if (callee.object.kind !== "identifier" || callee.object.name !== "fn") return undefined;
  if (callee.kind === "member") return callee.name;
  return callee.index.kind === "literal" ? String(callee.index.value) : undefined;
}

/** The type of an argument, as far as the call shows it: `{ readonly id: Json }` */
function argumentType(argument: Tree): TypeNode {
  if (argument.kind !== "object" || argument.members.length === 0) return jsonType;
  const names = argument.members.map((member) => (member.kind === "property" ? member.key : undefined));
  if (!names.every((name) => typeof name === "string" && name !== "__proto__")) return jsonType;
  return js.objectType(names.map((name) => js.propertySignature(name as string, jsonType)));
}

/** The types of what schemas say, and of what the workflow looks at in its variables. */
function typesOf(module: Module): readonly TypeDeclaration[] {
  const { input, output } = module.schemas;
  const schemas = [...new Set([input, output])].flatMap((schema) => schema?.declarations ?? []);
  const looked = [...module.types].filter(([variable]) => useOf(module, variable).members.size > 0);
  return [...schemas, ...looked.map(([variable, name]) => typeOfLooked(variable, name, module))];
}

function typeOfLooked(variable: string, name: string, module: Module): TypeDeclaration {
  const { input } = module.schemas;
  const use = useOf(module, variable);
  if (variable !== module.workflow.input)
    return exportedType(name, typeByUse(use), `\`${variable}\`, as far as it is looked at.`);
  const type = input ? typeOfUse(use, input.type, false) : typeByUse(use);
  return exportedType(name, type, "The data of the workflow, as far as it is looked at.");
}
