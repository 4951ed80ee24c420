import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileWith, type Input } from "../compile.ts";
import type { ReadResult } from "../documents/index.ts";
import { recognisesScenario } from "../scenario/read.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import { type AnalysisContext, type AnalyzedSource, analyzeSource, languageOf, readForEditor } from "./definition.ts";
import type { ProjectFiles, ServerHost, WorkspaceFolder } from "./host.ts";
import { checkScenarios } from "./scenarios.ts";

/** A version of an open file. */
export interface OpenDocument {
  readonly uri: string;
  readonly version: number;
  /** The absolute path; undefined for what is not a file, such as an unsaved document. */
  readonly file: string | undefined;
  readonly folder: WorkspaceFolder;
  readonly source: Source;
  readonly kind: DocumentKind;
}

/** What a file is: only definitions, scenarios and configurations have diagnostics. */
export type DocumentKind = "definition" | "scenarios" | "configuration" | "other";

/** The diagnostics of a file. */
export interface CheckedFile {
  readonly uri: string;
  readonly source: Source;
  readonly diagnostics: readonly Diagnostic[];
}

/** Files with these names are definitions and scenario files, whatever they contain. */
const definitionName = /\.flow\.(?:ya?ml|json)$/i;
const scenariosName = /^(?:.*\.)?scenarios\.(?:ya?ml|json)$/i;

/** An analysis, and the content of the configuration that it relies on. */
interface CachedAnalysis {
  readonly configuration: string | undefined;
  readonly analyzed: AnalyzedSource;
}

const noFiles: ProjectFiles = { configuration: undefined, scenarios: [] };

/** Sources of a program that are searched for the uses of a workflow. */
const maxSearchedSources = 200;

/** The open files, the programs that they belong to, and what is known of both. All of it is recomputed on demand. */
export class Workspace {
  readonly host: ServerHost;
  /** The target whose limits are checked, too. */
  target: string | undefined;
  /** Whether the results of scenarios are shown as messages; otherwise the client shows them. */
  showsReports = true;
  /** Whether the client can create and show files. */
  canCreateFiles = false;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #folders: string[] = [];
  readonly #readings = new WeakMap<Source, ReadResult>();
  readonly #analyses = new WeakMap<Source, CachedAnalysis>();
  readonly #uris = new WeakMap<Source, string>();
  /** The last program of each open definition, by URI. */
  readonly #inputs = new Map<string, Input>();
  readonly #ids = new Map<string, readonly string[]>();
  /** The last analysis without errors of each open definition, by URI. */
  readonly #whole = new Map<string, AnalyzedSource>();

  constructor(host: ServerHost) {
    this.host = host;
  }

  addFolder(uri: string): void {
    const path = pathOf(uri);
    if (path !== undefined) this.#folders.push(path);
  }

  removeFolder(uri: string): void {
    const at = this.#folders.indexOf(pathOf(uri) ?? "");
    if (at >= 0) this.#folders.splice(at, 1);
  }

  get documents(): readonly OpenDocument[] {
    return [...this.#documents.values()];
  }

  document(uri: string): OpenDocument | undefined {
    return this.#documents.get(uri);
  }

  /** Takes a new version of an open file. */
  update(uri: string, version: number, text: string): void {
    const file = pathOf(uri);
    const folder = this.#folderOf(file);
    const source: Source = { path: file === undefined ? uri : displayPath(file, folder.path), text };
    this.#uris.set(source, uri);
    const kind = this.#kindOf(file, source, this.#documents.get(uri)?.kind);
    this.#documents.set(uri, { uri, version, file, folder, source, kind });
  }

  close(uri: string): void {
    this.#documents.delete(uri);
    this.#inputs.delete(uri);
    this.#whole.delete(uri);
    this.#ids.delete(uri);
  }

  #folderOf(file: string | undefined): WorkspaceFolder {
    const containing = this.#folders.filter((path) => file !== undefined && isInside(file, path));
    const path = containing.sort((a, b) => b.length - a.length)[0] ?? (file === undefined ? "/" : resolve(file, ".."));
    const openPaths = () => this.documents.flatMap((each) => each.file ?? []);
    return { path, open: (other) => this.#openFile(other), openPaths };
  }

  #openFile(file: string) {
    const document = this.documents.find((each) => each.file === file);
    return document && { source: document.source, reading: this.readingOf(document.source) };
  }

  #kindOf(file: string | undefined, source: Source, before: DocumentKind | undefined): DocumentKind {
    const name = (file ?? source.path).replace(/^.*[\\/]/, "");
    if (this.host.configurationNames.includes(name)) return "configuration";
    const { documents, diagnostics } = this.readingOf(source);
    if (scenariosName.test(name) || documents.some(({ value }) => recognisesScenario(value))) return "scenarios";
    if (definitionName.test(name)) return "definition";
    if (documents.some((document) => languageOf(document, this.host.languages))) return "definition";
    const isBroken = documents.length === 0 || diagnostics.some(({ severity }) => severity === "error");
    // A file that cannot be read while it is typed remains what it was.
    if (isBroken && before !== undefined && source.text.trim() !== "") return before;
    const isLikely = isBroken && this.host.languages.some(({ sniff }) => sniff?.test(source.text));
    return isLikely ? "definition" : "other";
  }

  readingOf(source: Source): ReadResult {
    const known = this.#readings.get(source) ?? readForEditor(source);
    this.#readings.set(source, known);
    return known;
  }

  /** The analysis of an open definition in the context of its last program. */
  analyze({ source, uri }: OpenDocument): AnalyzedSource {
    const analyzed = this.#analyzeIn(source, this.#inputs.get(uri));
    if (analyzed.parts.length > 0 && analyzed.parts.every(({ isWhole }) => isWhole)) this.#whole.set(uri, analyzed);
    return analyzed;
  }

  /** The analysis of a version remains valid until its configuration changes. */
  #analyzeIn(source: Source, input: Input | undefined): AnalyzedSource {
    const before = input?.sources.find(({ path }) => path === source.path);
    const configuration = before && input?.configurationOf?.(before);
    const known = this.#analyses.get(source);
    const text = configuration?.source?.text;
    if (known && known.configuration === text) return known.analyzed;
    const context = input
      ? { options: input.options, read: input.read, configurationOf: () => configuration }
      : { options: {} };
    const analyzed = analyzeSource(source, this.readingOf(source), this.host.languages, context);
    this.#analyses.set(source, { configuration: text, analyzed });
    return analyzed;
  }

  /** The last analysis of a document without errors. */
  lastWhole = ({ uri }: OpenDocument): AnalyzedSource | undefined => this.#whole.get(uri);

  /** What lowering takes from the last program of a document: its configuration applies to each version. */
  contextOf({ uri }: OpenDocument): AnalysisContext {
    const input = this.#inputs.get(uri);
    if (!input) return { options: {} };
    const before = input.sources.find((each) => this.uriOf(each) === uri);
    return { ...contextOf(input), configurationOf: () => before && input.configurationOf?.(before) };
  }

  /** The program of a definition, with the current content of its files. */
  async readProgram(document: OpenDocument, pause?: Input["pause"]): Promise<Input> {
    const { file, folder, source, uri } = document;
    const found = file === undefined ? undefined : await this.host.readProgram(file, folder, pause);
    const input = found ?? { sources: [source], readings: new Map([[source, this.readingOf(source)]]), options: {} };
    this.#keepSources(input, folder);
    this.#inputs.set(uri, input);
    return input;
  }

  #keepSources({ sources, readings }: Input, folder: WorkspaceFolder): void {
    this.addSources(sources, folder);
    for (const each of sources) {
      const reading = readings?.get(each);
      if (reading && !this.#readings.has(each)) this.#readings.set(each, reading);
    }
  }

  /** The last program of a definition. */
  async programOf(document: OpenDocument): Promise<Input> {
    return this.#inputs.get(document.uri) ?? this.readProgram(document);
  }

  /** The program of the definition at a path that is relative to a folder. */
  async readProgramAt(path: string, folder: WorkspaceFolder): Promise<Input | undefined> {
    const input = await this.host.readProgram(resolve(folder.path, path), folder);
    if (input) this.#keepSources(input, folder);
    return input;
  }

  /** The documents of a program whose current source contains a string, unless they are too many. */
  searchProgram(
    input: Input,
    texts: readonly string[],
  ): { readonly found: readonly AnalyzedSource[]; readonly isPartial: boolean } {
    const sources = input.sources.map((source) => this.#documents.get(this.uriOf(source))?.source ?? source);
    const found = sources.filter((source) => texts.some((text) => source.text.includes(text)));
    return {
      found: found.slice(0, maxSearchedSources).map((source) => this.#analyzeIn(source, input)),
      isPartial: found.length > maxSearchedSources,
    };
  }

  /** The configuration and the scenario files of a document's project. */
  async projectFiles({ file, folder }: OpenDocument): Promise<ProjectFiles> {
    const found = file === undefined ? noFiles : await this.host.readProjectFiles(file, folder);
    this.addSources([...found.scenarios, ...(found.configuration ? [found.configuration] : [])], folder);
    return found;
  }

  /** Remembers the folder that the paths of sources are relative to. */
  addSources(sources: Iterable<Source>, folder: WorkspaceFolder): void {
    for (const each of sources)
      if (!this.#uris.has(each)) this.#uris.set(each, this.#uriOfFile(resolve(folder.path, each.path)));
  }

  /** The URI of the file at a path that a document names. */
  uriBeside({ file }: OpenDocument, path: string): string | undefined {
    return file === undefined ? undefined : this.#uriOfFile(resolve(dirname(file), path));
  }

  /** The URI of a source: that of the open file, otherwise of its path. */
  uriOf = (source: Source): string => this.#uris.get(source) ?? this.#uriOfFile(resolve("/", source.path));

  #uriOfFile(file: string): string {
    return this.documents.find((each) => each.file === file)?.uri ?? pathToFileURL(file).href;
  }

  /** The ids of the workflows of a definition's program, as far as it had no errors. */
  workflowIds({ uri }: OpenDocument): readonly string[] {
    return this.#ids.get(uri) ?? [];
  }

  /**
   * Checks the program of a definition, a scenario file or a configuration; the document itself is among the results.
   * `pause` is called between steps, as in a compilation.
   */
  async check(document: OpenDocument, pause?: Input["pause"]): Promise<readonly CheckedFile[]> {
    const { uri, source, kind, folder } = document;
    if (kind === "other") return [{ uri, source, diagnostics: [] }];
    if (kind === "scenarios") return [{ uri, source, diagnostics: checkScenarios(source, uri, this.host).diagnostics }];
    if (kind === "configuration") {
      const diagnostics = await this.host.checkConfiguration(source, folder);
      return [{ uri, source, diagnostics: diagnostics.filter(({ span }) => span.source === source) }];
    }
    const input = await this.readProgram(document, pause);
    const target = this.host.targets.find(({ name }) => name === this.target);
    const { diagnostics, program } = await compileWith({ ...input, pause }, this.host.languages, target);
    if (program) this.#ids.set(uri, [...program.byId.keys()]);
    const bySource = Map.groupBy(diagnostics, ({ span }) => span.source);
    this.addSources(bySource.keys(), folder);
    const sources = new Set([...input.sources, ...bySource.keys()]);
    return [...sources].map((each) => ({
      uri: this.uriOf(each),
      source: each,
      diagnostics: bySource.get(each) ?? [],
    }));
  }
}

const contextOf = ({ options, configurationOf, read }: Input): AnalysisContext => ({ options, configurationOf, read });

/** The path of a file's URI; undefined for other and malformed ones. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== "" && !path.startsWith("..") && !isAbsolute(path);
}

/** A path as messages show it: relative to the folder of the workspace. */
const displayPath = (file: string, folder: string): string =>
  isInside(file, folder) ? relative(folder, file).replaceAll("\\", "/") : file;
