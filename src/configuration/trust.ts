import {
  contradictingResult,
  ineffectiveTrust,
  inexactSignature,
  moduleWithErrors,
  unreadableSignature,
  wrongConfigurationValue,
} from "../diagnostics/configuration.ts";
import type { Document } from "../documents/index.ts";
import { type JsonObject, own } from "../json.ts";
import type { FoundSignature, ModuleExport, Signature, SignatureReader } from "../signatures/index.ts";
import type { Binding } from "../target/contract.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { findMismatch } from "../types/index.ts";
import type { BindingEntry, Bindings, ConfigurableTarget } from "./bindings.ts";

/** Whether the types of a function's module are trusted. */
export type Trust = "types" | "none";

/** An export whose types are trusted. */
export interface TrustedExport extends ModuleExport {
  /** The value that names it. */
  readonly span: Span;
}

/** Reads the setting `trust` of a configuration, or of one of its functions; reports other values. */
export function readTrust(owner: JsonObject, document: Document, report: Report): Trust | undefined {
  const value = own(owner, "trust");
  if (value === undefined || value === "types" || value === "none") return value;
  report(wrongConfigurationValue(document.spanOf(owner, "trust"), { name: "`trust`", wanted: "`types` or `none`" }));
  return undefined;
}

/** The export whose types are trusted, if the function is bound to one. An own setting overrides the one for all functions. */
export function trustedExport(
  bindings: JsonObject,
  byTarget: readonly (readonly [target: string, Binding])[],
  trustAll: Trust | undefined,
  { targets, document, report }: { targets: readonly ConfigurableTarget[]; document: Document; report: Report },
): TrustedExport | undefined {
  const own = readTrust(bindings, document, report);
  if ((own ?? trustAll) !== "types") return undefined;
  for (const [name, binding] of byTarget) {
    const found = targets.find((target) => target.name === name)?.boundExport?.(binding);
    if (found) return { ...found, from: document.source.path };
  }
  if (own === "types") report(ineffectiveTrust(document.spanOf(bindings, "trust"), {}));
  return undefined;
}

/** Whether a configuration needs signatures. */
export const trustsTypes = ({ functions }: Bindings): boolean =>
  [...functions.values()].some(({ trusted }) => trusted !== undefined);

/** Adds the types of trusted exports to the functions that are bound to them; reports what cannot be trusted. */
export function withSignatures<Configured extends Bindings>(
  configuration: Configured,
  read: SignatureReader,
  report: Report,
): Configured {
  const trusted = [...configuration.functions.values()].flatMap((entry) =>
    entry.trusted ? [{ entry, trusted: entry.trusted }] : [],
  );
  if (trusted.length === 0) return configuration;
  const found = read(trusted.map((each) => each.trusted));
  const functions = new Map(configuration.functions);
  const withErrors = new Set<string>();
  for (const [i, { entry, trusted: named }] of trusted.entries())
    functions.set(entry.name.name, withSignature(entry, named, found[i]!, withErrors, report));
  return { ...configuration, functions };
}

function withSignature(
  entry: BindingEntry,
  { module, span }: TrustedExport,
  found: FoundSignature,
  withErrors: Set<string>,
  report: Report,
): BindingEntry {
  const { name } = entry.name;
  if ("reason" in found) {
    report(unreadableSignature(span, { name, module, reason: found.reason, hint: found.hint }));
    return entry;
  }
  reportInexact(found, name, span, report);
  const parameter = found.parameter && { type: found.parameter, span: found.span };
  if (found.error) {
    const { message, count } = found.error;
    if (!withErrors.has(module))
      report(
        moduleWithErrors(span, { module, message, count }, [{ message: "The error is here.", span: found.error.span }]),
      );
    withErrors.add(module);
    return { ...entry, parameter };
  }
  if (entry.result && findMismatch(entry.result, found.result))
    report(contradictingResult(span, { name }, [{ message: "The function is declared here.", span: found.span }]));
  return { ...entry, parameter, result: entry.result ?? found.result };
}

function reportInexact({ inexact, span: declared }: Signature, name: string, span: Span, report: Report): void {
  const [first] = inexact;
  if (!first) return;
  const notes = [{ message: "The function is declared here.", span: declared }];
  report(inexactSignature(span, { name, ...first, others: inexact.length - 1 }, notes));
}
