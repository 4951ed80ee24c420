import type { Fault, NameFault } from "../expressions/index.ts";
import { type Diagnostic, defineError } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { type Detail, expressionLimit, unsupportedExpression } from "./expressions.ts";

// WB401x: jq programs, wherever they stand

/** A jq program does not follow jq's grammar. */
export const jqSyntax = defineError("WB4010", (a: Detail) => a);

/** A jq program uses a name that nothing has. */
export const jqName = defineError("WB4011", (a: Detail) => a);

/** The diagnostic for what is wrong in a jq program; `span` is the place of the fault's offsets in the file. */
export function jqFault(span: Span, { fault, message, hint }: Fault | NameFault): Diagnostic {
  switch (fault) {
    case "syntax":
      return jqSyntax(span, { message, hint });
    case "unknown":
      return jqName(span, { message, hint });
    case "unsupported":
      return unsupportedExpression(span, { message, hint });
    case "limit":
      return expressionLimit(span, { message, hint });
  }
}
