import { noForm, similarForm } from "../../diagnostics/migration.ts";
import type { Document } from "../../documents/index.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Schedule, StateMachine } from "../model.ts";
import { contextOf, objectAt, objectsAt, type ReaderContext, type ReaderOptions, textAt } from "./context.ts";
import { withIncluded } from "./included.ts";
import { outputSchemaExtension, reportLosses } from "./losses.ts";
import { readStates } from "./states.ts";

/** Reads a definition of Serverless Workflow 0.8 that has no errors, or the one in a SonataFlow resource. */
export function readDefinition(document: Document, options: ReaderOptions, report: Report): StateMachine {
  const root = document.value as JsonObject;
  const metadata = objectAt(root, "metadata") ?? {};
  const flow = own(root, "kind") === "SonataFlow" ? objectAt(objectAt(root, "spec") ?? {}, "flow") : undefined;
  const { document: complete, definition } = withIncluded({ document, definition: flow ?? root }, options);
  const context = contextOf(complete, definition, options, report);
  const annotations = objectAt(metadata, "annotations") ?? {};
  reportLosses(context);
  return {
    id: (flow && textAt(metadata, "name")) ?? textAt(definition, "id") ?? textAt(definition, "key") ?? "workflow",
    name: textAt(definition, "name"),
    version: (flow && textAt(annotations, "sonataflow.org/version")) ?? textAt(definition, "version"),
    description: (flow && textAt(annotations, "sonataflow.org/description")) ?? textAt(definition, "description"),
    metadata: metadataOf(definition),
    states: readStates(context),
    secrets: secretsOf(context),
    timeout: workflowTimeout(context),
    inputSchema: inputSchemaOf(context),
    outputSchema: outputSchemaOf(context),
    schedule: scheduleOf(context),
    merging: context.isSonataFlow ? "objects" : "objects and arrays",
    handlesWaits: context.isSonataFlow,
    place: { owner: flow ?? root },
  };
}

function metadataOf(definition: JsonObject): JsonObject {
  const annotations = own(definition, "annotations");
  const metadata = objectAt(definition, "metadata") ?? {};
  return annotations === undefined ? metadata : { ...metadata, annotations };
}

/** The declared secrets and those that expressions read. */
function secretsOf({ definition, secrets }: ReaderContext): readonly string[] {
  const declared = own(definition, "secrets");
  return [...new Set([...(Array.isArray(declared) ? declared.map(String) : []), ...secrets])];
}

function workflowTimeout(context: ReaderContext): string | undefined {
  const timeouts = objectAt(context.definition, "timeouts");
  const value = timeouts && own(timeouts, "workflowExecTimeout");
  if (!isObject(value)) return typeof value === "string" ? value : undefined;
  if (own(value, "runBefore") !== undefined)
    context.tell(
      noForm,
      { owner: value, key: "runBefore" },
      { construct: "`runBefore`", hint: "Put the tasks in a `try` with a timeout, and `runBefore` in its `catch`." },
    );
  return textAt(value, "duration");
}

function inputSchemaOf(context: ReaderContext): JsonObject | string | undefined {
  const { definition } = context;
  const value = own(definition, "dataInputSchema");
  if (!isObject(value)) return typeof value === "string" ? value : undefined;
  const schema = own(value, "schema");
  if (own(value, "failOnValidationErrors") === false) {
    context.tell(
      similarForm,
      { owner: value, key: "failOnValidationErrors" },
      { construct: "A schema that is not enforced", form: "nothing", difference: "1.0 enforces all schemas" },
    );
    return undefined;
  }
  return typeof schema === "string" || isObject(schema) ? schema : undefined;
}

/** Only SonataFlow enforces the extension. */
function outputSchemaOf({ definition, isSonataFlow }: ReaderContext): JsonObject | string | undefined {
  const extensions = objectsAt(definition, "extensions");
  const found = extensions.find((each) => textAt(each, "extensionid") === outputSchemaExtension);
  const given = found && isSonataFlow ? own(found, "outputSchema") : undefined;
  if (isObject(given) && own(given, "failOnValidationErrors") === false) return undefined;
  const schema = isObject(given) ? own(given, "schema") : given;
  return typeof schema === "string" || isObject(schema) ? schema : undefined;
}

function scheduleOf(context: ReaderContext): Schedule | undefined {
  const start = objectAt(context.definition, "start");
  const value = start && own(start, "schedule");
  if (!start || value === undefined) return undefined;
  const place = { owner: start, key: "schedule" };
  const schedule = isObject(value) ? value : { interval: value };
  const cron = own(schedule, "cron");
  const zone = textAt(schedule, "timezone");
  if (zone !== undefined && zone !== "UTC")
    context.tell(
      noForm,
      { owner: schedule, key: "timezone" },
      { construct: "a time zone of a schedule", hint: "Schedules of 1.0 are in UTC; convert the expression." },
    );
  if (cron !== undefined) {
    const expression = isObject(cron) ? textAt(cron, "expression") : textAt(schedule, "cron");
    if (isObject(cron) && own(cron, "validUntil") !== undefined)
      context.tell(
        noForm,
        { owner: cron, key: "validUntil" },
        { construct: "the end of a schedule", hint: "Remove the schedule at that time." },
      );
    return expression === undefined ? undefined : { kind: "cron", expression, place };
  }
  const [, count, duration] = /^R(\d*)\/(P[^/]*)$/.exec(textAt(schedule, "interval") ?? "") ?? [];
  if (count)
    context.tell(noForm, place, {
      construct: "the number of runs of a schedule",
      hint: "Remove the schedule after these runs.",
    });
  if (duration !== undefined) return { kind: "every", duration, place };
  context.tell(noForm, place, { construct: "this interval", hint: "Write `schedule.every` or `schedule.cron`." });
  return undefined;
}
