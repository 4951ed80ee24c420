import { places } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import type { Program } from "../../../src/program.ts";
import type { Settings } from "../../../src/target.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { pascalCase } from "../emit/names.ts";
import type { FunctionUse, Request } from "./functions.ts";
import { mergedConfiguration, type Needs } from "./merged.ts";

/** The module of a workflow. */
export interface CallingModule {
  /** The name of its file without the ending. */
  readonly name: string;
  /** The functions that it calls: the members of the interface `Functions` that it exports where there are some. */
  readonly calls: ReadonlySet<string>;
}

/** What `functions.ts` of a program is made from. `modules`: by the ids of their workflows. */
export function requestFor(
  { workflows }: Pick<Program, "workflows">,
  modules: ReadonlyMap<string, CallingModule>,
  settings: Settings,
  report: Report,
): Request {
  const calling = workflows
    .map((workflow) => ({ workflow, uses: usesIn(workflow, modules.get(workflow.id)!.calls) }))
    .filter(({ uses }) => uses.length > 0);
  const taken = new Set<string>();
  const { configured, read, modulesFrom, moduleNamed } = settings;
  const needsOf = (workflow: Workflow): Needs => ({
    configured: configured(workflow),
    functions: usesIn(workflow, modules.get(workflow.id)!.calls).map(({ name }) => name),
    events: workflow.events.map(({ name }) => name),
  });
  return {
    functions: calling.flatMap(({ uses }) => uses),
    workflows: calling.map(({ workflow: { id } }) => ({
      module: `./${modules.get(id)!.name}.ts`,
      typeName: typeNameFor(id, taken),
    })),
    events: new Map(
      workflows.flatMap(({ events }) =>
        events.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type] as const])),
      ),
    ),
    settings: { ...mergedConfiguration(workflows.map(needsOf), report), read, modulesFrom, moduleNamed },
  };
}

/** The functions that a workflow calls, each once, in the order of their first calls. Calls that no run comes to are in no module. */
function usesIn(workflow: Workflow, calls: ReadonlySet<string>): readonly FunctionUse[] {
  const definitions = new Map(workflow.functions.map((definition) => [definition.name, definition]));
  const uses = new Map<string, FunctionUse>();
  for (const step of places(workflow).flatMap(({ scope }) => scope.steps)) {
    if (step.kind !== "call") continue;
    const { name, span } = step.function;
    if (uses.has(name) || !calls.has(name)) continue;
    const definition = definitions.get(name);
    const { resource, protocol } = definition ?? {};
    uses.set(name, { name, methodName: name, resource, protocol, span: definition?.span ?? span });
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
