import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import type { Release } from "../target/contract.ts";

/** The manifest in an output folder, which lists the files that Waybill may replace. */
export const manifestName = ".waybill.json";

/** The outputs in a folder by target. */
export type Manifest = ReadonlyMap<string, TargetEntry>;

/** The outputs of one target. */
export interface TargetEntry {
  /** By workflow ID. */
  readonly workflows: ReadonlyMap<string, WorkflowEntry>;
  /** Files of the whole program. */
  readonly files: Hashes;
  /** Previous versions by workflow ID, newest first. */
  readonly previous: ReadonlyMap<string, readonly PreviousVersion[]>;
}

/** A previous version of a workflow, for unfinished runs. */
export interface PreviousVersion {
  readonly version: string;
  readonly files: Hashes;
}

/** The outputs of a workflow. */
export interface WorkflowEntry {
  /** The definition, relative to the output folder; undefined for standard input. */
  readonly source?: string | undefined;
  /** Separately compiled workflows that it starts. */
  readonly starts: readonly string[];
  readonly files: Hashes;
  readonly release?: Release | undefined;
}

/** Hashes of files by path, when written. */
export type Hashes = ReadonlyMap<string, string>;

/** The entry of a target without outputs. */
export const emptyEntry: TargetEntry = { workflows: new Map(), files: new Map(), previous: new Map() };

/** Hashes text, ignoring line endings, which version control may change. */
export const hashOf = (text: string): string => hash("sha256", text.replaceAll("\r\n", "\n"), "hex").slice(0, 16);

/** The hash of a file during an interrupted change. */
export const unknownHash = "";

/** All files of an entry except previous versions. */
export const filesOf = ({ workflows, files }: Pick<TargetEntry, "workflows" | "files">): Hashes =>
  new Map([...[...workflows.values()].flatMap((workflow) => [...workflow.files]), ...files]);

const format = 2;

/** Prints a manifest deterministically. */
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

/** Parses a manifest; undefined if it is unsupported. */
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

function isSafePath(path: string): boolean {
  if (path === manifestName || /[\\:\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
