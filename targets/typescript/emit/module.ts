import type { DataFlow } from "../../../src/analysis/types/index.ts";
import type { Expression } from "../../../src/expressions/index.ts";
import type { Program } from "../../../src/ir/program.ts";
import { scopesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { type JsExpression as Code, js, type TypeNode } from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import { type OpenUse, unusedValue } from "../../../src/readable/use.ts";
import type { Type } from "../../../src/types/index.ts";
import { jsonType } from "../expressions/runtime.ts";
import type { FunctionPart } from "./functions.ts";
import { type NameScope, namesWith, pascalCase } from "./names.ts";
import { type SchemaType, schemaType } from "./schemas.ts";
import { scriptNames, scriptsPath } from "./scripts.ts";

/** A workflow that becomes a module: what is known of it before anything is written. */
export interface Module {
  readonly program: Program;
  readonly workflow: Workflow;
  /** The names of the program's modules, by the ids of their workflows. */
  readonly files: ReadonlyMap<string, string>;
  /** The name by which it exports the workflow. */
  readonly exported: string;
  readonly names: NameScope;
  /** The names of the types of variables: each becomes `Json` where nothing is looked at in the variable. */
  readonly types: ReadonlyMap<string, string>;
  /** The variables that only ever count: numbers that JavaScript's own operators do for. */
  readonly counters: ReadonlySet<string>;
  /** The shapes of variables before each step, whatever the input is. */
  readonly proven: DataFlow["before"];
  /** The types that the schemas of the workflow say. */
  readonly schemas: { readonly input: SchemaType | undefined; readonly output: SchemaType | undefined };
  /** The names under which a module of JavaScript has the functions whose texts the workflow has, by their own. */
  readonly scripts: ReadonlyMap<string, string>;
  readonly found: Found;
}

/** What comes up while the functions of a module are written. In which order, does not matter. */
export interface Found {
  /** What is looked at in each variable of the workflow. */
  readonly variables: Map<string, OpenUse>;
  /** What is looked at in the answers of each function. */
  readonly answers: Map<string, OpenUse>;
  /** Expressions that have no readable form, with the names of the functions that compute them. */
  readonly compiled: Compiled[];
  /** The functions of branches and iterations. */
  readonly functions: FunctionPart[];
}

/** An expression that is computed by a function of its own. */
export interface Compiled {
  readonly name: string;
  readonly expression: Expression;
  readonly variables: readonly string[];
  /** Whether it may have no output, and then gives undefined. */
  readonly isOptional: boolean;
}

/** A module of which nothing is written yet. */
export function moduleOf(
  program: Program,
  workflow: Workflow,
  files: ReadonlyMap<string, string>,
  proven: DataFlow["before"],
): Module {
  const names = namesWith(taken);
  const exported = names.fresh(camelCase(workflow.id));
  const schemas = schemasOf(workflow, names);
  const types = new Map(variablesOf(workflow).map((variable) => [variable, names.fresh(pascalCase(variable))]));
  const counters = countersOf(workflow);
  const found = { variables: new Map(), answers: new Map(), compiled: [], functions: [] };
  return {
    program,
    workflow,
    files,
    exported,
    names,
    types,
    counters,
    proven,
    schemas,
    scripts: scriptNames(workflow),
    found,
  };
}

function schemasOf(
  { inputType, inputSchema, outputType, outputSchema }: Workflow,
  names: NameScope,
): Module["schemas"] {
  const input = schemaType(inputType, inputSchema, "input", names);
  const isSame = outputSchema !== undefined && outputSchema === inputSchema;
  return { input, output: isSame ? input : schemaType(outputType, outputSchema, "output", names) };
}

/** The names of a workflow's variables, the input first. */
function variablesOf(workflow: Workflow): readonly string[] {
  const declared = scopesOf(workflow).flatMap(({ scope }) => scope.variables.map(({ name }) => name));
  const bound = stepsOf(workflow).flatMap((step) =>
    step.kind === "foreach" ? [step.element, ...(step.index === undefined ? [] : [step.index])] : [],
  );
  return [...new Set([workflow.input, ...declared, ...bound])];
}

/** The variables that get numbers, and themselves with a number added, and nothing else. */
function countersOf(workflow: Workflow): ReadonlySet<string> {
  const [counting, others] = [new Set<string>(), new Set([workflow.input])];
  for (const step of stepsOf(workflow)) {
    if ("bind" in step && step.bind !== undefined) others.add(step.bind);
    if (step.kind === "foreach") for (const name of [step.element, step.index]) others.add(name ?? step.element);
    if ("handlers" in step) for (const { bind } of step.handlers) if (bind !== undefined) others.add(bind);
    if (step.kind !== "assign") continue;
    for (const { variable, value } of step.values) (counts(variable, value) ? counting : others).add(variable);
  }
  for (const { scope } of scopesOf(workflow))
    for (const { name, initial } of scope.variables) if (initial) others.add(name);
  return new Set([...counting].filter((variable) => !others.has(variable)));
}

const counts = (variable: string, value: Expression): boolean =>
  isFiniteNumber(value) ||
  (value.kind === "binary" &&
    value.operator === "+" &&
    value.left.kind === "variable" &&
    value.left.name === variable &&
    isFiniteNumber(value.right));

const isFiniteNumber = (value: Expression): boolean => value.kind === "literal" && Number.isFinite(value.value);

/** The name by which the module of a workflow exports it. */
export const exportedName = (id: string): string => namesWith(taken).fresh(camelCase(id));

const taken = ["flow", "_flow", "fn", "_fn", "step", "caught", "aim", "run", "Functions"];

/** What is looked at in a variable of the workflow. */
export const useOf = ({ found, workflow, schemas }: Module, variable: string): OpenUse =>
  known(found.variables, variable, variable === workflow.input ? schemas.input?.type : undefined);

/** What is looked at in the answers of a function. */
export const answerUse = ({ found }: Module, name: string): OpenUse => known(found.answers, name);

function known(uses: Map<string, OpenUse>, name: string, type?: Type): OpenUse {
  const use = uses.get(name) ?? unusedValue(type);
  uses.set(name, use);
  return use;
}

/** Where a module has what computes its expressions that have no readable form. */
export const compiledModule = ({ files, workflow }: Module): string => `./${files.get(workflow.id)}.expressions.ts`;

/** A function whose text the workflow has, as the module knows it; undefined for one that is elsewhere. */
export function scriptNamed({ scripts, files, workflow }: Module, name: string): Code | undefined {
  const exported = scripts.get(name);
  return exported === undefined ? undefined : js.imported(exported, scriptsPath(files.get(workflow.id)!));
}

/** A workflow of the program, as the module knows it: itself, or what another module exports; undefined where there is none of that id. */
export function workflowNamed({ program, workflow, files, exported }: Module, id: string): Code | undefined {
  if (!program.byId.has(id)) return undefined;
  return id === workflow.id ? js.name(exported) : js.imported(exportedName(id), `./${files.get(id)}.ts`);
}

/** The type of a variable. */
export function typeOfVariable({ types }: Module, variable: string): TypeNode {
  const name = types.get(variable);
  return name === undefined ? jsonType : js.type(name);
}

/** The names of the types of variables in which nothing is looked at. */
export const plainTypes = ({ types, found }: Module): ReadonlySet<string> =>
  new Set([...types].flatMap(([variable, name]) => (found.variables.get(variable)?.members.size ? [] : [name])));
