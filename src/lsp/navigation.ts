import type { DocumentHighlight, Location, Range, TextEdit } from "vscode-languageserver";
import type { Workflow } from "../ir/workflow.ts";
import { quoteLike } from "../text/fix.ts";
import type { Source, Span } from "../text/source.ts";
import type { AnalyzedDocument } from "./definition.ts";
import { type NameSite, nameAt, sitesOf } from "./names.ts";
import { rangeOf } from "./positions.ts";

/** The documents of a program that names can refer to. */
export interface ProgramDocuments {
  readonly parts: readonly AnalyzedDocument[];
  readonly uriOf: (source: Source) => string;
  /** Where the configuration binds the name, and the exports that it is bound to. */
  readonly bound: readonly Span[];
}

/** The definition of the name at an offset; also its entry in the configuration. */
export function definitionsAt(part: AnalyzedDocument, offset: number, program: ProgramDocuments): Location[] {
  const site = nameAt(part.names, offset);
  if (!site) return [];
  if (site.kind === "workflow") return workflowsNamed(site.symbol, program).map((span) => locate(span, program));
  const own = sitesOf(part.names, site).filter(({ isDefinition }) => isDefinition);
  return [...own.map(({ span }) => span), ...program.bound].map((span) => locate(span, program));
}

/** The uses of the name at an offset: of a workflow, in the whole program. */
export function referencesAt(
  part: AnalyzedDocument,
  offset: number,
  includesDefinition: boolean,
  program: ProgramDocuments,
): Location[] {
  const site = nameAt(part.names, offset) ?? workflowAt(part, offset);
  if (!site) return [];
  const sites =
    site.kind === "workflow"
      ? program.parts.flatMap(({ names }) => sitesOf(names, site))
      : sitesOf(part.names, site).filter(({ isDefinition }) => includesDefinition || !isDefinition);
  const definitions = site.kind === "workflow" && includesDefinition ? workflowsNamed(site.symbol, program) : [];
  return [...definitions, ...sites.map(({ span }) => span)].map((span) => locate(span, program));
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
  const site = nameAt(part.names, offset);
  if (!site || site.kind === "workflow" || !isDefined(part, site)) return undefined;
  return { range: rangeOf(site.span), placeholder: site.name };
}

/** The edits that rename the name at an offset, or why it cannot be renamed. */
export function renameAt(part: AnalyzedDocument, offset: number, name: string): readonly TextEdit[] | string {
  const site = nameAt(part.names, offset);
  if (!site || site.kind === "workflow" || !isDefined(part, site)) return "There is no name of this file here.";
  if (name.trim() === "" || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "A name must be a line of text.";
  const isTaken = part.names.some(
    (each) => each.kind === site.kind && each.isDefinition && each.symbol !== site.symbol && each.name === name,
  );
  if (isTaken) return `There is already a ${site.kind} \`${name}\`.`;
  return sitesOf(part.names, site).map(({ span }) => ({ range: rangeOf(span), newText: quoteLike(span, name) }));
}

const isDefined = ({ names }: AnalyzedDocument, site: NameSite): boolean =>
  sitesOf(names, site).some(({ isDefinition }) => isDefinition);

const locate = (span: Span, { uriOf }: ProgramDocuments): Location => ({
  uri: uriOf(span.source),
  range: rangeOf(span),
});

/** The places that define a workflow id: the value that states it, otherwise the start of the document. */
function workflowsNamed(id: string, { parts }: ProgramDocuments): readonly Span[] {
  return parts.flatMap((part) => (part.workflow?.id === id ? [spanOfId(part, part.workflow)] : []));
}

function spanOfId({ document, nodes }: AnalyzedDocument, { id }: Workflow): Span {
  const stated = nodes.find(
    ({ key, value, parent }) => (key === "id" || key === "name") && value === id && parent?.key === undefined,
  );
  if (!stated) return { ...document.span, end: document.span.start };
  return { ...document.span, start: stated.valueStart, end: stated.end };
}

/** The workflow that a document defines, at the value of its id. */
function workflowAt(part: AnalyzedDocument, offset: number): NameSite | undefined {
  const { workflow } = part;
  const span = workflow && spanOfId(part, workflow);
  if (!span || offset < span.start || offset > span.end || span.start === span.end) return undefined;
  return { kind: "workflow", symbol: workflow.id, name: workflow.id, span, isDefinition: true };
}
