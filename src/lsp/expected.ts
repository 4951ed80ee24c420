import type { Language } from "../language.ts";
import type { Source } from "../text/source.ts";
import type { Cursor } from "./cursor.ts";
import {
  type AnalysisContext,
  type AnalyzedDocument,
  type AnalyzedSource,
  analyzeSource,
  partAt,
  readForEditor,
} from "./definition.ts";
import type { NameIndex, NameKind, NameSite } from "./names.ts";
import { placeOf } from "./places.ts";
import type { DataPath } from "./schema.ts";
import type { TreeNode } from "./tree.ts";

/** What the kinds of names at a cursor are found with. */
export interface ExpectationRequest {
  readonly source: Source;
  readonly languages: readonly Language[];
  readonly context: AnalysisContext;
  /** The analysis of the source, for its names. */
  readonly analyzed: AnalyzedSource;
  /** That of the last version without errors. */
  readonly previous?: AnalyzedSource | undefined;
}

/** A string at the cursor: the source with it, and where it begins. */
export interface CursorText {
  readonly source: Source;
  readonly start: number;
}

/**
 * The kinds of names that are expected at a cursor: those of the other strings below the same key if most are names,
 * otherwise what the compiler looks up there.
 */
export function expectedKinds(
  path: DataPath,
  cursor: Cursor,
  insert: (name: string) => CursorText,
  request: ExpectationRequest,
): ReadonlySet<NameKind> {
  const parts = [request.analyzed, request.previous].map((analyzed) => analyzed && partAt(analyzed, cursor.start));
  const places = parts.map((part) => part?.language).find((language) => language)?.names;
  const place = places && placeOf(path, "value", places);
  if (place) return new Set([place.kind]);
  for (const each of parts) {
    const similar = each && kindsBelow(path, cursor, each);
    if (similar) return similar;
  }
  // Some languages do not lower a reference to an unknown state, but one to the state around the cursor.
  const around = parts[0]?.names.findLast(
    ({ kind, isDefinition, span }) => kind === "state" && isDefinition && span.start < cursor.start,
  );
  const kinds = kindsWith(insert(unknownName), request);
  return kinds.size > 0 || !around ? kinds : kindsWith(insert(around.name), request);
}

/** The kinds of names below a key; undefined if most strings there are not names. Not every name is in the IR. */
function kindsBelow(
  path: DataPath,
  cursor: Cursor,
  { nodes, names }: AnalyzedDocument,
): ReadonlySet<NameKind> | undefined {
  const wanted = lastKey(path);
  const uses = new Map(
    names.flatMap(({ span, kind, isDefinition }) => (isDefinition ? [] : [[span.start, kind] as const])),
  );
  const kinds = new Set<NameKind>();
  let [named, unnamed] = [0, 0];
  for (const node of nodes) {
    const { value, valueStart, end } = node;
    const isHere = valueStart <= cursor.start && cursor.start <= end;
    if (typeof value !== "string" || isHere || keyOf(node)?.toLowerCase() !== wanted) continue;
    const kind = uses.get(valueStart);
    if (kind === undefined) unnamed += 1;
    else {
      named += 1;
      kinds.add(kind);
    }
  }
  return named > unnamed ? kinds : undefined;
}

const lastKey = (path: DataPath): string | undefined => path.findLast((key) => typeof key === "string")?.toLowerCase();

/** The name of a property, or of the one that holds an item. */
function keyOf(node: TreeNode): string | undefined {
  let at: TreeNode | undefined = node;
  while (typeof at?.key === "number") at = at.parent;
  return typeof at?.key === "string" ? at.key : undefined;
}

/** A name that no definition has. */
export const unknownName = "waybill0completion0here";

/** The last analysis or, if the missing value leaves the document without names, that of the source with a name there. */
export function analysisWithNames(insert: (name: string) => CursorText, request: ExpectationRequest): AnalyzedSource {
  if (request.analyzed.parts.some(({ names }) => names.length > 0)) return request.analyzed;
  return analyzeWith(insert(unknownName).source, request);
}

function analyzeWith(source: Source, request: ExpectationRequest): AnalyzedSource {
  const configuration = request.context.configurationOf?.(request.source);
  const context = { ...request.context, configurationOf: () => configuration, readsOnlyNames: true };
  return analyzeSource(source, readForEditor(source), request.languages, context);
}

function kindsWith({ source, start }: CursorText, request: ExpectationRequest): ReadonlySet<NameKind> {
  const { parts } = analyzeWith(source, request);
  const sites = parts.flatMap(({ names }): NameIndex => names);
  const isHere = ({ isDefinition, span }: NameSite): boolean => !isDefinition && span.start === start;
  return new Set(sites.filter(isHere).map(({ kind }) => kind));
}
