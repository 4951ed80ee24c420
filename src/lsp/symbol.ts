import { assertNever } from "../json.ts";
import type { AnalyzedDocument } from "./definition.ts";
import type { Mention } from "./mentions.ts";
import { type NameKind, type NameSite, nameAt, sitesOf } from "./names.ts";
import { workflowAt, workflowSites } from "./navigation.ts";
import type { MentioningFile, ProjectView } from "./project.ts";

/** What a name denotes in a project, and where it occurs. */
export interface ProjectSymbol {
  readonly kind: NameKind | "eventType";
  readonly name: string;
  /** In definitions. */
  readonly sites: readonly NameSite[];
  /** In scenario files and the configuration. */
  readonly mentions: readonly Mention[];
  /** The documents that it belongs to. */
  readonly owners: readonly AnalyzedDocument[];
}

/** The name at an offset of a definition, with its uses in the project. */
export function symbolInDefinition(
  part: AnalyzedDocument,
  offset: number,
  view: ProjectView,
): ProjectSymbol | undefined {
  const site = nameAt(part.names, offset) ?? workflowAt(part, offset);
  if (!site) return undefined;
  const { kind, name } = site;
  switch (kind) {
    case "workflow":
      return workflowSymbol(site.symbol, view);
    case "function":
    case "event":
      return sharedSymbol(kind, site.symbol, [part], view);
    case "state": {
      const mentioned = mentionsOf("state", name, scenariosOf([part], view));
      const called = isCalledTask(site, part) ? sharedSymbol("function", name, [part], view) : undefined;
      if (called && called.mentions.length > 0)
        return { ...called, kind, mentions: [...called.mentions, ...mentioned] };
      return { kind, name, sites: sitesOf(part.names, site), mentions: mentioned, owners: [part] };
    }
    case "error":
    case "retry":
    case "timeout":
    case "authentication":
      return { kind, name, sites: sitesOf(part.names, site), mentions: [], owners: [part] };
    default:
      return assertNever(kind);
  }
}

/** What a name in a scenario file or the configuration denotes. */
export function symbolOfMention(
  { kind, name }: Mention,
  file: MentioningFile | undefined,
  view: ProjectView,
): ProjectSymbol | undefined {
  const owners = file ? view.parts.filter(({ document }) => file.definitions.has(document.source.path)) : view.parts;
  switch (kind) {
    case "path":
      return undefined;
    case "workflow":
      return workflowSymbol(name, view);
    case "function":
    case "event":
      return sharedSymbol(kind, name, owners, view);
    case "state":
      return {
        kind,
        name,
        sites: owners.flatMap(({ names }) => names.filter((site) => site.kind === kind && site.name === name)),
        mentions: mentionsOf("state", name, scenariosOf(owners, view)),
        owners,
      };
    case "eventType":
      return {
        kind,
        name,
        sites: owners.flatMap((part) => sitesOfEventType(part, name)),
        mentions: mentionsOf(kind, name, scenariosOf(owners, view)),
        owners,
      };
    case "error":
    case "retry":
    case "timeout":
    case "authentication":
      return undefined;
    default:
      return assertNever(kind);
  }
}

/** A function or event: if the configuration has it, it is shared by all definitions. */
function sharedSymbol(
  kind: "function" | "event",
  name: string,
  near: readonly AnalyzedDocument[],
  view: ProjectView,
): ProjectSymbol {
  const bound = mentionsOf(kind, name, view.configuration ? [view.configuration] : []);
  const owners = bound.length > 0 ? view.parts : near;
  return {
    kind,
    name,
    sites: owners.flatMap((part) => sitesOfShared(kind, name, part)),
    mentions: [...bound, ...mentionsOf(kind, name, scenariosOf(owners, view))],
    owners,
  };
}

function workflowSymbol(id: string, view: ProjectView): ProjectSymbol {
  return {
    kind: "workflow",
    name: id,
    sites: view.parts.flatMap((part) => workflowSites(part, id)),
    mentions: mentionsOf("workflow", id, [...view.scenarios, ...(view.configuration ? [view.configuration] : [])]),
    owners: view.parts,
  };
}

const mentionsOf = (kind: Mention["kind"], name: string, files: readonly MentioningFile[]): readonly Mention[] =>
  files.flatMap(({ mentions }) => mentions.filter((each) => each.kind === kind && each.name === name));

/** The scenario files about some of the documents. */
const scenariosOf = (parts: readonly AnalyzedDocument[], { scenarios }: ProjectView): readonly MentioningFile[] =>
  scenarios.filter(({ definitions }) => parts.some(({ document }) => definitions.has(document.source.path)));

/** A function may have the name of the tasks that call it. */
function sitesOfShared(kind: "function" | "event", name: string, part: AnalyzedDocument): readonly NameSite[] {
  const own = part.names.filter((site) => site.kind === kind && site.symbol === name);
  const isTask = (site: NameSite): boolean => site.kind === "state" && site.name === name && isCalledTask(site, part);
  return kind === "function" && own.length === 0 ? part.names.filter(isTask) : own;
}

/** Whether a task gives its name to the function that it calls. */
function isCalledTask({ name }: NameSite, { names, workflow }: AnalyzedDocument): boolean {
  const called = workflow?.functions.find((each) => each.name === name);
  return names.some(
    (site) =>
      site.kind === "state" && site.isDefinition && site.name === name && site.span.start === called?.span.start,
  );
}

/** The definitions of the events with a type. */
function sitesOfEventType({ names, workflow }: AnalyzedDocument, type: string): readonly NameSite[] {
  const typed = (workflow?.events ?? []).filter((event) => event.type === type);
  return typed.map(
    ({ name, span }) =>
      names.find((site) => site.kind === "event" && site.isDefinition && site.symbol === name) ?? {
        kind: "event",
        symbol: name,
        name,
        span,
        isDefinition: true,
      },
  );
}
