import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { applicationId, forms, storeVersion } from "./schema.ts";

/**
 * Why a store cannot be used: `locked` by another process, not a store (`foreign`), of a `newer` version, `corrupt`, or
 * `unusable` if it cannot be opened or written.
 */
export type StoreFault = "locked" | "foreign" | "newer" | "corrupt" | "unusable";

/** A store cannot be used. */
export class StoreError extends Error {
  readonly fault: StoreFault;

  constructor(fault: StoreFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreError";
    this.fault = fault;
  }
}

/** How long to wait for an exiting process to release the lock, in milliseconds. */
const patience = 250;

/**
 * Opens or creates the file of a store, and locks it until it is closed or the process exits or is killed. Migrates
 * stores of earlier versions. Leaves files that are not stores, or of a newer version, unchanged.
 */
export function openFile(path: string): DatabaseSync {
  if (path !== ":memory:") {
    checkHeader(path);
    createPrivate(path);
  }
  let db: DatabaseSync | undefined;
  try {
    db = new (process.getBuiltinModule("node:sqlite").DatabaseSync)(path, { timeout: patience });
    db.exec("PRAGMA locking_mode = EXCLUSIVE");
    checkVersion(db, path);
    if (isEmpty(db)) db.exec("PRAGMA auto_vacuum = INCREMENTAL");
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE");
    const before = isEmpty(db) ? 0 : numberOf(db, "PRAGMA user_version");
    for (const form of forms.slice(before)) db.exec(form);
    const marks = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${storeVersion}`;
    if (before < storeVersion) db.exec(marks);
    db.exec("COMMIT");
    deleteSecurely(db);
    return db;
  } catch (reason) {
    db?.close();
    throw storeErrorOf(reason, path);
  }
}

/**
 * Creates a file that only its owner can read, unless it exists. SQLite gives its log the same permissions. If that
 * fails, SQLite reports why.
 */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch {}
}

/** Converts errors of SQLite to `StoreError`. Returns other values unchanged. */
export function storeErrorOf(reason: unknown, path: string): unknown {
  const code = codeOf(reason);
  if (code === undefined) return reason;
  const { message } = reason as Error;
  if (code === busy || code === locked)
    return new StoreError("locked", `The store ${path} is in use by another process.`, reason);
  if (code === corrupt) return new StoreError("corrupt", `The store ${path} is damaged: ${message}.`, reason);
  if (code === notADatabase) return new StoreError("foreign", `The file ${path} is not a store: ${message}.`, reason);
  return new StoreError("unusable", `The store ${path} cannot be used: ${message}.`, reason);
}

const [busy, locked, corrupt, notADatabase] = [5, 6, 11, 26];

/**
 * Whether an error concerns the store, which is full, damaged, locked or unreachable. Errors about values, such as a
 * string that is too long, concern only one write.
 */
export function isOfStore(reason: unknown): boolean {
  if (reason instanceof StoreError) return true;
  const code = codeOf(reason);
  return code !== undefined && !ofWrites.has(code);
}

/** SQLite's result codes for values: too big, constraint violated, type mismatch, out of range. */
const ofWrites: ReadonlySet<number> = new Set([18, 19, 20, 25]);

/** SQLite's primary result code. */
function codeOf(reason: unknown): number | undefined {
  const code = reason instanceof Error && "errcode" in reason ? reason.errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** Checks a file before SQLite opens it, because SQLite could change it. */
function checkHeader(path: string): void {
  const header = headerOf(path);
  if (header.length === 0) return;
  const isDatabase = header.length === headerSize && header.subarray(0, 16).toString("latin1") === "SQLite format 3\0";
  if (!isDatabase) throw new StoreError("foreign", `The file ${path} is not a store.`);
  check(path, header.readUInt32BE(68), header.readUInt32BE(60));
}

const headerSize = 100;

function headerOf(path: string): Buffer {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return Buffer.alloc(0);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const header = Buffer.alloc(headerSize);
    return header.subarray(0, readSync(file, header, 0, headerSize, 0));
  } catch (reason) {
    throw new StoreError("unusable", `The store ${path} cannot be used: ${(reason as Error).message}.`, reason);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function checkVersion(db: DatabaseSync, path: string): void {
  if (isEmpty(db)) return;
  const id = numberOf(db, "PRAGMA application_id");
  if (id === 0) throw foreign(path);
  check(path, id, numberOf(db, "PRAGMA user_version"));
}

function check(path: string, id: number, version: number): void {
  if (id !== applicationId && id !== 0) throw foreign(path);
  if (id === applicationId && version > storeVersion) {
    throw new StoreError(
      "newer",
      `The store ${path} has version ${version}; this program knows stores up to version ${storeVersion}.`,
    );
  }
}

const foreign = (path: string): StoreError =>
  new StoreError("foreign", `The file ${path} is a database of another application.`);

/**
 * Makes SQLite overwrite what it deletes: in pages that stay in use; and free pages too, unless they are returned to the
 * file system.
 */
export function deleteSecurely(db: DatabaseSync): void {
  db.exec(`PRAGMA secure_delete = ${isIncremental(db) ? "FAST" : "ON"}`);
}

/** Whether a store returns free pages to the file system. */
export const isIncremental = (db: DatabaseSync): boolean => numberOf(db, "PRAGMA auto_vacuum") === 2;

const isEmpty = (db: DatabaseSync): boolean => numberOf(db, "SELECT count(*) FROM sqlite_schema") === 0;

/** The number that a query returns. */
export const numberOf = (db: DatabaseSync, sql: string): number =>
  Number(Object.values(db.prepare(sql).get() ?? {})[0]);
