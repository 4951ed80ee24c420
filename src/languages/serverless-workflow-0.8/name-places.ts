import type { NamePlace, NamePlaces } from "../../language.ts";

const value = (kind: NamePlace["kind"], ...path: readonly string[]): NamePlace => ({
  path: ["**", ...path],
  at: "value",
  kind,
});
const definition = (kind: NamePlace["kind"], ...path: readonly string[]): NamePlace => ({
  ...value(kind, ...path),
  isDefinition: true,
});

/** Where definitions have names. */
export const namePlaces: NamePlaces = {
  places: [
    definition("state", "states", "*", "name"),
    definition("function", "functions", "*", "name"),
    definition("event", "events", "*", "name"),
    definition("error", "errors", "*", "name"),
    definition("retry", "retries", "*", "name"),
    definition("authentication", "auth", "*", "name"),
    value("state", "start"),
    value("state", "start", "stateName"),
    value("state", "transition"),
    value("state", "transition", "nextState"),
    value("state", "compensatedBy"),
    value("function", "functionRef"),
    value("function", "functionRef", "refName"),
    value("event", "eventRef"),
    value("event", "eventRefs", "*"),
    value("event", "produceEvents", "*", "eventRef"),
    value("event", "produceEventRef"),
    value("event", "consumeEventRef"),
    value("event", "triggerEventRef"),
    value("event", "resultEventRef"),
    value("workflow", "subFlowRef"),
    value("workflow", "subFlowRef", "workflowId"),
    value("workflow", "continueAs"),
    value("workflow", "continueAs", "workflowId"),
    value("error", "errorRef"),
    value("error", "errorRefs", "*"),
    value("error", "retryableErrors", "*"),
    value("error", "nonRetryableErrors", "*"),
    value("retry", "retryRef"),
    value("authentication", "authRef"),
  ],
  dataKeys: ["data", "arguments", "contextAttributes", "metadata", "constants", "dataInputSchema", "schema"],
};
