import { type Expression, literal } from "../../expressions/index.ts";
import { type JsonObject, own } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { type StepFragment, step } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import { dataName, type Writer } from "./context.ts";
import { unsupportedProperty } from "./diagnostics/references.ts";
import { templateAt } from "./expressions.ts";
import { eventName } from "./names.ts";

/** Emits an event; the raw output is the event as an object. */
export function lowerEmit(writer: Writer): StepFragment {
  const { context, task } = writer;
  const given = task.emit!.event.with;
  const row = taskRow(writer);
  const span = spanOf(context, task, "emit", "key");
  const { namespace, name: workflow, version } = context.definition.document;
  const name = eventName(writer);
  const specversion = own({ ...given } as JsonObject, "specversion");
  if (specversion !== undefined && String(specversion) !== "1.0")
    context.report(
      unsupportedProperty(spanOf(context, given, "specversion"), {
        what: "This version of CloudEvents",
        hint: "Write `1.0`.",
      }),
    );
  const attributes: [string, Expression][] = Object.keys(given)
    .filter((key) => key !== "data" && key !== "specversion")
    .map((key) => [key, templateAt(context, { owner: given, key }, row)]);
  if (given.source === undefined) attributes.push(["source", literal(`/${namespace}/${workflow}/${version}`)]);
  const data = Object.hasOwn(given, "data") ? templateAt(context, { owner: given, key: "data" }, row) : literal(null);
  context.events.push({ name, span: spanOf(context, given, "type") });
  return step(writer, "emit", span, (base, next) => ({
    ...base,
    kind: "emit",
    event: { name, span },
    data,
    attributes: Object.fromEntries(attributes),
    bind: dataName,
    next,
  }));
}
