import {
  unknownConfigurationKey,
  unknownOption,
  unknownOptionValue,
  wrongConfigurationValue,
} from "../diagnostics/configuration.ts";
import { emptyText } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../document/index.ts";
import { schema, validate } from "../generated/configuration.js";
import { isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import type { OptionDefinition, Options } from "../program.ts";
import { validatorOf } from "../schema/index.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import type { EventBinding, FunctionBinding } from "./bindings.ts";
import { readEvents, readFunctions } from "./read-bindings.ts";

/** What a file `waybill.config.yaml` sets. */
export interface Configuration {
  /** Where it stands; relative paths in it start from there. Absent: there is none. */
  readonly source?: Source | undefined;
  /** The choices that the languages leave to the user. */
  readonly options: Options;
  /** Where functions are, by their names. */
  readonly functions: ReadonlyMap<string, FunctionBinding>;
  /** Where events go, by the names of their definitions. */
  readonly events: ReadonlyMap<string, EventBinding>;
}

/** A configuration that sets nothing. */
export const noConfiguration: Configuration = { options: {}, functions: new Map(), events: new Map() };

/** The configuration file's name. It is looked for in the folder of the first definition and in those above it. */
export const configurationName = "waybill.config.yaml";

const keys = ["functions", "events", "options"];

/** Reads a configuration. What is wrong with it is reported and left out; a file without any value sets nothing. */
export function readConfiguration(
  source: Source,
  definitions: readonly OptionDefinition[],
  report: Report,
): Configuration {
  const [document, second] = readDocuments(source, (found) => {
    if (found.code !== emptyText.code) report(found);
  });
  if (second) report(wrongConfigurationValue(second.start, { name: "The configuration", wanted: "one document" }));
  if (!document) return { ...noConfiguration, source };
  if (isObject(document.value)) return { ...readObject(document.value, document, definitions, report), source };
  report(wrongConfigurationValue(document.start, { name: "The configuration", wanted: "an object" }));
  return { ...noConfiguration, source };
}

function readObject(
  value: JsonObject,
  document: Document,
  definitions: readonly OptionDefinition[],
  report: Report,
): Configuration {
  for (const name of Object.keys(value)) {
    if (!keys.includes(name))
      report(unknownConfigurationKey(document.spanOf(value, name, "key"), { name, known: keys }));
  }
  const parts = { options: partOf(value, "options", document, report), ...readBindings(value, document, report) };
  return { ...parts, options: readOptions(parts.options, document, definitions, report) };
}

/** An object of the configuration; an empty one where it is missing or none. */
function partOf(value: JsonObject, name: string, document: Document, report: Report): JsonObject {
  const part = own(value, name);
  if (isObject(part)) return part;
  if (part !== undefined)
    report(wrongConfigurationValue(document.spanOf(value, name), { name: `\`${name}\``, wanted: "an object" }));
  return {};
}

/** Where functions are and where events go; nothing when any of it does not fit the schema. */
function readBindings(
  value: JsonObject,
  document: Document,
  report: Report,
): Pick<Configuration, "functions" | "events"> {
  const bindings = {
    functions: partOf(value, "functions", document, report),
    events: partOf(value, "events", document, report),
  };
  const part = document.with(bindings, new Map([[bindings, { of: value }]]));
  if (!validatorOf(validate, schema)(part, report)) return { functions: new Map(), events: new Map() };
  return {
    functions: readFunctions(bindings.functions, part, report),
    events: readEvents(bindings.events, part, report),
  };
}

function readOptions(
  given: JsonObject,
  document: Document,
  definitions: readonly OptionDefinition[],
  report: Report,
): Options {
  const options: { [name: string]: string | number | boolean } = {};
  for (const [name, value] of Object.entries(given)) {
    const spans = { name: document.spanOf(given, name, "key"), value: document.spanOf(given, name) };
    const fault = isScalar(value)
      ? optionFault({ name, value }, definitions, spans)
      : wrongConfigurationValue(spans.value, {
          name: "The value of an option",
          wanted: "a text, a number or a boolean",
        });
    if (fault) report(fault);
    else if (isScalar(value)) setOwn(options, name, value);
  }
  return options;
}

/** What is wrong with a choice, if anything: there is no such option, or it has no such value. */
export function optionFault(
  given: { readonly name: string; readonly value: string | number | boolean },
  definitions: readonly OptionDefinition[],
  spans: { readonly name: Span; readonly value: Span },
): Diagnostic | undefined {
  const { name } = given;
  const value = String(given.value);
  const definition = definitions.find((known) => known.name === name);
  if (!definition) return unknownOption(spans.name, { name, known: definitions.map((known) => known.name) });
  const { values } = definition;
  return values && !values.includes(value)
    ? unknownOptionValue(spans.value, { name, value, known: values })
    : undefined;
}

const isScalar = (value: Json): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);
