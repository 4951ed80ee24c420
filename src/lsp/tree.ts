import type { Document } from "../documents/index.ts";
import type { Json } from "../json.ts";

/** A value of a document with its positions. */
export interface TreeNode {
  /** The offset of its key, or of itself. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly value: Json;
  /** The name of the property or the index of the item; undefined for the root. */
  readonly key: string | number | undefined;
  readonly parent: TreeNode | undefined;
}

/** All nodes of a document, outer before inner. Aliased values appear once. */
export function nodesOf(document: Document): readonly TreeNode[] {
  const { start, end } = document.span;
  const root: TreeNode = { start, end, valueStart: start, value: document.value, key: undefined, parent: undefined };
  const nodes: TreeNode[] = [root];
  const seen = new Set<Json>();
  for (let at = 0; at < nodes.length; at += 1) {
    const parent = nodes[at]!;
    const owner = parent.value;
    if (typeof owner !== "object" || owner === null || seen.has(owner)) continue;
    seen.add(owner);
    const isArray = Array.isArray(owner);
    for (const [name, value] of Object.entries(owner) as readonly (readonly [string, Json])[]) {
      const key = isArray ? Number(name) : name;
      const { start: valueStart, end } = document.spanOf(owner, key);
      const start = isArray ? valueStart : document.spanOf(owner, key, "key").start;
      nodes.push({ start: Math.min(start, valueStart), end, valueStart, value, key, parent });
    }
  }
  return nodes;
}

/** The nodes by the offsets of their keys and of their scalar values. */
export function indexNodes(nodes: readonly TreeNode[]): ReadonlyMap<number, TreeNode> {
  const index = new Map<number, TreeNode>();
  for (const node of nodes) {
    const isScalar = typeof node.value !== "object" || node.value === null;
    if (isScalar) index.set(node.valueStart, node);
    if (typeof node.key === "string") index.set(node.start, node);
  }
  return index;
}

/** The construct that a name belongs to: the value of a key, or the object around a value. */
export function constructAt(offset: number, index: ReadonlyMap<number, TreeNode>): TreeNode | undefined {
  const node = index.get(offset);
  if (!node) return undefined;
  const isKey = node.start === offset && node.valueStart !== offset;
  return isKey ? node : (node.parent ?? node);
}
