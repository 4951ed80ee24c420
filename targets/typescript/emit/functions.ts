import {
  computeWebs,
  createDataFlowGraph,
  innerBlocks,
  type StructuredItem,
  stepReads,
  structureScope,
  type Web,
} from "../../../src/cfg/index.ts";
import { type Expression, equalExpressions, freeVariables } from "../../../src/expressions/index.ts";
import type { PrintedExpression } from "../../../src/expressions/js/index.ts";
import { camelCase } from "../../../src/expressions/js/index.ts";
import type { ScopeVariable as Declared, Scope, Step } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  type FunctionDeclaration,
  freeNames,
  js,
  oneLine,
  type ParameterDeclaration,
  referencesName,
  type VariableDeclaration,
} from "../../../src/js-ast/index.ts";
import { lowerBlock } from "./blocks.ts";
import { forkUse } from "./concurrent.ts";
import { constantsOf } from "./constants.ts";
import { defaultVariable, type FunctionContext, type LocalVariable, printInitial, readVariable } from "./context.ts";
import { placeDeclarations, removeUnreadVariables } from "./declarations.ts";
import { type Module, resultUse } from "./module.ts";
import { pointingSteps } from "./pointers.ts";
import { jsonType, runtimeType } from "./runtime-imports.ts";
import { castIfNeeded, stepName } from "./steps.ts";
import { opaqueUse, receivedUse } from "./value-types.ts";

/** A scope to lower to a function. */
export interface FunctionSpec {
  readonly scope: Scope;
  /** Passed before the outer variables. */
  readonly ownParameters: readonly string[];
  readonly prefix: string;
  /** Its name, and an alternative. */
  readonly preferredNames: readonly [string, string];
  readonly doc: string;
}

/** A function, and how to call it. */
export interface LoweredFunction {
  readonly scope: Scope;
  readonly name: string;
  /** The outer variables, after its own parameters. */
  readonly parameters: readonly string[];
  readonly usesFlow: boolean;
  readonly usesFunctions: boolean;
  readonly declaration: FunctionDeclaration;
}

/** `async function reserve(flow: Flow, fn: Functions, data: Data): Promise<Json> { … }` */
export function lowerFunction(
  { scope, ownParameters, prefix, preferredNames, doc }: FunctionSpec,
  module: Module,
): LoweredFunction {
  const name = module.names.fresh(camelCase(preferredNames[0]), camelCase(preferredNames[1]));
  const parameters = [...capturedVariables(scope)].filter((variable) => !ownParameters.includes(variable)).sort();
  const lowered = lowerScope(scope, { ownParameters, outer: parameters, prefix, isOutermost: false }, module);
  const [usesFlow, usesFunctions] = [referencesName(lowered.body, "flow"), referencesName(lowered.body, "fn")];
  const flow = usesFlow ? [flowParameter] : [];
  const fn = usesFunctions ? [js.parameter("fn", js.type("Functions"))] : [];
  const declaration = js.functionDeclaration(name, [...flow, ...fn, ...lowered.parameters], lowered.body, {
    async: true,
    returns: js.type("Promise", [jsonType]),
    doc: oneLine(doc, 400),
  });
  const part = { scope, name, parameters, usesFlow, usesFunctions, declaration };
  module.parts.functions.push(part);
  return part;
}

/** The outer variables that a scope reads, except for initial values that nothing reads. */
function capturedVariables(scope: Scope): ReadonlySet<string> {
  const webs = computeWebs(scope);
  const initials = scope.variables.flatMap(({ name, initial }) =>
    initial && (scope.window || webs.initial(name)) ? [...freeVariables(initial)] : [],
  );
  return new Set([...stepReads(scope), ...initials]);
}

/** `flow: Flow` */
export const flowParameter: ParameterDeclaration = js.parameter("flow", runtimeType("Flow"));

/** Lowers a scope to statements and typed parameters. */
export function lowerScope(
  scope: Scope,
  {
    ownParameters,
    outer,
    ...own
  }: Pick<FunctionSpec, "ownParameters" | "prefix"> & {
    readonly outer: readonly string[];
    readonly isOutermost: boolean;
  },
  module: Module,
): { readonly body: Code; readonly parameters: readonly ParameterDeclaration[] } {
  const webs = computeWebs(scope);
  const block = structureScope(scope);
  const common = {
    module,
    webs,
    names: module.names.inner(),
    constants: constantsOf(block, webs),
    pointing: pointingSteps(scope, module),
    variables: new Map(),
    ...own,
  };
  const context: FunctionContext = { ...common, parameters: declareParameters(scope, ownParameters, outer, common) };
  const declarations = declareVariables(scope, context);
  const aims = block.some(hasSelect) ? [js.variable("aim", undefined, { type: js.keyword("string") })] : [];
  const work = lowerBlock(block, context);
  const check = windowCheck(scope, context);
  const body = [...check, ...aims, ...work];
  const names = freeNames(body);
  const used = declarations.filter(({ name }) => names.has(name)).map(({ statement }) => statement);
  return {
    body: removeUnreadVariables(placeDeclarations(used, body)),
    parameters: [...context.parameters.values()].map(({ name, type }) => js.parameter(name, type)),
  };
}

/**
 * Outside its window, a scope ends with its initial data:
 * `if (!(await flow.isWithin("window", { from }))) return data;`
 */
function windowCheck({ window, variables }: Scope, context: FunctionContext): Code {
  if (!window || context.isOutermost) return [];
  const [from, until] = [window.from, window.until].map((each) => (each === undefined ? undefined : js.literal(each)));
  const isWithin = js.method(js.name("flow"), "isWithin", [js.literal("window"), js.record({ from, until })]);
  const { input } = context.module.workflow;
  const web = context.webs.initial(input);
  const document = (web && context.variables.get(web.id)) ?? context.parameters.get(input);
  const initial = web ? undefined : variables.find(({ name }) => name === input)?.initial;
  const result = initial ? printInitial(context, initial).code : document ? js.name(document.name) : js.literal(null);
  return [js.ifStatement(js.unary("!", js.awaitExpression(isWithin)), [js.returnStatement(result)])];
}

function hasSelect(item: StructuredItem): boolean {
  return item.kind === "select" || innerBlocks(item).some((block) => block.some(hasSelect));
}

/** Declares its own parameters, and outer variables with their values on entry. */
function declareParameters(
  { variables }: Scope,
  ownParameters: readonly string[],
  outer: readonly string[],
  context: Omit<FunctionContext, "parameters">,
): ReadonlyMap<string, LocalVariable> {
  const declared = new Map<string, LocalVariable>();
  for (const parameter of [...ownParameters, ...outer]) {
    const variable = { ...defaultVariable(parameter, context), name: fresh(context, parameter) };
    declared.set(parameter, variable);
    const web = context.webs.initial(parameter);
    const isHidden =
      !ownParameters.includes(parameter) && variables.some(({ name, initial }) => name === parameter && !initial);
    if (web && !isHidden) context.variables.set(web.id, variable);
  }
  return declared;
}

interface Declaration {
  readonly name: string;
  readonly statement: Code[number];
}

/**
 * Declares variables except constants. One initialized with an outer variable reuses that parameter; one with the
 * initial value of an updated parameter comes after it, so that the value is computed once.
 */
function declareVariables(scope: Scope, context: FunctionContext): readonly Declaration[] {
  const steps = new Map([...createDataFlowGraph(scope)].map(([id, { step }]) => [id, step]));
  const before: Declaration[] = [];
  const after: Declaration[] = [];
  const changes = scope.variables.flatMap((declaration) => updatedParameter(declaration, context));
  for (const web of context.webs.all) {
    if (context.variables.has(web.id) || isHandlerError(web, steps, context)) continue;
    const variable = variableOf(web, steps, context);
    context.variables.set(web.id, variable);
    if (context.constants.has(web.id)) continue;
    const initial = web.isInitial ? scope.variables.find(({ name }) => name === web.variable)?.initial : undefined;
    const same = initial && changes.find((change) => equalExpressions(change.initial, initial));
    const value = same ? readVariable(same.parameter) : initial && printInitial(context, initial);
    (same ? after : before).push({ name: variable.name, statement: declarationOf(web, variable, value) });
  }
  const updates = changes.map(({ parameter, value }): Declaration => {
    return { name: parameter.name, statement: js.assign(parameter.name, castIfNeeded(value, parameter)) };
  });
  return [...before, ...updates, ...after];
}

/** Whether only the handler's block reads an error: that block names it. */
function isHandlerError(
  { id, definitions, variable }: Web,
  steps: ReadonlyMap<string, Step>,
  { constants }: FunctionContext,
): boolean {
  const [only] = definitions;
  const step = constants.has(id) && only !== undefined ? steps.get(only) : undefined;
  return step !== undefined && step.kind !== "assign" && !("bind" in step && step.bind === variable);
}

function declarationOf(web: Web, variable: LocalVariable, initial: PrintedExpression | undefined): VariableDeclaration {
  const { name, type } = variable;
  if (initial) return js.variable(name, castIfNeeded(initial, variable), { type });
  if (!web.isInitial) return js.variable(name, undefined, { type, definite: true });
  return js.variable(name, js.as(js.as(js.literal(null), jsonType), type));
}

interface ParameterUpdate {
  readonly parameter: LocalVariable;
  readonly initial: Expression;
  readonly value: PrintedExpression;
}

function updatedParameter({ name, initial }: Declared, context: FunctionContext): readonly ParameterUpdate[] {
  const parameter = context.parameters.get(name);
  const web = context.webs.initial(name);
  if (!parameter || !initial || !web || context.variables.get(web.id) !== parameter) return [];
  const value = printInitial(context, initial);
  const isItself = value.code.kind === "identifier" && value.code.name === parameter.name;
  return isItself ? [] : [{ parameter, initial, value }];
}

/** Named after the step that defines it, or else the workflow variable. */
function variableOf(web: Web, steps: ReadonlyMap<string, Step>, context: FunctionContext): LocalVariable {
  const [only, ...others] = web.definitions;
  const step = only === undefined || others.length > 0 || web.isInitial ? undefined : steps.get(only);
  if (step?.kind === "receive" && step.bind === web.variable)
    return { name: resultName(step, web, context), use: receivedUse, type: runtimeType("Received"), isPresent: true };
  if (step && context.constants.has(web.id) && "bind" in step && step.bind === web.variable)
    return variableOfResult(step, web, context);
  const isCount = !web.isInitial && context.module.counters.has(web.variable);
  const plain = { ...defaultVariable(web.variable, context), name: fresh(context, web.variable) };
  return isCount ? { ...plain, type: js.keyword("number"), isPresent: true, isCount } : plain;
}

function variableOfResult(step: Step, web: Web, context: FunctionContext): LocalVariable {
  if (step.kind === "call") {
    const words = stepName(context, step.id).split("/").at(-1)!;
    const name = context.names.fresh(camelCase(words), camelCase(`${words} answer`));
    return { name, use: resultUse(context.module, step.function.name), type: jsonType, isPresent: false };
  }
  const name = resultName(step, web, context);
  if (step.kind === "fork") return { name, use: forkUse(step), type: jsonType, isPresent: true };
  return { name, use: opaqueUse, type: jsonType, isPresent: false };
}

/** Named after the construct, so that changes elsewhere do not affect it: `reserveResults` */
const resultName = ({ origin }: Step, { variable }: Web, context: FunctionContext): string =>
  fresh(context, `${origin.name} ${variable}`);

const fresh = ({ names }: Pick<FunctionContext, "names">, wanted: string): string => names.fresh(camelCase(wanted));
