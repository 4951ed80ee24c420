import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Release } from "../target/contract.ts";
import type { Hashes, Manifest, PreviousVersion, TargetEntry, WorkflowEntry } from "./entries.ts";

/** Parses the previous format, which nests files in workflows; throws for others. */
export function parseFormat2(text: string): Manifest {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || value["format"] !== 2) throw new InvalidManifest();
  return parseMap(value["targets"], parseTarget);
}

/** A manifest that is not supported. */
export class InvalidManifest extends Error {}

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

/** Parses the outputs of a workflow. */
export function parseWorkflow(value: JsonObject): WorkflowEntry {
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

/** Whether a path cannot leave its folder, or be the manifest. */
export function isSafePath(path: string): boolean {
  if (path === ".waybill.json" || /[\\:\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
