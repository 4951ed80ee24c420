import {
  type StructuredItem,
  innerBlocks,
  outerReads,
  createDataFlowGraph,
  structureScope,
  type Web,
  computeWebs,
} from "../../../src/cfg/index.ts";
import { type Expression, equalExpressions } from "../../../src/expressions/index.ts";
import type { VariableDeclaration as Declared, Scope, Step } from "../../../src/ir/workflow.ts";
import {
  type Block as Code,
  type FunctionDeclaration,
  freeNames,
  js,
  referencesName,
  type ParameterDeclaration,
  type VariableDeclaration,
} from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import type { Written } from "../../../src/readable/written.ts";
import { jsonType, runtimeType } from "../expressions/runtime.ts";
import { writeBlock } from "./blocks.ts";
import { forkUse } from "./concurrent.ts";
import { constantsOf } from "./constants.ts";
import { declaring, withoutUnread } from "./declarations.ts";
import { arrayUse, receivedUse } from "./known.ts";
import { answerUse, type Module } from "./module.ts";
import { initialAt, type Place, plainVariable, read, type Variable } from "./place.ts";
import { fitted, oneLine, stepName } from "./steps.ts";

/** A scope that becomes a function of the module. */
export interface Body {
  readonly scope: Scope;
  /** Variables that are given to it, before those that it reads from outside. */
  readonly given: readonly string[];
  /** Begins the ids of its steps. */
  readonly prefix: string;
  /** What its name is made of, and another way if that is taken. */
  readonly wanted: readonly [string, string];
  readonly doc: string;
}

/** A function of the module, and how it is called. */
export interface FunctionPart {
  readonly scope: Scope;
  readonly name: string;
  /** The variables of the outer scope that it takes, after the flow, the functions and what is given. */
  readonly parameters: readonly string[];
  readonly usesFlow: boolean;
  readonly usesFunctions: boolean;
  readonly declaration: FunctionDeclaration;
}

/** Writes a scope as a function of the module: `async function reserve(flow: Flow, fn: Functions, data: Data): Promise<Json> { … }` */
export function writeFunction({ scope, given, prefix, wanted, doc }: Body, module: Module): FunctionPart {
  const name = module.names.fresh(camelCase(wanted[0]), camelCase(wanted[1]));
  const parameters = [...outerReads(scope)].filter((variable) => !given.includes(variable)).sort();
  const made = writeScope(scope, { given, outer: parameters, prefix, isOutermost: false }, module);
  const [usesFlow, usesFunctions] = [referencesName(made.body, "flow"), referencesName(made.body, "fn")];
  const flow = usesFlow ? [flowParameter] : [];
  const fn = usesFunctions ? [js.parameter("fn", js.type("Functions"))] : [];
  const declaration = js.functionDeclaration(name, [...flow, ...fn, ...made.parameters], made.body, {
    async: true,
    returns: js.type("Promise", [jsonType]),
    doc: oneLine(doc, 400),
  });
  const part = { scope, name, parameters, usesFlow, usesFunctions, declaration };
  module.found.functions.push(part);
  return part;
}

/** `flow: Flow` */
export const flowParameter: ParameterDeclaration = js.parameter("flow", runtimeType("Flow"));

/** The statements of a function, and its parameters with their types. */
export function writeScope(
  scope: Scope,
  {
    given,
    outer,
    ...own
  }: Pick<Body, "given" | "prefix"> & { readonly outer: readonly string[]; readonly isOutermost: boolean },
  module: Module,
): { readonly body: Code; readonly parameters: readonly ParameterDeclaration[] } {
  const webs = computeWebs(scope);
  const block = structureScope(scope);
  const common = {
    module,
    webs,
    names: module.names.inner(),
    constants: constantsOf(block, webs),
    variables: new Map(),
    ...own,
  };
  const place: Place = { ...common, parameters: declareParameters(scope, given, outer, common) };
  const declarations = declareVariables(scope, place);
  const aims = block.some(hasAim) ? [js.variable("aim", undefined, { type: js.keyword("string") })] : [];
  const work = writeBlock(block, place);
  const check = windowCheck(scope, place);
  const body = [...check, ...aims, ...work];
  const names = freeNames(body);
  const used = declarations.filter(({ name }) => names.has(name)).map(({ statement }) => statement);
  return {
    body: withoutUnread(declaring(used, body)),
    parameters: [...place.parameters.values()].map(({ name, type }) => js.parameter(name, type)),
  };
}

/** Outside its window a scope ends at once, with the document that it begins with: `if (!(await flow.isWithin("window", { from }))) return data;` */
function windowCheck({ window, variables }: Scope, place: Place): Code {
  if (!window || place.isOutermost) return [];
  const [from, until] = [window.from, window.until].map((each) => (each === undefined ? undefined : js.literal(each)));
  const isWithin = js.method(js.name("flow"), "isWithin", [js.literal("window"), js.record({ from, until })]);
  const { input } = place.module.workflow;
  const web = place.webs.initial(input);
  const document = (web && place.variables.get(web.id)) ?? place.parameters.get(input);
  const initial = web ? undefined : variables.find(({ name }) => name === input)?.initial;
  const result = initial ? initialAt(place, initial).code : document ? js.name(document.name) : js.literal(null);
  return [js.ifStatement(js.unary("!", js.awaitExpression(isWithin)), [js.returnStatement(result)])];
}

/** Whether a place in a block notes where a branch by aim goes. */
function hasAim(item: StructuredItem): boolean {
  return item.kind === "select" || innerBlocks(item).some((block) => block.some(hasAim));
}

/** Declares the parameters of a function: what it is given, and the values that variables of the scopes around have on entry. */
function declareParameters(
  { variables }: Scope,
  given: readonly string[],
  outer: readonly string[],
  place: Omit<Place, "parameters">,
): ReadonlyMap<string, Variable> {
  const declared = new Map<string, Variable>();
  for (const parameter of [...given, ...outer]) {
    const variable = { ...plainVariable(parameter, place), name: fresh(place, parameter) };
    declared.set(parameter, variable);
    const web = place.webs.initial(parameter);
    const isHidden =
      !given.includes(parameter) && variables.some(({ name, initial }) => name === parameter && !initial);
    if (web && !isHidden) place.variables.set(web.id, variable);
  }
  return declared;
}

/** The statement that declares a variable, or gives one its first value. */
interface Declaration {
  readonly name: string;
  readonly statement: Code[number];
}

/**
 * Declares the variables of a function that are not declared where they get their only value. A variable that begins with the value of one outside it
 * is that parameter; what begins with the same value as a parameter that is given another one comes after it, so that the value is computed once.
 */
function declareVariables(scope: Scope, place: Place): readonly Declaration[] {
  const steps = new Map([...createDataFlowGraph(scope)].map(([id, { step }]) => [id, step]));
  const before: Declaration[] = [];
  const after: Declaration[] = [];
  const changes = scope.variables.flatMap((declaration) => changedParameter(declaration, place));
  for (const web of place.webs.all) {
    if (place.variables.has(web.id) || isOfHandler(web, steps, place)) continue;
    const variable = variableOf(web, steps, place);
    place.variables.set(web.id, variable);
    if (place.constants.has(web.id)) continue;
    const initial = web.isInitial ? scope.variables.find(({ name }) => name === web.variable)?.initial : undefined;
    const same = initial && changes.find((change) => equalExpressions(change.initial, initial));
    const begun = same ? read(same.parameter) : initial && initialAt(place, initial);
    (same ? after : before).push({ name: variable.name, statement: declarationOf(web, variable, begun) });
  }
  const given = changes.map(({ parameter, value }): Declaration => {
    return { name: parameter.name, statement: js.assign(parameter.name, fitted(value, parameter)) };
  });
  return [...before, ...given, ...after];
}

/** Whether it is an error that only the block of its handler sees: that block names it. */
function isOfHandler(
  { id, definitions, variable }: Web,
  steps: ReadonlyMap<string, Step>,
  { constants }: Place,
): boolean {
  const [only] = definitions;
  const step = constants.has(id) && only !== undefined ? steps.get(only) : undefined;
  return step !== undefined && step.kind !== "assign" && !("bind" in step && step.bind === variable);
}

function declarationOf(web: Web, variable: Variable, initial: Written | undefined): VariableDeclaration {
  const { name, type } = variable;
  if (initial) return js.variable(name, fitted(initial, variable), { type });
  if (!web.isInitial) return js.variable(name, undefined, { type, definite: true });
  return js.variable(name, js.as(js.as(js.literal(null), jsonType), type));
}

/** A parameter that is given the value with which the variable of its name begins, where that is another one. */
interface Change {
  readonly parameter: Variable;
  readonly initial: Expression;
  readonly value: Written;
}

function changedParameter({ name, initial }: Declared, place: Place): readonly Change[] {
  const parameter = place.parameters.get(name);
  const web = place.webs.initial(name);
  if (!parameter || !initial || !web || place.variables.get(web.id) !== parameter) return [];
  const value = initialAt(place, initial);
  const isItself = value.code.kind === "identifier" && value.code.name === parameter.name;
  return isItself ? [] : [{ parameter, initial, value }];
}

/** The variable for a web: named after the step that gives it its one value, or after the variable of the workflow. */
function variableOf(web: Web, steps: ReadonlyMap<string, Step>, place: Place): Variable {
  const [only, ...others] = web.definitions;
  const step = only === undefined || others.length > 0 || web.isInitial ? undefined : steps.get(only);
  if (step?.kind === "receive" && step.bind === web.variable)
    return { name: boundName(step, web, place), use: receivedUse, type: runtimeType("Received"), isPresent: true };
  if (step && place.constants.has(web.id) && "bind" in step && step.bind === web.variable)
    return boundConstant(step, web, place);
  const isCount = !web.isInitial && place.module.counters.has(web.variable);
  const plain = { ...plainVariable(web.variable, place), name: fresh(place, web.variable) };
  return isCount ? { ...plain, type: js.keyword("number"), isPresent: true, isCount } : plain;
}

function boundConstant(step: Step, web: Web, place: Place): Variable {
  if (step.kind === "call") {
    const words = stepName(place, step.id).split("/").at(-1)!;
    const name = place.names.fresh(camelCase(words), camelCase(`${words} answer`));
    return { name, use: answerUse(place.module, step.function.name), type: jsonType, isPresent: false };
  }
  const name = boundName(step, web, place);
  if (step.kind === "fork") return { name, use: forkUse(step), type: jsonType, isPresent: true };
  return { name, use: arrayUse, type: jsonType, isPresent: false };
}

/** A name for what a step gives, by its construct, so that other constructs do not change it: `reserveResults` */
const boundName = ({ origin }: Step, { variable }: Web, place: Place): string =>
  fresh(place, `${origin.name} ${variable}`);

const fresh = ({ names }: Pick<Place, "names">, wanted: string): string => names.fresh(camelCase(wanted));
