import { hash } from "node:crypto";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Hashes, Manifest, PreviousVersion, TargetEntry, WorkflowEntry } from "./entries.ts";
import { InvalidManifest, isSafePath, parseFormat2, parseWorkflow } from "./manifest-format-2.ts";

/** The manifest in an output folder, which lists the files that Waybill may replace. */
export const manifestName = ".waybill.json";

export type { Hashes, Manifest, PreviousVersion, TargetEntry, WorkflowEntry } from "./entries.ts";

/** The entry of a target without outputs. */
export const emptyEntry: TargetEntry = { workflows: new Map(), files: new Map(), previous: new Map() };

/** Hashes text, ignoring line endings, which version control may change. */
export const hashOf = (text: string): string => hash("sha256", text.replaceAll("\r\n", "\n"), "hex").slice(0, 16);

/** The hash of a file during an interrupted change. */
export const unknownHash = "";

/** Whether a file with the hash `now` is as it was written. After a merge, `written` may be several hashes. */
export const isUnedited = (now: string, written: string | undefined): boolean =>
  written === unknownHash || written?.split(" ").includes(now) === true;

/** All files of an entry except previous versions. */
export const filesOf = ({ workflows, files }: Pick<TargetEntry, "workflows" | "files">): Hashes =>
  new Map([...[...workflows.values()].flatMap((workflow) => [...workflow.files]), ...files]);

const format = 3;

/**
 * Prints a manifest with a line for each workflow and file, in order, so that changes of different definitions merge. The
 * last entry is null, so that all lines of others end with a comma.
 */
export function printManifest(manifest: Manifest): string {
  const entries = [...manifest].flatMap(([target, entry]) =>
    filesOf(entry).size === 0 ? [] : entriesOf(entry).map((line): JsonObject => ({ target, ...line })),
  );
  const lines = entries.map((entry) => [sortKey(entry), JSON.stringify(entry)] as const);
  lines.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{\n"format": ${format},\n"outputs": [\n${lines.map(([, line]) => `${line},\n`).join("")}null]\n}\n`;
}

/** The first part of a key ends before any other character. */
const sortKey = (entry: JsonObject): string =>
  ["target", "workflow", "previous", "file"].map((name) => own(entry, name) ?? "").join("\0");

function entriesOf({ workflows, files, previous }: TargetEntry): readonly JsonObject[] {
  const ids = new Set([...workflows.keys(), ...previous.keys()]);
  const ofFiles = (hashes: Hashes, more: JsonObject): readonly JsonObject[] =>
    [...hashes].map(([file, hash]) => ({ ...more, file, hash }));
  return [
    ...ofFiles(files, {}),
    ...[...ids].flatMap((workflow) => {
      const entry = workflows.get(workflow);
      const versions = previous.get(workflow) ?? [];
      return [
        { workflow, ...(entry ? workflowJson(entry) : { removed: true }), ...versionsJson(versions) },
        ...ofFiles(entry?.files ?? new Map(), { workflow }),
        ...versions.flatMap((each) => ofFiles(each.files, { workflow, previous: each.version })),
      ];
    }),
  ];
}

const workflowJson = ({ source, starts, release }: WorkflowEntry): JsonObject => ({
  ...(source === undefined ? {} : { source }),
  ...(starts.length > 0 ? { starts: [...starts].sort() } : {}),
  ...(release ? { release: { version: release.version, files: [...release.files].sort() } } : {}),
});

/** Newest first. */
const versionsJson = (versions: readonly PreviousVersion[]): JsonObject =>
  versions.length === 0 ? {} : { versions: versions.map(({ version }) => version) };

/** Parses a manifest of this or the previous format; undefined if it is unsupported. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return /^"format": 3,\r?$/m.test(text) ? parseLines(text.split(/\r?\n/)) : parseFormat2(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InvalidManifest) return undefined;
    throw error;
  }
}

/** Whether a merge left conflicts in a manifest, which the next build resolves. */
export const isConflicted = (text: string | undefined): boolean => /^(?:<<<<<<<|>>>>>>>) /m.test(text ?? "");

/** A target whose lines are being read. */
interface OpenEntry {
  readonly workflows: Map<string, WorkflowEntry & { readonly files: Map<string, string> }>;
  readonly files: Map<string, string>;
  readonly versions: Map<string, readonly string[]>;
  /** By workflow ID and version. */
  readonly previous: Map<string, Map<string, Map<string, string>>>;
}

/**
 * Parses the entries line by line. A merge may leave both versions of a line and its conflict markers: a workflow has
 * what its last line says, and a file is unedited with either hash.
 */
function parseLines(lines: readonly string[]): Manifest {
  const targets = new Map<string, OpenEntry>();
  for (const line of lines) {
    if (/^(?:[{}]|"format": 3,|"outputs": \[|null\]|<<<<<<< .*|\|\|\|\|\|\|\| .*|=======|>>>>>>> .*|)$/.test(line))
      continue;
    const entry = JSON.parse(line.replace(/,$/, "")) as Json;
    if (!isObject(entry)) throw new InvalidManifest();
    addEntry(entry, targets);
  }
  return new Map([...targets].map(([target, entry]) => [target, closeEntry(entry)]));
}

function addEntry(entry: JsonObject, targets: Map<string, OpenEntry>): void {
  const target = requireText(entry, "target");
  const to = targets.get(target) ?? {
    workflows: new Map(),
    files: new Map(),
    versions: new Map(),
    previous: new Map(),
  };
  targets.set(target, to);
  const [workflow, file] = [optionalText(entry, "workflow"), optionalText(entry, "file")];
  if (workflow !== undefined && file === undefined) {
    to.versions.set(workflow, parseVersions(own(entry, "versions") ?? []));
    if (own(entry, "removed") === true) return;
    const before = to.workflows.get(workflow)?.files ?? new Map<string, string>();
    const { source, starts, release } = parseWorkflow({ ...entry, files: {} });
    to.workflows.set(workflow, { source, starts, ...(release ? { release } : {}), files: before });
    return;
  }
  if (file === undefined || !isSafePath(file)) throw new InvalidManifest();
  const hashes = hashesFor(to, workflow, optionalText(entry, "previous"));
  const [hash, known] = [requireText(entry, "hash"), hashes.get(file)];
  hashes.set(file, known === undefined || known === hash ? hash : `${known} ${hash}`);
}

function hashesFor(to: OpenEntry, workflow: string | undefined, version: string | undefined): Map<string, string> {
  if (workflow === undefined) return to.files;
  if (version === undefined) {
    const entry = to.workflows.get(workflow) ?? { starts: [], files: new Map<string, string>() };
    to.workflows.set(workflow, entry);
    return entry.files;
  }
  if (!isSafePath(version)) throw new InvalidManifest();
  const versions = to.previous.get(workflow) ?? new Map<string, Map<string, string>>();
  to.previous.set(workflow, versions);
  const hashes = versions.get(version) ?? new Map<string, string>();
  versions.set(version, hashes);
  return hashes;
}

function closeEntry({ workflows, files, versions, previous }: OpenEntry): TargetEntry {
  const inOrder = (id: string, known: ReadonlyMap<string, Hashes>): readonly PreviousVersion[] =>
    [...new Set([...(versions.get(id) ?? []), ...known.keys()])].flatMap((version) => {
      const hashes = known.get(version);
      return hashes ? [{ version, files: hashes }] : [];
    });
  return {
    workflows,
    files,
    previous: new Map([...previous].map(([id, known]) => [id, inOrder(id, known)])),
  };
}

function requireText(entry: JsonObject, name: string): string {
  const text = optionalText(entry, name);
  if (text === undefined) throw new InvalidManifest();
  return text;
}

function optionalText(entry: JsonObject, name: string): string | undefined {
  const value = own(entry, name);
  if (value !== undefined && typeof value !== "string") throw new InvalidManifest();
  return value;
}

function parseVersions(value: Json): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) throw new InvalidManifest();
  return value as readonly string[];
}
