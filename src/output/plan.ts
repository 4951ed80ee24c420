import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import {
  editedOutput,
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
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { hasText, isSameFile, pathKind, readOutput } from "./disk.ts";
import {
  emptyEntry,
  filesOf,
  type Hashes,
  hashOf,
  type Manifest,
  manifestName,
  type TargetEntry,
  unknownHash,
  type WorkflowEntry,
} from "./manifest.ts";
import { retainVersions, type VersionRetention } from "./previous.ts";

/** What a target has made, on its way to a folder. */
export interface OutputRequest {
  readonly folder: string;
  /** The folder as it is shown to people. */
  readonly displayName: string;
  readonly target: string;
  readonly workflows: readonly OutputWorkflow[];
  readonly files: readonly OutputFile[];
  /** Whether what the target has made there of other definitions goes. */
  readonly prune: boolean;
  /** Whether files go that were changed since they were written. */
  readonly force: boolean;
  /** Whether nothing is to be written: then what differs is a problem. */
  readonly check: boolean;
  /** How many earlier versions of each workflow are kept for the runs that began with them. */
  readonly keepVersions: number;
}

/** One of the workflows that a target has made something of. */
export interface OutputWorkflow {
  readonly id: string;
  readonly span: Span;
  /** Its definition, by its path from the folder; absent for one from standard input. */
  readonly source?: string | undefined;
  /** The workflows that it starts and that are not compiled with it. */
  readonly starts: readonly Reference[];
}

/** What is to happen in a folder. With problems nothing does. */
export interface OutputPlan {
  readonly problems: readonly Diagnostic[];
  readonly written: readonly OutputFile[];
  readonly changed: readonly OutputFile[];
  readonly same: readonly string[];
  readonly removed: readonly string[];
  /** What the target has made of other definitions, which stays. */
  readonly others: ReadonlyMap<string, WorkflowEntry>;
  readonly after: Manifest;
  /** What happens to earlier versions of workflows. */
  readonly retention: VersionRetention;
}

/** Compares what a folder has with what it is to have. */
export function planOutput(delivery: OutputRequest, before: Manifest): OutputPlan {
  const known = before.get(delivery.target) ?? emptyEntry;
  const left = otherWorkflows(known, delivery);
  const after = manifestEntry(delivery, left);
  const hashes = filesOf(known);
  const states = delivery.files.map((file) => [file, stateOf(file, hashes, delivery)] as const);
  const having = (...wanted: readonly FileState[]) =>
    states.flatMap(([file, state]) => (wanted.includes(state) ? [file] : []));
  const keeping = retainVersions(known, after.workflows, { folder: delivery.folder, most: delivery.keepVersions });
  const stale = findStale([...hashes.keys()], [...filesOf(after).keys()], delivery.folder);
  return {
    problems: [
      ...programProblems(delivery, left),
      ...pathProblems(delivery, before, left),
      ...states.flatMap(([file, state]) => fileProblems(file, state, delivery)),
      ...stale.flatMap((path) => staleProblems(path, hashes, delivery)),
    ],
    written: having("missing"),
    changed: having("changed", "edited", "line ends"),
    same: having("same").map(({ path }) => path),
    removed: stale,
    others: left,
    after: new Map([...before, [delivery.target, { ...after, previous: keeping.previous }]]),
    retention: keeping,
  };
}

/** The workflows of the folder that this run says nothing of: neither they nor their definitions are among its own. */
function otherWorkflows({ workflows }: TargetEntry, delivery: OutputRequest): ReadonlyMap<string, WorkflowEntry> {
  const ids = new Set(delivery.workflows.map(({ id }) => id));
  const sources = new Set(delivery.workflows.map(({ source }) => source));
  const isLeft = ([id, { source }]: readonly [string, WorkflowEntry]) =>
    !ids.has(id) && (source === undefined || !sources.has(source));
  return new Map(delivery.prune ? [] : [...workflows].filter(isLeft));
}

function manifestEntry(
  { workflows, files }: OutputRequest,
  left: ReadonlyMap<string, WorkflowEntry>,
): Omit<TargetEntry, "previous"> {
  const made = (id: string | undefined): Hashes =>
    new Map(files.flatMap(({ workflow, path, text }) => (workflow === id ? [[path, hashOf(text)]] : [])));
  const own = workflows.map(({ id, source, starts }): readonly [string, WorkflowEntry] => [
    id,
    {
      source,
      starts: [...new Set(starts.map(({ name }) => name))],
      files: made(id),
      release: files.find(({ workflow, release }) => workflow === id && release)?.release,
    },
  ]);
  return { workflows: new Map([...left, ...own]), files: made(undefined) };
}

/** How a file stands in the folder. `edited`: its text is neither what it was written with nor what it is to be. */
type FileState = "missing" | "same" | "changed" | "line ends" | "edited" | "foreign" | "folder" | "link" | "other";

function stateOf({ path, text }: OutputFile, hashes: Hashes, { folder }: OutputRequest): FileState {
  const place = pathKind(folder, path);
  if (place === "nothing") return "missing";
  if (place !== "file") return place;
  if (hasText(folder, path, text)) return "same";
  const known = [...(hashes.has(path) ? [path] : hashes.keys())].find((name) => isSameFile(folder, name, path));
  const now = hashOf(readOutput(folder, path));
  if (now === hashOf(text)) return "line ends";
  if (known === undefined) return "foreign";
  return isAsWritten(now, hashes.get(known)) ? "changed" : "edited";
}

const isAsWritten = (now: string, written: string | undefined): boolean => written === unknownHash || now === written;

function fileProblems(file: OutputFile, state: FileState, delivery: OutputRequest): readonly Diagnostic[] {
  const span = spanOf(file.path, delivery);
  switch (state) {
    case "same":
      return [];
    case "missing":
      return delivery.check ? [missingOutput(span, {})] : [];
    case "changed":
    case "line ends":
      return delivery.check ? [outdatedOutput(span, { lineEnds: state === "line ends" })] : [];
    case "edited":
      return delivery.force && !delivery.check ? [] : [editedOutput(span, { isStale: false })];
    case "foreign":
      return [delivery.check ? outdatedOutput(span, { lineEnds: false }) : occupiedOutput(span, { what: "file" })];
    case "folder":
    case "link":
    case "other":
      return [occupiedOutput(span, { what: state })];
  }
}

function staleProblems(path: string, hashes: Hashes, delivery: OutputRequest): readonly Diagnostic[] {
  const isEdited = !isAsWritten(hashOf(readOutput(delivery.folder, path)), hashes.get(path));
  const span = spanOf(path, delivery);
  if (isEdited && !delivery.force) return [editedOutput(span, { isStale: true })];
  return delivery.check ? [staleOutput(span, {})] : [];
}

/** The files that were written and are no longer made, but for those that are the same as one that is, as where case does not count. */
function findStale(before: readonly string[], after: readonly string[], folder: string): readonly string[] {
  const staying = new Set(after);
  const folded = new Set(after.map((path) => path.toLowerCase()));
  const isKept = (path: string) =>
    staying.has(path) || (folded.has(path.toLowerCase()) && after.some((other) => isSameFile(folder, path, other)));
  return before.filter((path) => !isKept(path) && pathKind(folder, path) === "file");
}

/** What is lacking where the files name all workflows of a program, and where workflows that start each other come apart. */
function programProblems(
  { workflows, files, displayName }: OutputRequest,
  left: ReadonlyMap<string, WorkflowEntry>,
): readonly Diagnostic[] {
  const isWhole = files.some(({ workflow }) => workflow === undefined);
  if (isWhole && left.size > 0) {
    const lacking = [...left].map(([id, { source }]) => ({ id, source: source && displayPath(source, displayName) }));
    return [incompleteProgram(spanOf(manifestName, { displayName }), { workflows: lacking })];
  }
  const sourceOf = (id: string) => {
    const source = left.get(id)?.source;
    return source && displayPath(source, displayName);
  };
  return workflows.flatMap(({ id, span, starts }) => [
    ...starts
      .filter(({ name }) => left.has(name))
      .map((started) =>
        separateWorkflow(started.span, { name: started.name, source: sourceOf(started.name), isStarter: false }),
      ),
    ...[...left]
      .filter(([, entry]) => entry.starts.includes(id))
      .map(([starter]) => separateWorkflow(span, { name: starter, source: sourceOf(starter), isStarter: true })),
  ]);
}

/** The files that something else is made to already: for another target, or of another definition with a workflow of this name, or nearly so. */
function pathProblems(
  { workflows, files, folder, displayName, target, prune }: OutputRequest,
  before: Manifest,
  left: ReadonlyMap<string, WorkflowEntry>,
): readonly Diagnostic[] {
  const taken = new Map<string, PathOwner>();
  const take = (paths: Hashes, owner: Omit<PathOwner, "path">): void => {
    for (const path of paths.keys()) taken.set(path.toLowerCase(), { ...owner, path });
  };
  const known = before.get(target) ?? emptyEntry;
  for (const { id, source } of prune ? [] : workflows) {
    const other = known.workflows.get(id);
    const isOther = other?.source !== undefined && source !== undefined && other.source !== source;
    if (isOther && existsSync(join(folder, other.source))) take(other.files, { source: other.source });
  }
  for (const { source, files } of left.values()) take(files, { source });
  for (const [name, entry] of before) if (name !== target) take(filesOf(entry), { target: name });
  return files.flatMap((file) => {
    const owner = taken.get(file.path.toLowerCase());
    if (!owner) return [];
    const { path, source, target: other } = owner;
    const workflow = file.workflow ?? workflows[0]!.id;
    const at = { path, source: source && displayPath(source, displayName), target: other, workflow };
    return [takenOutput(spanOf(file.path, { displayName }), at)];
  });
}

/** What a file is made of already, or for which other target. */
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

/** A path from the output folder, as a path from where the folder's own path starts. */
export const displayPath = (source: string, folder: string): string =>
  posix.normalize(posix.join(folder.replaceAll("\\", "/"), source));
