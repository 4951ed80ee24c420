import type { ChoiceRule, MapState, State } from "../../generated/asl-definition.ts";
import type { Json } from "../../json.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { comparators } from "./comparators.ts";
import {
  exclusiveFields,
  fieldOfJsonata,
  fieldOfJsonPath,
  misplacedWildcard,
  missingField,
  notAnExpression,
  unraisedError,
} from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { runtimeError } from "./failures.ts";
import { reportComputed } from "./placeholders.ts";

/** Fields that exclude each other. */
const exclusive: readonly (readonly string[])[] = [
  ["Seconds", "SecondsPath", "Timestamp", "TimestampPath"],
  ["Error", "ErrorPath"],
  ["Cause", "CausePath"],
  ["TimeoutSeconds", "TimeoutSecondsPath"],
  ["HeartbeatSeconds", "HeartbeatSecondsPath"],
  ["MaxConcurrency", "MaxConcurrencyPath"],
  ["ToleratedFailureCount", "ToleratedFailureCountPath"],
  ["ToleratedFailurePercentage", "ToleratedFailurePercentagePath"],
  ["ItemProcessor", "Iterator"],
  ["MaxItems", "MaxItemsPath"],
  ["MaxItemsPerBatch", "MaxItemsPerBatchPath"],
  ["MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"],
];

/** Fields that a state requires at least one of, by type. */
const required: { readonly [type in State["Type"]]?: readonly string[] } = {
  Wait: exclusive[0]!,
  Map: ["ItemProcessor", "Iterator"],
};

/** The fields of JSONata and what JSONPath has instead. */
const fieldsOfJsonata: ReadonlyMap<string, string | undefined> = new Map([
  ["Arguments", "Parameters"],
  ["Output", "OutputPath"],
  ["Condition", "Variable"],
  ["Items", "ItemsPath"],
]);

/** The fields of JSONPath and what JSONata has instead. */
const fieldsOfJsonPath: ReadonlyMap<string, string | undefined> = new Map([
  ["InputPath", "$states.input.…"],
  ["Parameters", "Arguments"],
  ["Result", "Output"],
  ["ResultSelector", "Output"],
  ["ResultPath", "Output"],
  ["OutputPath", "Output"],
  ["ItemsPath", "Items"],
  ["Variable", "Condition"],
  ...["And", "Or", "Not"].map((key) => [key, "Condition"] as const),
  ...["Seconds", "Timestamp", "Error", "Cause", "TimeoutSeconds", "HeartbeatSeconds", "MaxConcurrency"]
    .concat(["MaxItems", "MaxItemsPerBatch", "MaxInputBytesPerBatch"])
    .map((key) => [`${key}Path`, `${key}: "{% … %}"`] as const),
  ...["ToleratedFailureCount", "ToleratedFailurePercentage"].map((key) => [`${key}Path`, key] as const),
]);

/** Fields with a number, which JSONata also computes. */
const numbers = ["Seconds", "TimeoutSeconds", "HeartbeatSeconds", "MaxConcurrency"].concat([
  ...["ToleratedFailureCount", "ToleratedFailurePercentage"],
  ...["MaxItems", "MaxItemsPerBatch", "MaxInputBytesPerBatch"],
]);

/** Checks the fields of a state, and of its rules, retriers and catchers. */
export function checkFields(state: State, isJsonata: boolean, reading: ReadContext): void {
  const has = (field: string): boolean => Object.hasOwn(state, field);
  const parts = state.Type === "Map" ? storageOf(state) : [];
  const pairs = state.Type === "Map" ? [...exclusive, ["ItemSelector", "Parameters"]] : exclusive;
  for (const owner of [state, ...parts])
    for (const fields of pairs) {
      const [other, field] = fields.filter((each) => Object.hasOwn(owner, each));
      if (other !== undefined && field !== undefined)
        reading.report(exclusiveFields(spanOf(reading, owner, field, "key"), { field, other }));
    }
  const fields = required[state.Type] ?? [];
  if (fields.length > 0 && !fields.some(has))
    reading.report(missingField(spanOf(reading, state, "Type"), { type: `${state.Type} state`, fields }));
  const rules: readonly ChoiceRule[] = state.Type === "Choice" ? state.Choices : [];
  const lists = errorListsOf(state);
  const check = isJsonata ? checkJsonata : checkJsonPath;
  for (const owner of [state, ...parts, ...rules, ...lists.flat()]) check(owner, reading);
  for (const list of lists) checkNames(list, reading);
}

/** The objects of a Map that say how items are read, grouped and written. */
const storageOf = ({ ItemReader, ItemBatcher, ResultWriter }: MapState): readonly object[] =>
  [ItemReader, ItemReader?.ReaderConfig, ItemBatcher, ResultWriter].flatMap((part) => part ?? []);

function checkJsonata(owner: object, reading: ReadContext): void {
  for (const key of Object.keys(owner)) {
    const value: unknown = (owner as { readonly [key: string]: unknown })[key];
    const isComparator = comparators.has(key) || comparators.has(key.replace(/Path$/, "")) || key === "StringMatches";
    const isPath = fieldsOfJsonPath.has(key) || isComparator || key === "IsPresent";
    const field = { field: key, meant: isComparator || key === "IsPresent" ? "Condition" : meantBy(owner, key) };
    if (isPath) reading.report(fieldOfJsonPath(spanOf(reading, owner, key, "key"), field));
    const span = () => spanOf(reading, owner, key);
    if (key === "Assign" && typeof value === "string")
      reading.report(notAnExpression(span(), { field: key, wanted: "an object with a member for each variable" }));
    else if (typeof value === "string" && numbers.includes(key) && !isProgram(value))
      reading.report(notAnExpression(span(), { field: key, wanted: "a number or `{% … %}`" }));
    else if (key === "Condition" && typeof value === "string" && !isProgram(value))
      reading.report(notAnExpression(span(), { field: key, wanted: "`true`, `false` or `{% … %}`" }));
    else if (key === "Items" && !Array.isArray(value) && !isProgram(value as Json))
      reading.report(notAnExpression(span(), { field: key, wanted: "an array or `{% … %}`" }));
  }
}

/** A Pass has no `Arguments`. */
const meantBy = (owner: object, key: string): string | undefined =>
  key === "Parameters" && "Type" in owner && owner.Type === "Pass" ? "Output" : fieldsOfJsonPath.get(key);

function checkJsonPath(owner: object, reading: ReadContext): void {
  for (const key of Object.keys(owner)) {
    const value: unknown = (owner as { readonly [key: string]: unknown })[key];
    const isExpression = typeof value === "string" && numbers.includes(key);
    if (fieldsOfJsonata.has(key))
      reading.report(
        fieldOfJsonata(spanOf(reading, owner, key, "key"), { field: key, meant: fieldsOfJsonata.get(key) }),
      );
    else if (isExpression || (typeof value === "string" && ["Assign", "ItemSelector"].includes(key)))
      reading.report(
        fieldOfJsonata(spanOf(reading, owner, key), {
          field: `${key}: "{% … %}"`,
          meant: isExpression ? `${key}Path` : undefined,
        }),
      );
  }
}

interface ErrorList {
  readonly ErrorEquals: readonly string[];
}

const errorListsOf = (state: State): readonly (readonly ErrorList[])[] =>
  state.Type === "Task" || state.Type === "Parallel" || state.Type === "Map"
    ? [state.Retry ?? [], state.Catch ?? []]
    : [];

function checkNames(list: readonly ErrorList[], reading: ReadContext): void {
  for (const [at, entry] of list.entries()) {
    const names = entry.ErrorEquals;
    const wildcard = names.indexOf("States.ALL");
    const span = (i: number) => spanOf(reading, names, i);
    if (wildcard >= 0 && names.length > 1) reading.report(misplacedWildcard(span(wildcard), { isAlone: false }));
    else if (wildcard >= 0 && at < list.length - 1) reading.report(misplacedWildcard(span(0), { isAlone: true }));
    for (const [i, name] of names.entries()) {
      reportComputed(
        { text: name, spanAt: (from, to) => reading.document.spanWithin(names, i, from, to) },
        reading.report,
      );
      if (name === runtimeError || neverRaised.includes(name))
        reading.report(unraisedError(span(i), { name, isFatal: name === runtimeError }));
    }
  }
}

const neverRaised = ["BranchFailed", "NoChoiceMatched", "IntrinsicFailure", "ParameterPathFailure"].map(
  (name) => `States.${name}`,
);
