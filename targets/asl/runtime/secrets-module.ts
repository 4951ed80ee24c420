import { isObject, type Json } from "../../../src/json.ts";
import { missingSecret, resolveReferences, type SecretName, type SecretPlace } from "./secrets.ts";

/** Reads a secret; undefined if it does not exist. */
export type SecretReader = (name: SecretName) => Promise<string | undefined>;

/** Replaces the references in an event by secrets. `name`: the function, or the kind of step that calls it. */
export type SecretResolver = (name: string, event: Json, read?: SecretReader) => Promise<Json>;

/** Creates the resolver for the functions of a workflow. */
export const createResolver =
  (places: ReadonlyMap<string, readonly SecretPlace[]>): SecretResolver =>
  (name, event, read = readSecret) =>
    resolveReferences(event, places.get(name) ?? [], async (secret) => {
      const value = await read(secret);
      if (value !== undefined) return value;
      throw Object.assign(new Error(missingSecret(secret)), { name: "SecretNotFound" });
    });

/** The part of the AWS SDK that reads secrets, which every Node.js runtime of AWS Lambda contains. */
interface SecretsManager {
  readonly SecretsManagerClient: new (options: object) => { send(command: object): Promise<SecretValue> };
  readonly GetSecretValueCommand: new (input: object) => object;
}

interface SecretValue {
  readonly SecretString?: string;
}

/** The member `key` of the JSON object in the secret `id` of AWS Secrets Manager. */
async function readSecret({ id, key, version }: SecretName): Promise<string | undefined> {
  const { SecretsManagerClient, GetSecretValueCommand }: SecretsManager = await import(sdkName);
  const input = { SecretId: id, ...(version === undefined ? {} : { VersionId: version }) };
  try {
    const { SecretString: text = "" } = await new SecretsManagerClient({}).send(new GetSecretValueCommand(input));
    const value = membersIn(text)[key];
    return typeof value === "string" ? value : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

const sdkName = "@aws-sdk/client-secrets-manager";

/** The error of `JSON.parse` would quote the secret. */
function membersIn(text: string): { readonly [key: string]: Json } {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? Object.assign(Object.create(null), value) : {};
  } catch {
    return {};
  }
}
