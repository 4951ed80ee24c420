import type { Diagnostic } from "../text/diagnostics.ts";
import type { CheckedFile, OpenDocument, Workspace } from "./workspace.ts";

/** Limits of the time between a change and its check, in milliseconds. */
const delays = { least: 100, most: 3_000 } as const;

/** The time that a check blocks requests, in milliseconds, as far as it consists of shorter steps. */
const sliceMs = 8;

/** Ends the check of a version that has been replaced. */
class CheckCancelled extends Error {}

/** Receives the diagnostics of a file; those of a closed file that left its program are empty. */
export type Publish = (file: CheckedFile) => void;

/**
 * Checks files after they change. Changes during the delay are one check; a check that began before the last change is
 * cancelled. Requests are answered between the steps of a check. The delay grows with the time that checks take.
 */
export class CheckScheduler {
  readonly #workspace: Workspace;
  readonly #publish: Publish;
  readonly #fail: (error: unknown) => void;
  readonly #dirty = new Set<string>();
  readonly #checked = new Map<string, CheckedFile>();
  /** The files that were published with an open file, by its URI. */
  readonly #published = new Map<string, ReadonlySet<string>>();
  /** The checks under way. */
  readonly #running = new Map<OpenDocument, Promise<ReadonlySet<string>>>();
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #duration = 0;

  constructor(workspace: Workspace, publish: Publish, fail: (error: unknown) => void) {
    this.#workspace = workspace;
    this.#publish = publish;
    this.#fail = fail;
  }

  /** Checks a file soon; at once if it was just opened. */
  schedule(uri: string, isNew = false): void {
    this.#dirty.add(uri);
    if (this.#isRunning) return;
    clearTimeout(this.#timer);
    const delay = Math.min(Math.max(delays.least, 2 * this.#duration), delays.most);
    this.#timer = setTimeout(() => this.#run().catch(this.#fail), isNew ? 0 : delay);
  }

  scheduleAll(): void {
    for (const { uri } of this.#workspace.documents) this.schedule(uri);
  }

  /** Removes the diagnostics of a closed file and of its program, unless others of it are open. */
  close(uri: string): void {
    this.#dirty.delete(uri);
    const others = new Set(
      [...this.#published].filter(([other]) => other !== uri).flatMap(([, published]) => [...published]),
    );
    for (const each of this.#published.get(uri) ?? [uri]) if (!others.has(each)) this.#clear(each);
    this.#published.delete(uri);
    // The program continues with the file on disk.
    for (const [other, published] of this.#published) if (published.has(uri)) this.schedule(other);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#dirty.clear();
  }

  /** The diagnostics of the current text of a file. */
  async current(document: OpenDocument): Promise<CheckedFile | undefined> {
    const known = this.#checked.get(document.uri);
    if (known?.source === document.source) return known;
    await this.#check(document);
    return this.#checked.get(document.uri);
  }

  /** The diagnostics of the last check; undefined if the file changed since. */
  known({ uri, source }: OpenDocument): CheckedFile | undefined {
    const known = this.#checked.get(uri);
    return known?.source === source ? known : undefined;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const began = performance.now();
    try {
      const waiting = [...this.#dirty];
      this.#dirty.clear();
      const done = new Set<string>();
      for (const uri of waiting) {
        const document = this.#workspace.document(uri);
        if (!document || done.has(uri)) continue;
        for (const checked of await this.#check(document)) done.add(checked);
      }
    } finally {
      this.#isRunning = false;
      this.#duration = performance.now() - began;
      const [next] = this.#dirty;
      if (next !== undefined) this.schedule(next);
    }
  }

  /** Returns the URIs of the checked files; none if the document changes meanwhile. */
  async #check(document: OpenDocument): Promise<ReadonlySet<string>> {
    const running = this.#running.get(document) ?? this.#checkAll(document);
    this.#running.set(document, running);
    try {
      return await running;
    } catch (error) {
      if (error instanceof CheckCancelled) return new Set();
      throw error;
    } finally {
      this.#running.delete(document);
    }
  }

  async #checkAll(document: OpenDocument): Promise<ReadonlySet<string>> {
    const files = await this.#workspace.check(document, this.#pauseFor(document));
    if (this.#workspace.document(document.uri) !== document) return new Set();
    const uris = new Set(files.map(({ uri }) => uri));
    const before = this.#published.get(document.uri) ?? new Set();
    this.#published.set(document.uri, uris);
    const all = new Set([...this.#published.values()].flatMap((published) => [...published]));
    for (const uri of before) if (!all.has(uri)) this.#clear(uri);
    for (const file of files) {
      const open = this.#workspace.document(file.uri);
      // A newer version of another open file has its own check.
      if (open && open.source !== file.source) continue;
      const before = this.#checked.get(file.uri);
      this.#checked.set(file.uri, file);
      // Most files of a large program have not changed.
      if (open || !hasSameDiagnostics(before, file)) this.#publish(file);
    }
    return uris;
  }

  /** Lets requests be answered after each slice of a check. */
  #pauseFor(document: OpenDocument): () => Promise<void> | undefined {
    let began = performance.now();
    return () => {
      if (performance.now() - began < sliceMs) return undefined;
      return new Promise((resolve, reject) => {
        setImmediate(() => {
          began = performance.now();
          if (this.#workspace.document(document.uri) === document) resolve();
          else reject(new CheckCancelled());
        });
      });
    };
  }

  #clear(uri: string): void {
    const known = this.#checked.get(uri);
    this.#checked.delete(uri);
    if (known) this.#publish({ ...known, diagnostics: [] });
  }
}

/** Whether two results of a file show the same. A file without a result has shown nothing. */
function hasSameDiagnostics(before: CheckedFile | undefined, { source, diagnostics }: CheckedFile): boolean {
  if (before && before.source.text !== source.text) return false;
  const shown = before?.diagnostics ?? [];
  const isSame = (a: Diagnostic, b: Diagnostic): boolean =>
    a.code === b.code &&
    a.severity === b.severity &&
    a.message === b.message &&
    a.hint === b.hint &&
    a.span.start === b.span.start &&
    a.span.end === b.span.end &&
    a.notes.length === 0 &&
    b.notes.length === 0;
  return shown.length === diagnostics.length && diagnostics.every((each, i) => isSame(shown[i]!, each));
}
