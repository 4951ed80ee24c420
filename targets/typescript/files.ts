import { expressionLimit, unsupportedExpression } from "../../src/diagnostics/data.ts";
import { joinedWorkflows } from "../../src/ir/groups.ts";
import { fileNames } from "../../src/ir/names.ts";
import { versionOf } from "../../src/ir/version.ts";
import { type Program, programOf, type Workflow } from "../../src/ir/workflow.ts";
import { type Block, collectImports, oneLine } from "../../src/js-ast/index.ts";
import { own } from "../../src/json.ts";
import {
  forEachWorkflow,
  type Pass,
  removeDeadStores,
  runPasses,
  separateErrors,
  simplifyBranches,
  simplifyBranchesWithin,
} from "../../src/passes/index.ts";
import type { OutputFile, Settings } from "../../src/target/contract.ts";
import { reusePart } from "../../src/target/reuse.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import { normalizePath } from "../../src/text/uris.ts";
import { createBindingRequest, emitFunctions } from "./bindings/index.ts";
import { codecOf } from "./codec.ts";
import { emittedModule } from "./diagnostics/kinds.ts";
import { functionsInterfaceName, lowerModule } from "./emit/definition.ts";
import { printExpressionModule } from "./emit/expressions.ts";
import { gitAttributes, joinLicenses, markGenerated, runtimeLicense } from "./emit/header.ts";
import { createModule, expressionModulePath, jsonAliases, type Module } from "./emit/module.ts";
import { finalizeModule } from "./emit/names.ts";
import { jsonataModule, queryModule, runtimeModule, runtimePackage } from "./emit/runtime-imports.ts";
import { scriptFiles } from "./emit/scripts.ts";
import { createModulePrinter, type ModulePrinter } from "./emit/source.ts";
import { inferProvenTypes } from "./emit/value-types.ts";
import { graphFile } from "./graphs.ts";
import type { Host } from "./host.ts";
import { checkAttachedSubflows, hostOf } from "./host-selection.ts";
import { projectFiles } from "./project.ts";
import { hostedRuntimeFiles, jsonataFiles, queryFiles } from "./runtime-files.ts";

/** Emits a program for one of the hosts, or reports expressions without an exact form. */
export async function programFiles(
  source: Program,
  hosts: readonly Host[],
  settings: Settings,
  report: Report,
): Promise<readonly OutputFile[] | undefined> {
  const host = hostOf(source, hosts, settings, report);
  if (host === undefined || !checkAttachedSubflows(source, report)) return undefined;
  const names = moduleNames(source, hosts);
  const runtime = runtimeModuleOf(source, settings);
  const print = createModulePrinter(runtime);
  const emittedModules = new Map<string, EmittedModule>();
  for (const workflows of joinedWorkflows(source)) {
    const facts = [host.name, runtime, workflows.map(({ id }) => names.get(id)!)];
    const emitted = await reusePart({ stage: "modules", workflows, facts }, settings, report, (reportOfGroup) =>
      emitGroup(programOf(workflows), { names, print, runtime, hasGraphs: host.hasServer, settings }, reportOfGroup),
    );
    for (const each of emitted ?? []) emittedModules.set(each.workflow.id, each);
  }
  if (emittedModules.size < source.workflows.length) return undefined;
  const modules = source.workflows.map(({ id }) => emittedModules.get(id)!);
  const program = { ...source, ...programOf(modules.map(({ workflow }) => workflow)) };
  const callers = program.workflows.map(
    ({ id }, i) => [id, { name: names.get(id)!, calls: modules[i]!.calls }] as const,
  );
  const request = createBindingRequest(program, new Map(callers), settings, report);
  const codec = codecOf(program, host, hosts, settings, report);
  const emission = await emitFunctions({ ...request, runtime, codec }, report);
  const unsupported = modules.flatMap((module) => module.unsupported);
  for (const { span, reason } of unsupported) report(unsupportedExpression(span, { message: reason }));
  if (unsupported.length > 0) return undefined;
  const indexes = new Map(modules.map(({ files }, i) => [`./${files[0]!.path}`, i]));
  const emitted = modules.flatMap(({ files, version }, i) =>
    files.map((file, index) => ({
      ...file,
      workflow: program.workflows[i]!.id,
      ...(index === 0 ? { release: { version, files: moduleClosure(i, modules, indexes) } } : {}),
    })),
  );
  const project = projectFiles(program, names, emission, { runtime, host, folder: settings.folder });
  const licenseOf = licensesOf(program, settings);
  const files = [
    ...[...emitted, ...project].map((file) => markGenerated(file, licenseOf(file.workflow))),
    ...[
      ...hostedRuntimeFiles(host, runtime),
      ...(modules.some(({ imports }) => imports.has(queryModule)) ? queryFiles(runtime) : []),
      ...(modules.some(({ imports }) => imports.has(jsonataModule)) ? jsonataFiles(runtime) : []),
    ].map((file) => markGenerated(file, runtimeLicense)),
  ];
  const paths = new Set(files.map(({ path }) => `./${path}`));
  for (const { module, span } of emission.modules)
    if (module.startsWith(".") && paths.has(`./${normalizePath(module)}`)) report(emittedModule(span, { module }));
  return [...files, gitAttributes(files.map(({ path }) => path))];
}

/** The package if any configuration says so. */
const runtimeModuleOf = ({ workflows }: Program, { configurationOf: configured }: Settings): string =>
  workflows.some((workflow) => own(configured(workflow).values, "runtime") === "package")
    ? runtimePackage
    : runtimeModule;

/**
 * The licenses of the user's emitted code, as configurations state them: of a workflow's files its own, of those that
 * all workflows share each one.
 */
function licensesOf(
  { workflows }: Program,
  { configurationOf: configured }: Settings,
): (workflow: string | undefined) => string | undefined {
  const stated = workflows.flatMap((workflow) => {
    const license = own(configured(workflow).values, "license");
    return typeof license === "string" ? [[workflow.id, license] as const] : [];
  });
  const byWorkflow = new Map(stated);
  return (workflow) => (workflow === undefined ? joinLicenses([...byWorkflow.values()]) : byWorkflow.get(workflow));
}

/** The files of a module and of those that it imports. `indexes`: the modules by what imports name. */
function moduleClosure(
  first: number,
  modules: readonly EmittedModule[],
  indexes: ReadonlyMap<string, number>,
): readonly string[] {
  const found = new Set([first]);
  for (const i of found) {
    const imported = Array.from(modules[i]!.imports, (name) => indexes.get(name)).filter(
      (index) => index !== undefined,
    );
    for (const other of imported.toSorted((a, b) => a - b)) found.add(other);
  }
  const isRun = ({ path }: OutputFile): boolean => !path.endsWith(".d.ts");
  return [...found].flatMap((i) => modules[i]!.files.filter(isRun).map(({ path }) => path));
}

const passes: readonly Pass<Program, ProvenTypes>[] = [
  {
    ...simplifyBranches,
    run: (program, proven) =>
      programOf(program.workflows.map((each) => simplifyBranchesWithin(each, proven.get(each.id) ?? new Map()))),
  },
  forEachWorkflow(separateErrors),
  forEachWorkflow(removeDeadStores),
];

/** The names of the passes, in order. */
export const passNames: readonly string[] = passes.map(({ name }) => name);

type ProvenTypes = ReturnType<typeof inferProvenTypes>;

/** Runs the passes; returns the program with its proven types, which stay the same if no workflow changes. */
function optimize(source: Program, settings: Settings): { readonly program: Program; readonly proven: ProvenTypes } {
  const proven = inferProvenTypes(source);
  const program = runPasses(passes, source, proven, settings);
  const isSame = program.workflows.every((workflow, i) => workflow === source.workflows[i]);
  return { program, proven: isSame ? proven : inferProvenTypes(program) };
}

/** The module names without extension, by workflow id. No workflow has the name of a host's module. */
export function moduleNames({ workflows }: Program, hosts: readonly Host[]): ReadonlyMap<string, string> {
  const reserved = [
    "main",
    "functions",
    "runtime",
    "runtime.internal",
    "query",
    "jsonata",
    ...hosts.map(({ name }) => name),
  ];
  const ids = workflows.map(({ id }) => id);
  const names = fileNames([...reserved, ...ids]).slice(reserved.length);
  return new Map(names.map((name, i) => [ids[i]!, name]));
}

interface EmittedModule {
  /** As it was emitted. */
  readonly workflow: Workflow;
  /** The module, then those that only it imports. */
  readonly files: readonly OutputFile[];
  readonly version: string;
  readonly imports: ReadonlySet<string>;
  readonly calls: ReadonlySet<string>;
  readonly unsupported: readonly { readonly span: Span; readonly reason: string }[];
}

interface EmissionContext {
  readonly names: ReadonlyMap<string, string>;
  readonly print: ModulePrinter;
  readonly runtime: string;
  readonly hasGraphs: boolean;
  readonly settings: Settings;
}

/** Undefined if one is nested too deeply, which is reported there, or at the first workflow if unknown. */
function emitGroup(source: Program, context: EmissionContext, report: Report): readonly EmittedModule[] | undefined {
  const { names, hasGraphs, settings } = context;
  const [first] = source.workflows;
  const typed = catchNesting(first!.span, report, () => optimize(source, settings));
  if (!typed) return undefined;
  const { program, proven } = typed;
  const modules = program.workflows.map((workflow) =>
    catchNesting(workflow.span, report, () => {
      const made = emitModule(createModule(program, workflow, names, proven.get(workflow.id) ?? new Map()), context);
      if (!hasGraphs) return made;
      return { ...made, files: [...made.files, graphFile(workflow, names.get(workflow.id)!, made.version)] };
    }),
  );
  const emitted = modules.filter((module) => module !== undefined);
  return emitted.length === modules.length ? emitted : undefined;
}

/** Reports work that exceeds the stack. */
function catchNesting<T>(span: Span, report: Report, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(expressionLimit(span, { message: nestingMessage }));
    return undefined;
  }
}

const nestingMessage = "This workflow is nested too deeply for a program.";

function emitModule(module: Module, { print, runtime }: EmissionContext): EmittedModule {
  const { workflow, program } = module;
  const name = module.files.get(workflow.id)!;
  const version = versionOf(workflow, program.byId);
  const declarations = finalizeModule(lowerModule(module, version), jsonAliases(module));
  const imports = new Set(collectImports(declarations).map((each) => each.module));
  const release = `${oneLine(workflow.name, 40)} ${oneLine(workflow.version, 10)}`;
  const title = `${release}, from ${workflow.language}.`;
  const main = { path: `${name}.ts`, text: print(title, declarations) };
  const calls = callsIn(declarations);
  const expressions = collectImports(declarations).find((each) => each.module === expressionModulePath(module));
  const files = [main, ...scriptFiles(workflow, name, runtime)];
  if (!expressions) return { workflow, files, version, imports, calls, unsupported: [] };
  const used = new Set(expressions.names.map((each) => each.exported ?? each.name));
  const compiled = module.parts.compiled.filter((each) => used.has(each.name));
  const { code, unsupported } = printExpressionModule(compiled);
  const text = print(title, code);
  return {
    workflow,
    files: [...files, { path: `${name}.expressions.ts`, text }],
    version,
    imports: new Set([...imports, ...collectImports(code).map((each) => each.module)]),
    calls,
    unsupported: unsupported.map(({ span, reason }) => ({ span: span ?? workflow.span, reason })),
  };
}

const callsIn = (declarations: Block): ReadonlySet<string> =>
  new Set(
    declarations.flatMap((each) =>
      each.kind === "interface" && each.name === functionsInterfaceName ? each.members.map(({ name }) => name) : [],
    ),
  );
