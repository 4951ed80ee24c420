import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { describeErrno } from "../errno.ts";
import { type Json, type JsonObject, own } from "../json.ts";
import type { ModuleExports, ModuleInspector } from "../target/modules.ts";

type Kind = "function" | "value" | "type" | "unknown";

/** Reads modules without executing them, and tells what they export as far as their text shows that. */
export const readModules =
  (cwd: string): ModuleInspector =>
  async (path) => {
    try {
      const place = resolve(cwd, path);
      const seen = exportsIn(readFileSync(place, "utf8"));
      return seen.exports.size > 0 && isCommon(place) ? { reason: commonReason } : seen;
    } catch (error) {
      const reason = describeErrno(error);
      if (reason === undefined) throw error;
      return { reason };
    }
  };

const commonReason =
  'it has `export` in it, while the `package.json` around it says `"type": "commonjs"`: write `module` there, or end the file\'s name in `.mts` or `.mjs`';

/** Whether a module has exports that Node does not read, as it takes it for a CommonJS module. */
const isWithExports = (place: string): boolean =>
  isCommon(place) && existsSync(place) && exportsIn(readFileSync(place, "utf8")).exports.size > 0;

/** Whether Node takes a file for a CommonJS module because the package around it says so. */
function isCommon(place: string): boolean {
  return /\.[jt]s$/.test(place) && typeIn(dirname(place)) === "commonjs";
}

/** What kind of modules the package around a folder has, as far as it says that. */
function typeIn(folder: string): Json | undefined {
  try {
    return own(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as JsonObject, "type");
  } catch (error) {
    if (error instanceof SyntaxError || dirname(folder) === folder) return undefined;
    return typeIn(dirname(folder));
  }
}

/** Loads modules, as a run does, and tells what they export. */
export const loadModules =
  (cwd: string): ModuleInspector =>
  async (path) => {
    try {
      const module: object = createRequire(join(cwd, "package.json"))(resolve(cwd, path));
      const kindOf = (value: unknown): Kind => (typeof value === "function" ? "function" : "value");
      return { exports: new Map(Object.entries(module).map(([name, value]) => [name, kindOf(value)])), isOpen: false };
    } catch (error) {
      const place = resolve(cwd, path);
      return { reason: error instanceof SyntaxError && isWithExports(place) ? commonReason : whyNot(error, place) };
    }
  };

/** Why a module cannot be loaded, as the end of a sentence. */
function whyNot(error: unknown, place: string): string {
  if (!(error instanceof Error)) return `it throws ${String(error)}`;
  const isMissing = error.message.startsWith(`Cannot find module '${place}'`);
  return isMissing
    ? "no such file or folder"
    : error.message.replace(/(?: imported from |\n).*$/s, "").replace(/\.$/, "");
}

/** What the text of a module exports. Comments count too: what is said to be missing stands nowhere behind an `export`. */
export function exportsIn(text: string): Exclude<ModuleExports, { readonly reason: string }> {
  const exports = new Map<string, Kind>();
  for (const [, kind, name] of text.matchAll(declaration))
    exports.set(name!, kinds[kind as keyof typeof kinds] ?? "value");
  for (const [, list] of text.matchAll(/\bexport\s+(?:const|let|var)\s([^;]*)/g)) {
    const [, first, value] = /^\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\s*:[^=]*)?\s*=\s*(\S)/u.exec(list!) ?? [];
    if (first !== undefined) exports.set(first, /[\d"'`]/.test(value!) ? "value" : "unknown");
    // Of others it is not certain that they are names of what is exported.
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
