import {
  unknownConfigurationKey,
  unknownOption,
  unknownOptionValue,
  wrongConfigurationValue,
} from "../diagnostics/configuration.ts";
import { emptyText } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../document/index.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../json.ts";
import type { OptionDefinition, Options } from "../program.ts";
import { noSettings, type Settings } from "../target.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source, Span } from "../text/source.ts";
import { type Bindings, type Bound, type Configurable, objectIn, readBindings, readTargets } from "./bindings.ts";

export type { Configurable } from "./bindings.ts";

/** What a file `waybill.config.yaml` sets. */
export interface Configuration extends Bindings {
  /** Where it stands; relative paths in it start from there. Absent: there is none. */
  readonly source?: Source | undefined;
  /** The choices that the languages leave to the user. */
  readonly options: Options;
  /** The targets' own settings, by their names. */
  readonly targets: ReadonlyMap<string, JsonObject>;
}

/** A configuration that sets nothing. */
export const noConfiguration: Configuration = {
  options: {},
  functions: new Map(),
  events: new Map(),
  targets: new Map(),
};

/** The configuration file's name. It is looked for in the folder of the first definition and in those above it. */
export const configurationName = "waybill.config.yaml";

const keys = ["functions", "events", "options", "targets"];

/** Reads a configuration. What is wrong with it is reported and left out; a file without any value sets nothing. */
export function readConfiguration(
  source: Source,
  definitions: readonly OptionDefinition[],
  targets: readonly Configurable[],
  report: Report,
): Configuration {
  const [document, second] = readDocuments(source, (found) => {
    if (found.code !== emptyText.code) report(found);
  });
  if (second) report(wrongConfigurationValue(second.start, { name: "The configuration", wanted: "one document" }));
  if (!document) return { ...noConfiguration, source };
  if (isObject(document.value))
    return { ...readObject(document.value, document, definitions, targets, report), source };
  report(wrongConfigurationValue(document.start, { name: "The configuration", wanted: "an object" }));
  return { ...noConfiguration, source };
}

function readObject(
  value: JsonObject,
  document: Document,
  definitions: readonly OptionDefinition[],
  targets: readonly Configurable[],
  report: Report,
): Configuration {
  for (const name of Object.keys(value)) {
    if (!keys.includes(name))
      report(unknownConfigurationKey(document.spanOf(value, name, "key"), { name, known: keys }));
  }
  return {
    options: readOptions(objectIn(value, "options", "`options`", document, report), document, definitions, report),
    ...readBindings(value, document, targets, report),
    targets: readTargets(value, document, targets, report),
  };
}

/** What a configuration says for one target. */
export function settingsFor(
  target: string,
  { source, functions, events, targets }: Configuration = noConfiguration,
): Settings {
  const boundIn = (all: ReadonlyMap<string, Bound>): Settings["functions"] =>
    new Map(
      [...all].flatMap(([name, { by }]) => {
        const binding = by.get(target);
        return binding ? [[name, binding] as const] : [];
      }),
    );
  return {
    functions: boundIn(functions),
    events: boundIn(events),
    values: targets.get(target) ?? noSettings.values,
    configuration: source,
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
