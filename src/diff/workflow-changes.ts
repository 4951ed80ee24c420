import type { Expression } from "../expressions/index.ts";
import { durationText, secondsText } from "../graph/labels.ts";
import { printTimer } from "../ir/timers.ts";
import type { Workflow } from "../ir/workflow.ts";
import { printJson } from "../json.ts";
import { printType } from "../types/index.ts";
import { combinations, conditions, expression, type Property } from "./facts.ts";
import type { Change, Detail } from "./model.ts";
import { placeOf, reportValue } from "./places.ts";

/** The difference between two workflows apart from their states and definitions. `starts`: where they begin. */
export function workflowChange(old: Workflow, created: Workflow, starts: readonly Detail[]): readonly Change[] {
  const [before, after] = [propertiesOf(old), propertiesOf(created)];
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((name): readonly Detail[] => {
    const [a, b] = [before.get(name), after.get(name)];
    if (a?.key === b?.key) return [];
    return [
      {
        aspect: "definition",
        kind: a === undefined ? "added" : b === undefined ? "removed" : "changed",
        text: name,
        ...(a && { old: reportValue(a) }),
        ...(b && { new: reportValue(b) }),
      },
    ];
  });
  const details = [...changed, ...starts];
  if (details.length === 0) return [];
  const [at, to] = [placeOf(old.span), placeOf(created.span)];
  return [{ kind: "changed", noun: "workflow", name: created.id, old: at, new: to, details }];
}

function propertiesOf(workflow: Workflow): ReadonlyMap<string, Property> {
  const { id, name, version, description, start, correlation, errorNames, inputSchema, outputSchema } = workflow;
  const { timeout, inputType, outputType, inputRules, anyInput, unnamedErrors, metadata } = workflow;
  const { on = [], create, gap, window, timers = [], span } = start;
  const found: readonly (readonly [string, Property | undefined])[] = [
    ["id", text(id)],
    ["name", text(name)],
    ["version", text(version)],
    ["description", text(description)],
    ["started by", on.length === 0 ? undefined : { ...combinations(on), span }],
    ["conditions of the starting events", conditions(on)],
    [
      "times of the starting events",
      on.some(({ within }) => within !== undefined)
        ? text(on.map(({ within }) => (within === undefined ? "none" : durationText(within))).join(", "))
        : undefined,
    ],
    ["started by the complete events", create === "complete" ? text("yes") : undefined],
    ["time between the starting events", gap === undefined ? undefined : text(durationText(gap))],
    ["active", window && text(`from ${window.from ?? "any time"} until ${window.until ?? "any time"}`)],
    ["started at times", timers.length === 0 ? undefined : text(timers.map(printTimer).join("; "))],
    ["time for a run", timeout && text(secondsText(timeout.seconds))],
    ["correlation", correlation && expression(correlation satisfies Expression)],
    ["names of errors", errorNames && text(printJson(Object.entries(errorNames).flat().map(String)))],
    ["input schema", text(inputSchema)],
    ["output schema", text(outputSchema)],
    ["input type", inputType && text(printType(inputType))],
    ["output type", outputType && text(printType(outputType))],
    ["enforced input schema", inputRules && text(printJson(inputRules))],
    ["input", anyInput && text("any JSON value")],
    ["errors without names", unnamedErrors && text("yes")],
    ["metadata", metadata === undefined ? undefined : text(printJson(metadata))],
  ];
  return new Map(found.flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

function text(value: string): Property;
function text(value: string | undefined): Property | undefined;
function text(value: string | undefined): Property | undefined {
  return value === undefined ? undefined : { text: value, key: value };
}
