import { readFileSync } from "node:fs";
import { join } from "node:path";
import { OutputError, pathKind, replaceFiles, requireFolder, withLock, wrapErrors } from "./disk.ts";
import {
  emptyEntry,
  type Hashes,
  type Manifest,
  manifestName,
  parseManifest,
  printManifest,
  type TargetEntry,
  unknownHash,
  type WorkflowEntry,
} from "./manifest.ts";
import { type OutputPlan, type OutputRequest, planOutput } from "./plan.ts";

/**
 * Makes a folder hold what a target has made, beside what it has made there of other definitions: writes the files that differ, and removes those that it wrote
 * and that are no longer made. Where a problem is found, nothing is written at all; nor where the plan is only asked for.
 */
export function writeOutput(delivery: OutputRequest): OutputPlan {
  requireFolder(delivery.folder);
  if (delivery.check) return planOutput(delivery, readManifest(delivery.folder) ?? new Map());
  return withLock(delivery.folder, () => {
    const before = readManifest(delivery.folder);
    const plan = planOutput(delivery, before ?? new Map());
    if (plan.problems.length === 0) applyPlan(plan, before, delivery);
    return plan;
  });
}

/** What the folder says of itself; undefined where it says nothing. */
export function readManifest(folder: string): Manifest | undefined {
  const place = pathKind(folder, manifestName);
  if (place === "nothing") return undefined;
  const text =
    place === "file" ? wrapErrors(manifestName, "read", () => readFileSync(join(folder, manifestName), "utf8")) : "";
  const manifest = parseManifest(text);
  if (manifest) return manifest;
  const message = "is no list of files that this version of Waybill understands; remove it, or choose another folder";
  throw new OutputError(manifestName, message);
}

/**
 * While files change, the manifest lists the old and the new ones, without their hashes, so that a run that is cut off leaves none that Waybill would take for
 * another's or for changed by hand.
 */
function applyPlan(
  { written, changed, removed, after, retention: keeping }: OutputPlan,
  before: Manifest | undefined,
  { folder, target }: OutputRequest,
): void {
  const text = printManifest(after);
  const isSame = before !== undefined && printManifest(before) === text;
  const files = [...written, ...changed, ...keeping.moved];
  const gone = [...removed, ...keeping.deleted];
  const moving = new Set([...files.map(({ path }) => path), ...gone]);
  const between = intermediateEntry(before?.get(target) ?? emptyEntry, after.get(target)!, moving);
  replaceFiles(folder, {
    first:
      moving.size === 0
        ? undefined
        : { path: manifestName, text: printManifest(new Map([...after, [target, between]])) },
    changed: files,
    removed: gone,
    last: isSame && moving.size === 0 ? undefined : { path: manifestName, text },
  });
}

function intermediateEntry(before: TargetEntry, after: TargetEntry, moving: ReadonlySet<string>): TargetEntry {
  const both = (one: Hashes = new Map(), other: Hashes = new Map()): Hashes =>
    new Map([...one, ...other].map(([path, hash]) => [path, moving.has(path) ? unknownHash : hash]));
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
