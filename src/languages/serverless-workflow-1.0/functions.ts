import { type CopyOrigin, type Document, readDocuments } from "../../documents/index.ts";
import { schema, validate } from "../../generated/serverless-workflow-1.0.js";
import type { Workflow as Definition, Task } from "../../generated/serverless-workflow-1.0-definition.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { createValidator } from "../../schema/index.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, type StepFragment, sequence } from "../shared/steps.ts";
import { taskRow } from "./arguments.ts";
import { callSteps } from "./calls.ts";
import { canonicalize } from "./canonicalize.ts";
import { dataName, type TaskScope, type Writer } from "./context.ts";
import { skippedSteps } from "./data-flow.ts";
import { engineCatalog, recursiveFunction, unknownComponent, unreadableResource } from "./diagnostics/references.ts";
import { templateAt } from "./expressions.ts";
import { innerScope, lowerTasks } from "./lists.ts";
import { functionName } from "./names.ts";
import { reportAuthentication } from "./resources.ts";
import { secretReads } from "./secrets.ts";

/**
 * Inlines a function at its call: `.` and `$input` in it are `with`, by default the transformed input of the call.
 * Undefined for an unknown function.
 */
export function inlineFunction(writer: Writer, name: string): StepFragment | undefined {
  const { context, task, scope } = writer;
  const span = spanOf(context, task, "call");
  const functions = context.definition.use?.functions ?? {};
  const local = own(functions, name);
  const remote = local ? undefined : remoteFunction(writer, name);
  const found = local ?? remote;
  if (!found) return remote === null ? callUnread(writer) : undefined;
  if (scope.functions.includes(name)) {
    context.report(recursiveFunction(span, { cycle: [...scope.functions, name] }));
    return skippedSteps(writer);
  }
  const given =
    task.with === undefined
      ? assign(writer, "with", span)
      : assign(writer, "with", span, {
          variable: dataName,
          value: templateAt(context, { owner: task, key: "with" }, taskRow(writer)),
        });
  const inner: TaskScope = {
    ...innerScope(writer),
    bindings: new Map(),
    functions: [...scope.functions, name],
    caller: scope.caller ?? writer.pointer,
  };
  const owner = { function: [{ [writer.name]: found }] };
  return sequence(
    given,
    lowerTasks(context, inner, { owner, key: "function", pointer: writer.pointer, role: "branch" }),
  );
}

/** A function whose file cannot be read has to be bound: its argument is `with`. */
function callUnread(writer: Writer): StepFragment {
  const { context, task } = writer;
  const secrets = secretReads(writer, spanOf(context, task, "call"));
  const { row } = secrets;
  const given = task.with === undefined ? row.input : templateAt(context, { owner: task, key: "with" }, row);
  return callSteps(writer, { definition: {}, argument: given, secrets });
}

/** A function of a catalog or at a URI; undefined if the name is neither, null if it cannot be read. */
function remoteFunction(writer: Writer, name: string): Task | null | undefined {
  const { context, task } = writer;
  const span = spanOf(context, task, "call");
  const catalogs = context.definition.use?.catalogs ?? {};
  const catalog = /^[^:@/]+:[^:@/]+@([^:@/]+)$/.exec(name)?.[1];
  if (catalog !== undefined && !Object.hasOwn(catalogs, catalog)) {
    reportCatalog(writer, catalog, Object.keys(catalogs));
    return null;
  }
  const uri = functionUri(catalogs, name);
  if (uri === undefined) return undefined;
  if (catalog !== undefined) reportAuthentication(context, own(catalogs, catalog)!.endpoint);
  const found = context.lowering.textAt?.(rawUri(uri), span);
  const [document] = found && "text" in found ? readDocuments(found, context.report) : [];
  if (document && isObject(document.value)) return checkedTask(writer, document, document.value);
  const given = found && "reason" in found ? found.reason : undefined;
  const reason = given ?? (found ? "it is not a task" : "it is not among the files of the project");
  context.report(unreadableResource(span, { uri, reason }));
  return null;
}

/** The task of a function's file, in the newest form; null if it is invalid, which is reported. */
function checkedTask(writer: Writer, document: Document, task: JsonObject): Task | null {
  const { definition, report } = writer.context;
  const whole = { document: definition.document as unknown as Json, do: [{ [writer.name]: task }] };
  const origins = new Map<object, CopyOrigin>([[whole, { of: task }]]);
  const canonical = canonicalize(document.withValue(whole, origins), report);
  if (!createValidator(validate, schema, "error")(canonical, report)) return null;
  const { do: tasks } = canonical.value as unknown as Definition;
  return tasks[0]![writer.name]!;
}

/** Each engine has a catalog `default` of its own, so its functions have to be bound. */
function reportCatalog(writer: Writer, name: string, known: readonly string[]): void {
  const { context, task } = writer;
  const called = functionName(writer);
  const span = spanOf(context, task, "call");
  if (name !== "default")
    context.report(unknownComponent(span, { noun: "catalog", name, known, under: "use.catalogs" }));
  else if (!context.lowering.isBound?.(called)) context.report(engineCatalog(span, { name: called }));
}

type Catalogs = NonNullable<NonNullable<Writer["context"]["definition"]["use"]>["catalogs"]>;

/** `log:1.0.0@public` is `functions/log/1.0.0/function.yaml` of the catalog `public`. */
function functionUri(catalogs: Catalogs, name: string): string | undefined {
  const [, called, version, catalog] = /^([^:@/]+):([^:@/]+)@([^:@/]+)$/.exec(name) ?? [];
  if (called !== undefined && catalog !== undefined) {
    const endpoint = own(catalogs, catalog)?.endpoint;
    const base = typeof endpoint === "object" ? endpoint.uri : endpoint;
    return base === undefined ? undefined : `${base.replace(/\/$/, "")}/functions/${called}/${version}/function.yaml`;
  }
  return /^[a-z][a-z0-9+.-]*:\/\/|^\.{0,2}\/|\.ya?ml$/i.test(name) ? name : undefined;
}

/** The raw file of a page of GitHub or GitLab. */
const rawUri = (uri: string): string =>
  uri
    .replace(/^https:\/\/github\.com\/([^/]+)\/([^/]+)\/(?:blob|tree)\//, "https://raw.githubusercontent.com/$1/$2/")
    .replace(/^(https:\/\/gitlab\.com\/.+?)\/-\/(?:blob|tree)\//, "$1/-/raw/");
