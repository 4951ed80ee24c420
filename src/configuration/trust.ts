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

/** What a function says of the types of its module. */
export interface FunctionTrust {
  readonly value: Trust;
  readonly span: Span;
}

/** An export of a module to which a function is bound. */
export interface BoundExport extends ModuleExport {
  /** The target that has the binding. */
  readonly target: string;
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

/** The export to which one of the bindings binds a function. */
export function boundExport(
  byTarget: readonly (readonly [target: string, Binding])[],
  targets: readonly ConfigurableTarget[],
  document: Document,
): BoundExport | undefined {
  for (const [name, binding] of byTarget) {
    const found = targets.find((target) => target.name === name)?.boundExport?.(binding);
    if (found) return { ...found, target: name, from: document.source.path };
  }
  return undefined;
}

/** A configuration whose functions may trust types. `trust` is their default. */
export interface Trusting extends Bindings {
  readonly trust?: Trust | undefined;
}

/** Whether a configuration needs signatures. */
export const trustsTypes = (configuration: Trusting): boolean => trustedFunctions(configuration).length > 0;

function trustedFunctions({ functions, trust }: Trusting) {
  return [...functions.values()].flatMap((entry) =>
    entry.exported && isTrusted(entry, trust) ? [{ entry, exported: entry.exported }] : [],
  );
}

/** Whether the types of the module to which a function is bound are trusted. `fallback` is that of all functions. */
export const isTrusted = ({ exported, trust }: BindingEntry, fallback: Trust | undefined): boolean =>
  exported !== undefined && (trust?.value ?? fallback) === "types";

/** Reports functions that trust the types of a module, and are bound to none. */
export function checkTrust({ functions }: Bindings, report: Report): void {
  for (const { exported, trust } of functions.values())
    if (!exported && trust?.value === "types") report(ineffectiveTrust(trust.span, {}));
}

/** Adds the types of trusted exports to the functions that are bound to them; reports what cannot be trusted. */
export function withSignatures<Configured extends Trusting>(
  configuration: Configured,
  read: SignatureReader,
  report: Report,
): Configured {
  const trusted = trustedFunctions(configuration);
  if (trusted.length === 0) return configuration;
  const found = read(trusted.map(({ exported }) => exported));
  const functions = new Map(configuration.functions);
  const withErrors = new Set<string>();
  for (const [i, { entry, exported }] of trusted.entries())
    functions.set(entry.name.name, withSignature(entry, exported, found[i]!, withErrors, report));
  return { ...configuration, functions };
}

function withSignature(
  entry: BindingEntry,
  { module, span }: BoundExport,
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
