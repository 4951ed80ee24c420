import { wrongConfigurationValue } from "../diagnostics/configuration.ts";
import type { Document } from "../documents/index.ts";
import { type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import { readObjectAt } from "./bindings.ts";

/** The name of a definition in a file that embeds several. */
export interface PickedDefinition {
  readonly name: string;
  readonly span: Span;
}

/** Reads `pick`; reports and drops invalid entries. */
export function readPick(
  root: JsonObject,
  document: Document,
  report: Report,
): readonly PickedDefinition[] | undefined {
  const given = own(root, "pick");
  if (given === undefined) return undefined;
  const names = Array.isArray(given) ? (given as readonly Json[]) : [];
  const wrong = names.findIndex((name) => typeof name !== "string" || name === "");
  if (names.length === 0 || wrong >= 0) {
    const span = wrong < 0 ? document.spanOf(root, "pick") : document.spanOf(given, wrong);
    report(wrongConfigurationValue(span, { name: "`pick`", wanted: "an array of names of definitions" }));
    return undefined;
  }
  return names.map((name, index) => ({ name: name as string, span: document.spanOf(given, index) }));
}

/** Reads `placeholders`: strings by name. Reports and drops invalid values. */
export function readPlaceholders(root: JsonObject, document: Document, report: Report): ReadonlyMap<string, string> {
  const given = readObjectAt(root, "placeholders", "`placeholders`", document, report);
  return new Map(
    Object.keys(given).flatMap((name) => {
      const value = own(given, name)!;
      if (typeof value === "string" || typeof value === "number") return [[name, String(value)] as const];
      const subject = `The placeholder \`${truncate(name)}\``;
      report(wrongConfigurationValue(document.spanOf(given, name), { name: subject, wanted: "a string" }));
      return [];
    }),
  );
}
