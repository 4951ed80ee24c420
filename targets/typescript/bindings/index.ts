import { protocolText } from "../../../src/ir/protocols.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { conflictingResources, incompleteCalls, unboundFunctions } from "../diagnostics/kinds.ts";
import { readBindings } from "./configured.ts";
import { type Context, implementationOf } from "./implementation.ts";
import { type Implemented, packagesOf, printModule, runtimeFiles, sinksCode } from "./print.ts";
import type { Emission, FunctionUse, Implementation, Request } from "./request.ts";
import { namedTypes, namesOf, nothingShared } from "./shared.ts";

export { optionalFiles } from "./print.ts";
export type { Emission, FunctionUse, Request } from "./request.ts";
export { requestFor } from "./request.ts";

/**
 * The module `functions.ts`: an object that implements the functions of all workflows, each by what the definition or the configuration says of it, and
 * where neither says anything by a failure `NotImplemented`, with a warning.
 */
export async function emitFunctions(request: Request, report: Report): Promise<Emission> {
  const { read, modulesFrom, moduleNamed } = request.settings;
  const bindings = readBindings(request.settings, report);
  const shared = nothingShared();
  const unbound: FunctionUse[] = [];
  const modules: Context["modules"] = [];
  const incomplete: Context["incomplete"] = [];
  const names = namesOf(request.workflows.map(({ typeName }) => typeName));
  const context: Context = { read, names, report, shared, modulesFrom, moduleNamed, unbound, modules, incomplete };
  const implemented: Implemented[] = [];
  // One after the other: the names that they take depend on the order.
  for (const use of distinct(request.functions, report)) {
    const implementation = await implementationOf(use, bindings.functions.get(use.name), context);
    implemented.push({ use, implementation });
  }
  if (unbound[0]) report(unboundFunctions(unbound[0].span, { names: unbound.map(({ name }) => name) }));
  reportIncomplete(incomplete, report);
  const implementations = implemented.map(({ implementation }) => implementation);
  const runtime = runtimeFiles(implementations);
  const sinks = sinksCode(request.events, bindings.events);
  return {
    text: printModule(request.workflows, implemented, { types: namedTypes(shared), sinks }),
    modules,
    hasSinks: sinks !== undefined,
    files: filesOf(implementations),
    runtime,
    packages: packagesOf(runtime),
  };
}

/** Says once what is needed of which functions. */
function reportIncomplete(incomplete: Context["incomplete"], report: Report): void {
  for (const [needs, calls] of Map.groupBy(incomplete, (each) => each.needs)) {
    const [{ use, hint }] = calls as [(typeof calls)[number]];
    report(incompleteCalls(use.span, { names: calls.map((each) => each.use.name), needs, hint }));
  }
}

/** Each function once. Two places that definitions say of one function cannot both hold. */
function distinct(uses: readonly FunctionUse[], report: Report): readonly FunctionUse[] {
  const byName = new Map<string, FunctionUse>();
  for (const use of uses) {
    const first = byName.get(use.name);
    const isOther = first && wayTo(first) !== wayTo(use);
    if (!isOther && first?.resource === undefined) byName.set(use.name, use);
    else if (
      isOther ||
      (use.resource !== undefined &&
        use.resource !== first?.resource &&
        [use, first].some((each) => isAddress(each?.resource)))
    ) {
      report(
        conflictingResources(use.span, { name: use.name }, [
          { message: "The other definition stands here.", span: first!.span },
        ]),
      );
    }
  }
  return [...byName.values()];
}

const wayTo = ({ protocol }: FunctionUse): string | undefined => protocol && protocolText(protocol);

const isAddress = (resource: string | undefined): boolean => resource !== undefined && /^https?:\/\//i.test(resource);

/** The files of all functions, each once. */
function filesOf(implementations: readonly Implementation[]): Emission["files"] {
  const byPath = new Map(implementations.flatMap(({ files = [] }) => files).map((file) => [file.path, file]));
  return [...byPath.values()];
}
