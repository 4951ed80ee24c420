import type { Type } from "../types/index.ts";
import { objectsOf, printType, typeAtPath } from "../types/index.ts";
import { dataBefore } from "./data.ts";
import { type AnalyzedSource, partAt } from "./definition.ts";
import { constructAt } from "./tree.ts";

/** A member of the data at a path. */
export interface DataMember {
  readonly name: string;
  readonly type: string;
}

/** A path in an expression that ends at the cursor. */
export interface PathPrefix {
  readonly names: readonly string[];
  /** The offset of its last name, which may be incomplete. */
  readonly start: number;
}

/** The path before an offset: in jq `.order.it`, in JSONPath `$.order.it`. */
export function pathBefore(text: string, offset: number): PathPrefix | undefined {
  const line = text.slice(Math.max(text.lastIndexOf("\n", offset - 1) + 1, offset - 1_000), offset);
  const found = /(?:^|[\s"'({[|,;:+*/=<>!&-])\$?\.((?:[A-Za-z_]\w*\.)*)([A-Za-z_]\w*)?$/.exec(line);
  if (!found) return undefined;
  const [, outer = "", last = ""] = found;
  return { names: outer.split(".").filter((name) => name !== ""), start: offset - last.length };
}

/**
 * The members of the data at a path, before the state around an offset. An invalid version has no types: those of
 * the last valid one are used.
 */
export function membersAt(
  analyses: readonly (AnalyzedSource | undefined)[],
  offset: number,
  { names }: PathPrefix,
): readonly DataMember[] {
  for (const analyzed of analyses) {
    const type = analyzed && dataAround(analyzed, offset);
    const objects = type ? objectsOf(typeAtPath(type, names)) : [];
    const members = objects.flatMap((each) => [...each.members]);
    if (members.length > 0) return members.map(([name, member]) => ({ name, type: printType(member.type) }));
  }
  return [];
}

function dataAround(analyzed: AnalyzedSource, offset: number): Type | undefined {
  const part = partAt(analyzed, offset);
  if (!part?.workflow) return undefined;
  const around = part.names.findLast(({ kind, isDefinition, span }) => {
    const node = kind === "state" && isDefinition ? constructAt(span.start, part.index) : undefined;
    return node?.parent !== undefined && node.start <= offset && offset <= node.end;
  });
  return around && dataBefore(part.workflow, around.symbol);
}
