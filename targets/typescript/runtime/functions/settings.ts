import { WorkflowError } from "../errors.ts";

/** A string, or an environment variable that is read when it is needed, so that programs contain no secrets. */
export type Setting = string | FromEnvironment;

/** The value of an environment variable, with an optional prefix such as `Bearer `. */
export interface FromEnvironment {
  readonly env: string;
  readonly prefix?: string;
}

/**
 * The value of a setting. Throws `ConfigurationError`, which never contains a value, if the environment variable is
 * not set.
 */
export function textOf(setting: Setting): string {
  if (typeof setting === "string") return setting;
  const { env, prefix = "" } = setting;
  const text = process.env[env]?.trim();
  if (text === undefined || text === "")
    throw new WorkflowError("ConfigurationError", `The environment has no ${env}.`);
  return prefix + text;
}

/** The headers of a request. The error for an invalid value contains only its name: the value may be a secret. */
export function headersOf(settings: { readonly [name: string]: Setting }): { [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (const [name, setting] of Object.entries(settings)) {
    const value = textOf(setting);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new WorkflowError(
        "ConfigurationError",
        `The value of the header ${name} has characters that no header can have.`,
      );
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/**
 * Fails if packages are missing that functions need. They are loaded by the first call, but a program without them does
 * not start. In a bundle, which may contain them, the first call reports it.
 */
export function checkInstalled(...names: readonly string[]): void {
  if (ownModule.test(import.meta.url)) for (const name of names) import.meta.resolve(name);
}

/** This module, the runtime or its package, and not a bundle of a program. */
const ownModule = /\/(?:settings\.ts|runtime(?:\.\w+)?\.js)$|\/waybill-runtime\//;

/** Reports that a package cannot be loaded. With this handler, bundlers accept that a package is not installed. */
export const failLoading =
  (name: string) =>
  (reason: unknown): never => {
    const detail = reason instanceof Error ? reason.message : String(reason);
    throw new WorkflowError("ConfigurationError", `The package ${name} cannot be loaded: ${detail}`);
  };
