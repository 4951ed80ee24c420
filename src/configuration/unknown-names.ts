import { unknownBoundName } from "../diagnostics/configuration.ts";
import type { Program } from "../program.ts";
import type { Report } from "../text/diagnostics.ts";
import { suggesting } from "../text/suggest.ts";
import type { Configuration } from "./index.ts";

/** What the configuration binds, the definitions have: a misspelt name would bind nothing. */
export function checkBoundNames({ functions, events }: Configuration, { workflows }: Program, report: Report): void {
  const bound = [
    {
      noun: "function",
      bindings: functions,
      known: new Set(workflows.flatMap((workflow) => workflow.functions.map(({ name }) => name))),
    },
    {
      noun: "event",
      bindings: events,
      known: new Set(workflows.flatMap((workflow) => workflow.events.map(({ name }) => name))),
    },
  ];
  for (const { noun, bindings, known } of bound) {
    const suggestions = suggesting([...known]);
    for (const { name } of bindings.values()) {
      if (!known.has(name.name)) report(unknownBoundName(name.span, { noun, name: name.name, known: suggestions() }));
    }
  }
}
