import type { Document } from "../documents/index.ts";
import type { NamePlaces } from "../language.ts";
import type { NameIndex, NameSite } from "./names.ts";
import { placeOf } from "./places.ts";
import { pathOf } from "./schema.ts";
import type { TreeNode } from "./tree.ts";

/** A document with the names of its workflow in the IR. */
export interface NamedDocument {
  readonly document: Document;
  readonly nodes: readonly TreeNode[];
  readonly index: ReadonlyMap<number, TreeNode>;
  readonly names: NameIndex;
}

/** Completes the names that are found in the IR by those at the places of a language, also of an invalid document. */
export function withSyntaxNames(part: NamedDocument, places: NamePlaces): NameIndex {
  const sites = new Map(part.names.map((site) => [site.span.start, site]));
  const found = [...part.nodes.flatMap((node) => siteAt(node, part.document, places))];
  for (const { site } of found)
    if (site.isDefinition && !sites.get(site.span.start)?.isDefinition) sites.set(site.span.start, site);
  const definitions = Map.groupBy(
    [...sites.values()].filter(({ isDefinition }) => isDefinition),
    ({ kind, name }) => `${kind} ${name}`,
  );
  for (const { site, node } of found) {
    if (site.isDefinition) continue;
    const candidates = definitions.get(`${site.kind} ${site.name}`) ?? [];
    const definition = candidates.length > 1 ? nearest(candidates, node, part.index) : candidates[0];
    if (definition) sites.set(site.span.start, { ...site, symbol: definition.symbol });
    else if (mayBeUndefined(site)) sites.set(site.span.start, site);
    else sites.delete(site.span.start);
  }
  return [...sites.values()].sort((a, b) => a.span.start - b.span.start);
}

/** The IR has other meanings of these strings, such as `call: http` and `then: end`. */
const mayBeUndefined = ({ kind }: NameSite): boolean => kind === "workflow" || kind === "error" || kind === "retry";

function siteAt(
  node: TreeNode,
  document: Document,
  places: NamePlaces,
): readonly { readonly site: NameSite; readonly node: TreeNode }[] {
  const { key, value, parent } = node;
  if (!parent || key === undefined) return [];
  const path = pathOf(node);
  return (["key", "value"] as const).flatMap((at) => {
    const name = at === "key" ? key : value;
    const place = typeof name === "string" ? placeOf(path, at, places) : undefined;
    if (!place || typeof name !== "string") return [];
    const span = document.spanOf(parent.value as object, key, at);
    const { kind, isDefinition = false } = place;
    return [{ site: { kind, symbol: name, name, span, isDefinition }, node }];
  });
}

/** The definition in the innermost array around a use: names of states are unique in an array. */
function nearest(
  candidates: readonly NameSite[],
  node: TreeNode,
  index: ReadonlyMap<number, TreeNode>,
): NameSite | undefined {
  const around = new Map<TreeNode, number>();
  for (let at = node.parent; at; at = at.parent) around.set(at, around.size);
  const distance = (site: NameSite): number => around.get(arrayAround(index.get(site.span.start)) ?? node) ?? Infinity;
  const [first] = candidates.toSorted((a, b) => distance(a) - distance(b));
  return first && distance(first) < Infinity ? first : undefined;
}

function arrayAround(node: TreeNode | undefined): TreeNode | undefined {
  let at = node;
  while (at && !Array.isArray(at.value)) at = at.parent;
  return at;
}
