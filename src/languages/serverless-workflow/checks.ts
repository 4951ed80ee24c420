import { isParseError, parseJsonPath } from "../../expressions/index.ts";
import type { Action, State } from "../../generated/serverless-workflow-definition.ts";
import { isObject, type Json } from "../../json.ts";
import { withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import type { Span } from "../../text/source.ts";
import { stringLanguages } from "../shared/delimiters.ts";
import { checkDelimiters } from "../shared/foreign.ts";
import { spanOf } from "../shared/properties.ts";
import { findTemplate, suggestPath } from "../shared/templates.ts";
import type { Context } from "./context.ts";
import { data } from "./data.ts";
import { ambiguousResultPath, filteredPath, foreignTemplate } from "./diagnostics/kinds.ts";
import type { ScopePlan } from "./plan.ts";

/** Reports `$.greeting` where a filter has already selected `$.greeting`. */
export function checkFilteredPaths(context: Context, plan: ScopePlan): void {
  for (const [state, replaced] of replacementsOnEntry(plan, context)) checkState(context, state, replaced);
  for (const inner of plan.inner.values()) checkFilteredPaths(context, inner);
}

/** Reports results read both at `$.greeting` and `$.payload.greeting`, where a results path may set either. */
export function checkResultPaths(context: Context): void {
  if (context.resultPaths.length === 0) return;
  const read = new Set<string>();
  addReads(context.document.value, read);
  for (const { owner, chain, path } of context.resultPaths) {
    const name = chain.at(-1)!;
    const double = read.has(keyOf(chain)) && read.has(keyOf([name]));
    if (double) context.report(ambiguousResultPath(spanOf(context, owner, "dataResultsPath"), { path, name }));
  }
}

/** Reports literals that look like expressions of later versions. */
export function checkTemplates(context: Context): void {
  checkTemplatesIn(context, context.document.value, false);
}

function checkTemplatesIn(context: Context, value: Json, isTemplate: boolean): void {
  if (typeof value !== "object" || value === null) return;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (unreadProperties.has(String(key)) || (!isTemplate && pathProperties.has(String(key)))) continue;
    const part = (value as { readonly [key: string | number]: Json })[key]!;
    if (typeof part !== "string") checkTemplatesIn(context, part, isTemplate || templateProperties.has(String(key)));
    else if (key !== "data") checkString(context, value, key, isTemplate);
  }
}

function checkString(context: Context, owner: object, key: string | number, isTemplate: boolean): void {
  const text = (owner as { readonly [key: string | number]: string })[key]!;
  const template = findTemplate(text);
  if (!template) {
    if (isTemplate) checkDelimiters(context, stringLanguages.serverlessWorkflow, { owner, key });
    return;
  }
  const meant = isTemplate ? suggestPath(text) : undefined;
  const span = context.document.spanWithin(owner, key, template.from, template.to);
  const diagnostic = foreignTemplate(span, { template: text.slice(template.from, template.to), meant });
  const whole = spanOf(context, owner, key);
  const written = meant === undefined ? undefined : quoteLike(spanOf(context, owner, key), meant);
  context.report(written === undefined ? diagnostic : withFix(diagnostic, written, whole));
}

const templateProperties: ReadonlySet<string> = new Set(["parameters", "produceEvent"]);

const pathProperties: ReadonlySet<string> = new Set(
  "dataInputPath dataOutputPath dataResultsPath path inputCollection outputCollection expression body name id".split(
    " ",
  ),
);

interface DataReplacement {
  readonly name: string;
  readonly filter: string;
  readonly span: Span;
}

function replacementsOnEntry(plan: ScopePlan, context: Context): ReadonlyMap<State, DataReplacement | undefined> {
  const found = new Map<State, DataReplacement | undefined>();
  const waiting: (readonly [State, DataReplacement])[] = [];
  const send = (state: State, replaced: DataReplacement | undefined): void => {
    if (!replaced) return;
    for (const name of nextStates(state)) {
      const next = plan.byName.get(name) ?? plan.byId.get(name);
      if (next) waiting.push([next, replaced]);
    }
  };
  for (const state of plan.states) send(state, replacementBy(context, state.stateDataFilter, "dataOutputPath"));
  for (let i = 0; i < waiting.length; i++) {
    const [state, replaced] = waiting[i]!;
    if (found.has(state)) continue;
    found.set(state, replaced);
    if ((state.type === "delay" || state.type === "switch") && !state.stateDataFilter) send(state, replaced);
  }
  for (const state of plan.states) if (!found.has(state)) found.set(state, undefined);
  return found;
}

function nextStates(state: State): readonly string[] {
  if (state.type !== "switch") return state.transition ? [state.transition.nextState] : [];
  const transitions = [...(state.dataConditions ?? []), ...(state.eventConditions ?? [])].map(
    ({ transition }) => transition,
  );
  return [...transitions, ...(state.default ? [state.default] : [])].map(({ nextState }) => nextState);
}

function checkState(context: Context, state: State, arrived: DataReplacement | undefined): void {
  const input = state.stateDataFilter?.dataInputPath;
  if (input !== undefined && arrived)
    reportFilteredPath(context, readAt(state.stateDataFilter!, "dataInputPath"), arrived);
  const replaced = input === undefined ? arrived : replacementBy(context, state.stateDataFilter, "dataInputPath");
  for (const action of actionsOf(state)) {
    const own = replacementBy(context, action.actionDataFilter, "dataInputPath");
    if (own) for (const read of templateReads(action.functionRef, "parameters")) reportFilteredPath(context, read, own);
  }
  if (replaced) for (const read of firstReads(state)) reportFilteredPath(context, read, replaced);
}

function reportFilteredPath(
  context: Context,
  read: PathRead | undefined,
  { name, filter, span }: DataReplacement,
): void {
  if (read?.names[0] !== name) return;
  const note = { message: "The filter is here.", span };
  context.report(filteredPath(spanOf(context, read.owner, read.key), { name, filter }, [note]));
}

function firstReads(state: State): readonly PathRead[] {
  switch (state.type) {
    case "switch":
      return (state.dataConditions ?? []).flatMap((condition) => readAt(condition, "path") ?? []);
    case "foreach":
      return [readAt(state, "inputCollection")].flatMap((read) => read ?? []);
    case "operation":
    case "callback":
      return actionsOf(state).slice(0, 1).flatMap(actionReads);
    default:
      return [];
  }
}

function actionsOf(state: State): readonly Action[] {
  switch (state.type) {
    case "operation":
      return state.actions;
    case "callback":
      return [state.action];
    case "event":
      return state.eventsActions.flatMap(({ actions }) => actions);
    default:
      return [];
  }
}

function actionReads({ functionRef, actionDataFilter }: Action): readonly PathRead[] {
  const filter = actionDataFilter?.dataInputPath === undefined ? undefined : readAt(actionDataFilter, "dataInputPath");
  return filter && filter.names.length > 0 ? [filter] : templateReads(functionRef, "parameters");
}

function replacementBy(
  context: Context,
  filter: object | undefined,
  key: "dataInputPath" | "dataOutputPath",
): DataReplacement | undefined {
  const text = (filter as { readonly [key: string]: string } | undefined)?.[key];
  if (text === undefined) return undefined;
  const path = parseJsonPath(text, data);
  const name = isParseError(path) ? undefined : path.chain?.at(-1);
  return name === undefined ? undefined : { name, filter: text, span: spanOf(context, filter!, key) };
}

const keyOf = (chain: readonly string[]): string => JSON.stringify(chain);

const unreadProperties: ReadonlySet<string> = new Set([
  "dataResultsPath",
  "outputCollection",
  "inputParameter",
  "metadata",
  "extensions",
  "description",
]);

function addReads(value: Json, read: Set<string>): void {
  if (typeof value === "string") {
    for (const chain of chainsIn(value))
      for (let end = 1; end <= Math.min(chain.length, 20); end++) read.add(keyOf(chain.slice(0, end)));
  } else if (Array.isArray(value)) {
    for (const item of value) addReads(item, read);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) if (!unreadProperties.has(key)) addReads(value[key]!, read);
  }
}

interface PathRead {
  readonly owner: object;
  readonly key: string | number;
  readonly names: readonly string[];
}

const pathText = /^\$(?:[.[]|$)/;
const name = /\.([\p{L}_][\p{L}\p{N}_-]*)|\.?\['([^'\\]*)'\]/uy;

function readAt(owner: object, key: string | number): PathRead | undefined {
  const text = (owner as { readonly [key: string | number]: unknown })[key];
  return typeof text === "string" && pathText.test(text) ? { owner, key, names: namesIn(text, 1) } : undefined;
}

function templateReads(owner: object, key: string | number): readonly PathRead[] {
  const value = (owner as { readonly [key: string | number]: Json | undefined })[key];
  if (Array.isArray(value)) return value.flatMap((_, i) => templateReads(value, i));
  if (isObject(value)) return Object.keys(value).flatMap((name) => templateReads(value, name));
  const read = readAt(owner, key);
  return read ? [read] : [];
}

function chainsIn(text: string): readonly (readonly string[])[] {
  const chains: (readonly string[])[] = [];
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at + 1)) chains.push(namesIn(text, at + 1));
  return chains.filter((chain) => chain.length > 0);
}

function namesIn(text: string, from: number): readonly string[] {
  const found: string[] = [];
  name.lastIndex = from;
  for (let match = name.exec(text); match; match = name.exec(text)) found.push(match[1] ?? match[2]!);
  return found;
}
