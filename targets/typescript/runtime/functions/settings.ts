import { WorkflowError } from "../errors.ts";

/** A text as it is, or what a variable of the environment holds when it is needed: so that no secret stands in a program. */
export type Setting = string | FromEnvironment;

/** What a variable of the environment holds, with something before it such as `Bearer `. */
export interface FromEnvironment {
  readonly env: string;
  readonly prefix?: string;
}

/** The text of a setting. Fails with `ConfigurationError` where the environment has no such variable; what it holds is never told. */
export function textOf(setting: Setting): string {
  if (typeof setting === "string") return setting;
  const { env, prefix = "" } = setting;
  const text = process.env[env]?.trim();
  if (text === undefined || text === "")
    throw new WorkflowError("ConfigurationError", `The environment has no ${env}.`);
  return prefix + text;
}

/** Headers as they are sent. A value that no header can have is told of by its name only: it may be a secret. */
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
 * Looks whether packages are installed that functions need and that not every program has: they are loaded with the first call, but a program whose packages
 * are missing does not start.
 */
export function checkInstalled(...names: readonly string[]): void {
  for (const name of names) import.meta.resolve(name);
}
