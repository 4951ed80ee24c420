import { noMigration } from "../diagnostics/migration.ts";
import { type Document, readDocuments } from "../documents/index.ts";
import { looksLikeJson } from "../documents/json.ts";
import { isObject, own } from "../json.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ResourceReader } from "../text/uris.ts";
import { migratedLanguages } from "./languages.ts";
import type { StateMachine } from "./model.ts";
import { printDefinition } from "./print.ts";
import * as draft from "./serverless-workflow/index.ts";
import { sourceLanguage as draftLanguage } from "./serverless-workflow/language.ts";
import * as version08 from "./serverless-workflow-0.8/index.ts";
import { writeDefinition } from "./serverless-workflow-1.0/index.ts";

/** Options of a migration. */
export interface MigrationOptions {
  /** The language of the definition. */
  readonly language: string;
  /** Options of the language. `dialect` of 0.8 is `sonataflow` for SonataFlow resources by default, else `spec`. */
  readonly settings?: { readonly [name: string]: unknown } | undefined;
  /** Replaces other spellings of the language's words. */
  readonly canonicalize?: ((document: Document, report: Report) => Document) | undefined;
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
  const texts = documents.filter(isWorkflow).map((each) => {
    const { value, places, document } = migrateDocument(each, options, diagnostics);
    return printDefinition(value, places, document, isJson);
  });
  return { text: texts.join("---\n"), diagnostics };
}

/** Other documents of a SonataFlow file are resources of Kubernetes. */
const isWorkflow = ({ value }: Document): boolean =>
  isObject(value) && (own(value, "kind") === "SonataFlow" || own(value, "states") !== undefined);

function migrateDocument(written: Document, options: MigrationOptions, diagnostics: Diagnostic[]) {
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const isDraft = options.language === draftLanguage;
  const document = (isDraft && options.canonicalize?.(written, () => undefined)) || written;
  const machine = readMachine(document, options, report);
  return { ...writeDefinition(machine, document, { namespace: options.namespace ?? "default" }, report), document };
}

function readMachine(document: Document, options: MigrationOptions, report: Report): StateMachine {
  const { language, settings = {}, read } = options;
  if (language === draftLanguage) {
    const merge = settings["merge"] === "deep" ? "deep" : "shallow";
    const timeout = settings["timeout"] === "fail" ? "fail" : "proceed";
    const interpolate = String(settings["interpolate"] ?? false) === "true";
    return draft.readDefinition(document, { merge, timeout, interpolate }, report);
  }
  const isResource = isObject(document.value) && own(document.value, "kind") === "SonataFlow";
  const isSonataFlow = settings["dialect"] === undefined ? isResource : settings["dialect"] === "sonataflow";
  return version08.readDefinition(document, { isSonataFlow, read }, report);
}
