import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { describeErrno } from "../errno.ts";
import { type Json, type JsonObject, own } from "../json.ts";
import type { ModuleExports, ModuleInspector } from "../target/contract.ts";

type ExportKind = "function" | "value" | "type" | "unknown";

/** Finds the exports of modules without executing them. */
export const createStaticInspector =
  (cwd: string): ModuleInspector =>
  async (path) => {
    try {
      const file = resolve(cwd, path);
      const found = exportsIn(readFileSync(file, "utf8"));
      return found.exports.size > 0 && isCommonJs(file) ? { reason: commonJsReason } : found;
    } catch (error) {
      const reason = describeErrno(error);
      if (reason === undefined) throw error;
      return { reason };
    }
  };

const commonJsReason =
  'it is an ES module, but its package.json has `"type": "commonjs"`; set it to `module`, or rename the file to end in `.mts` or `.mjs`';

const hasIgnoredExports = (file: string): boolean =>
  isCommonJs(file) && existsSync(file) && exportsIn(readFileSync(file, "utf8")).exports.size > 0;

function isCommonJs(file: string): boolean {
  return /\.[jt]s$/.test(file) && packageType(dirname(file)) === "commonjs";
}

function packageType(folder: string): Json | undefined {
  try {
    return own(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as JsonObject, "type");
  } catch (error) {
    if (error instanceof SyntaxError || dirname(folder) === folder) return undefined;
    return packageType(dirname(folder));
  }
}

/** Loads modules, as a run does. */
export const createLoadingInspector =
  (cwd: string): ModuleInspector =>
  async (path) => {
    try {
      const module: object = createRequire(join(cwd, "package.json"))(resolve(cwd, path));
      const kindOf = (value: unknown): ExportKind => (typeof value === "function" ? "function" : "value");
      return { exports: new Map(Object.entries(module).map(([name, value]) => [name, kindOf(value)])), isOpen: false };
    } catch (error) {
      const file = resolve(cwd, path);
      return {
        reason:
          error instanceof SyntaxError && hasIgnoredExports(file) ? commonJsReason : describeLoadError(error, file),
      };
    }
  };

function describeLoadError(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `it throws ${String(error)}`;
  const isMissing = error.message.startsWith(`Cannot find module '${file}'`);
  return isMissing
    ? "no such file or folder"
    : error.message.replace(/(?: imported from |\n).*$/s, "").replace(/\.$/, "");
}

/** Finds exports, including in comments, so that missing ones certainly do not exist. */
export function exportsIn(text: string): Exclude<ModuleExports, { readonly reason: string }> {
  const exports = new Map<string, ExportKind>();
  for (const [, kind, name] of text.matchAll(declaration))
    exports.set(name!, kinds[kind as keyof typeof kinds] ?? "value");
  for (const [, list] of text.matchAll(/\bexport\s+(?:const|let|var)\s([^;]*)/g)) {
    const [, first, value] = /^\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*:[^=]*)?\s*=\s*(\S)/u.exec(list!) ?? [];
    if (first !== undefined) exports.set(first, /[\d"'`]/.test(value!) ? "value" : "unknown");
    // Possibly not exported.
    for (const [name] of list!.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*[=:,}])/gu))
      if (!exports.has(name)) exports.set(name, "unknown");
  }
  for (const [, type, list] of text.matchAll(/\bexport\s+(type\s)?\s*\{([^}]*)\}/g)) {
    for (const item of list!.split(",")) {
      const [, isType, name] = /^\s*(type\s+)?(?:[^\s]+\s+as\s+)?["']?([^\s"']+)["']?\s*$/.exec(item) ?? [];
      if (name !== undefined) exports.set(name, type || isType ? "type" : "unknown");
    }
  }
  if (/\bexport\s+default\b/.test(text)) exports.set("default", "unknown");
  return { exports, isOpen: /\bexport\s*\*|\bexports\b|\bimport\s+.*=\s*require/.test(text) };
}

const declaration =
  /\bexport\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function|class|interface|type|enum|namespace)(?:\s*\*\s*|\s+)([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;

const kinds = { function: "function", interface: "type", type: "type" } as const;
