import { noForm, similarForm, withoutEffect } from "../../diagnostics/migration.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import { objectAt, objectsAt, type ReaderContext, textAt } from "./context.ts";

/** The extension with the schema of the output. */
export const outputSchemaExtension = "workflow-output-schema";

/** Reports what the reader does not pass on: what 1.0 cannot express, and what has no effect on runs. */
export function reportLosses(context: ReaderContext): void {
  const { definition } = context;
  reportSettings(context);
  reportTimeouts(context, definition);
  for (const each of objectsAt(definition, "functions"))
    reportUnused(context, "function", each, ["metadata", "authRef"]);
  for (const each of objectsAt(definition, "events")) reportUnused(context, "event", each, ["metadata"]);
  for (const state of objectsAt(definition, "states")) reportState(context, state);
  reportReferences(context);
}

/** SonataFlow passes an event with this attribute to the run that it names, whatever the correlation. */
function reportReferences({ definition, isSonataFlow, tell }: ReaderContext): void {
  const waits = objectsAt(definition, "states").find(
    (state, i) =>
      textAt(state, "type") === "callback" ||
      objectsAt(state, "eventConditions").length > 0 ||
      (i > 0 && textAt(state, "type") === "event"),
  );
  if (isSonataFlow && waits)
    tell(
      similarForm,
      { owner: waits, key: "name" },
      {
        construct: "The attribute `kogitoprocrefid`, which names the run of an event",
        form: "nothing",
        difference: "correlate the event by an attribute of your own",
      },
    );
}

function reportSettings(context: ReaderContext): void {
  const { definition, tell } = context;
  if (own(definition, "keepActive") === true)
    tell(
      noForm,
      { owner: definition, key: "keepActive" },
      { construct: "`keepActive`", hint: "Wait for an event with `listen` in the last task." },
    );
  if (textAt(definition, "expressionLang") === "jsonpath")
    tell(
      noForm,
      { owner: definition, key: "expressionLang" },
      { construct: "JSONPath", hint: "Rewrite the expressions in jq first." },
    );
  reportUnused(context, "workflow", definition, ["auth"]);
  for (const extension of objectsAt(definition, "extensions")) {
    const id = textAt(extension, "extensionid") ?? "";
    if (id !== "workflow-uri-definitions" && id !== outputSchemaExtension)
      tell(
        noForm,
        { owner: extension, key: "extensionid" },
        { construct: `the extension \`${id}\``, hint: "Write what it does, such as `output.schema`." },
      );
  }
}

function reportTimeouts({ tell }: ReaderContext, definition: JsonObject): void {
  const timeouts = objectAt(definition, "timeouts");
  const workflow = timeouts && objectAt(timeouts, "workflowExecTimeout");
  if (workflow && own(workflow, "interrupt") === false)
    tell(
      noForm,
      { owner: workflow, key: "interrupt" },
      { construct: "a timeout that does not interrupt", hint: "Remove `interrupt`." },
    );
}

function reportState(context: ReaderContext, state: JsonObject): void {
  const { tell, isSonataFlow } = context;
  const metadata = objectAt(state, "metadata");
  if (isSonataFlow && metadata && own(metadata, "errorMessage") !== undefined)
    tell(
      noForm,
      { owner: metadata, key: "errorMessage" },
      { construct: "`errorMessage` of a state", hint: "Add a `switch` and a `raise` after the task." },
    );
  for (const key of ["dataConditions", "eventConditions"])
    for (const each of objectsAt(state, key)) reportUnused(context, "condition", each, ["metadata"]);
  for (const entry of objectsAt(state, "onEvents"))
    if (textAt(entry, "actionMode") === "parallel" && objectsAt(entry, "actions").length > 1)
      tell(
        similarForm,
        { owner: entry, key: "actionMode" },
        { construct: "Parallel actions of an event", form: "tasks", difference: "they run one after another" },
      );
  for (const action of actionsOf(state)) reportUnused(context, "action", action, ["metadata"]);
  for (const exit of exitsOf(state)) reportContinuation(context, exit);
}

function actionsOf(state: JsonObject): readonly JsonObject[] {
  const callback = objectAt(state, "action");
  const lists = [state, ...objectsAt(state, "branches"), ...objectsAt(state, "onEvents")];
  return [...lists.flatMap((each) => objectsAt(each, "actions")), ...(callback ? [callback] : [])];
}

/** The ends of a state. */
function exitsOf(state: JsonObject): readonly JsonObject[] {
  const lists = ["onErrors", "dataConditions", "eventConditions"].flatMap((key) => objectsAt(state, key));
  const fallback = objectAt(state, "defaultCondition");
  const owners = [state, ...lists, ...(fallback ? [fallback] : [])];
  return owners.map((each) => objectAt(each, "end")).filter((end) => end !== undefined);
}

function reportContinuation({ tell }: ReaderContext, end: JsonObject): void {
  const continuation = own(end, "continueAs");
  if (isObject(continuation) && own(continuation, "workflowExecTimeout") !== undefined)
    tell(
      noForm,
      { owner: continuation, key: "workflowExecTimeout" },
      { construct: "the timeout of a continuation", hint: "Write `timeout` in the other workflow." },
    );
}

/** Reports properties that say nothing about runs and have no place in 1.0. */
function reportUnused({ tell }: ReaderContext, noun: string, owner: JsonObject, keys: readonly string[]): void {
  for (const key of keys)
    if (own(owner, key) !== undefined) tell(withoutEffect, { owner, key }, { property: key, noun });
}
