import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Input } from "../compile.ts";
import { describeErrno } from "../errno.ts";
import { equalJson, isObject, type Json, own } from "../json.ts";
import { manifestName } from "../output/manifest.ts";
import type { OutputFile } from "../target/contract.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { copySource, type Source, type Span } from "../text/source.ts";
import type { Resource, ResourceReader } from "../text/uris.ts";
import { trustsAnyTypes } from "./build-session.ts";
import type { OpenProject } from "./projects.ts";
import { createResourceReader } from "./read.ts";
import { version } from "./registry.ts";
import type { Terminal } from "./terminal.ts";

// The record of a build without errors. A build is skipped only if all that it read and wrote is unchanged: the files that globs match, the
// configurations that apply to them, referenced files, the compiler, and the outputs. Its warnings are reported again. A build that read modules is not
// recorded, because what it depends on is not known exactly.

/** The counts of a recorded build. */
export interface BuildCounts {
  readonly definitions: number;
  readonly files: number;
  readonly bytes: number;
}

/** The last build of a project, and what it reported. */
export interface RecordedBuild {
  readonly counts: BuildCounts;
  readonly diagnostics: readonly Diagnostic[];
}

/** The cache of one project for one set of flags. */
export interface BuildCache {
  /** The last build, if building again would change nothing. */
  find(): Promise<RecordedBuild | undefined>;
  /** Observes what a compilation reads. */
  observe(input: Input): Input;
  /** Observes the search for dependencies of one output. */
  observeDependencies(find: Input["findDependencies"]): Input["findDependencies"];
  /** Records a build without errors. */
  store(input: Input, outputs: readonly WrittenFolder[], build: RecordedBuild): Promise<void>;
}

/** An output folder and the files that a build generated for it. */
export interface WrittenFolder {
  /** Absolute. */
  readonly folder: string;
  readonly files: readonly OutputFile[];
}

/** Opens the cache of a project, in `node_modules/.cache` at or above its folder; undefined if there is no such folder. */
export function openBuildCache(
  project: OpenProject,
  flags: readonly (string | boolean | undefined)[],
  terminal: Terminal,
): BuildCache | undefined {
  const modules = nodeModulesAbove(project.folder);
  // What the code of plug-ins depends on is unknown.
  if (modules === undefined || (project.configuration.plugins ?? []).length > 0) return undefined;
  const key = JSON.stringify([project.folder, terminal.cwd, ...flags.map((flag) => flag ?? null)]);
  const file = join(modules, ".cache", "waybill", `${digest(key)}.json`);
  const resources = new Map<string, string>();
  let isOpaque = false;
  const opaque = <Args extends unknown[], Result>(act: ((...args: Args) => Result) | undefined) =>
    act &&
    ((...args: Args): Result => {
      isOpaque = true;
      return act(...args);
    });
  let before: Json | undefined;
  return {
    async find() {
      before = await inputState(project, terminal);
      const record = readRecord(file);
      if (before === undefined || !isObject(record)) return undefined;
      const current = { compiler: compilerState(), key, input: before };
      if (!Object.entries(current).every(([name, value]) => equalJson(own(record, name) ?? null, value)))
        return undefined;
      if (!isUnchanged(record, "resources", resourceState(project, terminal))) return undefined;
      if (!isUnchanged(record, "outputs", fileState)) return undefined;
      const diagnostics = readDiagnostics(own(record, "diagnostics") ?? null, project, terminal);
      return diagnostics && { counts: own(record, "counts") as unknown as BuildCounts, diagnostics };
    },
    observe: (input) => ({
      ...input,
      read: input.read && observeReader(input.read, resources),
      inspectModule: opaque(input.inspectModule),
    }),
    observeDependencies: (find) => opaque(find),
    async store(input, outputs, { counts, diagnostics }) {
      if (isOpaque || trustsAnyTypes(input) || before === undefined || !readWhatWasSeen(input, before)) return;
      const after = await inputState(project, terminal);
      if (after === undefined || !equalJson(before, after)) return;
      writeRecord(file, {
        compiler: compilerState(),
        key,
        input: before,
        resources: [...resources].map(([path, state]) => [path, state]),
        outputs: outputs.flatMap(writtenState),
        counts: { ...counts },
        diagnostics: storedDiagnostics(diagnostics),
      });
    },
  };
}

const digest = (data: string | Uint8Array): string => hash("sha256", data, "hex");

function nodeModulesAbove(folder: string): string | undefined {
  const modules = join(folder, "node_modules");
  if (existsSync(modules)) return modules;
  return dirname(folder) === folder ? undefined : nodeModulesAbove(dirname(folder));
}

/** The version, and what identifies the code of an unreleased one. */
function compilerState(): string {
  const self = fileURLToPath(import.meta.url);
  const root = resolve(self, "../../..");
  const code = self.endsWith(".ts") ? ["src", "targets"].flatMap((name) => filesBelow(join(root, name))) : [self];
  const states = code.map((path) => {
    const { mtimeMs, size } = statSync(path);
    return [path, mtimeMs, size].join(" ");
  });
  return digest([version, process.version, ...states].join("\n"));
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort();
}

/** Diagnostics as JSON, with paths instead of sources. */
const storedDiagnostics = (diagnostics: readonly Diagnostic[]): Json =>
  JSON.parse(
    JSON.stringify(diagnostics, (_, value: unknown) =>
      isSpan(value) ? { path: value.source.path, start: value.start, end: value.end } : value,
    ),
  ) as Json;

const isSpan = (value: unknown): value is Span =>
  isObject(value) && isObject(value["source"]) && typeof value["start"] === "number";

/** Diagnostics of a record about files that have not changed; undefined if one cannot be read. */
function readDiagnostics(
  stored: Json,
  { configurations }: OpenProject,
  { cwd }: Terminal,
): readonly Diagnostic[] | undefined {
  const sources = new Map<Json, Source | undefined>(configurations.sources().map((source) => [source.path, source]));
  const sourceAt = (path: string): Source | undefined => {
    if (!sources.has(path)) sources.set(path, readText(path, cwd));
    return sources.get(path);
  };
  let isComplete = Array.isArray(stored);
  const diagnostics: unknown = JSON.parse(JSON.stringify(stored), (_, value: unknown) => {
    if (!isObject(value) || typeof value["path"] !== "string" || typeof value["start"] !== "number") return value;
    const source = sourceAt(value["path"]);
    isComplete &&= source !== undefined;
    return { source, start: value["start"], end: value["end"] };
  });
  return isComplete ? (diagnostics as readonly Diagnostic[]) : undefined;
}

function readText(path: string, cwd: string): Source | undefined {
  try {
    return copySource({ path, text: readFileSync(resolve(cwd, path), "utf8") });
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return undefined;
  }
}

/** The content of a file; undefined if it cannot be read. */
function fileState(path: string): string | undefined {
  try {
    return digest(readFileSync(path));
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return undefined;
  }
}

/** The matched files and their configurations; undefined if one is unreadable. */
async function inputState({ files, configurations }: OpenProject, { cwd }: Terminal): Promise<Json | undefined> {
  const states: Json[] = [];
  for (const { path, inFolder } of files()) {
    const place = resolve(cwd, path);
    const state = fileState(place);
    if (state === undefined) return undefined;
    await configurations.load(place);
    states.push([path, inFolder, state]);
  }
  return { files: states, configurations: configurations.sources().map(({ path, text }) => [path, digest(text)]) };
}

/** Whether the compiled sources are those of the recorded state: a file may change in between. */
function readWhatWasSeen({ sources }: Input, state: Json): boolean {
  const seen = (isObject(state) ? own(state, "files") : undefined) as readonly (readonly Json[])[] | undefined;
  const states = new Map((seen ?? []).map(([path, , content]) => [path, content]));
  return sources.every(({ path, text }) => states.get(path) === digest(text));
}

const observeReader =
  (read: ResourceReader, seen: Map<string, string>): ResourceReader =>
  (path) => {
    const found = read(path);
    if (found) seen.set(path, stateOfResource(found));
    return found;
  };

const stateOfResource = (found: Resource): string =>
  "text" in found ? digest(found.text) : `unreadable: ${found.reason}`;

function resourceState(
  { configurations, files }: OpenProject,
  { cwd }: Terminal,
): (path: string) => string | undefined {
  const sources = files().map(({ path }) => ({ path, text: "" }));
  const read = createResourceReader([...sources, ...configurations.sources()], cwd);
  return (path) => {
    const found = read(path);
    return found && stateOfResource(found);
  };
}

/** Written files as on disk, and the manifest. */
const writtenState = ({ folder, files }: WrittenFolder): readonly Json[] => [
  ...files.map(({ path, text }): Json => [join(folder, path), digest(text)]),
  [join(folder, manifestName), fileState(join(folder, manifestName)) ?? null],
];

function isUnchanged(record: Json, name: string, stateOf: (path: string) => string | undefined): boolean {
  const entries = isObject(record) ? own(record, name) : undefined;
  if (!Array.isArray(entries)) return false;
  return (entries as readonly Json[]).every((entry) => {
    const [path, state] = Array.isArray(entry) ? (entry as readonly Json[]) : [];
    return typeof path === "string" && typeof state === "string" && stateOf(path) === state;
  });
}

function readRecord(file: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Json;
  } catch (error) {
    if (error instanceof SyntaxError || describeErrno(error) !== undefined) return undefined;
    throw error;
  }
}

/** A record that cannot be written is omitted: the next build takes longer. */
function writeRecord(file: string, record: Json): void {
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, JSON.stringify(record));
    renameSync(temporary, file);
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
  }
}
