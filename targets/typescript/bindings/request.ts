import { contradictingBindings } from "../../../src/diagnostics/configuration.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { Protocol } from "../../../src/ir/protocols.ts";
import { scopesOf } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { JsExpression, TypeDeclaration } from "../../../src/js-ast/index.ts";
import { equalJson, type JsonObject } from "../../../src/json.ts";
import {
  type Binding,
  emptyConfiguration,
  type Settings,
  type TargetConfiguration,
} from "../../../src/target/contract.ts";
import type { ModuleDependencies } from "../../../src/target/modules.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Span } from "../../../src/text/source.ts";
import { pascalCase } from "../emit/names.ts";

/** A function as the emitted workflows call it. */
export interface FunctionUse {
  /** Whether it looks up secrets for the arguments of calls, which are kept nowhere. */
  readonly isReader?: boolean | undefined;
  /** As the definition calls it. */
  readonly name: string;
  /** The name of the member of `Functions`. */
  readonly methodName: string;
  /** Where the definition says that the function is. */
  readonly resource?: string | undefined;
  /** How the definition says that it is reached. */
  readonly protocol?: Protocol | undefined;
  /** Where the function is defined, or called where no definition defines it. */
  readonly span: Span;
}

/** What `functions.ts` is made from. */
export interface Request {
  /** The workflows that call functions, in order. */
  readonly workflows: readonly CallingWorkflow[];
  /** The types of emitted events, by the names of their definitions. */
  readonly events: ReadonlyMap<string, string>;
  /** Where the configurations say that functions are and events go, and what gives the documents that they name. */
  readonly settings: TargetConfiguration & Pick<Settings, "read" | "moduleBase" | "inspectModule" | "findDependencies">;
  /** Where the program has its runtime from. */
  readonly runtime: string;
}

/** A workflow that calls functions: its module exports an interface `Functions`. */
export interface CallingWorkflow {
  readonly id: string;
  /** `./greet.ts`, and the name to import the interface by. */
  readonly module: string;
  readonly typeName: string;
  /** Those that it calls, each once. */
  readonly functions: readonly FunctionUse[];
}

/** What came of it. */
export interface Emission {
  /** The text of `functions.ts`. */
  readonly text: string;
  /** The modules of users that it imports. */
  readonly modules: readonly BoundModule[];
  /** Whether it says where emitted events go. */
  readonly hasSinks: boolean;
  /** Further files, relative to the output folder: .proto files that are read when the program runs. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The npm packages that are needed, and their versions. */
  readonly packages: ReadonlyMap<string, string>;
}

/** A module that a function is bound to, with what it needs where it runs; paths are from the folder of the program. */
export interface BoundModule extends ModuleDependencies {
  /** As the program imports it. */
  readonly module: string;
  /** Where the configuration names it. */
  readonly span: Span;
}

/** How one function is implemented. */
export interface Implementation {
  /** The expression; the names in it say what has to be imported. */
  readonly code: JsExpression;
  /** What stands above it: where the function is. */
  readonly doc?: string | undefined;
  /** Types to export. */
  readonly types?: readonly TypeDeclaration[] | undefined;
  readonly files?: Emission["files"] | undefined;
}

/** What `functions.ts` of a program is made from. `modules`: by the ids of their workflows. */
export function requestFor(
  { workflows }: Pick<Program, "workflows">,
  modules: ReadonlyMap<string, CallingModule>,
  settings: Settings,
  report: Report,
): Omit<Request, "runtime"> {
  const calling = workflows
    .map((workflow) => ({ workflow, uses: usesIn(workflow, modules.get(workflow.id)!.calls) }))
    .filter(({ uses }) => uses.length > 0);
  const taken = new Set<string>();
  const { configurationOf: configured, read, moduleBase, inspectModule, findDependencies } = settings;
  const needsOf = (workflow: Workflow): Needs => ({
    configured: configured(workflow),
    functions: usesIn(workflow, modules.get(workflow.id)!.calls).map(({ name }) => name),
    events: workflow.events.map(({ name }) => name),
  });
  return {
    workflows: calling.map(({ workflow: { id }, uses }) => ({
      id,
      functions: uses,
      module: `./${modules.get(id)!.name}.ts`,
      typeName: typeNameFor(id, taken),
    })),
    events: new Map(
      workflows.flatMap(({ events }) =>
        events.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type] as const])),
      ),
    ),
    settings: {
      ...mergedConfiguration(workflows.map(needsOf), report),
      read,
      moduleBase,
      inspectModule,
      findDependencies,
    },
  };
}

/** The module of a workflow. */
interface CallingModule {
  /** The name of its file without the ending. */
  readonly name: string;
  /** The functions that it calls: the members of the interface `Functions` that it exports where there are some. */
  readonly calls: ReadonlySet<string>;
}

/** The functions that a workflow calls, each once, in the order of their first calls. Calls that no run comes to are in no module. */
function usesIn(workflow: Workflow, calls: ReadonlySet<string>): readonly FunctionUse[] {
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

/** What one of the workflows of a program needs of its configuration. */
interface Needs {
  readonly configured: TargetConfiguration;
  /** The functions that it calls, and the events that it emits, by their names. */
  readonly functions: readonly string[];
  readonly events: readonly string[];
}

/**
 * What the configurations say of all that the workflows of one program share: a function or an event of one name is one for all of them. Where two configurations
 * say different things of it, that is reported, and the first counts.
 */
function mergedConfiguration(needs: readonly Needs[], report: Report): TargetConfiguration {
  const merge = (kind: "function" | "event", part: "functions" | "events"): TargetConfiguration["functions"] => {
    const merged = new Map<string, Binding>();
    for (const { configured, [part]: names } of needs) {
      for (const name of names) {
        const [first, binding] = [merged.get(name), configured[part].get(name)];
        if (binding && !first) merged.set(name, binding);
        if (!binding || !first || isSame(first, binding)) continue;
        const notes = [{ message: "The other configuration is here.", span: first.key }];
        report(contradictingBindings(binding.key, { noun: kind, name }, notes));
      }
    }
    return merged;
  };
  const [one, ...more] = [...new Set(needs.map(({ configured }) => configured))];
  if (more.length === 0) return one ?? emptyConfiguration;
  return { ...emptyConfiguration, functions: merge("function", "functions"), events: merge("event", "events") };
}

/** Whether two bindings say the same: what starts from the folder of a configuration is the same only there. */
function isSame(a: Binding, b: Binding): boolean {
  if (a === b) return true;
  const isRelative = Object.values(a.value as JsonObject).some(
    (value) => typeof value === "string" && /^\.{0,2}[\\/]|#/.test(value),
  );
  return equalJson(a.value, b.value) && (!isRelative || a.document.source === b.document.source);
}
