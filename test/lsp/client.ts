import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type ApplyWorkspaceEditParams,
  type CodeAction,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type ShowDocumentParams,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node";

const root = join(import.meta.dirname, "../..");

/** An editor that talks to `waybill lsp` in a folder of its own. */
export class Client {
  readonly folder: string;
  readonly connection: ProtocolConnection;
  readonly process: ChildProcessWithoutNullStreams;
  readonly messages: string[] = [];
  /** Edits that the server made, and documents that it showed. */
  readonly edits: WorkspaceEdit[] = [];
  readonly shown: string[] = [];
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  readonly #texts = new Map<string, { text: string; version: number }>();
  #waiting: (() => void)[] = [];
  errors = "";

  private constructor(files: { readonly [path: string]: string }) {
    this.folder = mkdtempSync(join(tmpdir(), "waybill-lsp-"));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.process = spawn(process.execPath, ["--no-warnings", join(root, "src/cli/bin.ts"), "lsp", "--stdio"], {
      cwd: this.folder,
    });
    this.process.stderr.on("data", (chunk) => {
      this.errors += chunk;
    });
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.process.stdout),
      new StreamMessageWriter(this.process.stdin),
    );
    this.connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.#published.set(params.uri, params);
      this.#wake();
    });
    this.connection.onNotification("window/showMessage", ({ message }: { message: string }) => {
      this.messages.push(message);
      this.#wake();
    });
    this.connection.onNotification("window/logMessage", ({ message }: { message: string }) => {
      this.errors += message;
    });
    this.connection.onRequest("workspace/applyEdit", ({ edit }: ApplyWorkspaceEditParams) => {
      this.edits.push(edit);
      return { applied: true };
    });
    this.connection.onRequest("window/showDocument", ({ uri }: ShowDocumentParams) => {
      this.shown.push(uri);
      return { success: true };
    });
    this.connection.listen();
  }

  /** Starts the server on a folder with files. */
  static async start(files: { readonly [path: string]: string } = {}, options?: object): Promise<Client> {
    const client = new Client(files);
    client.initialized = await client.connection.sendRequest("initialize", {
      processId: null,
      rootUri: null,
      capabilities: {
        workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["create"] } },
        window: { showDocument: { support: true } },
      },
      workspaceFolders: [{ uri: pathToFileURL(client.folder).href, name: "test" }],
      ...(options ? { initializationOptions: options } : {}),
    });
    await client.connection.sendNotification("initialized", {});
    return client;
  }

  initialized: InitializeResult | undefined;

  /** Ends the server as an editor does; returns its exit status. */
  async stop(): Promise<number | null> {
    const exited = once(this.process, "exit");
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    const [status] = await exited;
    this.connection.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    return status as number | null;
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  uri = (path: string): string => pathToFileURL(join(this.folder, path)).href;

  async open(path: string, text: string): Promise<void> {
    this.#texts.set(path, { text, version: 1 });
    const textDocument = { uri: this.uri(path), languageId: "yaml", version: 1, text };
    await this.connection.sendNotification("textDocument/didOpen", { textDocument });
  }

  /** Replaces a part of an open file, as typing does. */
  async edit(path: string, from: string, to: string): Promise<void> {
    const { text, version } = this.#texts.get(path)!;
    const start = text.indexOf(from);
    if (start < 0) throw new Error(`${path} does not contain ${from}`);
    const range = { start: positionAt(text, start), end: positionAt(text, start + from.length) };
    const changed = { text: text.slice(0, start) + to + text.slice(start + from.length), version: version + 1 };
    this.#texts.set(path, changed);
    await this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: this.uri(path), version: changed.version },
      contentChanges: [{ range, text: to }],
    });
  }

  async close(path: string): Promise<void> {
    await this.connection.sendNotification("textDocument/didClose", { textDocument: { uri: this.uri(path) } });
  }

  text = (path: string): string => this.#texts.get(path)!.text;

  /** Waits for the diagnostics of the current version of an open file. */
  async diagnostics(path: string): Promise<readonly Diagnostic[]> {
    const version = this.#texts.get(path)?.version;
    const params = await this.until(() => {
      const found = this.#published.get(this.uri(path));
      return found?.version === version ? found : undefined;
    });
    return params.diagnostics;
  }

  /** The last diagnostics of any file. */
  published = (path: string): readonly Diagnostic[] | undefined => this.#published.get(this.uri(path))?.diagnostics;

  /** Waits until a condition holds after a message of the server. */
  async until<T>(condition: () => T | undefined): Promise<T> {
    const end = Date.now() + 100_000;
    for (let found = condition(); ; found = condition()) {
      if (found !== undefined) return found;
      if (Date.now() > end) throw new Error(`The server did not answer. ${this.errors}`);
      await Promise.race([
        new Promise<void>((resolve) => this.#waiting.push(resolve)),
        new Promise((resolve) => setTimeout(resolve, 500)),
      ]);
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) each();
  }

  /** Sends a request about the place after a string, by default the first one in the file. */
  async at<T>(method: string, path: string, marked: string, more: object = {}): Promise<T> {
    const position = this.position(path, marked);
    return this.connection.sendRequest(method, { textDocument: { uri: this.uri(path) }, position, ...more });
  }

  async request<T>(method: string, path: string, more: object = {}): Promise<T> {
    return this.connection.sendRequest(method, { textDocument: { uri: this.uri(path) }, ...more });
  }

  /** The position of `|` in a string that is otherwise in the file. */
  position(path: string, marked: string): Position {
    const text = this.text(path);
    const mark = marked.indexOf("|");
    const found = text.indexOf(marked.replace("|", ""));
    if (mark < 0 || found < 0) throw new Error(`${path} does not contain ${marked}`);
    return positionAt(text, found + mark);
  }

  async actions(path: string, marked: string, only?: readonly string[]): Promise<readonly CodeAction[]> {
    const position = this.position(path, marked);
    return this.request("textDocument/codeAction", path, {
      range: { start: position, end: position },
      context: { diagnostics: [], ...(only ? { only } : {}) },
    });
  }

  /** The content of a file after edits. */
  applied(path: string, edits: readonly TextEdit[], text = this.text(path)): string {
    const sorted = edits.toSorted((a, b) => offsetAt(text, b.range.start) - offsetAt(text, a.range.start));
    return sorted.reduce(
      (changed, { range, newText }) =>
        changed.slice(0, offsetAt(text, range.start)) + newText + changed.slice(offsetAt(text, range.end)),
      text,
    );
  }
}

/** The position of an offset, in UTF-16 units. */
export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

/** The offset of a position. */
export function offsetAt(text: string, { line, character }: Position): number {
  const breaks = [...text.matchAll(/\r\n|\n|\r/g)];
  const start = line === 0 ? 0 : breaks[line - 1]!.index + breaks[line - 1]![0].length;
  return start + character;
}

/** The string in a range. */
export const textOf = (text: string, { start, end }: { readonly start: Position; readonly end: Position }): string =>
  text.slice(offsetAt(text, start), offsetAt(text, end));
