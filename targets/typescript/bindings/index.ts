import { printProtocol } from "../../../src/ir/protocols.ts";
import { js, type ObjectLiteral } from "../../../src/js-ast/index.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { incompleteCalls, unboundFunctions } from "../diagnostics/kinds.ts";
import { readBindings, type TypescriptBinding } from "./configuration.ts";
import { type BindingContext, implementFunction } from "./implementation.ts";
import { checkExports, locateModule } from "./modules.ts";
import {
  type ImplementedFunction,
  packagesOf,
  printModule,
  sinksCode,
  type WorkflowFunctions,
  withLimits,
} from "./print.ts";
import type { BindingRequest, CallingWorkflow, FunctionsModule, FunctionUse, Implementation } from "./request.ts";
import { createLocalNames, createSharedDocuments, namedTypes } from "./shared.ts";

export type { BindingRequest, FunctionsModule, FunctionUse } from "./request.ts";
export { createBindingRequest } from "./request.ts";

/** Emits `functions.ts`. Functions without a binding or address fail with `NotImplemented` and produce a warning. */
export async function emitFunctions(request: BindingRequest, report: Report): Promise<FunctionsModule> {
  const { read, moduleBase, inspectModule, findDependencies } = request.settings;
  const bindings = readBindings(request.settings, report);
  const shared = createSharedDocuments();
  const unbound: FunctionUse[] = [];
  const modules: BindingContext["modules"] = [];
  const incomplete: BindingContext["incomplete"] = [];
  const names = createLocalNames(request.workflows.map(({ typeName }) => typeName));
  const moduleAccess = { moduleBase, inspectModule, findDependencies };
  const context: BindingContext = { read, names, report, shared, ...moduleAccess, unbound, modules, incomplete };
  const { functions, sharing, separate } = groupFunctions(request.workflows, bindings.functions);
  // Sequential, because the names that are chosen depend on the order.
  const implement = async (uses: readonly FunctionUse[]): Promise<readonly ImplementedFunction[]> => {
    const implemented: ImplementedFunction[] = [];
    for (const use of uses) {
      const binding = bindings.functions.get(use.name);
      const implementation = await implementFunction(use, binding, context);
      implemented.push({ use, implementation: withLimits(implementation, binding ?? {}) });
    }
    return implemented;
  };
  const implemented = await implement(functions);
  const own: WorkflowFunctions[] = [];
  for (const workflow of separate) own.push({ workflow, implemented: await implement(workflow.functions) });
  if (unbound[0]) report(unboundFunctions(unbound[0].span, { names: unbound.map(({ name }) => name) }));
  reportIncomplete(incomplete, report);
  const all = [...implemented, ...own.flatMap((each) => each.implemented)];
  const implementations = all.map(({ implementation }) => implementation);
  const sinks = sinksCode(request.events, bindings.events);
  const codec = request.codec && (await implementCodec(request.codec, context));
  return {
    text: printModule(sharing, implemented, own, { types: namedTypes(shared), sinks, codec, runtime: request.runtime }),
    modules,
    hasSinks: sinks !== undefined,
    hasCodec: codec !== undefined,
    files: filesOf(implementations),
    packages: packagesOf(implementations),
  };
}

/** `{ encode, decode }`, imported from the module of the codec. */
async function implementCodec(
  reference: NonNullable<BindingRequest["codec"]>,
  context: BindingContext,
): Promise<ObjectLiteral> {
  const members = ["encode", "decode"];
  await checkExports(reference, members, context, context.report);
  const located = await locateModule(reference, context);
  context.modules.push(located);
  return js.object(
    members.map((name) => js.property(name, js.imported(name, located.module, context.names.value(name)))),
  );
}

function reportIncomplete(incomplete: BindingContext["incomplete"], report: Report): void {
  for (const [needs, calls] of Map.groupBy(incomplete, (each) => each.needs)) {
    const [{ use, hint }] = calls as [(typeof calls)[number]];
    report(incompleteCalls(use.span, { names: calls.map((each) => each.use.name), needs, hint }));
  }
}

interface FunctionGroups {
  readonly functions: readonly FunctionUse[];
  readonly sharing: readonly CallingWorkflow[];
  /** Workflows for which a name means another function than before. All their functions are separate. */
  readonly separate: readonly CallingWorkflow[];
}

/** A name refers to one function per program unless definitions contradict that. */
function groupFunctions(
  workflows: readonly CallingWorkflow[],
  bindings: ReadonlyMap<string, TypescriptBinding>,
): FunctionGroups {
  const byName = new Map<string, FunctionUse>();
  const isBound = (name: string): boolean => (bindings.get(name)?.kind ?? "settings") !== "settings";
  const isOther = (use: FunctionUse): boolean => {
    const first = byName.get(use.name);
    return first !== undefined && !isBound(use.name) && areDifferent(first, use);
  };
  const { sharing = [], separate = [] } = Object.groupBy(workflows, (workflow) => {
    if (workflow.functions.some(isOther)) return "separate";
    for (const use of workflow.functions) if (byName.get(use.name)?.resource === undefined) byName.set(use.name, use);
    return "sharing";
  });
  return { functions: [...byName.values()], sharing, separate };
}

function areDifferent(first: FunctionUse, second: FunctionUse): boolean {
  if (protocolName(first) !== protocolName(second)) return true;
  const resources = [first.resource, second.resource];
  return !resources.includes(undefined) && resources[0] !== resources[1] && resources.some(isAddress);
}

const protocolName = ({ protocol }: FunctionUse): string | undefined => protocol && printProtocol(protocol);

const isAddress = (resource: string | undefined): boolean => resource !== undefined && /^https?:\/\//i.test(resource);

function filesOf(implementations: readonly Implementation[]): FunctionsModule["files"] {
  const byPath = new Map(implementations.flatMap(({ files = [] }) => files).map((file) => [file.path, file]));
  return [...byPath.values()];
}
