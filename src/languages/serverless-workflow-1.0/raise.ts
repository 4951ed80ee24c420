import { type Expression, literal, object, simplify } from "../../expressions/index.ts";
import type { Error as Written } from "../../generated/serverless-workflow-1.0-definition.ts";
import { own } from "../../json.ts";
import { withFix } from "../../text/diagnostics.ts";
import { nearestName } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import { end, type StepFragment } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import type { Context, Writer } from "./context.ts";
import {
  givenInstance,
  invalidStatus,
  otherErrorFamily,
  statusAsText,
  statusOutOfRange,
  unknownStandardError,
} from "./diagnostics/data.ts";
import { unknownComponent } from "./diagnostics/references.ts";
import { standardErrorOf, standardNames, unknownStandardName } from "./errors.ts";
import { templateAt } from "./expressions.ts";
import { wholeExpression } from "./interpolations.ts";

/** Ends the scope with an error, whose `instance` is the task. */
export function lowerRaise(writer: Writer): StepFragment {
  const { context, task } = writer;
  const { error } = task.raise!;
  const written = typeof error === "string" ? namedError(context, task.raise!, error) : error;
  const span = spanOf(context, task, "raise", "key");
  return end(writer, "raise", span, { outcome: "fail", extent: "scope", value: errorValue(writer, written) });
}

function namedError(context: Context, owner: object, name: string): Written | undefined {
  const known = context.definition.use?.errors ?? {};
  const found = own(known, name);
  const span = spanOf(context, owner, "error");
  if (!found)
    context.report(unknownComponent(span, { noun: "error", name, known: Object.keys(known), under: "use.errors" }));
  return found;
}

function errorValue(writer: Writer, written: Written | undefined): Expression {
  if (!written) return literal({ name: "configuration", message: "" });
  const { context, pointer } = writer;
  const row = taskRow(writer);
  checkErrorType(context, written, "type");
  checkStatus(context, written);
  if (written.instance !== undefined) context.report(givenInstance(spanOf(context, written, "instance", "key"), {}));
  const text = (key: string): Expression => templateAt(context, { owner: written, key }, row);
  const type = text("type");
  const title = written.title === undefined ? undefined : text("title");
  const data = object([
    ["type", type],
    ["status", statusOf(context, written, row)],
    ...(title ? [["title", title] as const] : []),
    ...(written.detail === undefined ? [] : [["detail", text("detail")] as const]),
    ["instance", literal(pointer)],
  ]);
  return simplify(
    object([
      [
        "name",
        type.kind === "literal" ? literal(standardErrorOf(String(type.value))?.name ?? String(type.value)) : type,
      ],
      ["message", title ?? literal("")],
      ["data", data],
    ]),
  );
}

function statusOf(context: Context, written: Written, row: ReturnType<typeof taskRow>): Expression {
  const { status } = written;
  if (typeof status === "number") return literal(status);
  return wholeExpression(status)
    ? templateAt(context, { owner: written, key: "status" }, row)
    : literal(Number(status));
}

/** Reports a status that is a string or not a status code. */
export function checkStatus(context: Context, owner: { readonly status?: number | string | undefined }): void {
  const { status } = owner;
  if (status === undefined || (typeof status === "string" && wholeExpression(status))) return;
  const span = spanOf(context, owner, "status");
  const code = Number(status);
  if (typeof status === "string") {
    context.report(
      Number.isInteger(code) ? withFix(statusAsText(span, { status }), String(code)) : invalidStatus(span, { status }),
    );
  } else if (code < 100 || code > 599) context.report(statusOutOfRange(span, { status: code }));
}

/** Reports types of standard errors in other forms, and unknown standard errors. */
export function checkErrorType(context: Context, owner: object, key: string): void {
  const type = String((owner as { readonly [key: string]: unknown })[key] ?? "");
  const span = spanOf(context, owner, key);
  const standard = standardErrorOf(type);
  const unknown = unknownStandardName(type);
  if (standard && !standard.isCanonical)
    context.report(otherErrorFamily(span, { name: standard.name, type: standard.type }));
  else if (unknown !== undefined)
    context.report(unknownStandardError(span, { name: unknown, meant: nearestName(unknown, standardNames) }));
}
