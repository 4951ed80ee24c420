import { expressionText } from "../graph/labels.ts";
import { printProtocol } from "../ir/protocols.ts";
import type { EventDefinition, FunctionDefinition, Workflow } from "../ir/workflow.ts";
import { printJson } from "../json.ts";
import { printType } from "../types/index.ts";
import { canonicalDefinition } from "./canonical.ts";
import { usedDefinitions } from "./definitions.ts";
import type { Change, Detail } from "./model.ts";
import { placeOf } from "./places.ts";

/** The differences between the functions and events that two workflows use. */
export function definitionChanges(old: Workflow, created: Workflow): readonly Change[] {
  const [before, after] = [usedDefinitions(old), usedDefinitions(created)];
  return [
    ...changesOf("function", before.functions, after.functions, functionProperties),
    ...changesOf("event", before.events, after.events, eventProperties),
  ];
}

type Properties = { readonly [name: string]: string | undefined };

function changesOf<Definition extends FunctionDefinition | EventDefinition>(
  noun: string,
  old: readonly Definition[],
  created: readonly Definition[],
  propertiesOf: (definition: Definition) => Properties,
): readonly Change[] {
  const names = new Set([...old, ...created].map(({ name }) => name));
  return [...names].flatMap((name): readonly Change[] => {
    const [a, b] = [old, created].map((list) => list.find((each) => each.name === name));
    if (a && b && canonicalDefinition(a) === canonicalDefinition(b)) return [];
    const kind = a === undefined ? "added" : b === undefined ? "removed" : "changed";
    const found = propertyChanges(a ? propertiesOf(a) : {}, b ? propertiesOf(b) : {});
    const details: readonly Detail[] =
      found.length > 0 || kind !== "changed"
        ? found
        : [{ aspect: "definition", kind: "changed", text: "its definition" }];
    return [{ kind, noun, name, ...(a && { old: placeOf(a.span) }), ...(b && { new: placeOf(b.span) }), details }];
  });
}

function propertyChanges(old: Properties, created: Properties): readonly Detail[] {
  return Object.keys({ ...old, ...created }).flatMap((name): readonly Detail[] => {
    const [a, b] = [old[name], created[name]];
    if (a === b) return [];
    const kind = a === undefined ? "added" : b === undefined ? "removed" : "changed";
    return [
      {
        aspect: "definition",
        kind,
        text: name,
        ...(a !== undefined && { old: { text: a } }),
        ...(b !== undefined && { new: { text: b } }),
      },
    ];
  });
}

const functionProperties = (definition: FunctionDefinition): Properties => ({
  resource: definition.resource,
  protocol: definition.protocol && printProtocol(definition.protocol),
  type: definition.type,
  "kind of step": definition.stepKind,
  "type of the result": definition.resultType && printType(definition.resultType),
  "type of the argument": definition.parameterType && printType(definition.parameterType.type),
  metadata: definition.metadata === undefined ? undefined : printJson(definition.metadata),
});

const eventProperties = (definition: EventDefinition): Properties => ({
  type: definition.type,
  source: definition.source,
  subject: definition.subject,
  case: definition.foldCase ? "ignored" : undefined,
  correlation: definition.correlation && expressionText(definition.correlation),
  "correlation key": definition.correlationKey,
  "correlation attribute": definition.correlationAttribute,
  "type of the data": definition.dataType && printType(definition.dataType),
  metadata: definition.metadata === undefined ? undefined : printJson(definition.metadata),
});
