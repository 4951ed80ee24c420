import { noForm, similarForm } from "../../diagnostics/migration.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import type { Action, ErrorPattern, FunctionDefinition, Retry, Work } from "../model.ts";
import { numberAt, objectAt, objectsAt, type ReaderContext, textAt } from "./context.ts";
import { eventNamed, producedEvent } from "./events.ts";
import { pathAt, programAt, templateAt } from "./programs.ts";

/** Reads the actions of an owner. `timeout` is the default of the state. */
export function readActions(context: ReaderContext, owner: JsonObject, timeout: string | undefined): readonly Action[] {
  return objectsAt(owner, "actions").map((action) => readAction(context, action, timeout));
}

/** Reads an action. */
export function readAction(context: ReaderContext, action: JsonObject, timeout: string | undefined): Action {
  const filter = objectAt(action, "actionDataFilter") ?? {};
  const sleep = objectAt(action, "sleep") ?? {};
  return {
    name: textAt(action, "name"),
    place: { owner: action },
    work: workOf(context, action),
    condition: programAt(context, action, "condition"),
    before: textAt(sleep, "before"),
    after: textAt(sleep, "after"),
    from: programAt(context, filter, "fromStateData"),
    results: programAt(context, filter, "results"),
    to: pathAt(context, filter, "toStateData"),
    isResultUsed: own(filter, "useResults") !== false,
    timeout,
    isTimeoutIgnored: false,
    retry: retryOf(context, action),
  };
}

function workOf(context: ReaderContext, action: JsonObject): Work {
  const subflow = own(action, "subFlowRef");
  if (subflow !== undefined) return subflowOf(context, isObject(subflow) ? subflow : { workflowId: subflow });
  const event = objectAt(action, "eventRef");
  if (event) {
    const result = textAt(event, "resultEventRef");
    const isAwaited = textAt(event, "invoke") !== "async";
    return {
      kind: "event",
      trigger: producedEvent(context, event, "triggerEventRef"),
      result: result === undefined || !isAwaited ? undefined : eventNamed(context, result, { owner: event }),
      timeout: textAt(event, "resultEventTimeout"),
    };
  }
  const reference = own(action, "functionRef");
  const call = isObject(reference) ? reference : { refName: reference ?? null };
  if (textAt(call, "selectionSet") !== undefined)
    context.tell(noForm, { owner: call, key: "selectionSet" }, { construct: "a GraphQL selection", hint: graphqlHint });
  return {
    kind: "function",
    function: functionNamed(context, textAt(call, "refName") ?? "", action),
    argument: templateAt(context, call, "arguments"),
    isAwaited: textAt(call, "invoke") !== "async",
  };
}

const graphqlHint = "Write the request as `call: http` with the query in its body.";

function subflowOf(context: ReaderContext, subflow: JsonObject): Work {
  const isAwaited = textAt(subflow, "invoke") !== "async";
  if (!isAwaited && textAt(subflow, "onParentComplete") !== "continue")
    context.tell(
      similarForm,
      { owner: subflow },
      {
        construct: "A subflow that ends with its parent",
        form: "a workflow that is not awaited",
        difference: "it continues when its parent ends",
      },
    );
  return { kind: "subflow", id: textAt(subflow, "workflowId") ?? "", version: textAt(subflow, "version"), isAwaited };
}

function functionNamed(context: ReaderContext, name: string, action: JsonObject): FunctionDefinition {
  const found = context.functions.get(name);
  const type = (found && textAt(found, "type")) ?? (found ? "rest" : "custom");
  const place = found ? { owner: found } : { owner: action };
  return { name, type, operation: operationOf(context, found, type), place };
}

/** An operation, with a named document replaced by its URI and a program translated. */
function operationOf(context: ReaderContext, definition: JsonObject | undefined, type: string): string {
  if (!definition) return "";
  if (type === "expression") return programAt(context, definition, "operation") ?? ".";
  const operation = textAt(definition, "operation") ?? "";
  const [document, ...rest] = operation.split("#");
  return [context.uris.get(document!) ?? document, ...rest].join("#");
}

function retryOf(context: ReaderContext, action: JsonObject): Retry | undefined {
  const isAutomatic = own(context.definition, "autoRetries") === true;
  const name = textAt(action, "retryRef");
  const place = { owner: action, key: name === undefined ? undefined : "retryRef" };
  if (context.isSonataFlow) {
    if (name !== undefined) context.tell(similarForm, place, ignoredRetry);
    return undefined;
  }
  const policy = name === undefined ? undefined : context.retries.get(name);
  if (!policy && !isAutomatic) return undefined;
  const only = isAutomatic ? undefined : errorsAt(context, action, "retryableErrors");
  const except = errorsAt(context, action, "nonRetryableErrors") ?? [];
  if (!policy) return { ...recommended, only, except, place };
  return {
    name,
    limit: numberAt(policy, "maxAttempts") ?? 0,
    delay: textAt(policy, "delay"),
    multiplier: numberAt(policy, "multiplier") ?? 1,
    increment: textAt(policy, "increment"),
    maximum: textAt(policy, "maxDelay"),
    hasJitter: ![undefined, "0"].includes(textAt(policy, "jitter")),
    only,
    except,
    place: { owner: policy },
  };
}

const ignoredRetry = {
  construct: "A retry",
  form: "nothing",
  difference: "SonataFlow ignores it; set `dialect: spec` to keep it",
} as const;

const recommended = {
  name: undefined,
  limit: undefined,
  delay: "PT1S",
  multiplier: 2,
  increment: undefined,
  maximum: undefined,
  hasJitter: false,
} as const;

/** Error definitions by their names. */
export function errorsAt(context: ReaderContext, owner: JsonObject, key: string): readonly ErrorPattern[] | undefined {
  const value = own(owner, key);
  const names = typeof value === "string" ? [value] : Array.isArray(value) ? value.map(String) : undefined;
  return names?.map((name) => {
    const found = context.errors.get(name);
    return { name, code: found && textAt(found, "code") };
  });
}
