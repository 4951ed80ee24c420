import type { Input } from "../compile.ts";
import { beside } from "../scenario/definitions.ts";
import type { Source } from "../text/source.ts";
import type { AnalyzedDocument } from "./definition.ts";
import { type Mention, type MentioningKind, mentionsIn } from "./mentions.ts";
import type { OpenDocument, Workspace } from "./workspace.ts";

/** The definitions of a project that contain a name, and the files that may mention it. */
export interface ProjectView {
  readonly input: Input;
  readonly parts: readonly AnalyzedDocument[];
  /** Whether there are too many definitions to read all. */
  readonly isPartial: boolean;
  readonly configuration: MentioningFile | undefined;
  readonly scenarios: readonly MentioningFile[];
}

/** A scenario file or a configuration with its names. */
export interface MentioningFile {
  readonly source: Source;
  readonly mentions: readonly Mention[];
  /** The paths of the definitions that a scenario file is about. */
  readonly definitions: ReadonlySet<string>;
}

/** Reads what of a document's project contains one of several names; all definitions for an empty name. */
export async function readProjectView(
  document: OpenDocument,
  names: readonly string[],
  workspace: Workspace,
): Promise<ProjectView | undefined> {
  const { source, kind } = document;
  const near = await workspace.projectFiles(document);
  const read = (each: Source, kind: MentioningKind) => mentioningFile(each, kind, workspace);
  const scenarios = near.scenarios.map((each) => read(each, "scenarios"));
  const own = kind === "scenarios" ? read(source, "scenarios") : undefined;
  const input = own
    ? await readNamedProgram([...own.definitions], document, workspace)
    : await (kind === "configuration" ? workspace.readProgram(document) : workspace.programOf(document));
  if (!input) return undefined;
  const { found, isPartial } = workspace.searchProgram(input, names);
  return {
    input,
    isPartial,
    parts: found.flatMap((each) => each.parts),
    configuration: near.configuration && read(near.configuration, "configuration"),
    scenarios: own && !near.scenarios.includes(source) ? [...scenarios, own] : scenarios,
  };
}

function mentioningFile(source: Source, kind: MentioningKind, workspace: Workspace): MentioningFile {
  const mentions = workspace.readingOf(source).documents.flatMap((document) => mentionsIn(document, kind));
  const paths = mentions.flatMap((each) => (each.kind === "path" ? [beside(source.path, each.name)] : []));
  return { source, mentions, definitions: new Set(paths) };
}

/** The program of the first definition that can be read, completed by the other ones. */
async function readNamedProgram(
  paths: readonly string[],
  { folder }: OpenDocument,
  workspace: Workspace,
): Promise<Input | undefined> {
  let input: Input | undefined;
  for (const path of paths) {
    if (input?.sources.some((source) => source.path === path)) continue;
    const found = await workspace.readProgramAt(path, folder);
    if (found) input = input ? { ...input, sources: [...new Set([...input.sources, ...found.sources])] } : found;
  }
  return input;
}
