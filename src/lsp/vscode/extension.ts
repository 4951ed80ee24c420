import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import * as vscode from "vscode";
import {
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from "vscode-languageclient/node";

/** The result of `waybill/graph`. */
interface GraphPreview {
  readonly workflow: string;
  readonly svg: string;
}

/** The result of `waybill.runScenario`. */
interface ScenarioReport {
  readonly isPassed: boolean;
  readonly text: string;
}

let client: LanguageClient | undefined;

/** Starts the server and adds the commands. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const reports = vscode.window.createOutputChannel("Waybill Scenarios");
  context.subscriptions.push(
    reports,
    vscode.commands.registerCommand("waybill.restart", () => start(reports)),
    vscode.commands.registerCommand("waybill.showPicture", () => showPicture(context)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("waybill")) void start(reports);
    }),
  );
  await start(reports);
}

/** Stops the server. */
export const deactivate = async (): Promise<void> => client?.stop();

async function start(reports: vscode.OutputChannel): Promise<void> {
  await client?.stop();
  client = new LanguageClient("waybill", "Waybill", serverOptions(), clientOptions(reports));
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `Waybill could not be started: ${reason}. Install it with \`npm install --save-dev waybill\`, or set \`waybill.path\`.`,
    );
  }
}

/** The program that the setting names, that of the workspace, or that on the path. */
function serverOptions(): ServerOptions {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ".";
  const path = vscode.workspace.getConfiguration("waybill").get<string>("path") ?? "";
  const local = join(folder, "node_modules/waybill/dist/waybill.cjs");
  const module = path === "" ? local : resolve(folder, path);
  if (/\.[cm]?js$/.test(module) && existsSync(module))
    return { module, runtime: "node", args: ["lsp"], transport: TransportKind.stdio };
  const isWindows = process.platform === "win32";
  return { command: path === "" ? "waybill" : module, args: ["lsp"], options: { shell: isWindows } };
}

function clientOptions(reports: vscode.OutputChannel): LanguageClientOptions {
  const target = vscode.workspace.getConfiguration("waybill").get<string>("target") ?? "";
  return {
    documentSelector: ["yaml", "json", "jsonc"].flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    initializationOptions: { showsReports: true, ...(target === "" ? {} : { target }) },
    middleware: {
      async executeCommand(command, args, next) {
        const report: unknown = await next(command, args);
        if (isReport(report)) showReport(report, reports);
        return report;
      },
    },
  };
}

const isReport = (value: unknown): value is ScenarioReport =>
  typeof value === "object" && value !== null && "isPassed" in value && "text" in value;

function showReport({ isPassed, text }: ScenarioReport, reports: vscode.OutputChannel): void {
  reports.clear();
  reports.append(text);
  if (isPassed) void vscode.window.setStatusBarMessage("$(pass) Scenarios passed", 5_000);
  reports.show(true);
}

/** How long to wait for more changes before a picture is drawn again, in milliseconds. */
const redrawDelay = 200;

/** Shows the workflow of the active editor next to it, and draws it again as it changes. */
async function showPicture(context: vscode.ExtensionContext): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !client) return;
  const uri = client.code2ProtocolConverter.asUri(document.uri);
  const panel = vscode.window.createWebviewPanel("waybill.picture", "Workflow", vscode.ViewColumn.Beside, {});
  const draw = async (): Promise<void> => {
    const preview = await client?.sendRequest<GraphPreview | null>("waybill/graph", { uri });
    panel.title = preview?.workflow ?? "Workflow";
    panel.webview.html = page(preview?.svg ?? "<p>This file defines no workflow.</p>");
  };
  let timer: NodeJS.Timeout | undefined;
  const changes = vscode.workspace.onDidChangeTextDocument((change) => {
    if (change.document !== document) return;
    clearTimeout(timer);
    timer = setTimeout(() => void draw(), redrawDelay);
  });
  panel.onDidDispose(() => {
    clearTimeout(timer);
    changes.dispose();
  });
  context.subscriptions.push(panel);
  await draw();
}

/** The picture has no scripts and loads nothing. */
const page = (body: string): string =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
  `<title>Workflow</title><body>${body}</body>`;
