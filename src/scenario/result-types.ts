import { mistypedResult } from "../diagnostics/scenario.ts";
import { spanOfPart } from "../documents/locate.ts";
import { knownName } from "../ir/definitions.ts";
import type { Program } from "../ir/workflow.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { findMisfit, type Type, typeOfValue } from "../types/index.ts";
import type { Answer, Scenario } from "./model.ts";

/** The results in a scenario that do not have the trusted types of their functions. */
export function mistypedResults({ functions }: Scenario, { workflows }: Program): readonly Diagnostic[] {
  const checked = new Set<string>();
  return workflows.flatMap((workflow) =>
    workflow.functions.flatMap((each) => {
      const name = knownName(each, workflow.functions, (name) => functions.has(name));
      if (name === undefined || !each.resultType || checked.has(name)) return [];
      checked.add(name);
      return functions.get(name)!.list.flatMap((answer) => mistypedAnswer(answer, name, each.resultType!));
    }),
  );
}

function mistypedAnswer({ does, span }: Answer, name: string, type: Type): readonly Diagnostic[] {
  const misfit = does.kind === "returns" ? findMisfit(typeOfValue(does.value), type) : undefined;
  if (!misfit) return [];
  const { path, found, wanted, origin } = misfit;
  const notes = origin ? [{ message: "The type is declared here.", span: origin }] : [];
  return [mistypedResult(spanOfPart(span, path), { name, path, found, wanted }, notes)];
}
