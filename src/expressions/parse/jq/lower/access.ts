import { assertNever } from "../../../../json.ts";
import type { Expression } from "../../../core/ast.ts";
import type { Index, Iteration, Jq, Slice } from "../syntax.ts";
import type { Environment, Lowering } from "./environment.ts";
import { lower } from "./query.ts";

/** An access, a slice or an iteration. */
export function lowerAccess(
  query: Index | Slice | Iteration,
  environment: Environment,
  lowering: Lowering,
): Expression {
  const part = (inner: Jq) => lower(inner, environment, lowering);
  const common = { source: part(query.target), optional: query.optional };
  switch (query.kind) {
    case "index":
      return { kind: "access", ...common, key: part(query.key) };
    case "slice":
      return { kind: "slice", ...common, from: query.from && part(query.from), upTo: query.upTo && part(query.upTo) };
    case "iteration":
      return { kind: "iterate", ...common };
    default:
      return assertNever(query);
  }
}
