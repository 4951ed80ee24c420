import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import type { Release } from "../target/contract.ts";

/** The file in an output folder that tells what Waybill has written there: only those files does it ever replace or remove. */
export const manifestName = ".waybill.json";

/** What each target has made in an output folder, by the names of the targets. */
export type Manifest = ReadonlyMap<string, TargetEntry>;

/** What one target has made. */
export interface TargetEntry {
  /** By the ids of the workflows. */
  readonly workflows: ReadonlyMap<string, WorkflowEntry>;
  /** The files that name all workflows of a program. */
  readonly files: Hashes;
  /** Earlier versions of workflows by the ids of these, the newest first. */
  readonly previous: ReadonlyMap<string, readonly PreviousVersion[]>;
}

/** An earlier version of a workflow, for the runs that began with it: its files at their own place. */
export interface PreviousVersion {
  readonly version: string;
  readonly files: Hashes;
}

/** What a target has made of one workflow. */
export interface WorkflowEntry {
  /** Its definition, by its path from the output folder; absent for one from standard input. */
  readonly source?: string | undefined;
  /** The workflows that it starts and that were not compiled with it. */
  readonly starts: readonly string[];
  readonly files: Hashes;
  /** As the target says it of the main file. */
  readonly release?: Release | undefined;
}

/** The hashes of files, as they were written, by their paths from the output folder. */
export type Hashes = ReadonlyMap<string, string>;

/** A target that has made nothing yet. */
export const emptyEntry: TargetEntry = { workflows: new Map(), files: new Map(), previous: new Map() };

/** The hash of a file's text. Ends of lines do not count, as version control may change them. */
export const hashOf = (text: string): string => hash("sha256", text.replaceAll("\r\n", "\n"), "hex").slice(0, 16);

/** Stands for the hash of a file that was about to be written or removed. */
export const unknownHash = "";

/** All files of an entry, with their hashes; without those of earlier versions. */
export const filesOf = ({ workflows, files }: Pick<TargetEntry, "workflows" | "files">): Hashes =>
  new Map([...[...workflows.values()].flatMap((workflow) => [...workflow.files]), ...files]);

const format = 2;

/** The text of a manifest: what stands there in another order gives the same text, one line for each file. */
export function printManifest(manifest: Manifest): string {
  const targets = [...manifest].filter(([, entry]) => filesOf(entry).size > 0);
  const value: JsonObject = { format, targets: sorted(targets, targetJson) };
  return `${JSON.stringify(value, null, 2)}\n`;
}

const targetJson = ({ workflows, files, previous }: TargetEntry): JsonObject => ({
  workflows: sorted([...workflows], workflowJson),
  ...(files.size > 0 ? { files: sorted([...files], (text) => text) } : {}),
  ...(previous.size > 0 ? { previous: sorted([...previous], (versions) => versions.map(previousJson)) } : {}),
});

const previousJson = ({ version, files }: PreviousVersion): JsonObject => ({
  version,
  files: sorted([...files], (text) => text),
});

const workflowJson = ({ source, starts, files, release }: WorkflowEntry): JsonObject => ({
  ...(source === undefined ? {} : { source }),
  ...(starts.length > 0 ? { starts: [...starts].sort() } : {}),
  files: sorted([...files], (text) => text),
  ...(release ? { release: { version: release.version, files: [...release.files].sort() } } : {}),
});

function sorted<T>(entries: readonly (readonly [string, T])[], json: (value: T) => Json): JsonObject {
  const object: { [name: string]: Json } = {};
  for (const [name, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) setOwn(object, name, json(value));
  return object;
}

/** What the text of a manifest says; undefined where it is none that this version understands. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value["format"] !== format) return undefined;
    return parseMap(value["targets"], parseTarget);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InvalidManifest) return undefined;
    throw error;
  }
}

class InvalidManifest extends Error {}

function parseTarget(value: JsonObject): TargetEntry {
  const files = own(value, "files");
  return {
    workflows: parseMap(own(value, "workflows"), parseWorkflow),
    files: files === undefined ? new Map() : parseHashes(files),
    previous: parsePrevious(own(value, "previous") ?? {}),
  };
}

function parsePrevious(value: Json): TargetEntry["previous"] {
  if (!isObject(value)) throw new InvalidManifest();
  const versionIn = (each: Json): PreviousVersion => {
    const version = isObject(each) ? own(each, "version") : undefined;
    if (!isObject(each) || typeof version !== "string" || !isSafePath(version)) throw new InvalidManifest();
    return { version, files: parseHashes(own(each, "files")) };
  };
  return new Map(
    Object.entries(value).map(([id, versions]) => {
      if (!Array.isArray(versions)) throw new InvalidManifest();
      return [id, versions.map(versionIn)] as const;
    }),
  );
}

function parseWorkflow(value: JsonObject): WorkflowEntry {
  const [source, starts = []] = [own(value, "source"), own(value, "starts")];
  if (source !== undefined && typeof source !== "string") throw new InvalidManifest();
  if (!Array.isArray(starts) || !starts.every((id) => typeof id === "string")) throw new InvalidManifest();
  const release = parseRelease(own(value, "release"));
  return { source, starts, files: parseHashes(own(value, "files")), ...(release ? { release } : {}) };
}

function parseRelease(value: Json | undefined): Release | undefined {
  if (value === undefined) return undefined;
  const [version, files] = isObject(value) ? [own(value, "version"), own(value, "files")] : [];
  const isList =
    Array.isArray(files) && files.every((path): path is string => typeof path === "string" && isSafePath(path));
  if (typeof version !== "string" || !isSafePath(version) || !isList) throw new InvalidManifest();
  return { version, files };
}

function parseMap<T>(value: Json | undefined, read: (value: JsonObject) => T): ReadonlyMap<string, T> {
  if (!isObject(value)) throw new InvalidManifest();
  return new Map(
    Object.entries(value).map(([name, each]) => {
      if (!isObject(each)) throw new InvalidManifest();
      return [name, read(each)] as const;
    }),
  );
}

function parseHashes(value: Json | undefined): Hashes {
  if (!isObject(value)) throw new InvalidManifest();
  const entries = Object.entries(value);
  if (!entries.every((entry): entry is [string, string] => isSafePath(entry[0]) && typeof entry[1] === "string"))
    throw new InvalidManifest();
  return new Map(entries);
}

/** Whether a path stays in the folder, whatever the system. */
function isSafePath(path: string): boolean {
  if (path === manifestName || /[\\:\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
