import { expressionLimit, unsupportedExpression } from "../../src/diagnostics/data.ts";
import { fileNames } from "../../src/ir/names.ts";
import { type Program, programOf } from "../../src/ir/program.ts";
import { versionOf } from "../../src/ir/version.ts";
import { type Block, collectImports } from "../../src/js-ast/index.ts";
import { own } from "../../src/json.ts";
import {
  forEachWorkflow,
  type Pass,
  removeDeadStores,
  runPasses,
  simplifyBranches,
  simplifyBranchesWithin,
} from "../../src/passes/index.ts";
import type { OutputFile, Settings } from "../../src/target/contract.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import { normalizePath } from "../../src/text/uris.ts";
import { createBindingRequest, emitFunctions } from "./bindings/index.ts";
import { emittedModule } from "./diagnostics/kinds.ts";
import { functionsInterfaceName, lowerModule } from "./emit/definition.ts";
import { printExpressionModule } from "./emit/expressions.ts";
import { createModule, expressionModulePath, jsonAliases, type Module } from "./emit/module.ts";
import { finalizeModule } from "./emit/names.ts";
import { runtimeModule, runtimePackage } from "./emit/runtime-imports.ts";
import { scriptFiles } from "./emit/scripts.ts";
import { createModulePrinter, type ModulePrinter } from "./emit/source.ts";
import { inferProvenTypes } from "./emit/value-types.ts";
import { oneLine } from "./format.ts";
import { hostOf } from "./host.ts";
import { projectFiles } from "./project.ts";
import { hostFilesOf, runtimeFiles } from "./runtime-files.ts";

/** All files of a program: its modules, and the runtime that they import. Undefined where something has no exact form, which is reported. */
export async function programFiles(
  given: Program,
  settings: Settings,
  report: Report,
): Promise<readonly OutputFile[] | undefined> {
  const [first] = given.workflows;
  const host = hostOf(given, settings, report);
  if (host === undefined) return undefined;
  const program = first
    ? await catchNesting(first.span, report, () => runPasses(passes, given, inferProvenTypes(given), settings))
    : given;
  if (!program) return undefined;
  const names = moduleNames(program);
  const runtime = runtimeModuleOf(program, settings);
  const modules = await emitModules(program, names, runtime, report);
  if (!modules) return undefined;
  const calling = program.workflows.map(
    ({ id }, i) => [id, { name: names.get(id)!, calls: modules[i]!.calls }] as const,
  );
  const request = createBindingRequest(program, new Map(calling), settings, report);
  const emission = await emitFunctions({ ...request, runtime }, report);
  const refusals = modules.flatMap((module) => module.refusals);
  for (const { span, reason } of refusals) report(unsupportedExpression(span, { message: reason }));
  if (refusals.length > 0) return undefined;
  const made = modules.flatMap(({ files, version }, i) =>
    files.map((file, place) => ({
      ...file,
      workflow: program.workflows[i]!.id,
      ...(place === 0 ? { release: { version, files: moduleClosure(i, modules) } } : {}),
    })),
  );
  const vendored = runtime === runtimeModule ? runtimeFiles : host === "sqlite" ? [] : runtimeReexports;
  const project = projectFiles(program, names, emission, { runtime, host, folder: settings.folder });
  const files = [...made, ...project, ...vendored, ...hostFilesOf(host).files];
  const written = new Set(files.map(({ path }) => `./${path}`));
  for (const { module, span } of emission.modules)
    if (module.startsWith(".") && written.has(`./${normalizePath(module)}`)) report(emittedModule(span, { module }));
  return files;
}

/** Where a program has its runtime from: the package where a configuration of one of its workflows says so. */
const runtimeModuleOf = ({ workflows }: Program, { configurationOf: configured }: Settings): string =>
  workflows.some((workflow) => own(configured(workflow).values, "runtime") === "package")
    ? runtimePackage
    : runtimeModule;

/** The modules of a host find the runtime beside them also where it is a package. */
const runtimeReexports: readonly OutputFile[] = ["runtime.js", "runtime.d.ts"].map((path) => ({
  path,
  text: `export * from ${JSON.stringify(runtimePackage)};\n`,
}));

/** The files of a module of a workflow and of all modules that it imports, in several steps too. */
function moduleClosure(first: number, modules: readonly EmittedModule[]): readonly string[] {
  const found = new Set([first]);
  for (const i of found) {
    const { imports } = modules[i]!;
    for (const [other, { files }] of modules.entries()) if (imports.has(`./${files[0]!.path}`)) found.add(other);
  }
  const isRun = ({ path }: OutputFile): boolean => !path.endsWith(".d.ts");
  return [...found].flatMap((i) => modules[i]!.files.filter(isRun).map(({ path }) => path));
}

/** The passes before the modules are generated. */
const passes: readonly Pass<Program, ProvenTypes>[] = [
  {
    ...simplifyBranches,
    run: (program, proven) =>
      programOf(program.workflows.map((each) => simplifyBranchesWithin(each, proven.get(each.id) ?? new Map()))),
  },
  forEachWorkflow(removeDeadStores),
];

type ProvenTypes = ReturnType<typeof inferProvenTypes>;

/** The names of the program's modules without their endings, by the ids of their workflows. */
export function moduleNames({ workflows }: Program): ReadonlyMap<string, string> {
  const ids = workflows.map(({ id }) => id);
  const names = fileNames([...reservedModules, ...ids]).slice(reservedModules.length);
  return new Map(names.map((name, i) => [ids[i]!, name]));
}

/** The names of the program's other modules. */
const reservedModules: readonly string[] = ["main", "functions", "runtime", "dbos", "restate", "lambda"];

/** The module of a workflow, and what of it has no exact form. */
interface EmittedModule {
  /** The module itself first, then what it has of its own beside it. */
  readonly files: readonly OutputFile[];
  /** The version of what the workflow does. */
  readonly version: string;
  /** What it imports. */
  readonly imports: ReadonlySet<string>;
  /** The functions of the workflow that it calls. */
  readonly calls: ReadonlySet<string>;
  readonly refusals: readonly { readonly span: Span; readonly reason: string }[];
}

/**
 * The modules of all workflows, in their order; undefined where one has none. What is nested more deeply than can be followed is reported at its
 * workflow, or at the first where it is not known which.
 */
async function emitModules(
  program: Program,
  names: ReadonlyMap<string, string>,
  runtime: string,
  report: Report,
): Promise<readonly EmittedModule[] | undefined> {
  const print = createModulePrinter(runtime);
  const [first] = program.workflows;
  const proven = first && (await catchNesting(first.span, report, () => inferProvenTypes(program)));
  if (!first) return [];
  if (!proven) return undefined;
  const modules = await Promise.all(
    program.workflows.map((workflow) =>
      catchNesting(workflow.span, report, () =>
        emitModule(createModule(program, workflow, names, proven.get(workflow.id) ?? new Map()), print, runtime),
      ),
    ),
  );
  const made = modules.filter((module) => module !== undefined);
  return made.length === modules.length ? made : undefined;
}

/** Does some of the work; what is nested more deeply than can be followed is reported, and gives undefined. */
async function catchNesting<T>(span: Span, report: Report, work: () => Promise<T> | T): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(expressionLimit(span, { message: nestingMessage }));
    return undefined;
  }
}

const nestingMessage = "What this workflow does is nested too deeply for a program.";

/** The module of a workflow, with the functions that its expressions need beside it. */
async function emitModule(module: Module, print: ModulePrinter, runtime: string): Promise<EmittedModule> {
  const { workflow, program } = module;
  const name = module.files.get(workflow.id)!;
  const version = versionOf(workflow, program.byId);
  const declarations = finalizeModule(lowerModule(module, version), jsonAliases(module));
  const imports = new Set(collectImports(declarations).map((each) => each.module));
  const release = `${oneLine(workflow.name, 40)} ${oneLine(workflow.version, 10)}`;
  const title = `${release}, from ${workflow.language}. Change the definition, not this file.`;
  const main = { path: `${name}.ts`, text: await print(title, declarations) };
  const calls = callsIn(declarations);
  const beside = collectImports(declarations).find((each) => each.module === expressionModulePath(module));
  const files = [main, ...scriptFiles(workflow, name, runtime)];
  if (!beside) return { files, version, imports, calls, refusals: [] };
  const used = new Set(beside.names.map((each) => each.exported ?? each.name));
  const compiled = module.parts.compiled.filter((each) => used.has(each.name));
  const { text, unsupported: refusals } = printExpressionModule(compiled, runtime);
  return {
    files: [...files, { path: `${name}.expressions.ts`, text }],
    version,
    imports,
    calls,
    refusals: refusals.map(({ span, reason }) => ({ span: span ?? workflow.span, reason })),
  };
}

/** The members of the interface of what a module calls. */
const callsIn = (declarations: Block): ReadonlySet<string> =>
  new Set(
    declarations.flatMap((each) =>
      each.kind === "interface" && each.name === functionsInterfaceName ? each.members.map(({ name }) => name) : [],
    ),
  );
