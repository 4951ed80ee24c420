import { duplicateName } from "../../diagnostics/flow.ts";
import type { Diagnostic } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { foldedCase } from "../shared/diagnostics/kinds.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { duplicateIgnoringCase } from "./diagnostics/kinds.ts";

/** Definitions by case-insensitive name. */
export interface NameTable<T> {
  readonly all: readonly T[];
  readonly byName: ReadonlyMap<string, T>;
  readonly byFolded: ReadonlyMap<string, T>;
}

/** Creates a name table; reports and drops duplicates. */
export function createNameTable<T extends { readonly name: string }>(
  reading: ReadContext,
  noun: string,
  definitions: readonly T[],
): NameTable<T> {
  const byName = new Map<string, T>();
  const byFolded = new Map<string, T>();
  for (const definition of definitions) {
    const { name } = definition;
    const known = byFolded.get(name.toLowerCase());
    if (known) {
      const note = { message: `\`${known.name}\` is defined here.`, span: spanOf(reading, known, "name") };
      const span = spanOf(reading, definition, "name");
      const kind = known.name === name ? duplicateName : duplicateIgnoringCase;
      reading.report(kind(span, { noun, name, other: known.name }, [note]));
    } else {
      byName.set(name, definition);
      byFolded.set(name.toLowerCase(), definition);
    }
  }
  return { all: [...byName.values()], byName, byFolded };
}

/** Finds by exact name, otherwise ignoring case. */
export const findByName = <T>({ byName, byFolded }: NameTable<T>, name: string): T | undefined =>
  byName.get(name) ?? byFolded.get(name.toLowerCase());

/** Resolves a reference, ignoring case; reports unknown names with `unknown`. */
export function resolveName<T extends { readonly name: string }>(
  reading: ReadContext,
  directory: NameTable<T>,
  name: string,
  span: Span,
  unknown?: (span: Span, args: { readonly name: string; readonly known: readonly string[] }) => Diagnostic,
): T | undefined {
  const definition = findByName(directory, name);
  if (definition && definition.name !== name) reading.report(foldedCase(span, { value: name, word: definition.name }));
  if (!definition && unknown) reading.report(unknown(span, { name, known: [...directory.byName.keys()] }));
  return definition;
}
