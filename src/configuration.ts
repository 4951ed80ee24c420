import type { Diagnostic, Report } from "./diagnostics.ts";
import { type Document, readDocuments } from "./document.ts";
import { isObject, type Json, type JsonObject, setOwn } from "./json.ts";
import { unknownConfigurationKey, unknownOption, unknownOptionValue, wrongConfigurationValue } from "./messages/configuration.ts";
import { emptyText } from "./messages/reading.ts";
import type { OptionDefinition, Options } from "./program.ts";
import type { Source, Span } from "./source.ts";

/** What a file `waybill.config.yaml` sets. */
export interface Configuration {
  /** The choices that the languages leave to the user. */
  readonly options: Options;
}

/** The configuration file's name. It is looked for in the folder of the first definition and in those above it. */
export const configurationName = "waybill.config.yaml";

const keys = ["options"];

/** Reads a configuration. What is wrong with it is reported and left out; a file without any value sets nothing. */
export function readConfiguration(source: Source, definitions: readonly OptionDefinition[], report: Report): Configuration {
  const [document, second] = readDocuments(source, (found) => {
    if (found.code !== emptyText.code) report(found);
  });
  if (second) report(wrongConfigurationValue(second.start, { name: "The configuration", wanted: "one document" }));
  if (!document) return { options: {} };
  if (isObject(document.value)) return readObject(document.value, document, definitions, report);
  report(wrongConfigurationValue(document.start, { name: "The configuration", wanted: "an object" }));
  return { options: {} };
}

function readObject(value: JsonObject, document: Document, definitions: readonly OptionDefinition[], report: Report): Configuration {
  for (const name of Object.keys(value)) {
    if (!keys.includes(name)) report(unknownConfigurationKey(document.spanOf(value, name, "key"), { name, known: keys }));
  }
  if (!Object.hasOwn(value, "options")) return { options: {} };
  const given = value["options"]!;
  if (isObject(given)) return { options: readOptions(given, document, definitions, report) };
  report(wrongConfigurationValue(document.spanOf(value, "options"), { name: "`options`", wanted: "an object" }));
  return { options: {} };
}

function readOptions(given: JsonObject, document: Document, definitions: readonly OptionDefinition[], report: Report): Options {
  const options: { [name: string]: string | number | boolean } = {};
  for (const [name, value] of Object.entries(given)) {
    const spans = { name: document.spanOf(given, name, "key"), value: document.spanOf(given, name) };
    const fault = isScalar(value)
      ? optionFault({ name, value }, definitions, spans)
      : wrongConfigurationValue(spans.value, { name: "The value of an option", wanted: "a text, a number or a boolean" });
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
  return values && !values.includes(value) ? unknownOptionValue(spans.value, { name, value, known: values }) : undefined;
}

const isScalar = (value: Json): value is string | number | boolean => ["string", "number", "boolean"].includes(typeof value);
