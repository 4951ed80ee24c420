import type { DocumentHighlight, Location, Range, TextEdit } from "vscode-languageserver";
import type { Workflow } from "../ir/workflow.ts";
import { quoteLike } from "../text/fix.ts";
import type { Source, Span } from "../text/source.ts";
import type { AnalyzedDocument } from "./definition.ts";
import { type NameSite, nameAt, sitesOf } from "./names.ts";
import { rangeOf } from "./positions.ts";
import type { ProjectSymbol } from "./symbol.ts";

/** Finds the URI of a source. */
export type UriOf = (source: Source) => string;

/**
 * Where a name is defined, if possible in the same file, then where the configuration binds it, and the exports that it
 * is bound to.
 */
export function definitionsOf(
  { sites }: ProjectSymbol,
  from: Source,
  bound: readonly Span[],
  uriOf: UriOf,
): Location[] {
  const all = sites.filter(({ isDefinition }) => isDefinition).map(({ span }) => span);
  const own = all.filter(({ source }) => source === from);
  return [...(own.length > 0 ? own : all), ...bound].map((span) => locate(span, uriOf));
}

/** The uses of a name in definitions, in the configuration, and in scenario files. */
export function referencesOf(
  { sites, mentions }: ProjectSymbol,
  includesDefinition: boolean,
  bound: readonly Span[],
  uriOf: UriOf,
): Location[] {
  const own = sites.filter(({ isDefinition }) => includesDefinition || !isDefinition);
  const spans = [...own, ...mentions].map(({ span }) => span);
  const places = new Map([...spans, ...bound].map((span) => [`${uriOf(span.source)} ${span.start}`, span]));
  return [...places.values()].map((span) => locate(span, uriOf));
}

/** The sites of the name at an offset in its document. */
export function highlightsAt(part: AnalyzedDocument, offset: number): DocumentHighlight[] {
  const site = nameAt(part.names, offset);
  return site ? sitesOf(part.names, site).map(({ span }) => ({ range: rangeOf(span) })) : [];
}

/** The range of the name at an offset that can be renamed, and its text. */
export function renameableAt(
  part: AnalyzedDocument,
  offset: number,
): { readonly range: Range; readonly placeholder: string } | undefined {
  const site = nameAt(part.names, offset) ?? workflowAt(part, offset);
  if (!site || (site.kind !== "workflow" && !isDefined(part, site))) return undefined;
  return { range: rangeOf(site.span), placeholder: site.name };
}

/** The edits that rename a name in a project, by URI, or why it cannot be renamed. */
export function renameSymbol(
  symbol: ProjectSymbol,
  name: string,
  uriOf: UriOf,
): ReadonlyMap<string, readonly TextEdit[]> | string {
  const { kind, sites, mentions, owners } = symbol;
  if (kind === "eventType" || !sites.some(({ isDefinition }) => isDefinition))
    return "No file of this project defines the name.";
  if (kind === "workflow" && sites.some(({ span, isDefinition }) => isDefinition && span.start === span.end))
    return "The definition does not state the id of its workflow.";
  if (name.trim() === "" || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "A name must be a line of text.";
  const isTaken = (part: AnalyzedDocument): boolean =>
    kind === "workflow" ? part.workflow?.id === name : definesOther(part, kind, name);
  if (name !== symbol.name && owners.some(isTaken)) return `There is already a ${kind} \`${name}\`.`;
  const spans = new Map([...sites, ...mentions].map(({ span }) => [`${uriOf(span.source)} ${span.start}`, span]));
  const bySource = Map.groupBy(spans.values(), ({ source }) => uriOf(source));
  return new Map(
    [...bySource].map(([uri, found]) => [
      uri,
      found.map((span) => ({ range: rangeOf(span), newText: quoteLike(span, name) })),
    ]),
  );
}

const definesOther = ({ names }: AnalyzedDocument, kind: NameSite["kind"], name: string): boolean =>
  names.some((each) => each.kind === kind && each.isDefinition && each.name === name);

const isDefined = ({ names }: AnalyzedDocument, site: NameSite): boolean =>
  sitesOf(names, site).some(({ isDefinition }) => isDefinition);

const locate = (span: Span, uriOf: UriOf): Location => ({ uri: uriOf(span.source), range: rangeOf(span) });

/** The definition of a workflow in a document, and where the document starts it. */
export function workflowSites(part: AnalyzedDocument, id: string): readonly NameSite[] {
  const uses = part.names.filter(({ kind, symbol }) => kind === "workflow" && symbol === id);
  if (part.workflow?.id !== id) return uses;
  return [{ kind: "workflow", symbol: id, name: id, span: spanOfId(part, part.workflow), isDefinition: true }, ...uses];
}

/** The value that states the id of a workflow, otherwise the start of the document. */
function spanOfId({ document, nodes }: AnalyzedDocument, { id }: Workflow): Span {
  const stated = nodes.find(
    ({ key, value, parent }) => (key === "id" || key === "name") && value === id && parent?.key === undefined,
  );
  if (!stated) return { ...document.span, end: document.span.start };
  return { ...document.span, start: stated.valueStart, end: stated.end };
}

/** The workflow that a document defines, at the value of its id. */
export function workflowAt(part: AnalyzedDocument, offset: number): NameSite | undefined {
  const { workflow } = part;
  const span = workflow && spanOfId(part, workflow);
  if (!span || offset < span.start || offset > span.end || span.start === span.end) return undefined;
  return { kind: "workflow", symbol: workflow.id, name: workflow.id, span, isDefinition: true };
}
