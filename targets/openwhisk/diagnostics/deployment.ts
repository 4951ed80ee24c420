import { defineError, defineInfo, defineProgramInfo } from "../../../src/text/diagnostics.ts";
import { listNames, truncate } from "../../../src/text/messages.ts";

// WB523x: names, bindings and settings of a deployment

/** A workflow, function or event is renamed, because OpenWhisk does not allow its name. */
export const openwhiskRenamed = defineInfo("WB5230", (a: { what: string; name: string; entity: string }) => ({
  message: `${a.what} \`${truncate(a.name)}\` is named \`${a.entity}\` on OpenWhisk.`,
}));

/** Functions of other protocols, replaced by actions. `ways`: how the definition reaches them, such as `by HTTP`. */
export const openwhiskReplacements = defineInfo(
  "WB5231",
  (a: { names: readonly string[]; ways: readonly string[] }) => {
    const several = a.names.length > 1;
    const ways = a.ways.length > 1 ? `${a.ways.slice(0, -1).join(", ")} and ${a.ways.at(-1)}` : a.ways[0];
    return {
      message: `${listNames(a.names)} ${several ? "are" : "is"} reached ${ways}, but the composition calls ${several ? "actions" : "an action"} instead.`,
      hint: "Deploy such an action, or bind the function in the configuration.",
    };
  },
);

/** Two events are bound to one trigger with different settings. */
export const openwhiskTriggerConflict = defineError(
  "WB5232",
  (a: { trigger: string; first: string; second: string; what: string }) => ({
    message: `Trigger \`${truncate(a.trigger)}\` is also bound to event \`${truncate(a.first)}\`, with a different ${a.what}.`,
    hint: `Bind \`${truncate(a.second)}\` to another trigger.`,
  }),
);

/** An event of the program is received from another trigger than the one that the program fires. */
export const openwhiskEmittedElsewhere = defineError(
  "WB5236",
  (a: { received: string; trigger: string; emitted: string; fired: string }) => ({
    message: `\`${truncate(a.received)}\` is received from trigger \`${truncate(a.trigger)}\`, but the program emits the event as \`${truncate(a.emitted)}\` on trigger \`${truncate(a.fired)}\`.`,
    hint: "Bind both to the same trigger.",
  }),
);

/** Runs may be suspended, which requires a store. */
export const openwhiskStoreRequired = defineProgramInfo("WB5233", (a: { id: string; reasons: readonly string[] }) => ({
  message: `Runs of \`${truncate(a.id)}\` may be suspended (${a.reasons.join(", ")}), which requires a store.`,
  hint: "When you deploy, set the environment variable WAYBILL_STORE to the URL of a Redis server or a CouchDB database.",
}));

/** A web action requires an object, but the argument of a call may be another value. */
export const openwhiskWebArgument = defineError("WB5234", (a: { name: string }) => ({
  message: `The web action of \`${truncate(a.name)}\` requires an object, but the argument of a call may be another value.`,
  hint: "Bind the function to the action itself, which receives other values as `{ value }`.",
}));

/** Workflows of one program, which is deployed as one package, have different settings. */
export const openwhiskSettingsConflict = defineError(
  "WB5235",
  (a: { id: string; first: string; settings: readonly string[] }) => ({
    message: `\`${truncate(a.id)}\` and \`${truncate(a.first)}\` are deployed as one package, but their configurations differ in ${listNames(a.settings)}.`,
    hint: "Use the same settings for `openwhisk`, or compile the workflows as separate programs.",
  }),
);
