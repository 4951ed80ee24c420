import type { Json } from "../../../json.ts";
import { codePointCount } from "../../library/text.ts";

/** `nodeLength(E)`: JSONPath's `length` (RFC 9535, 2.4.4) of the first output. */
export function lengthOfNode(node: Json | undefined): number | undefined {
  if (typeof node === "string") return codePointCount(node);
  return typeof node === "object" && node !== null ? Object.keys(node).length : undefined;
}

/** `nodeValue(E)`: JSONPath's `value` (RFC 9535, 2.4.8): the only output, or undefined. */
export const valueOfNodes = (nodes: readonly Json[]): Json | undefined => (nodes.length === 1 ? nodes[0] : undefined);
