import { isObject } from "../../json.ts";
import type { Access, Expression } from "./ast.ts";
import { literal } from "./build.ts";

/** The bounds of an access that is a slice, `T[F:U]`; null means the beginning or the end. */
export function sliceBounds({ key }: Access): readonly [from: Expression, upTo: Expression] | undefined {
  if (key.kind === "literal") {
    const { value } = key;
    if (!isObject(value) || Object.keys(value).join() !== "start,end") return undefined;
    return [literal(value["start"]!), literal(value["end"]!)];
  }
  if (key.kind !== "object" || key.entries.length !== 2) return undefined;
  const [from, upTo] = key.entries;
  return isNamed(from!.key, "start") && isNamed(upTo!.key, "end") ? [from!.value, upTo!.value] : undefined;
}

const isNamed = (key: Expression, name: string): boolean => key.kind === "literal" && key.value === name;
