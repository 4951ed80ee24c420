import { analysisSteps, checkNames } from "./analysis/index.ts";
import { definesAll } from "./analysis/references.ts";
import { type ConfigurationOf, checkWorkflowPaths, settingsFor } from "./configuration/index.ts";
import { checkBoundNames, checkChosenTarget } from "./configuration/names.ts";
import { bindingsForOtherTargets } from "./diagnostics/configuration.ts";
import { unknownTag } from "./diagnostics/reading.ts";
import { sortDiagnostics } from "./diagnostics/renderers/sort.ts";
import { type Document, type ReadResult, readWithDiagnostics } from "./documents/index.ts";
import { assignEvents } from "./ir/bound-events.ts";
import { sortWorkflows } from "./ir/order.ts";
import { limitRun, withLimitError } from "./ir/run-limit.ts";
import type { VerifyRewrite } from "./ir/verify.ts";
import { stepsOf } from "./ir/walk.ts";
import type { Workflow } from "./ir/workflow.ts";
import { type Program, programOf } from "./ir/workflow.ts";
import type { Language } from "./language.ts";
import { detectLanguage, readSource, resolveLanguage } from "./languages/detect.ts";
import type { Options } from "./options.ts";
import { type Raising, raiseErrors, unbindEvents } from "./passes/index.ts";
import { gradeDiagnostics, sourcesByConfiguration } from "./pipeline/configurations.ts";
import {
  createPickers,
  definitionsIn,
  embeddingContext,
  type NamedDefinition,
  readDefinition,
} from "./pipeline/definitions.ts";
import { buildProgram, linkWorkflows, partialPrograms } from "./pipeline/link.ts";
import { type LoweredWorkflow, lowerDocument } from "./pipeline/lower.ts";
import type { CompileMemo } from "./pipeline/memo.ts";
import { collectDiagnostics, partsOf, textOf } from "./pipeline/parts.ts";
import { checkSubflowInputs } from "./pipeline/subflow-inputs.ts";
import type { WorkflowMetric } from "./target/contract.ts";
import { noSettings, type OutputFile, type Settings, type Target } from "./target/contract.ts";
import { type Diagnostic, type Report, summarizeFacts } from "./text/diagnostics.ts";
import type { Source, Span } from "./text/source.ts";
import type { ResourceReader } from "./text/uris.ts";
import { schemaReader } from "./types/index.ts";

/** The result of a compilation, as far as it went. */
export interface Compilation {
  /** Undefined if the definitions have errors. */
  readonly program: Program | undefined;
  /** Empty if any diagnostic is an error, or if no target was given. */
  readonly files: readonly OutputFile[];
  /** Measurements of the target's output. */
  readonly metrics: readonly WorkflowMetric[];
  /** In the order of the sources, then by position. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The compiler's input: source text and options, nothing of the machine that it runs on. */
export interface Input
  extends Pick<Settings, "moduleBase" | "inspectModule" | "findDependencies" | "folder" | "afterPass"> {
  readonly sources: readonly Source[];
  /** The name of the source language; if omitted, it is detected. */
  readonly from?: string | undefined;
  /** Options for all definitions; they override those of configurations. */
  readonly options: Options;
  /** The names of the definitions to compile of files that embed several; they override those of configurations. */
  readonly pick?: readonly string[] | undefined;
  /** The values of placeholders in definitions, by name; they override those of configurations. */
  readonly placeholders?: ReadonlyMap<string, string> | undefined;
  /** The configuration of each definition; if omitted, none has one. */
  readonly configurationOf?: ConfigurationOf | undefined;
  /** The ids of workflows whose definitions have none; they override those of configurations. */
  readonly workflowIds?: ReadonlyMap<Source, string> | undefined;
  /** Results of sources that were parsed before, with error recovery; the others are parsed here. */
  readonly readings?: ReadonlyMap<Source, ReadResult> | undefined;
  /** Larger sources are rejected before parsing. Default: 4 MiB. */
  readonly maximumBytes?: number | undefined;
  /** Reads files that definitions refer to, such as JSON Schemas; if omitted, none can be read. */
  readonly read?: ResourceReader | undefined;
  /** Verifies each workflow after lowering and after each pass of the target. */
  readonly verify?: VerifyRewrite | undefined;
  /** Results of the last compilation of the same project with the same options and configurations, for several targets. */
  readonly memo?: CompileMemo | undefined;
  /** Diagnostics of the options and configurations themselves. If one is an error, no target is called: it would report what follows from it. */
  readonly inputDiagnostics?: readonly Diagnostic[] | undefined;
  /** Is called before each source and each target of a compilation. */
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined;
  /**
   * Is called between the steps of an asynchronous compilation, each of which blocks the thread: before each source, and
   * before each check of the program. A promise delays the next step; its rejection ends the compilation.
   */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

/** The progress of a compilation: how many sources have been checked, or for how many targets it has generated output. */
export interface CompileProgress {
  readonly done: number;
  readonly total: number;
  /** The target that is next; undefined while sources are checked. */
  readonly target?: string | undefined;
}

/**
 * Compiles definitions for one target, or only checks them if none is given. Steps 1 to 7 are in `check`, step 8 is in `generate`.
 *
 * An error in a document stops the later steps for that document only; the others are still checked, and the target still reports what it cannot express
 * of them. Nothing throws for a user's mistake.
 */
export async function compileWith(input: Input, languages: readonly Language[], target?: Target): Promise<Compilation> {
  const checked = await checkAll(input, languages);
  if (target) input.onProgress?.({ done: 0, total: 1, target: target.name });
  const compilation = target ? await generateChecked(checked, input, target) : checked;
  return gradeCompilation(compilation, input);
}

/** One of several targets of a compilation, with what differs for it. The sources and options are those of the compilation. */
export interface TargetInput extends Pick<Input, "configurationOf" | "moduleBase" | "findDependencies" | "folder"> {
  readonly target: Target;
}

/**
 * Compiles definitions for several targets. They are checked once, and every compilation has the diagnostics of all. With
 * several targets, bindings for one of them are not reported as unused by the others.
 */
export async function compileForEach(
  given: Input,
  languages: readonly Language[],
  targets: readonly TargetInput[],
): Promise<readonly Compilation[]> {
  const input = given.memo ? { ...given, read: given.memo.begin(given.read) } : given;
  const checked = await checkAll(input, languages);
  const all: Compilation[] = [];
  for (const { target, ...own } of targets) {
    input.onProgress?.({ done: all.length, total: targets.length, target: target.name });
    all.push(await generateChecked(checked, { ...input, ...own }, target));
  }
  const isPertinent = ({ code }: Diagnostic): boolean => targets.length === 1 || code !== bindingsForOtherTargets.code;
  const diagnostics = [...new Set([checked, ...all].flatMap((each) => each.diagnostics))].filter(isPertinent);
  const graded = gradeCompilation({ ...checked, diagnostics }, input);
  return all.map((each) => (graded.program ? { ...each, diagnostics: graded.diagnostics } : graded));
}

/** Without output if a diagnostic is an error. */
function gradeCompilation(compilation: Compilation, input: Input): Compilation {
  const diagnostics = summarizeFacts(gradeDiagnostics(input, compilation.diagnostics));
  return hasErrors(diagnostics)
    ? { ...compilation, program: undefined, files: [], metrics: [], diagnostics }
    : { ...compilation, diagnostics };
}

/** Steps 1 to 7: from source text to a well-formed program. The front ends of the languages must be loaded. */
export function check(input: Input, languages: readonly Language[]): Compilation {
  const steps = checkSteps(input, languages);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return compilationOf(step.value);
}

/** Steps 1 to 7. Loads the languages of the definitions. */
export const checkWith = async (input: Input, languages: readonly Language[]): Promise<Compilation> =>
  compilationOf(await checkAll(input, languages));

const compilationOf = ({ sound: _, lowered: __, ...compilation }: Checked): Compilation => compilation;

/** The result of checking, all workflows as they were lowered, and those without errors. */
interface Checked extends Compilation {
  readonly lowered: readonly LoweredWorkflow[];
  readonly sound: readonly Workflow[];
}

async function checkAll(input: Input, languages: readonly Language[]): Promise<Checked> {
  const steps = checkSteps(input, languages);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await step.value?.load?.();
    const paused = input.pause?.();
    if (paused) await paused;
  }
}

/** Checks definitions; yields between steps, and the language of each document before its front end is used. */
function* checkSteps(input: Input, languages: readonly Language[]): Generator<Language | undefined, Checked> {
  // Only the spans are kept: the data of a document is garbage once it is lowered.
  const documents = new Map<Source, readonly Pick<Document, "span">[]>();
  const embeddedFiles = new Map<Source, Span>();
  const partOf = partsOf(documents, embeddedFiles);
  const { diagnostics, report, broken } = collectDiagnostics(partOf);
  const schemas = schemaReader(input, (diagnostic) => {
    input.memo?.forget();
    report(diagnostic);
  });
  const pickers = createPickers(input);
  // Files that embed others come first: what they embed is not a definition of its own.
  const embeds = input.sources.map(({ text }) => languages.some((language) => language.embeds?.test(text)));
  const order = [...input.sources.keys()].sort((a, b) => Number(embeds[b]) - Number(embeds[a]));
  const bySource: (readonly LoweredWorkflow[])[] = [];
  for (const [done, at] of order.entries()) {
    yield undefined;
    input.onProgress?.({ done, total: input.sources.length });
    const source = input.sources[at]!;
    if (embeddedFiles.has(source)) continue;
    const known = input.memo?.find(source);
    if (known) {
      documents.set(source, known.documents);
      for (const diagnostic of known.diagnostics) report(diagnostic);
      if (known.definitions.length > 0) pickers.of(input.configurationOf?.(source)).select(known.definitions);
      bySource[at] = known.lowered;
      continue;
    }
    const own: Diagnostic[] = [];
    const reportOwn: Report = (diagnostic) => {
      own.push(diagnostic);
      report(diagnostic);
    };
    // 1. Read: parse the source into documents with positions.
    const read = readInputSource(source, input, languages);
    documents.set(
      source,
      read.documents.map(({ span }) => ({ span })),
    );
    for (const diagnostic of read.diagnostics) reportOwn(diagnostic);

    const configuration = input.configurationOf?.(source);
    const context = {
      options: input.options,
      configuration,
      workflowIds: input.workflowIds,
      read: input.read,
      schemas,
    };
    const lowered: LoweredWorkflow[] = [];
    const all: NamedDefinition[] = [];
    for (const [index, found] of read.documents.entries()) {
      // 2. Detect the language of each document. If parsing already failed, do not also report an unknown language.
      const language = resolveLanguage(found, input.from, languages, reportOwn);
      if (!language) continue;
      yield language;

      const embedded = definitionsIn(found, language, embeddingContext(configuration, input));
      all.push(...embedded.map(({ id, span }) => ({ id, span })));
      const definitions = pickers.of(configuration).select(embedded);
      if (embedded.some(({ id }) => id !== undefined))
        documents.set(
          source,
          definitions.map(({ span }) => ({ span })),
        );
      for (const definition of definitions) {
        const { document: read, report: reportRead } = readDefinition(definition, reportOwn);
        if (!read) continue;
        if (read.source !== source) embeddedFiles.set(read.source, definition.span);

        // 3. Canonicalize: fold case and aliases to the spelling of the schema.
        const document = language.canonicalize(read, reportRead);

        // 4. Validate the document against its language's schema, and 5. lower it to the IR.
        const { id, name, span } = definition;
        const detected = { document, language, index, id, name, span, isOnly: embedded.length === 1 };
        lowered.push(...lowerDocument(detected, context, reportRead));
      }
    }
    bySource[at] = lowered;
    if (!embeds[at])
      input.memo?.keep(source, { documents: documents.get(source)!, definitions: all, lowered, diagnostics: own });
  }
  const lowered = bySource.flat();
  pickers.reportUnknown(report);

  yield undefined;
  // 6. Link the valid workflows into one program, with the checks of what one starts another with.
  const whole = lowered.filter(({ isWhole }) => isWhole).map(({ workflow }) => workflow);
  const linked = linkWorkflows(whole, languages, (diagnostic) => {
    if (!broken.has(partOf(diagnostic.span))) report(diagnostic);
  });
  const workflows = checkSubflowInputs(linked);
  const program = buildProgram(workflows, partOf, broken);

  yield undefined;
  // 7. Check what holds for every language: names, control flow, data flow, bindings.
  const terminologyOf = (name: string) => languages.find((language) => language.name === name)?.terminology;
  const explained = checkDefinitionPaths(input, program, report);
  const reportOther = (diagnostic: Diagnostic): void => {
    if (!explained.has(diagnostic.span)) report(diagnostic);
  };
  yield* analysisSteps(program, reportOther, terminologyOf, partOf, broken);
  for (const part of partialPrograms(lowered, program, languages, partOf)) checkNames(part, reportOther, terminologyOf);
  const sound = workflows.filter(({ span }) => !broken.has(partOf(span))).filter(definesAll);
  if (input.verify) for (const workflow of sound) input.verify(workflow, "lowering");
  checkBindings(input, program, broken, report);

  return {
    lowered,
    sound,
    program: broken.size === 0 && !hasErrors(input.inputDiagnostics) ? program : undefined,
    files: [],
    metrics: [],
    diagnostics: sortDiagnostics([...diagnostics, ...(input.inputDiagnostics ?? [])], input.sources),
  };
}

/** Tags of templates with other languages are not reported. */
function readInputSource(source: Source, input: Input, languages: readonly Language[]): ReadResult {
  const { maximumBytes, from } = input;
  const plain = input.readings?.get(source) ?? readWithDiagnostics(source, { maximumBytes, recovers: true });
  const { documents, diagnostics } = readSource(languages, source, plain, from);
  const isTag = ({ code }: Diagnostic): boolean => code === unknownTag.code;
  const isForeign =
    diagnostics.some(isTag) && documents.some(({ value }) => detectLanguage(value, languages).kind === "foreign");
  return { documents, diagnostics: isForeign ? diagnostics.filter((each) => !isTag(each)) : diagnostics };
}

function checkBindings(input: Input, program: Program, broken: ReadonlySet<Span>, report: Report): void {
  for (const [configuration, sources] of sourcesByConfiguration(input)) {
    const isConfigured = ({ source }: Span): boolean => sources.has(source);
    const workflows = program.workflows.filter(({ span }) => isConfigured(span));
    checkBoundNames(configuration, { workflows }, [...broken].filter(isConfigured).map(textOf), report);
  }
}

/** Checks the paths of started workflows in configurations; returns the references that these diagnostics explain. */
function checkDefinitionPaths(input: Input, { workflows }: Program, report: Report): ReadonlySet<Span> {
  const defined = new Set(workflows.map(({ id }) => id));
  const explained = new Set<Span>();
  for (const [configuration, sources] of sourcesByConfiguration(input)) {
    const steps = workflows.filter(({ span }) => sources.has(span.source)).flatMap(stepsOf);
    const started = steps.flatMap((step) => (step.kind === "invoke" ? [step.workflow] : []));
    const absent = new Set(started.flatMap(({ name }) => (defined.has(name) ? [] : [name])));
    const missing = checkWorkflowPaths(configuration, input.sources, absent, report);
    for (const { name, span } of started) if (missing.has(name)) explained.add(span);
  }
  return explained;
}

/**
 * Step 8: from a checked program to files, or to the reasons why the target cannot express it. The files do not depend on
 * the order of the sources.
 */
export async function generate(
  program: Program,
  target: Target,
  settings: Partial<Settings> = {},
): Promise<Compilation> {
  const { diagnostics, report, broken } = collectDiagnostics();
  const limited = (workflow: Workflow): Workflow =>
    target.limitsRuns?.(workflow, program) ? withLimitError(workflow) : limitRun(workflow);
  const awaited = awaitedWorkflows(program);
  const raising = ({ id }: Workflow): Raising => ({
    raised: target.raisesProblems ? "none" : target.derivesProblems && !awaited.has(id) ? "observed" : "all",
    defers: target.defersProblems === true,
  });
  const raised = programOf(
    sortWorkflows(program).workflows.map((each) =>
      raiseErrors(limited(assignEvents(unbindEvents(each))), raising(each)),
    ),
  );
  const artifact = await target.generate({ ...program, ...raised }, { ...noSettings, ...settings }, report);
  if (artifact === undefined || broken.size > 0) return { program, files: [], metrics: [], diagnostics };
  return { program, files: target.emit(artifact), metrics: target.metrics?.(artifact) ?? [], diagnostics };
}

/** The ids of the workflows whose errors reach a step that waits for them. */
const awaitedWorkflows = ({ workflows }: Program): ReadonlySet<string> =>
  new Set(
    workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "invoke" && step.wait ? step.workflow.name : [])),
  );

/** Generates from the workflows without errors. If others have errors, only the diagnostics of the target are kept. */
async function generateChecked(checked: Checked, input: Input, target: Target): Promise<Compilation> {
  if (checked.sound.length === 0 || hasErrors(input.inputDiagnostics)) return checked;
  const { diagnostics, report } = collectDiagnostics();
  for (const [configuration, sources] of sourcesByConfiguration(input)) {
    const configured = checked.sound.filter(({ span }) => sources.has(span.source));
    checkChosenTarget(configuration, configured, target, report);
  }
  const { memo, read, moduleBase, inspectModule, findDependencies, folder, verify, afterPass } = input;
  const reuse = memo?.reuseFor(`${target.name} ${folder}`, checked.lowered);
  const program = programOf(checked.sound);
  const { workflows } = sortWorkflows(program);
  const generated = await generate(program, target, {
    ...settingsFor(target.name, input.configurationOf ?? (() => undefined), workflows),
    ...{ read, moduleBase, inspectModule, findDependencies, folder, verify, afterPass, reuse },
  });
  return {
    ...(checked.program ? generated : checked),
    diagnostics: sortDiagnostics([...checked.diagnostics, ...diagnostics, ...generated.diagnostics], input.sources),
  };
}

const hasErrors = (diagnostics: readonly Diagnostic[] = []): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
