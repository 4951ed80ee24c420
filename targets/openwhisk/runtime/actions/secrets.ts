import type { ActionContext } from "./action.ts";

/** A secret of a definition. */
export interface SecretPlace {
  readonly id: string;
  readonly key: string;
  readonly version?: string | undefined;
}

/** The key of a secret in the deployment: each version has its own, such as `key.v2`. */
export const secretKey = ({ key, version }: Pick<SecretPlace, "key" | "version">): string =>
  version === undefined ? key : `${key}.${version}`;

/**
 * Parses the secrets of the deployment, by id and key. The error does not quote the parameter, since that would print
 * secrets.
 */
export function secretsIn(given: ActionContext["secrets"] | string | undefined): ActionContext["secrets"] {
  if (given === undefined || given === "") return {};
  try {
    return (typeof given === "string" ? JSON.parse(given) : given) as ActionContext["secrets"];
  } catch {
    throw new Error("The parameter $secrets is not a JSON object of strings, by id and key.");
  }
}
