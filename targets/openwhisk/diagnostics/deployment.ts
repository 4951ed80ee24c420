import { listNames, truncate } from "../../../src/text/clip.ts";
import { defineError, defineInfo } from "../../../src/text/diagnostics.ts";

// WB523x: names and bindings of what is deployed to OpenWhisk

/** A name that OpenWhisk has in another way. */
export const openwhiskRenamed = defineInfo("WB5230", (a: { what: string; name: string; entity: string }) => ({
  message: `${a.what} \`${truncate(a.name)}\` is \`${a.entity}\` on OpenWhisk.`,
}));

/** Functions that actions have to stand for. `ways`: how the definition says that they are reached, such as `by HTTP`. */
export const openwhiskStandIns = defineInfo("WB5231", (a: { names: readonly string[]; ways: readonly string[] }) => {
  const several = a.names.length > 1;
  const ways = a.ways.length > 1 ? `${a.ways.slice(0, -1).join(", ")} and ${a.ways.at(-1)}` : a.ways[0];
  return {
    message: `${listNames(a.names)} ${several ? "are" : "is"} reached ${ways}: the composition calls ${several ? "actions in their" : "an action in its"} place.`,
    hint: "The configuration can bind functions to what they are on OpenWhisk.",
  };
});

/** A trigger that two bindings describe in different ways. */
export const openwhiskTriggerTwice = defineError(
  "WB5232",
  (a: { trigger: string; first: string; second: string; what: string }) => ({
    message: `The trigger \`${truncate(a.trigger)}\` is that of \`${truncate(a.first)}\` too, with another ${a.what}.`,
    hint: `Give \`${truncate(a.second)}\` a trigger of its own.`,
  }),
);

/** Runs that can only wait where there is a store. */
export const openwhiskStore = defineInfo("WB5233", (a: { id: string; reasons: readonly string[] }) => ({
  message: `Runs of \`${truncate(a.id)}\` may be suspended (${a.reasons.join(", ")}): they need a store, which the deployment names.`,
  hint: "Set the environment variable WAYBILL_STORE to the URL of a Redis server or of a database of CouchDB when you deploy.",
}));

/** A web action is called with an object, and the argument may be another value. */
export const openwhiskWebArgument = defineError("WB5234", (a: { name: string }) => ({
  message: `The web action of \`${truncate(a.name)}\` takes an object, and the argument may be another value.`,
  hint: "Bind the function to the action itself: it is called with `{ value }` where the argument is no object.",
}));

/** Workflows of one program, which is one package, with different settings. */
export const openwhiskOtherSettings = defineError(
  "WB5235",
  (a: { id: string; first: string; settings: readonly string[] }) => ({
    message: `\`${truncate(a.id)}\` and \`${truncate(a.first)}\` are deployed as one package, and their configurations differ in ${listNames(a.settings)}.`,
    hint: "Give both the same settings for `openwhisk`, or compile them as programs of their own.",
  }),
);
