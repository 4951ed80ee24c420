import { unknownConfigurationKey, wrongConfigurationValue } from "../diagnostics/configuration.ts";
import { emptyText } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../document/index.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type Choosable, readOptions } from "../languages/options.ts";
import type { Options } from "../program.ts";
import { noSettings, type Settings } from "../target.ts";
import { clip } from "../text/clip.ts";
import type { Report } from "../text/diagnostics.ts";
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
  languages: readonly Choosable[],
  targets: readonly Configurable[],
  report: Report,
): Configuration {
  const [document, second] = readDocuments(source, (found) => {
    if (found.code !== emptyText.code) report(found);
  });
  if (second) report(wrongConfigurationValue(second.start, { name: "The configuration", wanted: "one document" }));
  if (!document) return { ...noConfiguration, source };
  if (isObject(document.value)) return { ...readObject(document.value, document, languages, targets, report), source };
  report(wrongConfigurationValue(document.start, { name: "The configuration", wanted: "an object" }));
  return { ...noConfiguration, source };
}

function readObject(
  value: JsonObject,
  document: Document,
  languages: readonly Choosable[],
  targets: readonly Configurable[],
  report: Report,
): Configuration {
  const wrong = (span: Span, name: string, wanted: string) =>
    wrongConfigurationValue(span, { name: `\`${clip(name)}\``, wanted });
  for (const name of Object.keys(value)) {
    if (!keys.includes(name))
      report(unknownConfigurationKey(document.spanOf(value, name, "key"), { name, known: keys }));
  }
  return {
    options: readOptions(objectIn(value, "options", "`options`", document, report), {
      document,
      languages,
      report,
      wrong,
    }),
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
