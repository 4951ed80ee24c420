import { createNames } from "../../ir/names.ts";
import type { BuiltIn } from "../../ir/protocols.ts";
import type { Span } from "../../text/source.ts";
import type { Context } from "./context.ts";

/** The name of the workflow's built-in function of a kind, which is defined on first use. */
export function builtInFunction(
  { functions, nameCounts }: Pick<Context, "functions" | "nameCounts">,
  kind: BuiltIn["kind"],
  span: Span,
): string {
  const known = functions.find(({ protocol }) => protocol?.kind === kind);
  if (known) return known.name;
  const name = createNames([...functions.map((each) => each.name), ...nameCounts.keys()]).fresh(kind);
  functions.push({ name, protocol: { kind }, span });
  return name;
}
