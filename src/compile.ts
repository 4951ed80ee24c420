import { analyse, checkNames } from "./analysis/index.ts";
import { definesAll } from "./analysis/references.ts";
import { type Configuration, type ConfigurationOf, graded, settingsFor } from "./configuration/index.ts";
import { checkBoundNames, checkChosenTarget } from "./configuration/names.ts";
import { sortDiagnostics } from "./diagnostics/renderers/sort.ts";
import { type Document, type ReadText, readText } from "./documents/index.ts";
import { type Program, programOf } from "./ir/program.ts";
import type { Check } from "./ir/verify.ts";
import type { Workflow } from "./ir/workflow.ts";
import type { Language, LowerContext } from "./language.ts";
import { readSource, resolveLanguage } from "./languages/detect.ts";
import { mergeOptions, optionsFor } from "./languages/options.ts";
import { suggestKeys } from "./languages/suggestions.ts";
import type { Options } from "./options.ts";
import { noSettings, type OutputFile, type Settings, type Target } from "./target/contract.ts";
import type { WorkflowMetric } from "./target/metrics.ts";
import type { Diagnostic, Report } from "./text/diagnostics.ts";
import type { ResourceReader } from "./text/resources.ts";
import type { Source, Span } from "./text/source.ts";
import { resolveUri } from "./text/uris.ts";
import { type SchemaReader, schemaReader } from "./types/index.ts";

/** What compiling gave, as far as it went. */
export interface Compilation {
  /** The workflows; absent when the definitions have errors. */
  readonly program: Program | undefined;
  /** Empty when any diagnostic is an error, and where no target was given. */
  readonly files: readonly OutputFile[];
  /** Figures of what the target has made. */
  readonly figures: readonly WorkflowMetric[];
  /** Sorted by place. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is given to the compiler: texts and choices, nothing of the machine that it runs on. */
export interface Input {
  readonly sources: readonly Source[];
  /** The name of the language to insist on; found by itself when absent. */
  readonly from?: string | undefined;
  /** The choices for all definitions: they win over those of configurations. */
  readonly options: Options;
  /** The configuration of each definition: its choices, and where functions and events are. Absent: only the definitions say. */
  readonly configurationOf?: ConfigurationOf | undefined;
  /** What reading gave of sources that were read before, with what is recovered of them; the others are read. */
  readonly readings?: ReadonlyMap<Source, ReadText> | undefined;
  /** Larger texts are refused before they are parsed; 4 MiB when absent. */
  readonly maximumBytes?: number | undefined;
  /** Gives the texts that definitions refer to, such as JSON Schemas; absent: none is known. */
  readonly read?: ResourceReader | undefined;
  /** As in `Settings`. */
  readonly moduleBase?: Settings["moduleBase"];
  /** As in `Settings`. */
  readonly inspectModule?: Settings["inspectModule"];
  /** As in `Settings`. */
  readonly findDependencies?: Settings["findDependencies"];
  /** As in `Settings`. */
  readonly folder?: Settings["folder"];
  /** As in `Settings`; workflows as they come from their language it sees too. */
  readonly verify?: Check | undefined;
  /** What there is to say of the choices and of what was read for them. With an error among it no target is asked, which would take for missing what is wrong. */
  readonly remarks?: readonly Diagnostic[] | undefined;
}

/**
 * Compiles definitions for one target, or only checks them when none is given:
 *
 *   each text → documents → (language, schema) → IR ─┐
 *   each text → documents → (language, schema) → IR ─┴→ program → (analysis) → what the target makes → files
 *
 * Each document goes through the stages on its own: an error stops those stages after it that rely on there being none, for that document only. The workflows that pass are one program:
 * subflows find each other. Where some do not, the target still says what it cannot express of the others, and gives no files. Nothing throws for a user's
 * mistake, and nothing but the texts and the options has a say.
 */
export async function compileWith(input: Input, languages: readonly Language[], target?: Target): Promise<Compilation> {
  const made = await compiled(input, languages, target);
  const diagnostics = gradedBy(input, made.diagnostics);
  const fails = diagnostics.some(({ severity }) => severity === "error");
  return fails ? { ...made, program: undefined, files: [], figures: [], diagnostics } : { ...made, diagnostics };
}

/** Diagnostics as the configurations have them: one of a definition as its own has it, one of a configuration as that one does. */
function gradedBy(input: Input, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const configurations = [...bySource(input).keys()];
  const own = new Map(configurations.flatMap((each) => (each.source ? [[each.source, each] as const] : [])));
  const gradesOf = (source: Source) => (own.get(source) ?? input.configurationOf?.(source))?.grades;
  return sortDiagnostics(graded(diagnostics, [...input.sources, ...own.keys()], gradesOf), input.sources);
}

async function compiled(input: Input, languages: readonly Language[], target?: Target): Promise<Compilation> {
  const { sound, ...checked } = examine(input, languages);
  if (!target || sound.length === 0 || !isSound(input.remarks)) return checked;
  const { diagnostics, report } = collector();
  const {
    configurationOf = () => undefined,
    read,
    moduleBase,
    inspectModule,
    findDependencies,
    folder,
    verify,
  } = input;
  const places = { moduleBase, inspectModule, findDependencies, folder };
  const settings = { ...settingsFor(target.name, configurationOf), read, ...places, verify };
  for (const configuration of bySource(input).keys()) checkChosenTarget(configuration, target.name, report);
  const made = await generate(programOf(sound), target, settings);
  const said = sortDiagnostics([...checked.diagnostics, ...diagnostics, ...made.diagnostics], input.sources);
  return { ...(checked.program ? made : checked), diagnostics: said };
}

/** The first half: from texts to a program that is known to be well formed. */
export function check(input: Input, languages: readonly Language[]): Compilation {
  const { sound: _, ...checked } = examine(input, languages);
  return checked;
}

/** The second half: from a checked program to files, or to the reasons why the target cannot express it. */
export async function generate(
  program: Program,
  target: Target,
  settings: Partial<Settings> = {},
): Promise<Compilation> {
  const { diagnostics, report, broken } = collector();
  const made = await target.generate(program, { ...noSettings, ...settings }, report);
  if (made === undefined || broken.size > 0) return { program, files: [], figures: [], diagnostics };
  return { program, files: target.emit(made), figures: target.metrics?.(made) ?? [], diagnostics };
}

/** What checking gave, with the workflows in which no error was found. */
interface Examined extends Compilation {
  readonly sound: readonly Workflow[];
}

function examine(input: Input, languages: readonly Language[]): Examined {
  const documents = new Map<Source, readonly Document[]>();
  const partOf = partsOf(documents);
  const { diagnostics, report, broken } = collector(partOf);
  const schemas = schemaReader(input, report);
  const lowered = input.sources.flatMap((source) => {
    const plain = input.readings?.get(source) ?? readText(source, { maximumBytes: input.maximumBytes, recovers: true });
    const { documents: read, diagnostics: faults } = readSource(languages, source, plain, input.from);
    documents.set(source, read);
    for (const fault of faults) report(fault);
    return read.flatMap((document, index) => lowerDocument(document, index, input, languages, schemas, report));
  });
  const fitting = lowered.filter(({ isWhole }) => isWhole).map(({ workflow }) => workflow);
  const workflows = linked(fitting, languages, (found) => {
    if (!broken.has(partOf(found.span))) report(found);
  });
  const soundAmong = () => workflows.filter(({ span }) => !broken.has(partOf(span)));
  const program = { ...programOf(workflows), unread: unreadParts(workflows, partOf, broken).map(textOf) };
  const wordsIn = (name: string) => languages.find((language) => language.name === name)?.terminology;
  analyse(program, report, wordsIn, partOf, broken);
  for (const part of partsReadAmong(lowered, program, languages, partOf)) checkNames(part, report, wordsIn);
  const sound = soundAmong().filter(definesAll);
  if (input.verify) for (const workflow of sound) input.verify(workflow, "lowering");
  for (const [configuration, sources] of bySource(input)) {
    const isOf = ({ source }: Span): boolean => sources.has(source);
    const own = program.workflows.filter(({ span }) => isOf(span));
    checkBoundNames(configuration, { workflows: own }, [...broken].filter(isOf).map(textOf), report);
  }
  return {
    sound,
    program: broken.size === 0 && isSound(input.remarks) ? program : undefined,
    files: [],
    figures: [],
    diagnostics: sortDiagnostics([...diagnostics, ...(input.remarks ?? [])], input.sources),
  };
}

/** The configurations that there are, each with the definitions that it is for. */
function bySource({ sources, configurationOf }: Input): ReadonlyMap<Configuration, ReadonlySet<Source>> {
  const found = new Map<Configuration, Set<Source>>();
  for (const source of sources) {
    const configuration = configurationOf?.(source);
    if (!configuration) continue;
    if (!found.has(configuration)) found.set(configuration, new Set());
    found.get(configuration)!.add(source);
  }
  return found;
}

const isSound = (remarks: Input["remarks"]): boolean => !remarks?.some(({ severity }) => severity === "error");

/** A workflow as its document gives it. Where that does not fit its schema, the workflow has only a part of it: nothing but its own names are to be looked at. */
interface Lowered {
  readonly workflow: Workflow;
  readonly isWhole: boolean;
}

/** The workflows of which only a part could be read, each with all others to refer to; nothing is unread that it has itself. */
function partsReadAmong(
  lowered: readonly Lowered[],
  { workflows, unread = [] }: Program,
  languages: readonly Language[],
  partOf: PartOf,
): readonly Program[] {
  const parts = lowered.filter(({ isWhole }) => !isWhole).map(({ workflow }) => workflow);
  if (parts.length === 0) return [];
  const all = linked([...workflows, ...parts], languages, () => {});
  return all.slice(workflows.length).map((workflow) => ({
    ...programOf(all),
    workflows: [workflow],
    unread: unread.filter((text) => text !== textOf(partOf(workflow.span))),
  }));
}

/** Of a document with more faults than this, what else is wrong says little. */
const mostFaults = 100;

/** The workflow of a document; one with errors too, as far as it can be made. */
function lowerDocument(
  document: Document,
  index: number,
  input: Input,
  languages: readonly Language[],
  schemaAt: SchemaReader,
  report: Report,
): readonly Lowered[] {
  // Of a text with faults it is no further one that it is not recognised.
  const language = resolveLanguage(document, input.from, languages, document.isRecovered ? () => {} : report);
  if (!language) return [];
  const normal = language.canonicalize(document, report);
  const configuration = input.configurationOf?.(document.source);
  const options = optionsFor(language, mergeOptions(configuration?.options ?? {}, input.options));
  const isBound = (name: string): boolean => (configuration?.functions.get(name)?.by.size ?? 0) > 0;
  const textAt = (uri: string, span: Span) => input.read?.(resolveUri(uri, span.source).path);
  const context = { options, stem: stemOf(document.source, index), schemaAt, textAt, isBound };
  const { workflow, isWhole, diagnostics } = understood(normal, language, context);
  for (const diagnostic of diagnostics) report(diagnostic);
  if (!workflow) return [];
  const trusting = withResults(workflow, configuration);
  return [{ workflow: language.inputs === "objects" ? trusting : { ...trusting, anyInput: true }, isWhole }];
}

/** A workflow that knows what the configuration trusts its functions to answer. */
function withResults(workflow: Workflow, configuration: Configuration | undefined): Workflow {
  const resultOf = (name: string) => configuration?.functions.get(name)?.result;
  if (!workflow.functions.some(({ name }) => resultOf(name))) return workflow;
  const functions = workflow.functions.map((each) => {
    const resultType = resultOf(each.name);
    return resultType ? { ...each, resultType } : each;
  });
  return { ...workflow, functions };
}

/** What a language makes of a normalised document, and what it says of it. */
interface Understood {
  readonly workflow: Workflow | undefined;
  readonly isWhole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** A document as it is written; as it is meant, where names are not defined only because the key for them is misspelt. */
function understood(document: Document, language: Language, context: Omit<LowerContext, "report">): Understood {
  const written = lowered(document, language, context);
  if (!written.workflow || definesAll(written.workflow)) return written;
  for (const { document: other, diagnostic: misspelling } of suggestKeys(
    document,
    language.terminology,
    written.diagnostics,
  )) {
    const meant = understood(other, language, context);
    if (meant.workflow && definitions(meant.workflow) > definitions(written.workflow))
      return { ...meant, isWhole: false, diagnostics: [misspelling, ...meant.diagnostics] };
  }
  return written;
}

const definitions = ({ functions, events }: Workflow): number => functions.length + events.length;

/** What of a document fits its language's schema, as a workflow. */
function lowered(document: Document, language: Language, context: Omit<LowerContext, "report">): Understood {
  const { diagnostics, report } = collector();
  const isWhole = language.validator()(document, report);
  const faults = diagnostics.filter(({ severity }) => severity === "error").length;
  const readable = isWhole ? document : faults > mostFaults ? undefined : language.recover?.(document);
  return { workflow: readable && language.lower(readable, { ...context, report }), isWhole, diagnostics };
}

/** The workflows after each language has looked at its own together. */
function linked(workflows: readonly Workflow[], languages: readonly Language[], report: Report): readonly Workflow[] {
  if (workflows.length < 2) return workflows;
  const found = new Map<Workflow, Workflow>();
  for (const { name, link } of languages) {
    const own = workflows.filter(({ language }) => language === name);
    for (const [i, workflow] of (link?.(own, report, workflows) ?? []).entries()) found.set(own[i]!, workflow);
  }
  return workflows.map((workflow) => found.get(workflow) ?? workflow);
}

/** The parts of which no workflow could be made. */
function unreadParts(workflows: readonly Workflow[], partOf: PartOf, broken: ReadonlySet<Span>): readonly Span[] {
  const understood = new Set(workflows.map(({ span }) => partOf(span)));
  return [...broken].filter((part) => !understood.has(part));
}

/** The name for a workflow that gives none: the file's name without its ending, numbered from the second document on. */
function stemOf({ path }: Source, index: number): string {
  const name = path === "<stdin>" ? "workflow" : path.replace(/^.*[\\/]/, "").replace(/\.[^.]*$/, "");
  return index === 0 ? name : `${name}-${index + 1}`;
}

/** The part of a text that goes through the stages on its own: a document; the whole text for what stands in none. */
type PartOf = (span: Span) => Span;

function partsOf(documents: ReadonlyMap<Source, readonly Document[]>): PartOf {
  const texts = new Map<Source, Span>();
  return ({ source, start }) => {
    const parts = documents.get(source) ?? [];
    let [low, high] = [0, parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parts[middle]!.span.end < start) low = middle + 1;
      else high = middle;
    }
    const part = parts[low]?.span;
    if (part && part.start <= start) return part;
    const whole = texts.get(source) ?? { source, start: 0, end: source.text.length };
    texts.set(source, whole);
    return whole;
  };
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

/** Collects what is reported, and the parts that have errors. */
function collector(partOf: PartOf = partsOf(new Map())): {
  readonly diagnostics: readonly Diagnostic[];
  readonly report: Report;
  readonly broken: ReadonlySet<Span>;
} {
  const diagnostics: Diagnostic[] = [];
  const broken = new Set<Span>();
  const report: Report = (diagnostic) => {
    diagnostics.push(diagnostic);
    if (diagnostic.severity === "error") broken.add(partOf(diagnostic.span));
  };
  return { diagnostics, report, broken };
}
