import type { Document } from "../../../documents/index.ts";
import { readDocuments } from "../../../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../json.ts";
import type { EmbeddedDefinition, EmbeddingContext } from "../../../language.ts";
import type { Report } from "../../../text/diagnostics.ts";
import type { Source, Span } from "../../../text/source.ts";
import { describeFailure } from "../../shared/included.ts";
import { unreadableMachine } from "../diagnostics/kinds.ts";
import { shortForms } from "./intrinsics.ts";
import { type Placeholders, resolvePlaceholders } from "./resolve.ts";
import { readMachineText } from "./texts.ts";

/** A machine that a file embeds. */
export interface MachinePlace {
  readonly id: string;
  /** Its name on AWS, if that is constant. */
  readonly name?: string | undefined;
  readonly span: Span;
  /** Reads the machine with its placeholders. */
  read(report: Report): Document | undefined;
  readonly placeholders: Placeholders;
}

/** The definition of a machine at a place, read on demand. */
export const embeddedMachine = ({ id, name, span, read, placeholders }: MachinePlace): EmbeddedDefinition => ({
  id,
  name,
  span,
  read(report) {
    const document = read(report);
    return document && resolvePlaceholders(document, placeholders, report);
  },
});

/** Reads the file of a machine, with placeholders. */
export function readMachineFile(
  uri: string,
  span: Span,
  context: EmbeddingContext,
  values: Placeholders["values"],
  report: Report,
): Document | undefined {
  const found = context.textAt?.(uri, span);
  if (found && "text" in found) return readMachine(found, values, report);
  report(unreadableMachine(span, { path: uri, reason: describeFailure(uri, found) }));
  return undefined;
}

function readMachine(source: Source, values: Placeholders["values"], report: Report): Document | undefined {
  const isJson = /^\uFEFF?\s*\{/.test(source.text);
  if (!isJson || !source.text.includes("${"))
    return readDocuments(source, report, { recovers: true, tags: shortForms })[0];
  const offsets = Array.from({ length: source.text.length + 1 }, (_, at) => at);
  return readMachineText({ text: source.text, offsets }, source, values, report);
}

/** A member of an object, if both exist. */
export const member = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value ?? null) ? own(value as JsonObject, key) : undefined;

/** The members of a member, by name. */
export const membersOf = (value: Json | undefined): readonly (readonly [string, Json])[] =>
  isObject(value ?? null) ? Object.entries(value as JsonObject) : [];
