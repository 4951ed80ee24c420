import { type CodeAction, CodeActionKind, type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import { renderText } from "../diagnostics/renderers/text.ts";
import { optionsFor } from "../languages/options.ts";
import { migrate } from "../migration/index.ts";
import { migratedLanguages } from "../migration/languages.ts";
import type { OpenDocument, Workspace } from "./workspace.ts";

/** The command that migrates an open definition. Its argument is the URI. */
export const migrateCommand = "waybill.migrate";

/** The kind of the action that migrates a definition. */
export const migrateKind = `${CodeActionKind.RefactorRewrite}.waybill`;

/** A migrated definition and what changes, as rendered diagnostics. */
export interface MigrationResult {
  /** Undefined for a definition with errors. */
  readonly text: string | undefined;
  /** The URI of the file that the client created, if it can. */
  readonly uri?: string | undefined;
  readonly report: string;
}

/** The action for a definition in a language that can be migrated. */
export function migrateActions(document: OpenDocument, workspace: Workspace): readonly CodeAction[] {
  if (document.kind !== "definition") return [];
  const isMigrated = workspace
    .analyze(document)
    .parts.some(({ language }) => language && migratedLanguages.includes(language.name));
  if (!isMigrated) return [];
  const title = "Migrate to Serverless Workflow 1.0";
  return [{ title, kind: migrateKind, command: { title, command: migrateCommand, arguments: [document.uri] } }];
}

/** Migrates a definition; the client opens the result as a new file, which is not saved. */
export async function runMigration(
  document: OpenDocument | undefined,
  workspace: Workspace,
  connection: Connection,
): Promise<MigrationResult> {
  if (document?.kind !== "definition")
    throw new ResponseError(ErrorCodes.InvalidParams, "The command takes the URI of an open definition.");
  const { source } = document;
  const checked = (await workspace.check(document)).find((each) => each.source === source);
  const errors = checked?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
  if (errors.length > 0) return { text: undefined, report: renderText(errors) };
  const { options, configurationOf, read } = workspace.contextOf(document);
  const language = workspace.analyze(document).parts.find((part) => part.language)?.language;
  if (!language) return { text: undefined, report: "" };
  const settings = {
    ...optionsFor(language, configurationOf?.(source)?.options ?? {}),
    ...optionsFor(language, options),
  };
  const { text, diagnostics } = migrate(source, {
    language: language.name,
    settings,
    canonicalize: language.canonicalize,
    read,
  });
  const report = renderText(diagnostics);
  if (text === undefined || !workspace.canCreateFiles) return { text, report };
  return { text, report, uri: await openResult(document, text, connection) };
}

/** Creates the file in the editor; undefined if the user or the editor refuses. */
async function openResult({ uri }: OpenDocument, text: string, connection: Connection): Promise<string | undefined> {
  const created = uri.replace(/(?:\.(?:sw|flow))?(\.[A-Za-z]+)?$/, (_, extension = "") => `-1.0.flow${extension}`);
  const start = { line: 0, character: 0 };
  const { applied } = await connection.workspace.applyEdit({
    label: "Migrate to Serverless Workflow 1.0",
    edit: {
      documentChanges: [
        { kind: "create", uri: created, options: { overwrite: false, ignoreIfExists: false } },
        {
          textDocument: { uri: created, version: null },
          edits: [{ range: { start, end: start }, newText: text }],
        },
      ],
    },
  });
  if (!applied) return undefined;
  await connection.window.showDocument({ uri: created, takeFocus: true });
  return created;
}
