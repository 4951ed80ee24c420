import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import {
  definitionNote,
  editedOutput,
  folderNote,
  incompleteProgram,
  missingOutput,
  occupiedOutput,
  outdatedOutput,
  separateWorkflow,
  staleOutput,
  takenOutput,
} from "../diagnostics/output.ts";
import type { Reference } from "../ir/workflow.ts";
import type { OutputFile } from "../target/contract.ts";
import type { Diagnostic, Note } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { hasText, isSameFile, pathKind, readOutput } from "./disk.ts";
import {
  emptyEntry,
  filesOf,
  type Hashes,
  hashOf,
  isUnedited,
  type Manifest,
  manifestName,
  type TargetEntry,
  type WorkflowEntry,
} from "./manifest.ts";
import { retainVersions, type VersionRetention } from "./previous.ts";

/** Output for a folder. */
export interface OutputRequest {
  readonly folder: string;
  readonly displayName: string;
  readonly target: string;
  readonly workflows: readonly OutputWorkflow[];
  readonly files: readonly OutputFile[];
  /** Removes outputs of other definitions. */
  readonly prune: boolean;
  /** Overwrites and removes edited files. */
  readonly force: boolean;
  /** Reports differences instead of writing. */
  readonly check: boolean;
  /** The number of previous versions of each workflow to keep. */
  readonly keepVersions: number;
  /** Where the configuration names the folder. */
  readonly origin?: Span | undefined;
}

/** A workflow of the program. */
export interface OutputWorkflow {
  readonly id: string;
  readonly span: Span;
  /** The definition, relative to the folder; undefined for standard input. */
  readonly source?: string | undefined;
  /** Separately compiled workflows that it starts. */
  readonly starts: readonly Reference[];
}

/** The changes to a folder, which require an empty list of problems. */
export interface OutputPlan {
  readonly problems: readonly Diagnostic[];
  readonly written: readonly OutputFile[];
  readonly changed: readonly OutputFile[];
  readonly same: readonly string[];
  readonly removed: readonly string[];
  readonly others: ReadonlyMap<string, WorkflowEntry>;
  readonly after: Manifest;
  readonly retention: VersionRetention;
}

/** Compares the output with the folder. `isConflicted`: the manifest has conflicts of a merge. */
export function planOutput(request: OutputRequest, before: Manifest, isConflicted = false): OutputPlan {
  const known = before.get(request.target) ?? emptyEntry;
  const others = otherWorkflows(known, request);
  const after = manifestEntry(request, others);
  const hashes = filesOf(known);
  const states = request.files.map((file) => [file, stateOf(file, hashes, request)] as const);
  const inState = (...allowed: readonly FileState[]) =>
    states.flatMap(([file, state]) => (allowed.includes(state) ? [file] : []));
  const retention = retainVersions(known, after.workflows, { folder: request.folder, max: request.keepVersions });
  const stale = findStale([...hashes.keys()], [...filesOf(after).keys()], request.folder);
  return {
    problems: [
      ...programProblems(request, others),
      ...pathProblems(request, before, others),
      ...states.flatMap(([file, state]) => fileProblems(file, state, request)),
      ...stale.flatMap((path) => staleProblems(path, known, hashes, request)),
      ...(request.check ? orphanProblems(others, request) : []),
      ...(isConflicted ? [outdatedOutput(spanOf(manifestName, request), { lineEnds: false })] : []),
    ],
    written: inState("missing"),
    changed: inState("changed", "edited", "line ends"),
    same: inState("same").map(({ path }) => path),
    removed: stale,
    others: others,
    after: new Map([...before, [request.target, { ...after, previous: retention.previous }]]),
    retention,
  };
}

/** Workflows in the folder that this run does not concern. */
function otherWorkflows({ workflows }: TargetEntry, request: OutputRequest): ReadonlyMap<string, WorkflowEntry> {
  const ids = new Set(request.workflows.map(({ id }) => id));
  const sources = new Set(request.workflows.map(({ source }) => source));
  const isLeft = ([id, { source }]: readonly [string, WorkflowEntry]) =>
    !ids.has(id) && (source === undefined || !sources.has(source));
  return new Map(request.prune ? [] : [...workflows].filter(isLeft));
}

function manifestEntry(
  { workflows, files }: OutputRequest,
  others: ReadonlyMap<string, WorkflowEntry>,
): Omit<TargetEntry, "previous"> {
  const hashesFor = (id: string | undefined): Hashes =>
    new Map(files.flatMap(({ workflow, path, text }) => (workflow === id ? [[path, hashOf(text)]] : [])));
  const own = workflows.map(({ id, source, starts }): readonly [string, WorkflowEntry] => [
    id,
    {
      source,
      starts: [...new Set(starts.map(({ name }) => name))],
      files: hashesFor(id),
      release: files.find(({ workflow, release }) => workflow === id && release)?.release,
    },
  ]);
  return { workflows: new Map([...others, ...own]), files: hashesFor(undefined) };
}

/** `edited`: neither the previous output nor the new one. */
type FileState = "missing" | "same" | "changed" | "line ends" | "edited" | "foreign" | "folder" | "link" | "other";

function stateOf({ path, text }: OutputFile, hashes: Hashes, { folder }: OutputRequest): FileState {
  const kind = pathKind(folder, path);
  if (kind === "nothing") return "missing";
  if (kind !== "file") return kind;
  if (hasText(folder, path, text)) return "same";
  const known = [...(hashes.has(path) ? [path] : hashes.keys())].find((name) => isSameFile(folder, name, path));
  const now = hashOf(readOutput(folder, path));
  if (now === hashOf(text)) return "line ends";
  if (known === undefined) return "foreign";
  return isUnedited(now, hashes.get(known)) ? "changed" : "edited";
}

function fileProblems(file: OutputFile, state: FileState, request: OutputRequest): readonly Diagnostic[] {
  const span = spanOf(file.path, request);
  const notes = originNotes(file.workflow, request);
  switch (state) {
    case "same":
      return [];
    case "missing":
      return request.check ? [missingOutput(span, {}, notes)] : [];
    case "changed":
    case "line ends":
      return request.check ? [outdatedOutput(span, { lineEnds: state === "line ends" }, notes)] : [];
    case "edited":
      return request.force && !request.check ? [] : [editedOutput(span, { isStale: false })];
    case "foreign":
      return [
        request.check ? outdatedOutput(span, { lineEnds: false }, notes) : occupiedOutput(span, { what: "file" }),
      ];
    case "folder":
    case "link":
    case "other":
      return [occupiedOutput(span, { what: state })];
  }
}

function staleProblems(
  path: string,
  { workflows }: TargetEntry,
  hashes: Hashes,
  request: OutputRequest,
): readonly Diagnostic[] {
  const isEdited = !isUnedited(hashOf(readOutput(request.folder, path)), hashes.get(path));
  const span = spanOf(path, request);
  if (isEdited && !request.force) return [editedOutput(span, { isStale: true })];
  if (!request.check) return [];
  const source = [...workflows.values()].find(({ files }) => files.has(path))?.source;
  const isCompiled = source === undefined || request.workflows.some((workflow) => workflow.source === source);
  const shown =
    isCompiled || existsSync(join(request.folder, source)) ? undefined : displayPath(source, request.displayName);
  return [staleOutput(span, { source: shown, isKept: false }, originNotes(undefined, request))];
}

/** Where the definition of a workflow is; without one, where the configuration names the folder. */
function originNotes(workflow: string | undefined, { workflows, origin }: OutputRequest): readonly Note[] {
  const definition = workflows.find(({ id }) => id === workflow)?.span;
  if (definition) return [{ message: definitionNote, span: definition }];
  return origin ? [{ message: folderNote, span: origin }] : [];
}

/** Reports the outputs of definitions that are gone. */
const orphanProblems = (others: ReadonlyMap<string, WorkflowEntry>, request: OutputRequest): readonly Diagnostic[] =>
  orphansOf(others, request.folder).flatMap(({ source, files }) =>
    [...files.keys()]
      .filter((path) => pathKind(request.folder, path) === "file")
      .map((path) =>
        staleOutput(
          spanOf(path, request),
          { source: displayPath(source, request.displayName), isKept: true },
          originNotes(undefined, request),
        ),
      ),
  );

/** The workflows of other runs whose definitions no longer exist. */
export const orphansOf = (
  others: ReadonlyMap<string, WorkflowEntry>,
  folder: string,
): readonly { readonly source: string; readonly files: Hashes }[] =>
  [...others.values()].flatMap(({ source, files }) =>
    source !== undefined && !existsSync(join(folder, source)) ? [{ source, files }] : [],
  );

/** Excludes files that equal a generated one on a case-insensitive file system. */
function findStale(before: readonly string[], after: readonly string[], folder: string): readonly string[] {
  const kept = new Set(after);
  const folded = new Set(after.map((path) => path.toLowerCase()));
  const isKept = (path: string) =>
    kept.has(path) || (folded.has(path.toLowerCase()) && after.some((other) => isSameFile(folder, path, other)));
  return before.filter((path) => !isKept(path) && pathKind(folder, path) === "file");
}

/** Reports missing workflows of a program, and workflows that must be compiled together. */
function programProblems(
  { workflows, files, displayName }: OutputRequest,
  others: ReadonlyMap<string, WorkflowEntry>,
): readonly Diagnostic[] {
  const isWhole = files.some(({ workflow }) => workflow === undefined);
  if (isWhole && others.size > 0) {
    const missing = [...others].map(([id, { source }]) => ({ id, source: source && displayPath(source, displayName) }));
    return [incompleteProgram(spanOf(manifestName, { displayName }), { workflows: missing })];
  }
  const sourceOf = (id: string) => {
    const source = others.get(id)?.source;
    return source && displayPath(source, displayName);
  };
  return workflows.flatMap(({ id, span, starts }) => [
    ...starts
      .filter(({ name }) => others.has(name))
      .map((started) =>
        separateWorkflow(started.span, { name: started.name, source: sourceOf(started.name), isStarter: false }),
      ),
    ...[...others]
      .filter(([, entry]) => entry.starts.includes(id))
      .map(([starter]) => separateWorkflow(span, { name: starter, source: sourceOf(starter), isStarter: true })),
  ]);
}

/** Reports paths of other targets and definitions. */
function pathProblems(
  { workflows, files, folder, displayName, target, prune }: OutputRequest,
  before: Manifest,
  others: ReadonlyMap<string, WorkflowEntry>,
): readonly Diagnostic[] {
  const owners = new Map<string, PathOwner>();
  const claim = (paths: Hashes, owner: Omit<PathOwner, "path">): void => {
    for (const path of paths.keys()) owners.set(path.toLowerCase(), { ...owner, path });
  };
  const known = before.get(target) ?? emptyEntry;
  for (const { id, source } of prune ? [] : workflows) {
    const other = known.workflows.get(id);
    const isOther = other?.source !== undefined && source !== undefined && other.source !== source;
    if (isOther && existsSync(join(folder, other.source))) claim(other.files, { source: other.source });
  }
  for (const { source, files } of others.values()) claim(files, { source });
  for (const [name, entry] of before) if (name !== target) claim(filesOf(entry), { target: name });
  return files.flatMap((file) => {
    const owner = owners.get(file.path.toLowerCase());
    if (!owner) return [];
    const { path, source, target: other } = owner;
    const workflow = file.workflow ?? workflows[0]!.id;
    const at = { path, source: source && displayPath(source, displayName), target: other, workflow };
    return [takenOutput(spanOf(file.path, { displayName }), at)];
  });
}

interface PathOwner {
  readonly path: string;
  readonly source?: string | undefined;
  readonly target?: string | undefined;
}

const spanOf = (path: string, { displayName }: Pick<OutputRequest, "displayName">): Span => ({
  source: { path: `${displayName}/${path}`, text: "" },
  start: 0,
  end: 0,
});

/** Converts a path relative to the output folder for display. */
export const displayPath = (source: string, folder: string): string =>
  posix.normalize(posix.join(folder.replaceAll("\\", "/"), source));
