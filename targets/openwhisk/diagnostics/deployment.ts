import { clip, listed } from "../../../src/text/clip.ts";
import { defineError, defineInfo } from "../../../src/text/diagnostics.ts";

// WB523x: names and bindings of what is deployed to OpenWhisk

/** A name that OpenWhisk has in another way. */
export const openwhiskRenamed = defineInfo("WB5230", (a: { what: string; name: string; entity: string }) => ({
  message: `${a.what} \`${clip(a.name)}\` is \`${a.entity}\` on OpenWhisk.`,
}));

/** Functions that actions have to stand for. `ways`: how the definition says that they are reached, such as `by HTTP`. */
export const openwhiskStandIns = defineInfo("WB5231", (a: { names: readonly string[]; ways: readonly string[] }) => {
  const several = a.names.length > 1;
  const ways = a.ways.length > 1 ? `${a.ways.slice(0, -1).join(", ")} and ${a.ways.at(-1)}` : a.ways[0];
  return {
    message: `${listed(a.names)} ${several ? "are" : "is"} reached ${ways}: the composition calls ${several ? "actions in their" : "an action in its"} place.`,
    hint: "The configuration can bind functions to what they are on OpenWhisk.",
  };
});

/** A trigger that two bindings describe in different ways. */
export const openwhiskTriggerTwice = defineError(
  "WB5232",
  (a: { trigger: string; first: string; second: string; what: string }) => ({
    message: `The trigger \`${clip(a.trigger)}\` is that of \`${clip(a.first)}\` too, with another ${a.what}.`,
    hint: `Give \`${clip(a.second)}\` a trigger of its own.`,
  }),
);

/** Runs that can only wait where there is a store. */
export const openwhiskStore = defineInfo("WB5233", (a: { id: string; reasons: readonly string[] }) => ({
  message: `Runs of \`${clip(a.id)}\` may be suspended (${a.reasons.join(", ")}): they need a store, which the deployment names.`,
  hint: "Set the environment variable WAYBILL_STORE to the URL of a Redis server or of a database of CouchDB when you deploy.",
}));

/** A web action is called with an object, and the argument may be another value. */
export const openwhiskWebArgument = defineError("WB5234", (a: { name: string }) => ({
  message: `The web action of \`${clip(a.name)}\` takes an object, and the argument may be another value.`,
  hint: "Bind the function to the action itself: it is called with `{ value }` where the argument is no object.",
}));

/** Workflows of one program, which is one package, with different settings. */
export const openwhiskOtherSettings = defineError(
  "WB5235",
  (a: { id: string; first: string; settings: readonly string[] }) => ({
    message: `\`${clip(a.id)}\` and \`${clip(a.first)}\` are deployed as one package, and their configurations differ in ${listed(a.settings)}.`,
    hint: "Give both the same settings for `openwhisk`, or compile them as programs of their own.",
  }),
);
