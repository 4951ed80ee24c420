import type { OutputFile } from "../target/contract.ts";
import { hasText, pathKind, readOutput } from "./disk.ts";
import { type Hashes, hashOf, type PreviousVersion, type TargetEntry, type WorkflowEntry } from "./manifest.ts";

/** What happens to the versions of workflows that a folder had before. */
export interface VersionRetention {
  /** The files of versions that others take the place of, as they stand in the folder, on their way to a place of their own. */
  readonly moved: readonly OutputFile[];
  /** The files of versions that are too many. */
  readonly deleted: readonly string[];
  /** The versions that are kept, by the ids of their workflows, the newest first. */
  readonly previous: TargetEntry["previous"];
  /** What is told of it: which version of which workflow is new among the kept ones, and which is not kept any more. */
  readonly changes: readonly { readonly workflow: string; readonly version: string; readonly isKept: boolean }[];
}

/** The folder of the versions that runs may still need. */
const folderOf = (version: string): string => `previous/${version}`;

/**
 * Keeps what another version of a workflow takes the place of, with all that it imports, as runs that began with it go on with it: at most so many versions of
 * each. One that becomes the current one again is not kept beside it. What somebody has put there or changed there stays where it is.
 */
export function retainVersions(
  before: TargetEntry,
  after: ReadonlyMap<string, WorkflowEntry>,
  { folder, most }: { readonly folder: string; readonly most: number },
): VersionRetention {
  const ids = new Set([...before.workflows.keys(), ...before.previous.keys()]);
  const each = [...ids].map((id) => retainVersionsOf(id, before, after.get(id)?.release?.version, folder, most));
  const previous = each.flatMap(({ id, versions }) => (versions.length === 0 ? [] : [[id, versions] as const]));
  const staying = new Set(previous.flatMap(([, versions]) => versions.flatMap(({ files }) => [...files.keys()])));
  const known = new Map([...before.previous.values()].flat().flatMap(({ files }) => [...files]));
  return {
    moved: each.flatMap(({ moved }) => moved),
    deleted: [...known].flatMap(([path, hash]) =>
      !staying.has(path) && pathKind(folder, path) === "file" && hashOf(readOutput(folder, path)) === hash
        ? [path]
        : [],
    ),
    previous: new Map(previous),
    changes: each.flatMap(({ told }) => told),
  };
}

function retainVersionsOf(id: string, before: TargetEntry, current: string | undefined, folder: string, most: number) {
  const release = before.workflows.get(id)?.release;
  const known = before.previous.get(id) ?? [];
  const moved = release && release.version !== current && most > 0 ? movedFiles(release, folder) : [];
  const files: Hashes = new Map(moved.map(({ path, text }) => [path, hashOf(text)]));
  const own: readonly PreviousVersion[] = moved.length === 0 ? [] : [{ version: release!.version, files }];
  const others = known.filter(({ version }) => version !== release?.version && version !== current);
  const versions = [...own, ...others].slice(0, most);
  const lost = known.filter(({ version }) => version !== current && !versions.some((each) => each.version === version));
  return {
    id,
    versions,
    moved,
    told: [
      ...own.map(({ version }) => ({ workflow: id, version, isKept: true })),
      ...lost.map(({ version }) => ({ workflow: id, version, isKept: false })),
    ],
  };
}

/** The files of a version at their new places; none where one of them is gone, or something else is at its new place. */
function movedFiles({ version, files }: NonNullable<WorkflowEntry["release"]>, folder: string): readonly OutputFile[] {
  const isWhole = files.every((path) => pathKind(folder, path) === "file");
  const moved = isWhole
    ? files.map((path) => ({ path: `${folderOf(version)}/${path}`, text: readOutput(folder, path) }))
    : [];
  const isFree = ({ path, text }: OutputFile): boolean => {
    const place = pathKind(folder, path);
    return place === "nothing" || (place === "file" && hasText(folder, path, text));
  };
  return moved.every(isFree) ? moved : [];
}
