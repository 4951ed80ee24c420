import type { DataFlow } from "../../../src/analysis/types/flow.ts";
import { type Expression, isBinary } from "../../../src/expressions/index.ts";
import { camelCase, type OpenUse, unusedValue } from "../../../src/expressions/js/index.ts";
import { scopesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js, type TypeNode } from "../../../src/js-ast/index.ts";
import { equalJson, type Json } from "../../../src/json.ts";
import { type Type, union } from "../../../src/types/index.ts";
import type { LoweredWait } from "./events.ts";
import type { LoweredFunction } from "./functions.ts";
import { createProgramNames, type NameSpace, pascalCase } from "./names.ts";
import { jsonType } from "./runtime-imports.ts";
import { type SchemaType, schemaType } from "./schemas.ts";
import { scriptModulePath, scriptNames } from "./scripts.ts";

/** The state for lowering a workflow. */
export interface Module {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly files: ReadonlyMap<string, string>;
  readonly exported: string;
  readonly names: NameSpace;
  /** The type names of variables, which become `Json` if no member is used. */
  readonly types: ReadonlyMap<string, string>;
  /** Variables that only count: JavaScript's operators are exact for them. */
  readonly counters: ReadonlySet<string>;
  /** Variables to which steps bind results, elements and errors. */
  readonly bound: ReadonlySet<string>;
  /** The types before each step, for any input. */
  readonly proven: DataFlow["before"];
  /** The type of the workflow variable in all steps, if the input is checked. */
  readonly inputType: Type | undefined;
  readonly schemas: { readonly input: SchemaType | undefined; readonly output: SchemaType | undefined };
  readonly scripts: ReadonlyMap<string, string>;
  readonly parts: ModuleParts;
}

/** Parts collected during lowering, in any order. */
export interface ModuleParts {
  readonly variables: Map<string, OpenUse>;
  readonly results: Map<string, OpenUse>;
  readonly compiled: ExpressionFunction[];
  readonly functions: LoweredFunction[];
  readonly waits: Map<string, LoweredWait>;
  /** Constants of the module, by name. */
  readonly constants: Map<string, Json>;
}

/** An expression computed by its own function. */
export interface ExpressionFunction {
  readonly name: string;
  readonly expression: Expression;
  readonly variables: readonly string[];
  /** Whether it may return undefined. */
  readonly isOptional: boolean;
}

/** Creates the state of a module. */
export function createModule(
  program: Program,
  workflow: Workflow,
  files: ReadonlyMap<string, string>,
  proven: DataFlow["before"],
): Module {
  const names = createProgramNames(reservedNames);
  const exported = names.fresh(camelCase(workflow.id));
  const schemas = schemasOf(workflow, names);
  const types = new Map(variableNames(workflow).map((variable) => [variable, names.fresh(pascalCase(variable))]));
  const counters = findCounters(workflow);
  const parts = {
    variables: new Map(),
    results: new Map(),
    compiled: [],
    functions: [],
    waits: new Map(),
    constants: new Map(),
  };
  return {
    program,
    workflow,
    files,
    exported,
    names,
    types,
    counters,
    bound: boundVariables(workflow),
    proven,
    inputType: schemas.input && provenInputType(workflow, proven),
    schemas,
    scripts: scriptNames(workflow),
    parts,
  };
}

function provenInputType({ input, inputRules }: Workflow, proven: DataFlow["before"]): Type | undefined {
  if (!inputRules) return undefined;
  const types = new Set([...proven.values()].flatMap((before) => before.get(input) ?? []));
  return types.size > 0 && types.size <= maxJoinedTypes ? union(...types) : undefined;
}

/** More types are not joined, since that takes time. */
const maxJoinedTypes = 200;

function schemasOf(
  { inputType, inputSchema, outputType, outputSchema }: Workflow,
  names: NameSpace,
): Module["schemas"] {
  const input = schemaType(inputType, inputSchema, "input", names);
  const isSame = outputSchema !== undefined && outputSchema === inputSchema;
  return { input, output: isSame ? input : schemaType(outputType, outputSchema, "output", names) };
}

/** The name of a constant of the module. */
export function constantNamed(wanted: string, value: Json, { parts: { constants }, names }: Module): string {
  const known = [...constants].find(([, each]) => equalJson(each, value));
  if (known) return known[0];
  const name = names.fresh(wanted);
  constants.set(name, value);
  return name;
}

function variableNames(workflow: Workflow): readonly string[] {
  const declared = scopesOf(workflow).flatMap(({ scope }) => scope.variables.map(({ name }) => name));
  const bound = stepsOf(workflow).flatMap((step) =>
    step.kind === "foreach" ? [step.element, ...(step.index === undefined ? [] : [step.index])] : [],
  );
  return [...new Set([workflow.input, ...declared, ...bound])];
}

/** Variables that are only assigned numbers, or themselves plus a number. */
function findCounters(workflow: Workflow): ReadonlySet<string> {
  const [counting, others] = [new Set<string>(), new Set([workflow.input, ...boundVariables(workflow)])];
  for (const step of stepsOf(workflow)) {
    if (step.kind !== "assign") continue;
    for (const { variable, value } of step.values) (isCounterUpdate(variable, value) ? counting : others).add(variable);
  }
  for (const { scope } of scopesOf(workflow))
    for (const { name, initial } of scope.variables) if (initial) others.add(name);
  return new Set([...counting].filter((variable) => !others.has(variable)));
}

function boundVariables(workflow: Workflow): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const step of stepsOf(workflow)) {
    if ("bind" in step && step.bind !== undefined) bound.add(step.bind);
    if (step.kind === "foreach") for (const name of [step.element, step.index]) bound.add(name ?? step.element);
    if ("handlers" in step) for (const { bind } of step.handlers) if (bind !== undefined) bound.add(bind);
  }
  return bound;
}

const isCounterUpdate = (variable: string, value: Expression): boolean =>
  isFiniteNumber(value) ||
  (isBinary(value) &&
    value.name === "+" &&
    value.args[0].kind === "variable" &&
    value.args[0].name === variable &&
    isFiniteNumber(value.args[1]));

const isFiniteNumber = (value: Expression): boolean => value.kind === "literal" && Number.isFinite(value.value);

/** The exported name of a workflow. */
export const exportedName = (id: string): string => createProgramNames(reservedNames).fresh(camelCase(id));

const reservedNames = ["flow", "_flow", "fn", "_fn", "step", "caught", "aim", "run", "Functions"];

/** The members used of a workflow variable. */
export function useOf({ parts, workflow, schemas, inputType }: Module, variable: string): OpenUse {
  const isInput = variable === workflow.input;
  return getUse(parts.variables, variable, isInput ? unusedValue(schemas.input?.type, inputType) : unusedValue());
}

/** The members used of a function's results. */
export const resultUse = ({ parts }: Module, name: string): OpenUse => getUse(parts.results, name, unusedValue());

function getUse(uses: Map<string, OpenUse>, name: string, unused: OpenUse): OpenUse {
  const use = uses.get(name) ?? unused;
  uses.set(name, use);
  return use;
}

/** The module of compiled expressions. */
export const expressionModulePath = ({ files, workflow }: Module): string =>
  `./${files.get(workflow.id)}.expressions.ts`;

/** A function whose source is in the definition, if it is one. */
export function scriptReference({ scripts, files, workflow }: Module, name: string): Code | undefined {
  const exported = scripts.get(name);
  if (exported === undefined) return undefined;
  return js.member(js.importedNamespace("functions", scriptModulePath(files.get(workflow.id)!)), exported);
}

/** Whether a function whose source is in the definition has the same result for the same argument. */
export const isPureScript = ({ workflow }: Module, name: string): boolean =>
  workflow.functions.some((each) => each.name === name && each.protocol?.kind === "script" && each.protocol.isPure);

/** A workflow of the program, if known. */
export function workflowReference({ program, workflow, files, exported }: Module, id: string): Code | undefined {
  if (!program.byId.has(id)) return undefined;
  return id === workflow.id ? js.name(exported) : js.imported(exportedName(id), `./${files.get(id)}.ts`);
}

/** The type of a variable. */
export function typeOfVariable({ types }: Module, variable: string): TypeNode {
  const name = types.get(variable);
  return name === undefined ? jsonType : js.type(name);
}

/** The type names of variables without used members. */
export const jsonAliases = ({ types, parts }: Module): ReadonlySet<string> =>
  new Set([...types].flatMap(([variable, name]) => (parts.variables.get(variable)?.members.size ? [] : [name])));
