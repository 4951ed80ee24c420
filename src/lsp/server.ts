import {
  CodeActionKind,
  type Connection,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ResponseError,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isObject } from "../json.ts";
import { CheckScheduler } from "./checks.ts";
import { convertCompletion, convertHover } from "./convert.ts";
import { convertDiagnostic, loadPageAddresses, maxSentDiagnostics, type PageAddress } from "./diagnostics.ts";
import { completionsIn, hoverSubjectAt } from "./editing.ts";
import { actionsFor, fixAllKind, isWanted } from "./fixes.ts";
import type { ServerHost } from "./host.ts";
import { hoverAt } from "./hover.ts";
import { type MigrationResult, migrateActions, migrateCommand, migrateKind, runMigration } from "./migrate.ts";
import { addNavigation } from "./navigation-requests.ts";
import { offsetAt } from "./positions.ts";
import { drawGraph, graphRequest } from "./preview.ts";
import { checkScenarios, runScenarioCommand } from "./scenarios.ts";
import { type CheckedFile, Workspace } from "./workspace.ts";

/** Serves the language server protocol on a connection, which the caller starts. */
export function serve(connection: Connection, host: ServerHost): void {
  const workspace = new Workspace(host);
  let pageOf: PageAddress = () => undefined;
  const publish = ({ uri, source, diagnostics }: CheckedFile): void => {
    const version = workspace.document(uri)?.version;
    const sent = diagnostics.slice(0, maxSentDiagnostics);
    void connection.sendDiagnostics({
      uri,
      ...(version === undefined || workspace.document(uri)?.source !== source ? {} : { version }),
      diagnostics: sent.map((each) => convertDiagnostic(each, workspace.uriOf, pageOf)),
    });
  };
  const checks = new CheckScheduler(workspace, publish, (error) =>
    connection.console.error(`Internal error: ${error instanceof Error ? error.stack : String(error)}`),
  );
  addLifecycle(connection, workspace, checks, async () => {
    pageOf = await loadPageAddresses(host);
  });
  addDocuments(connection, workspace, checks);
  addNavigation(connection, workspace);
  addEditing(connection, workspace, checks, () => pageOf);
  addCommands(connection, workspace);
  connection.onRequest(graphRequest, (params: unknown) => {
    const document = workspace.document(uriIn(params));
    return document ? drawGraph(workspace.analyze(document), isObject(params) ? params["workflow"] : undefined) : null;
  });
}

function addLifecycle(
  connection: Connection,
  workspace: Workspace,
  checks: CheckScheduler,
  load: () => Promise<void>,
): void {
  let canWatch = false;
  let canChangeFolders = false;
  connection.onInitialize(async (params) => {
    for (const uri of foldersOf(params)) workspace.addFolder(uri);
    const options: unknown = params.initializationOptions;
    if (isObject(options) && typeof options["target"] === "string") workspace.target = options["target"];
    workspace.showsReports = !(isObject(options) && options["showsReports"] === true);
    workspace.canCreateFiles =
      params.capabilities.workspace?.workspaceEdit?.resourceOperations?.includes("create") === true &&
      params.capabilities.window?.showDocument?.support === true;
    canWatch = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    canChangeFolders = params.capabilities.workspace?.workspaceFolders === true;
    await load();
    return capabilities(workspace.host);
  });
  connection.onInitialized(() => {
    const watchers = [{ globPattern: "**/*.{yaml,yml,json,proto}" }];
    if (canWatch) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    if (canChangeFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        for (const { uri } of added) workspace.addFolder(uri);
        for (const { uri } of removed) workspace.removeFolder(uri);
        checks.scheduleAll();
      });
  });
  connection.onDidChangeWatchedFiles(() => checks.scheduleAll());
  connection.onShutdown(() => checks.stop());
}

const foldersOf = ({ workspaceFolders, rootUri }: InitializeParams): readonly string[] =>
  workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);

const capabilities = ({ version }: ServerHost): InitializeResult => ({
  serverInfo: { name: "waybill", version },
  capabilities: {
    positionEncoding: "utf-16",
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, fixAllKind, migrateKind] },
    completionProvider: { triggerCharacters: ['"', "'", ":", " ", "-", "."] },
    documentSymbolProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    hoverProvider: true,
    renameProvider: { prepareProvider: true },
    foldingRangeProvider: true,
    codeLensProvider: {},
    executeCommandProvider: { commands: [runScenarioCommand, migrateCommand] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  },
});

function addDocuments(connection: Connection, workspace: Workspace, checks: CheckScheduler): void {
  const documents = new TextDocuments(TextDocument);
  const known = new Set<string>();
  documents.onDidChangeContent(({ document }) => {
    const { uri, version } = document;
    workspace.update(uri, version, document.getText());
    checks.schedule(uri, !known.has(uri));
    known.add(uri);
  });
  documents.onDidClose(({ document: { uri } }) => {
    known.delete(uri);
    workspace.close(uri);
    checks.close(uri);
  });
  documents.listen(connection);
}

function addEditing(
  connection: Connection,
  workspace: Workspace,
  checks: CheckScheduler,
  pageOf: () => PageAddress,
): void {
  connection.onHover(async ({ textDocument: { uri }, position }) => {
    const document = workspace.document(uri);
    if (!document || document.kind === "other") return null;
    const offset = offsetAt(document.source, position);
    const diagnostics = checks.known(document)?.diagnostics ?? [];
    const hover = await hoverAt(await hoverSubjectAt(document, offset, workspace), offset, diagnostics);
    return hover ? convertHover(hover, document.source) : null;
  });
  connection.onCompletion(async ({ textDocument: { uri }, position }) => {
    const document = workspace.document(uri);
    if (!document || document.kind === "other") return null;
    const completions = await completionsIn(document, offsetAt(document.source, position), workspace);
    return completions.map((each) => convertCompletion(each, document.source));
  });
  connection.onCodeAction(async ({ textDocument: { uri }, range, context: { only } }) => {
    const document = workspace.document(uri);
    const checked = document && (await checks.current(document));
    if (!checked) return null;
    const { source, diagnostics } = checked;
    const request = { uri, source, diagnostics, range, only, uriOf: workspace.uriOf, pageOf: pageOf() };
    const migrations = isWanted(migrateKind, request) ? migrateActions(document, workspace) : [];
    return [...actionsFor(request), ...migrations];
  });
}

function addCommands(connection: Connection, workspace: Workspace): void {
  const show = (type: MessageType, message: string): void => {
    if (workspace.showsReports) void connection.sendNotification(ShowMessageNotification.type, { type, message });
  };
  const showMigration = (result: MigrationResult): MigrationResult => {
    if (result.report !== "") show(result.text === undefined ? MessageType.Error : MessageType.Warning, result.report);
    return result;
  };
  connection.onCodeLens(({ textDocument: { uri } }) => {
    const document = workspace.document(uri);
    return document?.kind === "scenarios" ? [...checkScenarios(document.source, uri, workspace.host).lenses] : null;
  });
  connection.onExecuteCommand(async ({ command, arguments: [uri, name] = [] }) => {
    const document = typeof uri === "string" ? workspace.document(uri) : undefined;
    if (command === migrateCommand) return showMigration(await runMigration(document, workspace, connection));
    if (command !== runScenarioCommand || !document?.file)
      throw new ResponseError(ErrorCodes.InvalidParams, "The command takes the URI of an open scenario file.");
    const chosen = typeof name === "string" ? name : undefined;
    const report = await workspace.host.runScenarios(document.file, chosen, document.folder);
    show(report.isPassed ? MessageType.Info : MessageType.Error, report.text);
    return report;
  });
}

const uriIn = (params: unknown): string => (isObject(params) && typeof params["uri"] === "string" ? params["uri"] : "");
