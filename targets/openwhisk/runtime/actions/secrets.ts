/** A secret, as a definition names it. */
export interface SecretPlace {
  readonly id: string;
  readonly key: string;
  readonly version?: string | undefined;
}

/** Under which key of its id the deployment has a secret: each version has its own, such as `key.v2`. */
export const secretKey = ({ key, version }: Pick<SecretPlace, "key" | "version">): string =>
  version === undefined ? key : `${key}.${version}`;
