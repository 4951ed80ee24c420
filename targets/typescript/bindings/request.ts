import { contradictingBindings } from "../../../src/diagnostics/configuration.ts";
import type { Protocol } from "../../../src/ir/protocols.ts";
import { scopesOf } from "../../../src/ir/walk.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";
import type { JsExpression, TypeDeclaration } from "../../../src/js-ast/index.ts";
import { equalJson, type JsonObject, own } from "../../../src/json.ts";
import type { ModuleDependencies } from "../../../src/target/contract.ts";
import {
  type Binding,
  emptyConfiguration,
  type Settings,
  type TargetConfiguration,
} from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Span } from "../../../src/text/source.ts";
import { pascalCase } from "../emit/names.ts";
import type { ModuleReference } from "./modules.ts";

/** A function as the generated workflows call it. */
export interface FunctionUse {
  /** Whether it reads secrets; its results are not stored. */
  readonly isReader?: boolean | undefined;
  readonly name: string;
  /** Whether the program may run processes. */
  readonly mayRunProcesses?: boolean | undefined;
  readonly methodName: string;
  readonly resource?: string | undefined;
  readonly protocol?: Protocol | undefined;
  readonly span: Span;
}

/** The input for generating `functions.ts`. */
export interface BindingRequest {
  readonly workflows: readonly CallingWorkflow[];
  /** The types of emitted events, by definition name. */
  readonly events: ReadonlyMap<string, string>;
  readonly settings: TargetConfiguration & Pick<Settings, "read" | "moduleBase" | "inspectModule" | "findDependencies">;
  readonly runtime: string;
  readonly codec?: ModuleReference | undefined;
}

/** A workflow that calls functions: its module exports an interface `Functions`. */
export interface CallingWorkflow {
  readonly id: string;
  /** Such as `./greet.ts`, and the local name of its interface. */
  readonly module: string;
  readonly typeName: string;
  readonly functions: readonly FunctionUse[];
}

/** The generated `functions.ts` and its requirements. */
export interface FunctionsModule {
  readonly text: string;
  readonly modules: readonly BoundModule[];
  readonly hasSinks: boolean;
  readonly hasCodec: boolean;
  /** .proto files to read at run time, relative to the output folder. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly packages: ReadonlyMap<string, string>;
}

/** A module that a configuration names. Paths are relative to the program's folder. */
export interface BoundModule extends ModuleDependencies {
  /** The module specifier. */
  readonly module: string;
  /** The binding or the setting in the configuration. */
  readonly span: Span;
}

/** The implementation of a function. */
export interface Implementation {
  /** Its imported names determine the imports. */
  readonly code: JsExpression;
  /** The comment above it. */
  readonly doc?: string | undefined;
  readonly types?: readonly TypeDeclaration[] | undefined;
  readonly files?: FunctionsModule["files"] | undefined;
}

/** Collects functions and events. `modules`: by workflow id. */
export function createBindingRequest(
  { workflows }: Pick<Program, "workflows">,
  modules: ReadonlyMap<string, CallingModule>,
  settings: Settings,
  report: Report,
): Pick<BindingRequest, "workflows" | "events" | "settings"> {
  const { configurationOf: configured, read, moduleBase, inspectModule, findDependencies } = settings;
  const usesOf = (workflow: Workflow): readonly FunctionUse[] =>
    calledFunctions(workflow, modules.get(workflow.id)!.calls, own(configured(workflow).values, "processes") === true);
  const calling = workflows
    .map((workflow) => ({ workflow, uses: usesOf(workflow) }))
    .filter(({ uses }) => uses.length > 0);
  const typeNames = new Set<string>();
  const needsOf = (workflow: Workflow): ConfigurationUse => ({
    configuration: configured(workflow),
    functions: usesOf(workflow).map(({ name }) => name),
    events: workflow.events.map(({ name }) => name),
  });
  return {
    workflows: calling.map(({ workflow: { id }, uses }) => ({
      id,
      functions: uses,
      module: `./${modules.get(id)!.name}.ts`,
      typeName: typeNameFor(id, typeNames),
    })),
    events: new Map(
      workflows.flatMap(({ events }) =>
        events.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type] as const])),
      ),
    ),
    settings: {
      ...mergeConfigurations(workflows.map(needsOf), report),
      read,
      moduleBase,
      inspectModule,
      findDependencies,
    },
  };
}

interface CallingModule {
  readonly name: string;
  readonly calls: ReadonlySet<string>;
}

/** In the order of their first calls. Unreachable calls are in no module. */
function calledFunctions(
  workflow: Workflow,
  calls: ReadonlySet<string>,
  mayRunProcesses: boolean,
): readonly FunctionUse[] {
  const definitions = new Map(workflow.functions.map((definition) => [definition.name, definition]));
  const uses = new Map<string, FunctionUse>();
  for (const step of scopesOf(workflow).flatMap(({ scope }) => scope.steps)) {
    if (step.kind !== "call") continue;
    const readers = (step.secrets ?? []).map(({ reader }) => reader);
    for (const { name, span } of [...readers, step.function]) {
      if (uses.has(name) || !calls.has(name)) continue;
      const definition = definitions.get(name);
      const { resource, protocol } = definition ?? {};
      uses.set(name, {
        name,
        mayRunProcesses,
        methodName: name,
        resource,
        protocol,
        isReader: readers.length > 0 && name !== step.function.name,
        span: definition?.span ?? span,
      });
    }
  }
  return [...uses.values()];
}

function typeNameFor(id: string, taken: Set<string>): string {
  const wanted = `${pascalCase(id)}Functions`;
  let name = wanted;
  for (let i = 2; taken.has(name); i += 1) name = `${wanted}${i}`;
  taken.add(name);
  return name;
}

interface ConfigurationUse {
  readonly configuration: TargetConfiguration;
  readonly functions: readonly string[];
  readonly events: readonly string[];
}

/** Merges configurations, since a name means one function or event per program. Reports contradictions. */
function mergeConfigurations(needs: readonly ConfigurationUse[], report: Report): TargetConfiguration {
  const merge = (kind: "function" | "event", part: "functions" | "events"): TargetConfiguration["functions"] => {
    const merged = new Map<string, Binding>();
    for (const { configuration: configured, [part]: names } of needs) {
      for (const name of names) {
        const [first, binding] = [merged.get(name), configured[part].get(name)];
        if (binding && !first) merged.set(name, binding);
        if (!binding || !first || isSameBinding(first, binding)) continue;
        const notes = [{ message: "The other configuration is here.", span: first.key }];
        report(contradictingBindings(binding.key, { noun: kind, name }, notes));
      }
    }
    return merged;
  };
  const [one, ...more] = [...new Set(needs.map(({ configuration }) => configuration))];
  if (more.length === 0) return one ?? emptyConfiguration;
  return { ...emptyConfiguration, functions: merge("function", "functions"), events: merge("event", "events") };
}

/** Relative paths are equivalent only in the same configuration. */
function isSameBinding(a: Binding, b: Binding): boolean {
  if (a === b) return true;
  const isRelative = Object.values(a.value as JsonObject).some(
    (value) => typeof value === "string" && /^\.{0,2}[\\/]|#/.test(value),
  );
  return equalJson(a.value, b.value) && (!isRelative || a.document.source === b.document.source);
}
