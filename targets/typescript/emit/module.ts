import type { Types } from "../../../src/analysis/types/index.ts";
import type { Expression } from "../../../src/expressions/index.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Program } from "../../../src/program.ts";
import { type OpenUse, unusedValue } from "../expressions/use.ts";
import { proven } from "./knowledge.ts";
import { camelCase, type Names, namesWith, pascalCase } from "./names.ts";
import { type SchemaType, schemaType } from "./schemas.ts";

/** The module of one workflow while it is written: what its text turns out to need. */
export interface Module {
  readonly program: Program;
  readonly workflow: Workflow;
  /** The names of the program's modules, by the ids of their workflows. */
  readonly files: ReadonlyMap<string, string>;
  /** The name by which it exports the workflow. */
  readonly exported: string;
  readonly names: Names;
  /** Functions of the expressions' runtime that are called, and the names they are called by. */
  readonly helpers: Map<string, string>;
  /** Names imported from the workflow runtime. */
  readonly imports: Set<string>;
  /** Workflows that are started, by their ids: the names by which they are exported, and called here. */
  readonly workflows: Map<string, { readonly name: string; readonly exported: string }>;
  /** Expressions that have no readable form, with the names of the functions that compute them. */
  readonly compiled: Compiled[];
  /** What is looked at in each variable of the workflow. */
  readonly variables: Map<string, OpenUse>;
  /** The names of the types of variables. */
  readonly types: Map<string, string>;
  readonly functions: Map<string, FunctionUse>;
  /** The shapes of variables before each step, whatever the input is. */
  readonly proven: Types["before"];
  /** The types that the schemas of the workflow say. */
  readonly schemas: { readonly input: SchemaType | undefined; readonly output: SchemaType | undefined };
  /** The functions of branches and iterations, in the order in which they are to stand. */
  readonly sections: Section[];
}

/** An expression that is computed by a function of its own. */
export interface Compiled {
  readonly name: string;
  readonly expression: Expression;
  readonly variables: readonly string[];
  /** Whether it gives its one value, and no array of its outputs. */
  readonly isOne: boolean;
}

/** How a function is called. */
export interface FunctionUse {
  /** The types of the arguments of its calls; the same one each time, or several. */
  readonly arguments: Set<string>;
  /** What is looked at in its answers. */
  readonly answer: OpenUse;
}

/** A named function of the module. */
export interface Section {
  readonly name: string;
  readonly doc: string;
  readonly text: string;
}

/** A module of which nothing is written yet. */
export function moduleOf(program: Program, workflow: Workflow, files: ReadonlyMap<string, string>): Module {
  const names = namesWith(taken);
  const exported = names.fresh(camelCase(workflow.id));
  return {
    exported,
    names,
    program,
    workflow,
    files,
    helpers: new Map(),
    imports: new Set(["defineWorkflow", "type Flow", "type Json"]),
    workflows: new Map(),
    compiled: [],
    variables: new Map(),
    types: new Map(),
    functions: new Map(),
    sections: [],
    proven: proven(program, workflow),
    schemas: schemasOf(workflow, names),
  };
}

function schemasOf({ inputShape, inputSchema, outputShape, outputSchema }: Workflow, names: Names): Module["schemas"] {
  const input = schemaType(inputShape, inputSchema, "input", names);
  const isSame = outputSchema !== undefined && outputSchema === inputSchema;
  return { input, output: isSame ? input : schemaType(outputShape, outputSchema, "output", names) };
}

/** The name by which the module of a workflow exports it. */
export const exportedName = (id: string): string => namesWith(taken).fresh(camelCase(id));

const taken =
  "flow fn _fn step caught aim run item item2 item3 item4 Functions Flow Json Step Received ErrorValue WorkflowError RunEnd defineWorkflow errorOf failure undefined".split(
    " ",
  );

/** What is looked at in a variable of the workflow. */
export function useOf({ variables }: Module, variable: string): OpenUse {
  const known = variables.get(variable) ?? unusedValue();
  variables.set(variable, known);
  return known;
}

/** How a function is called, so far. */
export function functionUse({ functions }: Module, name: string): FunctionUse {
  const known = functions.get(name) ?? { arguments: new Set<string>(), answer: unusedValue() };
  functions.set(name, known);
  return known;
}

/** Imports something from the workflow runtime. */
export function imported({ imports }: Module, name: string): string {
  imports.add(name);
  return name.replace(/^type /, "");
}

/** The name by which a workflow of the program is called in the module; undefined where there is none of that id. */
export function importedWorkflow(
  { program, workflow, workflows, names, exported }: Module,
  id: string,
): string | undefined {
  if (!program.byId.has(id)) return undefined;
  const known = workflows.get(id)?.name ?? (id === workflow.id ? exported : names.fresh(camelCase(id)));
  workflows.set(id, { name: known, exported: exportedName(id) });
  return known;
}

/** The name of the type of a variable, marked as one: it becomes `Json` where nothing is looked at in the variable. */
export function typeOfVariable(module: Module, variable: string): string {
  const known = module.types.get(variable) ?? module.names.fresh(pascalCase(variable));
  module.types.set(variable, known);
  return `\ue000${known}\ue001`;
}

/** A text in which types of variables are named, or are `Json` where nothing is looked at. */
export function withTypes({ types, variables }: Module, text: string): string {
  const plain = new Set(
    [...types].flatMap(([variable, name]) => ((variables.get(variable)?.members.size ?? 0) === 0 ? [name] : [])),
  );
  return text
    .replace(/ as \ue000(\w+)\ue001/g, (whole, name: string) => (plain.has(name) ? "" : whole))
    .replace(/\ue000(\w+)\ue001/g, (_, name: string) => (plain.has(name) ? "Json" : name));
}
