import type { Document } from "../../../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../json.ts";
import type { EmbeddedDefinition, EmbeddingContext } from "../../../language.ts";
import type { Report } from "../../../text/diagnostics.ts";
import type { Span } from "../../../text/source.ts";
import { remoteDefinition } from "../diagnostics/kinds.ts";
import { embeddedMachine, member, membersOf, readMachineFile } from "./machines.ts";

/** The machines of a file of the Serverless Framework, by key. */
export const machinesOfServerless = (value: Json): readonly (readonly [string, JsonObject])[] =>
  membersOf(member(member(value, "stepFunctions"), "stateMachines")).filter(
    (entry): entry is readonly [string, JsonObject] => isObject(entry[1]),
  );

/** Finds the machines under `stepFunctions.stateMachines`, each with its definition or `${file(path)}`. */
export function readServerless(document: Document, context: EmbeddingContext): readonly EmbeddedDefinition[] {
  const machines = member(member(document.value, "stepFunctions"), "stateMachines");
  return machinesOfServerless(document.value).map(([id, machine]) => {
    const span = document.spanOf(machines, id);
    const name = own(machine, "name");
    return embeddedMachine({
      id,
      name: typeof name === "string" && !name.includes("${") ? name : undefined,
      span,
      placeholders: { values: context.placeholders, mappings: null },
      read: (report) => readDefinition({ document, context, machine }, span, report),
    });
  });
}

interface MachineReader {
  readonly document: Document;
  readonly context: EmbeddingContext;
  readonly machine: JsonObject;
}

function readDefinition({ document, context, machine }: MachineReader, span: Span, report: Report) {
  const definition = own(machine, "definition");
  const place = definition === undefined ? span : document.spanOf(machine, "definition");
  if (isObject(definition ?? null)) return document.part(machine, "definition");
  const path = typeof definition === "string" ? /^\$\{file\(([^(){}]+)\)\}$/.exec(definition.trim())?.[1] : undefined;
  if (path !== undefined)
    return readMachineFile(path.trim().replace(/^(["'])(.*)\1$/, "$2"), place, context, context.placeholders, report);
  report(remoteDefinition(place, { isMissing: definition === undefined }));
  return undefined;
}
