import { noForm } from "../../diagnostics/migration.ts";
import type { Document } from "../../documents/index.ts";
import { isObject } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { StateMachine } from "../model.ts";
import { contextOf, type ReaderOptions } from "./context.ts";
import { reportLosses } from "./losses.ts";
import { readStates } from "./states.ts";

/** Reads a canonical definition of the draft of 2020 that has no errors. */
export function readDefinition(document: Document, options: ReaderOptions, report: Report): StateMachine {
  const context = contextOf(document, options, report);
  const { id, name, version, description, metadata, extensions, dataInputSchema } = context.definition;
  reportLosses(context);
  if (extensions !== undefined)
    context.tell(
      noForm,
      { owner: context.definition, key: "extensions" },
      {
        construct: "`extensions` of the draft",
        hint: "Write `use.extensions`, whose tasks run before or after others.",
      },
    );
  return {
    id: id ?? "workflow",
    name,
    version,
    description,
    metadata: isObject(metadata) ? metadata : {},
    states: readStates(context, context.definition.states, context.definition.startsAt),
    secrets: [],
    timeout: undefined,
    inputSchema: dataInputSchema,
    schedule: undefined,
    merging: options.merge === "deep" ? "objects" : "members",
    handlesWaits: true,
    place: { owner: context.definition },
  };
}
