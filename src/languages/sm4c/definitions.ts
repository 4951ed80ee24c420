import type { Document } from "../../documents/index.ts";
import { schema, validate } from "../../generated/sm4c.js";
import {
  type EventDefinition,
  type FunctionDefinition,
  type RetryPolicy,
  type StateMachine,
  spelling,
} from "../../generated/sm4c-definition.ts";
import type { Json } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import { createValidator } from "../../schema/index.ts";
import { type IncludedDefinitions, readIncluded, withIncluded } from "../shared/included.ts";
import { canonicalize } from "../shared/spelling.ts";

/** The definitions of a machine, and a document with their spans. */
export interface Definitions {
  readonly document: Document;
  readonly events: readonly EventDefinition[];
  readonly functions: readonly FunctionDefinition[];
  readonly retries: readonly RetryPolicy[];
}

/** Reads definitions, including those in referenced files. */
export function readDefinitions(document: Document, definition: StateMachine, lowering: LowerContext): Definitions {
  const included: IncludedDefinitions[] = [];
  const validateList = (key: string, list: Json, file: Document) => validateDefinitions(key, list, file, lowering);
  const reader = { lowering, validate: validateList, isKind: (_: string, value: Json) => Array.isArray(value) };
  const listed = (key: "events" | "functions" | "retries"): readonly Json[] => {
    const value = (definition[key] ?? []) as string | readonly Json[];
    if (typeof value !== "string") return value;
    const found = readIncluded(reader, key, value, document.spanOf(definition, key));
    if (found) included.push(found);
    return (found?.value ?? []) as readonly Json[];
  };
  const [events, functions, retries] = (["events", "functions", "retries"] as const).map(listed);
  return {
    document: withIncluded(document, included),
    events: events as unknown as readonly EventDefinition[],
    functions: functions as unknown as readonly FunctionDefinition[],
    retries: retries as unknown as readonly RetryPolicy[],
  };
}

function validateDefinitions(
  key: string,
  list: Json,
  document: Document,
  { report }: LowerContext,
): IncludedDefinitions | undefined {
  const machine = { name: "definitions", version: "1", states: [{ name: "none", start: true }], [key]: list };
  const normal = canonicalize(document.withValue(machine, new Map()), spelling, report);
  if (!createValidator(validate, schema)(normal, report)) return undefined;
  return { value: (normal.value as { readonly [key: string]: Json })[key]!, document: normal };
}
