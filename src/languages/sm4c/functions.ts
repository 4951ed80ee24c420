import type { FunctionDefinition } from "../../ir/workflow.ts";
import type { LowerContext } from "../../language.ts";
import { protocolOf } from "../shared/operations.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";

/** Lowers the called functions with their protocols. */
export function lowerFunctions(
  context: Pick<Context, "document" | "report" | "functions">,
  lowering: LowerContext,
): FunctionDefinition[] {
  const documents = new Map();
  return context.functions.all.flatMap((definition) => {
    const { name, type = "rest" } = definition;
    if (type === "expression") return [];
    const report = lowering.isBound?.(name) ? () => {} : context.report;
    const protocol = protocolOf({ document: context.document, report, lowering, documents }, definition, type);
    return [{ name, type, protocol, span: spanOf(context, definition, "name") }];
  });
}
