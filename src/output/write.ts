import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OutputError, pathKind, replaceFiles, requireFolder, withLock, wrapErrors } from "./disk.ts";
import {
  emptyEntry,
  type Hashes,
  isConflicted,
  type Manifest,
  manifestName,
  parseManifest,
  printManifest,
  type TargetEntry,
  unknownHash,
  type WorkflowEntry,
} from "./manifest.ts";
import { type OutputPlan, type OutputRequest, planOutput } from "./plan.ts";

/** Writes changed files and removes outdated ones, unless there are problems or `check` is set. */
export function writeOutput(request: OutputRequest): OutputPlan {
  requireFolder(request.folder);
  if (request.check) {
    const before = readManifest(request.folder);
    return planOutput(request, before?.manifest ?? new Map(), isConflicted(before?.text));
  }
  return withLock(request.folder, () => {
    const before = readManifest(request.folder);
    const plan = planOutput(request, before?.manifest ?? new Map());
    if (plan.problems.length === 0) applyPlan(plan, before, request);
    return plan;
  });
}

/** A manifest and its file. */
interface WrittenManifest {
  readonly manifest: Manifest;
  readonly text: string;
}

/** Reads the manifest of a folder, if it has one. */
function readManifest(folder: string): WrittenManifest | undefined {
  const kind = pathKind(folder, manifestName);
  if (kind === "nothing") return undefined;
  const text =
    kind === "file" ? wrapErrors(manifestName, "read", () => readFileSync(join(folder, manifestName), "utf8")) : "";
  const manifest = parseManifest(text);
  if (manifest) return { manifest, text };
  const message = "is not a manifest that this version of Waybill supports; remove it or use another folder";
  throw new OutputError(manifestName, message);
}

/**
 * Lists old and new files without hashes during the change, so that an interruption leaves no file that looks foreign
 * or edited.
 */
function applyPlan(
  { written, changed, removed, after, retention: keeping }: OutputPlan,
  before: WrittenManifest | undefined,
  { folder, target }: OutputRequest,
): void {
  const text = printManifest(after);
  const isSame = before?.text.replaceAll("\r\n", "\n") === text;
  const files = [...written, ...changed, ...keeping.moved];
  const deleted = [...removed, ...keeping.deleted];
  const affected = new Set([...files.map(({ path }) => path), ...deleted]);
  const intermediate = intermediateEntry(before?.manifest.get(target) ?? emptyEntry, after.get(target)!, affected);
  replaceFiles(folder, {
    first:
      affected.size === 0
        ? undefined
        : { path: manifestName, text: printManifest(new Map([...after, [target, intermediate]])) },
    changed: files,
    removed: deleted,
    last: isSame && affected.size === 0 ? undefined : { path: manifestName, text },
  });
}

function intermediateEntry(before: TargetEntry, after: TargetEntry, affected: ReadonlySet<string>): TargetEntry {
  const both = (one: Hashes = new Map(), other: Hashes = new Map()): Hashes =>
    new Map([...one, ...other].map(([path, hash]) => [path, affected.has(path) ? unknownHash : hash]));
  const workflows = [...before.workflows, ...after.workflows].map(([id, entry]): readonly [string, WorkflowEntry] => [
    id,
    { ...entry, files: both(before.workflows.get(id)?.files, after.workflows.get(id)?.files) },
  ]);
  const ids = new Set([...before.previous.keys(), ...after.previous.keys()]);
  const versions = (id: string) => {
    const all = [...(after.previous.get(id) ?? []), ...(before.previous.get(id) ?? [])];
    return all.filter(({ version }, i) => all.findIndex((each) => each.version === version) === i);
  };
  return {
    workflows: new Map(workflows),
    files: both(before.files, after.files),
    previous: new Map([...ids].map((id) => [id, versions(id)])),
  };
}
