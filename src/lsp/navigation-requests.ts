import { type Connection, LSPErrorCodes, type Position, ResponseError } from "vscode-languageserver";
import type { Document } from "../documents/index.ts";
import type { Span } from "../text/source.ts";
import { partAt } from "./definition.ts";
import { type Mention, mentionsIn } from "./mentions.ts";
import { boundPlaces } from "./modules.ts";
import { nameAt } from "./names.ts";
import { definitionsOf, highlightsAt, referencesOf, renameableAt, renameSymbol, workflowAt } from "./navigation.ts";
import { offsetAt, rangeOf } from "./positions.ts";
import { type ProjectView, readProjectView } from "./project.ts";
import { type ProjectSymbol, symbolInDefinition, symbolOfMention } from "./symbol.ts";
import { foldingRanges, symbolsOf } from "./symbols.ts";
import type { OpenDocument, Workspace } from "./workspace.ts";

/** A name of a project at the cursor. */
interface FoundSymbol {
  readonly document: OpenDocument;
  readonly symbol: ProjectSymbol;
  readonly view: ProjectView;
}

/** Adds the requests that find names and structure. */
export function addNavigation(connection: Connection, workspace: Workspace): void {
  const boundIn = async ({ document, symbol, view }: FoundSymbol): Promise<readonly Span[]> => {
    const found = await boundPlaces(symbol, view, document, workspace.host);
    workspace.addSources(
      found.map(({ source }) => source),
      document.folder,
    );
    return found;
  };
  connection.onDefinition(async ({ textDocument: { uri }, position }) => {
    const document = workspace.document(uri);
    if (!document || document.kind === "other") return null;
    const offset = offsetAt(document.source, position);
    const path = mentionAt(document, offset, workspace);
    if (path?.kind === "path") return locationsOfPath(path, document, workspace);
    const found = await symbolAt(document, offset, workspace);
    return found ? definitionsOf(found.symbol, document.source, await boundIn(found), workspace.uriOf) : null;
  });
  connection.onReferences(async ({ textDocument: { uri }, position, context }) => {
    const document = workspace.document(uri);
    const found = document && (await symbolAt(document, offsetAt(document.source, position), workspace));
    return found ? referencesOf(found.symbol, context.includeDeclaration, await boundIn(found), workspace.uriOf) : null;
  });
  connection.onDocumentHighlight(({ textDocument: { uri }, position }) => {
    const document = workspace.document(uri);
    if (!document) return null;
    const offset = offsetAt(document.source, position);
    if (document.kind !== "definition") return highlightMentions(document, offset, workspace);
    const part = partAt(workspace.analyze(document), offset);
    return part ? highlightsAt(part, offset) : null;
  });
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const document = workspace.document(uri);
    return document?.kind === "definition" ? symbolsOf(workspace.analyze(document)) : null;
  });
  connection.onFoldingRanges(({ textDocument: { uri } }) => {
    const document = workspace.document(uri);
    return document && document.kind !== "other" ? foldingRanges(workspace.analyze(document)) : null;
  });
  addRename(connection, workspace);
}

function addRename(connection: Connection, workspace: Workspace): void {
  connection.onPrepareRename(
    ({ textDocument: { uri }, position }: { textDocument: { uri: string }; position: Position }) => {
      const document = workspace.document(uri);
      if (!document || document.kind === "other") return null;
      const offset = offsetAt(document.source, position);
      const part = document.kind === "definition" ? partAt(workspace.analyze(document), offset) : undefined;
      if (part) return renameableAt(part, offset) ?? null;
      const mention = mentionAt(document, offset, workspace);
      return mention && mention.kind !== "path" && mention.kind !== "eventType"
        ? { range: rangeOf(mention.span), placeholder: mention.name }
        : null;
    },
  );
  connection.onRenameRequest(async ({ textDocument: { uri }, position, newName }) => {
    const document = workspace.document(uri);
    const found = document && (await symbolAt(document, offsetAt(document.source, position), workspace, [newName]));
    const edits = found ? renameIn(found, newName, workspace) : "There is no name here.";
    if (typeof edits === "string") throw new ResponseError(LSPErrorCodes.RequestFailed, edits);
    return { changes: Object.fromEntries([...edits].map(([each, changes]) => [each, [...changes]])) };
  });
}

function renameIn({ symbol, view }: FoundSymbol, name: string, { uriOf }: Workspace) {
  if (view.isPartial) return "Too many definitions contain the name: not all of them can be changed.";
  return renameSymbol(symbol, name, uriOf);
}

/** The name at an offset, with its uses in the project; `others` are further names of interest. */
async function symbolAt(
  document: OpenDocument,
  offset: number,
  workspace: Workspace,
  others: readonly string[] = [],
): Promise<FoundSymbol | undefined> {
  if (document.kind === "definition") {
    const part = partAt(workspace.analyze(document), offset);
    const name = part && (nameAt(part.names, offset) ?? workflowAt(part, offset));
    const view = name && (await readProjectView(document, [name.name, ...others], workspace));
    if (!view) return undefined;
    // Reading the project may have changed the configuration that the analysis relies on.
    const current = partAt(workspace.analyze(document), offset);
    const symbol = current && symbolInDefinition(current, offset, view);
    return symbol && { document, symbol, view };
  }
  const mention = mentionAt(document, offset, workspace);
  const view = mention && (await readProjectView(document, [mention.name, ...others], workspace));
  const file = view?.scenarios.find(({ source }) => source === document.source);
  const symbol = view && symbolOfMention(mention, file, view);
  return symbol && { document, symbol, view };
}

/** The name at an offset of a scenario file or a configuration. */
export function mentionAt(document: OpenDocument, offset: number, workspace: Workspace): Mention | undefined {
  return mentionsOf(document, workspace).find(({ span }) => span.start <= offset && offset <= span.end);
}

function mentionsOf({ source, kind }: OpenDocument, workspace: Workspace): readonly Mention[] {
  if (kind !== "scenarios" && kind !== "configuration") return [];
  return workspace.readingOf(source).documents.flatMap((each: Document) => mentionsIn(each, kind));
}

function highlightMentions(document: OpenDocument, offset: number, workspace: Workspace) {
  const all = mentionsOf(document, workspace);
  const here = all.find(({ span }) => span.start <= offset && offset <= span.end);
  const same = all.filter(({ kind, name }) => kind === here?.kind && name === here.name);
  return same.map(({ span }) => ({ range: rangeOf(span) }));
}

function locationsOfPath({ name }: Mention, document: OpenDocument, workspace: Workspace) {
  const uri = workspace.uriBeside(document, name);
  const start = { line: 0, character: 0 };
  return uri === undefined ? null : [{ uri, range: { start, end: start } }];
}
