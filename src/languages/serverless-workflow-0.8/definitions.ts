import type { Document } from "../../documents/index.ts";
import { schema, validate } from "../../generated/serverless-workflow-0.8.js";
import { type Workflow as Definition, spelling } from "../../generated/serverless-workflow-0.8-definition.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import { createValidator } from "../../schema/index.ts";
import { type IncludedDefinitions, readIncluded, withIncluded } from "../shared/included.ts";
import { canonicalize } from "../shared/spelling.ts";

/** A definition without references to files of definitions. */
export type CompleteDefinition = Omit<Definition, ListKey | "constants" | "secrets"> & {
  readonly [key in ListKey]?: Exclude<Definition[key], string>;
} & { readonly constants?: JsonObject; readonly secrets?: readonly string[] };

type ListKey = "events" | "functions" | "errors" | "retries";

const keys = ["events", "functions", "errors", "retries", "constants", "secrets"] as const;

/** Serverless Workflow 0.8, Sharing Definitions: a definition with what it refers to in other files. */
export function readDefinitions(
  document: Document,
  lowering: LowerContext,
): { readonly document: Document; readonly definition: CompleteDefinition } {
  const definition = document.value as unknown as Definition;
  const included: IncludedDefinitions[] = [];
  const reader = {
    lowering,
    validate: (key: string, value: Json, file: Document) => validateDefinitions(key, value, file, lowering),
    isKind: (key: string, value: Json) => (key === "constants" ? isObject(value) : Array.isArray(value)),
  };
  const read = keys.flatMap((key) => {
    const uri = definition[key];
    if (typeof uri !== "string") return [];
    const found = readIncluded(reader, key, uri, document.spanOf(definition, key));
    if (found) included.push(found);
    return [[key, found?.value] as const];
  });
  if (read.length === 0) return { document, definition: definition as CompleteDefinition };
  const complete = { ...definition, ...Object.fromEntries(read) } as unknown as CompleteDefinition;
  const copied = document.withValue(complete as unknown as Json, new Map([[complete, { of: definition }]]));
  return { document: withIncluded(copied, included), definition: complete };
}

function validateDefinitions(
  key: string,
  value: Json,
  document: Document,
  { report }: LowerContext,
): IncludedDefinitions | undefined {
  const states = [{ name: "none", type: "inject", data: {} }];
  const normal = canonicalize(document.withValue({ states, [key]: value }, new Map()), spelling, report);
  if (!createValidator(validate, schema)(normal, report)) return undefined;
  return { value: (normal.value as JsonObject)[key]!, document: normal };
}
