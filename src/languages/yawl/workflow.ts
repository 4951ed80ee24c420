import type { Document } from "../../documents/index.ts";
import { type Expression, simplify, variable } from "../../expressions/index.ts";
import type { Workflow as Definition } from "../../generated/yawl-definition.ts";
import type { Assign, Scope, Workflow } from "../../ir/workflow.ts";
import { isObject, type Json } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import { spanOf } from "../shared/properties.ts";
import { checkEdges } from "./checks.ts";
import { type Context, settingsOf } from "./context.ts";
import { initialState } from "./data.ts";
import { unknownVersion } from "./diagnostics/kinds.ts";
import { retriesOf, timeoutError } from "./errors.ts";
import { templateError } from "./expressions.ts";
import { planScopes } from "./plan.ts";
import { createFrame, lowerScope, stateName } from "./scopes.ts";

/** Lowers a valid definition; reports all errors. */
export function lower(document: Document, { report, options, stem }: LowerContext): Workflow {
  const definition = document.value as unknown as Definition;
  if (definition.yawl === "1.0") report(unknownVersion(document.spanOf(definition, "yawl"), {}));
  const reading = { document, report };
  const context: Context = {
    ...reading,
    ...planScopes(document),
    definition,
    settings: settingsOf(options),
    braces: definition.yawl === "0.2",
    retries: retriesOf(reading, definition.defaultRetryPolicy),
    functions: [],
  };
  checkEdges(context);
  const body = bodyOf(context, stem);
  return {
    kind: "workflow",
    id: stem,
    name: stem,
    version: definition.yawl,
    language: "yawl",
    start: { span: spanOf(context, definition, "start") },
    input: stateName,
    body,
    functions: context.functions,
    events: [],
    errorNames: { expression: templateError, timeout: timeoutError },
    span: document.start,
  };
}

function bodyOf(context: Context, stem: string): Scope {
  const { definition, settings, ids, root } = context;
  const frame = createFrame(true, new Map<string, Expression | undefined>([[stateName, undefined]]));
  const state = variable(stateName);
  const body = lowerScope(context, root, frame, { global: state, initial: undefined });
  const span = spanOf(context, definition, "start");
  const value = simplify(initialState(state, settings.initialState, readsInput(definition as unknown as Json)));
  const begin: Assign = {
    kind: "assign",
    id: ids.step(stem, "input"),
    origin: { noun: "workflow", name: stem, entry: false },
    span,
    values: [{ variable: stateName, value }],
    next: body.entry,
  };
  return { ...body, entry: { name: begin.id, span }, steps: [begin, ...body.steps] };
}

function readsInput(value: Json): boolean {
  if (typeof value === "string") return inputReference.test(value);
  if (Array.isArray(value)) return value.some((each) => readsInput(each as Json));
  return isObject(value) && Object.values(value).some(readsInput);
}

const inputReference = /(?:^|[^\w\])}"'.?])\.input\b|\$global\.input\b/;
