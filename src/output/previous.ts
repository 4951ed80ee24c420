import type { OutputFile } from "../target/contract.ts";
import { hasText, pathKind, readOutput } from "./disk.ts";
import {
  type Hashes,
  hashOf,
  isUnedited,
  type PreviousVersion,
  type TargetEntry,
  type WorkflowEntry,
} from "./manifest.ts";

/** What happens to previous versions. */
export interface VersionRetention {
  /** Replaced versions at their new paths. */
  readonly moved: readonly OutputFile[];
  /** Versions beyond the limit. */
  readonly deleted: readonly string[];
  /** By workflow ID, newest first. */
  readonly previous: TargetEntry["previous"];
  /** For the summary. */
  readonly changes: readonly { readonly workflow: string; readonly version: string; readonly isKept: boolean }[];
}

const folderOf = (version: string): string => `previous/${version}`;

/** Retains up to `max` replaced versions of each workflow, except current ones. Edited files stay. */
export function retainVersions(
  before: TargetEntry,
  after: ReadonlyMap<string, WorkflowEntry>,
  { folder, max }: { readonly folder: string; readonly max: number },
): VersionRetention {
  const ids = new Set([...before.workflows.keys(), ...before.previous.keys()]);
  const each = [...ids].map((id) => retainVersionsOf(id, before, after.get(id)?.release?.version, folder, max));
  const previous = each.flatMap(({ id, versions }) => (versions.length === 0 ? [] : [[id, versions] as const]));
  const retained = new Set(previous.flatMap(([, versions]) => versions.flatMap(({ files }) => [...files.keys()])));
  const known = new Map([...before.previous.values()].flat().flatMap(({ files }) => [...files]));
  return {
    moved: each.flatMap(({ moved }) => moved),
    deleted: [...known].flatMap(([path, hash]) =>
      !retained.has(path) && pathKind(folder, path) === "file" && isUnedited(hashOf(readOutput(folder, path)), hash)
        ? [path]
        : [],
    ),
    previous: new Map(previous),
    changes: each.flatMap(({ changes }) => changes),
  };
}

function retainVersionsOf(id: string, before: TargetEntry, current: string | undefined, folder: string, max: number) {
  const release = before.workflows.get(id)?.release;
  const known = before.previous.get(id) ?? [];
  const moved = release && release.version !== current && max > 0 ? movedFiles(release, folder) : [];
  const files: Hashes = new Map(moved.map(({ path, text }) => [path, hashOf(text)]));
  const added: readonly PreviousVersion[] = moved.length === 0 ? [] : [{ version: release!.version, files }];
  const others = known.filter(({ version }) => version !== release?.version && version !== current);
  const versions = [...added, ...others].slice(0, max);
  const removed = known.filter(
    ({ version }) => version !== current && !versions.some((each) => each.version === version),
  );
  return {
    id,
    versions,
    moved,
    changes: [
      ...added.map(({ version }) => ({ workflow: id, version, isKept: true })),
      ...removed.map(({ version }) => ({ workflow: id, version, isKept: false })),
    ],
  };
}

/** Empty if a file is missing or its new path is occupied. */
function movedFiles({ version, files }: NonNullable<WorkflowEntry["release"]>, folder: string): readonly OutputFile[] {
  const isComplete = files.every((path) => pathKind(folder, path) === "file");
  const moved = isComplete
    ? files.map((path) => ({ path: `${folderOf(version)}/${path}`, text: readOutput(folder, path) }))
    : [];
  const isFree = ({ path, text }: OutputFile): boolean => {
    const kind = pathKind(folder, path);
    return kind === "nothing" || (kind === "file" && hasText(folder, path, text));
  };
  return moved.every(isFree) ? moved : [];
}
