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
export const nothingMade: TargetEntry = { workflows: new Map(), files: new Map(), previous: new Map() };

/** The hash of a file's text. Ends of lines do not count, as version control may change them. */
export const hashOf = (text: string): string => hash("sha256", text.replaceAll("\r\n", "\n"), "hex").slice(0, 16);

/** Stands for the hash of a file that was about to be written or removed. */
export const unknownHash = "";

/** All files of an entry, with their hashes; without those of earlier versions. */
export const filesOf = ({ workflows, files }: Pick<TargetEntry, "workflows" | "files">): Hashes =>
  new Map([...[...workflows.values()].flatMap((workflow) => [...workflow.files]), ...files]);

const format = 2;

/** The text of a manifest: what stands there in another order gives the same text, one line for each file. */
export function manifestText(manifest: Manifest): string {
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
export function manifestIn(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value["format"] !== format) return undefined;
    return mapOf(value["targets"], targetIn);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

function targetIn(value: JsonObject): TargetEntry {
  const files = own(value, "files");
  return {
    workflows: mapOf(own(value, "workflows"), workflowIn),
    files: files === undefined ? new Map() : hashesIn(files),
    previous: previousIn(own(value, "previous") ?? {}),
  };
}

function previousIn(value: Json): TargetEntry["previous"] {
  if (!isObject(value)) throw new NotUnderstood();
  const versionIn = (each: Json): PreviousVersion => {
    const version = isObject(each) ? own(each, "version") : undefined;
    if (!isObject(each) || typeof version !== "string" || !isSafe(version)) throw new NotUnderstood();
    return { version, files: hashesIn(own(each, "files")) };
  };
  return new Map(
    Object.entries(value).map(([id, versions]) => {
      if (!Array.isArray(versions)) throw new NotUnderstood();
      return [id, versions.map(versionIn)] as const;
    }),
  );
}

function workflowIn(value: JsonObject): WorkflowEntry {
  const [source, starts = []] = [own(value, "source"), own(value, "starts")];
  if (source !== undefined && typeof source !== "string") throw new NotUnderstood();
  if (!Array.isArray(starts) || !starts.every((id) => typeof id === "string")) throw new NotUnderstood();
  const release = releaseIn(own(value, "release"));
  return { source, starts, files: hashesIn(own(value, "files")), ...(release ? { release } : {}) };
}

function releaseIn(value: Json | undefined): Release | undefined {
  if (value === undefined) return undefined;
  const [version, files] = isObject(value) ? [own(value, "version"), own(value, "files")] : [];
  const isList =
    Array.isArray(files) && files.every((path): path is string => typeof path === "string" && isSafe(path));
  if (typeof version !== "string" || !isSafe(version) || !isList) throw new NotUnderstood();
  return { version, files };
}

function mapOf<T>(value: Json | undefined, read: (value: JsonObject) => T): ReadonlyMap<string, T> {
  if (!isObject(value)) throw new NotUnderstood();
  return new Map(
    Object.entries(value).map(([name, each]) => {
      if (!isObject(each)) throw new NotUnderstood();
      return [name, read(each)] as const;
    }),
  );
}

function hashesIn(value: Json | undefined): Hashes {
  if (!isObject(value)) throw new NotUnderstood();
  const entries = Object.entries(value);
  if (!entries.every((entry): entry is [string, string] => isSafe(entry[0]) && typeof entry[1] === "string"))
    throw new NotUnderstood();
  return new Map(entries);
}

/** Whether a path stays in the folder, whatever the system. */
function isSafe(path: string): boolean {
  if (path === manifestName || /[\\:\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
