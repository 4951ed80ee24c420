import { printProtocol } from "../../../src/ir/protocols.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { incompleteCalls, unboundFunctions } from "../diagnostics/kinds.ts";
import { readBindings, type TypescriptBinding } from "./configured.ts";
import { type Context, implementationOf } from "./implementation.ts";
import { type Implemented, type OwnFunctions, packagesOf, printModule, sinksCode, withLimits } from "./print.ts";
import type { CallingWorkflow, Emission, FunctionUse, Implementation, Request } from "./request.ts";
import { namedTypes, namesOf, nothingShared } from "./shared.ts";

export type { Emission, FunctionUse, Request } from "./request.ts";
export { requestFor } from "./request.ts";

/**
 * The module `functions.ts`: an object that implements the functions of all workflows, each by what the definition or the configuration says of it, and
 * where neither says anything by a failure `NotImplemented`, with a warning.
 */
export async function emitFunctions(request: Request, report: Report): Promise<Emission> {
  const { read, moduleBase, inspectModule, findDependencies } = request.settings;
  const bindings = readBindings(request.settings, report);
  const shared = nothingShared();
  const unbound: FunctionUse[] = [];
  const modules: Context["modules"] = [];
  const incomplete: Context["incomplete"] = [];
  const names = namesOf(request.workflows.map(({ typeName }) => typeName));
  const places = { moduleBase, inspectModule, findDependencies };
  const context: Context = { read, names, report, shared, ...places, unbound, modules, incomplete };
  const { functions, sharing, apart } = sharedFunctions(request.workflows, bindings.functions);
  // One after the other: the names that they take depend on the order.
  const implement = async (uses: readonly FunctionUse[]): Promise<readonly Implemented[]> => {
    const implemented: Implemented[] = [];
    for (const use of uses) {
      const binding = bindings.functions.get(use.name);
      const implementation = await implementationOf(use, binding, context);
      implemented.push({ use, implementation: withLimits(implementation, binding ?? {}) });
    }
    return implemented;
  };
  const implemented = await implement(functions);
  const own: OwnFunctions[] = [];
  for (const workflow of apart) own.push({ workflow, implemented: await implement(workflow.functions) });
  if (unbound[0]) report(unboundFunctions(unbound[0].span, { names: unbound.map(({ name }) => name) }));
  reportIncomplete(incomplete, report);
  const all = [...implemented, ...own.flatMap((each) => each.implemented)];
  const implementations = all.map(({ implementation }) => implementation);
  const sinks = sinksCode(request.events, bindings.events);
  return {
    text: printModule(sharing, implemented, own, { types: namedTypes(shared), sinks, runtime: request.runtime }),
    modules,
    hasSinks: sinks !== undefined,
    files: filesOf(implementations),
    packages: packagesOf(implementations),
  };
}

/** Says once what is needed of which functions. */
function reportIncomplete(incomplete: Context["incomplete"], report: Report): void {
  for (const [needs, calls] of Map.groupBy(incomplete, (each) => each.needs)) {
    const [{ use, hint }] = calls as [(typeof calls)[number]];
    report(incompleteCalls(use.span, { names: calls.map((each) => each.use.name), needs, hint }));
  }
}

/** The functions that workflows share, and who has which. */
interface Shared {
  readonly functions: readonly FunctionUse[];
  readonly sharing: readonly CallingWorkflow[];
  /** The workflows that mean another function by a name than one before them does: these have all their functions for themselves. */
  readonly apart: readonly CallingWorkflow[];
}

/** A name is that of one function in the whole program, unless definitions say themselves that it is not. */
function sharedFunctions(
  workflows: readonly CallingWorkflow[],
  bindings: ReadonlyMap<string, TypescriptBinding>,
): Shared {
  const byName = new Map<string, FunctionUse>();
  const isBound = (name: string): boolean => (bindings.get(name)?.kind ?? "settings") !== "settings";
  const isOther = (use: FunctionUse): boolean => {
    const first = byName.get(use.name);
    return first !== undefined && !isBound(use.name) && areApart(first, use);
  };
  const { sharing = [], apart = [] } = Object.groupBy(workflows, (workflow) => {
    if (workflow.functions.some(isOther)) return "apart";
    for (const use of workflow.functions) if (byName.get(use.name)?.resource === undefined) byName.set(use.name, use);
    return "sharing";
  });
  return { functions: [...byName.values()], sharing, apart };
}

/** Whether definitions say that functions of one name are reached in different ways, or are at different addresses. */
function areApart(first: FunctionUse, second: FunctionUse): boolean {
  if (wayTo(first) !== wayTo(second)) return true;
  const places = [first.resource, second.resource];
  return !places.includes(undefined) && places[0] !== places[1] && places.some(isAddress);
}

const wayTo = ({ protocol }: FunctionUse): string | undefined => protocol && printProtocol(protocol);

const isAddress = (resource: string | undefined): boolean => resource !== undefined && /^https?:\/\//i.test(resource);

/** The files of all functions, each once. */
function filesOf(implementations: readonly Implementation[]): Emission["files"] {
  const byPath = new Map(implementations.flatMap(({ files = [] }) => files).map((file) => [file.path, file]));
  return [...byPath.values()];
}
