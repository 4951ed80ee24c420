import { noMigration } from "../diagnostics/migration.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { looksLikeJson } from "../documents/json.ts";
import { isObject, own } from "../json.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import { printDefinition } from "./print.ts";
import { readDefinition, sourceLanguage } from "./serverless-workflow-0.8/index.ts";
import { writeDefinition, writtenLanguage } from "./serverless-workflow-1.0/index.ts";

/** Options of a migration. */
export interface MigrationOptions {
  /** The language of the definition. */
  readonly language: string;
  /** How a definition of 0.8 is read; by default `sonataflow` for SonataFlow resources and `spec` for others. */
  readonly dialect?: "spec" | "sonataflow" | undefined;
  /** Reads files of functions, events, errors and retries; if omitted, they count as empty. */
  readonly read?: ResourceReader | undefined;
  /** The namespace of the created definition; `default` by default. */
  readonly namespace?: string | undefined;
}

/** A migrated definition and what changed. */
export interface Migration {
  /** The definitions, one for each in the source; undefined if the language has no migration. */
  readonly text: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The languages that can be migrated to Serverless Workflow 1.0. */
export const migratedLanguages: readonly string[] = [sourceLanguage];

/** The languages that definitions can be migrated to. */
export const migrationTargets: readonly string[] = [writtenLanguage];

/**
 * Migrates a definition without errors to Serverless Workflow 1.0. Constructs that 1.0 cannot express are reported as
 * errors and omitted.
 */
export function migrate(source: Source, options: MigrationOptions): Migration {
  const diagnostics: Diagnostic[] = [];
  const documents = readDocuments(source, (diagnostic) => diagnostics.push(diagnostic));
  if (diagnostics.some(({ severity }) => severity === "error")) return { text: undefined, diagnostics };
  if (!migratedLanguages.includes(options.language)) {
    const span = documents[0]?.start ?? { source, start: 0, end: 0 };
    return {
      text: undefined,
      diagnostics: [noMigration(span, { language: options.language, known: migratedLanguages })],
    };
  }
  const isJson = looksLikeJson(source.text);
  const texts = documents.filter(isWorkflow).map((document) => {
    const { value, places } = migrateDocument(document, options, diagnostics);
    return printDefinition(value, places, document, isJson);
  });
  return { text: texts.join("---\n"), diagnostics };
}

/** Other documents of a SonataFlow file are resources of Kubernetes. */
const isWorkflow = ({ value }: Document): boolean =>
  isObject(value) && (own(value, "kind") === "SonataFlow" || own(value, "states") !== undefined);

function migrateDocument(document: Document, options: MigrationOptions, diagnostics: Diagnostic[]) {
  const isResource = isObject(document.value) && own(document.value, "kind") === "SonataFlow";
  const isSonataFlow = options.dialect === undefined ? isResource : options.dialect === "sonataflow";
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const machine = readDefinition(document, { isSonataFlow, read: options.read }, report);
  const settings = { namespace: options.namespace ?? "default", isSonataFlow };
  return writeDefinition(machine, document, settings, report);
}
