import type { Surroundings } from "./surroundings.ts";

/** A secret, as a definition names it. */
export interface SecretPlace {
  readonly id: string;
  readonly key: string;
  readonly version?: string | undefined;
}

/** Under which key of its id the deployment has a secret: each version has its own, such as `key.v2`. */
export const secretKey = ({ key, version }: Pick<SecretPlace, "key" | "version">): string =>
  version === undefined ? key : `${key}.${version}`;

/** The secrets of the deployment. What is wrong with the text is not told: it would tell what stands there. */
export function secretsIn(given: Surroundings["secrets"] | string | undefined): Surroundings["secrets"] {
  if (given === undefined || given === "") return {};
  try {
    return (typeof given === "string" ? JSON.parse(given) : given) as Surroundings["secrets"];
  } catch {
    throw new Error("The parameter $secrets is no JSON object of texts, by id and key.");
  }
}
