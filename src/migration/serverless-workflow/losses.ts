import { assumption, withoutEffect } from "../../diagnostics/migration.ts";
import type { State } from "../../generated/serverless-workflow-definition.ts";
import { isObject, type Json } from "../../json.ts";
import type { ReaderContext } from "./context.ts";

/** Reports the properties that the reader does not pass on. */
export function reportLosses(context: ReaderContext): void {
  const { definition } = context;
  reportUnused(context, "workflow", definition, ["schemaVersion", "dataOutputSchema", ...otherMetadata(definition)]);
  for (const each of definition.functions ?? []) {
    reportUnused(context, "function", each, ["type", "metadata"]);
    const { resource } = each;
    if (resource !== undefined)
      context.tell(
        assumption,
        { owner: each, key: "resource" },
        {
          expression: resource,
          assumed: "the OpenAPI document of the functions states this address",
          otherwise: "Write it in `servers` of the document, or bind the function in the configuration.",
        },
      );
  }
  for (const each of definition.events ?? []) reportUnused(context, "event", each, ["metadata"]);
  for (const state of definition.states) reportState(context, state);
}

/** Schemas of states have no effect in the draft; their metadata are carried. */
function reportState(context: ReaderContext, state: State): void {
  reportUnused(context, "state", state, ["dataInputSchema", "dataOutputSchema", ...otherMetadata(state)]);
  if (state.type === "switch")
    for (const each of [...(state.dataConditions ?? []), ...(state.eventConditions ?? [])])
      reportUnused(context, "condition", each, ["metadata"]);
  const inner =
    state.type === "foreach" ? state.states : state.type === "parallel" ? state.branches.flatMap(statesOf) : [];
  for (const each of inner) reportState(context, each);
}

/** 1.0 has only objects as metadata. */
const otherMetadata = ({ metadata }: { readonly metadata?: Json }): readonly "metadata"[] =>
  metadata === undefined || isObject(metadata) ? [] : ["metadata"];

const statesOf = ({ states }: { readonly states: readonly State[] }): readonly State[] => states;

function reportUnused<Owner extends object>(
  { tell }: ReaderContext,
  noun: string,
  owner: Owner,
  keys: readonly (keyof Owner & string)[],
): void {
  for (const key of keys) if (owner[key] !== undefined) tell(withoutEffect, { owner, key }, { property: key, noun });
}
