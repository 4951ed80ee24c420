import { unknownConfigurationKey, unreadableBase, wrongConfigurationValue } from "../diagnostics/configuration.ts";
import { emptyDocument } from "../diagnostics/reading.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import type { Workflow } from "../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { type LanguageWithOptions, readOptions } from "../languages/options.ts";
import type { Options } from "../options.ts";
import type { PluginReference } from "../plugins/load.ts";
import { emptySettings, type Settings, type TargetConfiguration, type TargetSettings } from "../target/contract.ts";
import type { Report } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import { parsePattern } from "../text/patterns.ts";
import type { Source, Span } from "../text/source.ts";
import {
  type BindingEntry,
  type Bindings,
  type ConfigurableTarget,
  readBindings,
  readObjectAt,
  readTargets,
} from "./bindings.ts";
import { readBases } from "./extends.ts";
import { type DiagnosticLevels, readLevels } from "./levels.ts";
import { mergeConfigurations } from "./merge.ts";
import { type PickedDefinition, readPick, readPlaceholders } from "./picks.ts";
import { readPlugins } from "./plugins.ts";
import { type Project, projectKeys, readProject } from "./project.ts";
import { bindStepKinds, type ConfiguredWorkflows } from "./step-kinds.ts";
import { checkTrust, readTrust, type Trust } from "./trust.ts";
import { readWorkflowPaths, type WorkflowPaths } from "./workflows.ts";

export type { ConfigurableTarget } from "./bindings.ts";
export { configurationNames, unsupportedConfigurationNames } from "./file-names.ts";
export { applyLevels } from "./levels.ts";
export { pluginsIn, withBases } from "./plugins.ts";
export { type Project, type ProjectGlob, type ProjectOutput, withOutputSettings } from "./project.ts";
export { trustsTypes, withSignatures } from "./trust.ts";
export { checkWorkflowPaths, configuredId } from "./workflows.ts";

/** The contents of `waybill.config.yaml`. */
export interface Configuration extends Bindings {
  /** Relative paths start from its folder. */
  readonly source?: Source | undefined;
  readonly options: Options;
  readonly targets: ReadonlyMap<string, TargetSettings>;
  /** The default of functions. */
  readonly trust?: Trust | undefined;
  readonly workflows?: WorkflowPaths | undefined;
  readonly levels?: DiagnosticLevels | undefined;
  /** Patterns as in a `.gitignore`. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** They are loaded before the configuration is read, because its other parts may name what they add. */
  readonly plugins?: readonly PluginReference[] | undefined;
  /** The definitions to compile of files that embed several. */
  readonly pick?: readonly PickedDefinition[] | undefined;
  /** The values of placeholders in definitions, by name. */
  readonly placeholders?: ReadonlyMap<string, string> | undefined;
  /** If it has `sources`. */
  readonly project?: Project | undefined;
}

/** The empty configuration. */
export const noConfiguration: Configuration = {
  options: {},
  functions: new Map(),
  events: new Map(),
  targets: new Map(),
};

/** The options of a configuration, and the types of functions and events. */
export function withoutBindings({ options, functions, events, placeholders }: Configuration): Configuration {
  const typed = (entries: ReadonlyMap<string, BindingEntry>): ReadonlyMap<string, BindingEntry> =>
    new Map(
      [...entries].flatMap(([name, entry]) =>
        entry.result || entry.parameter || entry.data
          ? [[name, { ...entry, byTarget: new Map(), bindsReceivedEvents: false }] as const]
          : [],
      ),
    );
  return { ...noConfiguration, options, placeholders, functions: typed(functions), events: typed(events) };
}

/** Returns the configuration of a definition. */
export type ConfigurationOf = (source: Source) => Configuration | undefined;

/** Selects the configurations of workflows for one target. */
export function settingsFor(
  target: string,
  configurationFor: ConfigurationOf,
  workflows: readonly Workflow[] = [],
): Pick<Settings, "configurationOf"> {
  const read = new Map<Configuration, readonly ConfiguredWorkflows[]>();
  const configuredOf = (configuration: Configuration): readonly ConfiguredWorkflows[] => {
    const known = read.get(configuration);
    if (known) return known;
    const own = workflows.filter(({ span }) => (configurationFor(span.source) ?? noConfiguration) === configuration);
    const configured = bindStepKinds(configurationForTarget(target, configuration), own);
    read.set(configuration, configured);
    return configured;
  };
  return {
    configurationOf({ id, span }) {
      const configured = configuredOf(configurationFor(span.source) ?? noConfiguration);
      return (configured.find(({ ids }) => ids.has(id)) ?? configured[0]!).configuration;
    },
  };
}

const keys: readonly string[] = [
  ...projectKeys,
  ...[
    "workflows",
    "functions",
    "events",
    "trust",
    "options",
    "targets",
    "diagnostics",
    "include",
    "exclude",
    "plugins",
    "extends",
    "pick",
    "placeholders",
  ],
];

/** What a configuration extends, already read. */
export interface Extension {
  readonly base: Configuration;
  /** Whether another configuration extends this one, so that it may describe a part of a project. */
  readonly isBase: boolean;
}

/**
 * Reads a configuration; reports and drops invalid parts. Without `extension`, other files are not available: a
 * configuration that extends one is reported.
 */
export function readConfiguration(
  source: Source,
  languages: readonly LanguageWithOptions[],
  targets: readonly ConfigurableTarget[],
  report: Report,
  extension?: Extension,
): Configuration {
  const [document, second] = readDocuments(
    source,
    (found) => {
      if (found.code !== emptyDocument.code) report(found);
    },
    { allowsComments: true },
  );
  if (second) report(wrongConfigurationValue(second.start, { name: "The configuration", wanted: "one document" }));
  if (!document) return { ...noConfiguration, source };
  if (isObject(document.value))
    return { ...readObject(document.value, document, languages, targets, report, extension), source };
  report(wrongConfigurationValue(document.start, { name: "The configuration", wanted: "an object" }));
  return { ...noConfiguration, source };
}

function readObject(
  value: JsonObject,
  document: Document,
  languages: readonly LanguageWithOptions[],
  targets: readonly ConfigurableTarget[],
  report: Report,
  extension: Extension | undefined,
): Configuration {
  const { base = noConfiguration, isBase = false } = extension ?? {};
  for (const { path, span } of readBases(value, document, report))
    if (!extension) report(unreadableBase(span, { path, reason: "other files cannot be read here" }));
  const wrong = (span: Span, name: string, wanted: string) =>
    wrongConfigurationValue(span, { name: `\`${truncate(name)}\``, wanted });
  for (const name of Object.keys(value)) {
    if (!keys.includes(name))
      report(unknownConfigurationKey(document.spanOf(value, name, "key"), { name, known: keys }));
  }
  const own: Configuration = {
    trust: readTrust(value, document, report),
    options: readOptions(readObjectAt(value, "options", "`options`", document, report), {
      document,
      languages,
      report,
      invalid: wrong,
    }),
    ...readBindings(value, document, targets, report),
    targets: readTargets(value, document, targets, report),
    workflows: readWorkflowPaths(value, document, report),
    levels: readLevels(value, document, report),
    include: readPatterns(value, "include", document, report),
    exclude: readPatterns(value, "exclude", document, report),
    pick: readPick(value, document, report),
    placeholders: readPlaceholders(value, document, report),
    plugins: readPlugins(value, document, report),
    project: readProject(value, document, targets, { base: base.project, isBase }, report),
  };
  const merged = mergeConfigurations(base, own);
  if (!isBase) checkTrust(merged, report);
  return merged;
}

function readPatterns(
  value: JsonObject,
  key: "include" | "exclude",
  document: Document,
  report: Report,
): readonly string[] | undefined {
  const given = own(value, key);
  if (given === undefined) return undefined;
  const list = Array.isArray(given) ? (given as readonly Json[]) : [];
  const wrong = list.findIndex((each) => typeof each !== "string" || parsePattern(each) === undefined);
  if (list.length > 0 && wrong < 0) return list as readonly string[];
  const [span, name, wanted] =
    wrong < 0
      ? [document.spanOf(value, key), `\`${key}\``, "an array of patterns"]
      : [document.spanOf(given, wrong), `A pattern under \`${key}\``, "a `.gitignore` pattern such as `drafts/**`"];
  report(wrongConfigurationValue(span, { name, wanted }));
  return undefined;
}

/** Selects a configuration's part for one target. */
export function configurationForTarget(
  target: string,
  { functions, events, targets }: Configuration,
): TargetConfiguration {
  const bindingsIn = (all: ReadonlyMap<string, BindingEntry>): TargetConfiguration["functions"] =>
    new Map(
      [...all].flatMap(([name, { byTarget }]) => {
        const binding = byTarget.get(target);
        return binding ? [[name, binding] as const] : [];
      }),
    );
  return {
    functions: bindingsIn(functions),
    events: bindingsIn(events),
    ...(targets.get(target) ?? emptySettings),
  };
}
