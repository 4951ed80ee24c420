import { isObject, type Json } from "../json.ts";
import { type Credential, type Scope, scopes } from "../server/access.ts";
import { signingKeyOf } from "../server/signatures.ts";
import { CommandFailure, type Terminal } from "./terminal.ts";

/** The credentials of a server, which may change while it runs. */
export interface CredentialSource {
  readonly current: () => readonly Credential[];
  /** Stops watching their file. */
  close(): void;
}

/**
 * The credentials in `WAYBILL_TOKENS`, as JSON or as `@` and the name of a file, or in the file `WAYBILL_TOKENS_FILE`;
 * undefined if neither is set. The file is read again when it changes and on SIGHUP; while it is invalid, the previous
 * credentials stay valid.
 */
export async function credentialsOf(
  terminal: Terminal,
  log: (entry: { readonly level: "info" | "error"; readonly message: string; readonly reason?: string }) => void,
): Promise<CredentialSource | undefined> {
  const { WAYBILL_TOKENS: text, WAYBILL_TOKENS_FILE: file } = terminal.environment;
  if (text !== undefined && file !== undefined)
    throw new CommandFailure("WAYBILL_TOKENS and WAYBILL_TOKENS_FILE exclude each other.");
  const path = text?.startsWith("@") ? text.slice(1) : file;
  if (path === undefined) {
    if (text === undefined) return undefined;
    const credentials = parseCredentials(text, "WAYBILL_TOKENS");
    return { current: () => credentials, close: () => undefined };
  }
  let credentials = await readCredentials(path, terminal);
  const reload = async (): Promise<void> => {
    try {
      credentials = await readCredentials(path, terminal);
      log({ level: "info", message: "The tokens have been read again." });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      log({ level: "error", message: "The tokens cannot be read; the previous ones stay valid.", reason });
    }
  };
  return { current: () => credentials, close: terminal.onReload(path, () => void reload()) };
}

async function readCredentials(path: string, terminal: Terminal): Promise<readonly Credential[]> {
  let text: string;
  try {
    text = await terminal.readFile(path);
  } catch (reason) {
    throw new CommandFailure(`${path} cannot be read: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
  return parseCredentials(text, path);
}

/** Parses credentials from JSON. Messages name the entry, but do not quote it: it contains secrets. */
export function parseCredentials(text: string, where: string): readonly Credential[] {
  const invalid = (detail: string) => new CommandFailure(`${where} is invalid: ${detail}`);
  let list: Json;
  try {
    list = JSON.parse(text) as Json;
  } catch {
    throw invalid("it is not JSON.");
  }
  if (!Array.isArray(list) || list.length === 0) throw invalid("it is not a list of credentials.");
  const entries: readonly Json[] = list;
  const credentials = entries.map((entry, i) => {
    const parsed = parseEntry(entry);
    if (typeof parsed === "string") throw invalid(`entry ${i + 1} ${parsed}.`);
    return parsed;
  });
  const tokens = credentials.flatMap(({ token }) => token ?? []);
  if (new Set(tokens).size < tokens.length) throw invalid("two entries have the same token.");
  return credentials;
}

const members: ReadonlySet<string> = new Set(["token", "secrets", "may", "workflows"]);

/** A credential, or what is wrong with its entry. */
function parseEntry(entry: Json): Credential | string {
  if (!isObject(entry)) return "is not an object";
  const unknown = Object.keys(entry).find((name) => !members.has(name));
  if (unknown !== undefined) return `has an unknown member ${JSON.stringify(unknown)}`;
  const token = Object.hasOwn(entry, "token") ? entry["token"] : undefined;
  if (token !== undefined && !(typeof token === "string" && /^[\w.~+/-]{16,1000}=*$/.test(token)))
    return "has a token that is not at least 16 letters, digits and characters of -._~+/";
  const secrets = Object.hasOwn(entry, "secrets") ? stringsIn(entry["secrets"]) : [];
  const keys = secrets?.map(signingKeyOf);
  if (!keys?.every((key) => key !== undefined))
    return `has secrets that are not a list of strings such as "whsec_…", each with 24 to 64 bytes in base64`;
  if (token === undefined && keys.length === 0) return "has neither a token nor secrets";
  const may = stringsIn(entry["may"]);
  if (!may || may.length === 0 || !may.every(isScope)) return `needs "may", a list of ${scopes.join(", ")}`;
  if (keys.length > 0 && (may.length > 1 || may[0] !== "events"))
    return `has secrets, so "may" must be ["events"]: only events are signed`;
  const workflows = Object.hasOwn(entry, "workflows") ? stringsIn(entry["workflows"]) : undefined;
  if (Object.hasOwn(entry, "workflows")) {
    if (!workflows || workflows.length === 0) return `has "workflows" that is not a list of their ids`;
    if (may.includes("events"))
      return `has "workflows", which cannot limit events: a workflow receives every event it uses`;
  }
  return { token, secrets: keys.length > 0 ? keys : undefined, may, workflows };
}

const isScope = (name: string): name is Scope => (scopes as readonly string[]).includes(name);

function stringsIn(value: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list: readonly Json[] = value;
  const strings = list.filter((each): each is string => typeof each === "string" && each !== "");
  return strings.length === list.length ? strings : undefined;
}
