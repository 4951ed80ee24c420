import { WorkflowError } from "../errors.ts";
import type { Step } from "../flow.ts";
import { isObject, type Json } from "../json.ts";
import { secret } from "./built-in.ts";
import { exchange } from "./exchange.ts";

/** A string, or a secret that is looked up for each token. */
export type Credential = string | { readonly id: string; readonly key: string };

/** How a server of OAuth 2.0 issues tokens. */
export interface TokenRequest {
  readonly endpoint: string;
  readonly grant: "client_credentials" | "password";
  readonly client: { readonly id: Credential; readonly secret?: Credential };
  /** Sends the client's credentials as parameters instead of a header. */
  readonly inBody?: true;
  readonly user?: { readonly name: Credential; readonly password: Credential };
  readonly scopes?: readonly string[];
  readonly audiences?: readonly string[];
  /** The name of the error if no token is issued. */
  readonly failure?: string;
}

/** Returns an access token: the last one, unless it has expired or was `rejected`. */
export type TokenSource = (step: Step, rejected?: string) => Promise<string>;

/** Tokens are renewed this long before they expire, in milliseconds, but after half of their life at the earliest. */
const reserve = 30_000;

/** The life of a token without a stated one, in milliseconds. */
const defaultLife = 300_000;

/** Obtains tokens from a server of OAuth 2.0. Calls of one process share a token, and the request for it. */
export function oauth2(request: TokenRequest): TokenSource {
  let held: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;
  const renew = async (step: Step): Promise<string> => {
    const { token, seconds } = await tokenFrom(request, step);
    const life = seconds === undefined ? defaultLife : seconds * 1000;
    held = { token, until: Date.now() + Math.max(life - reserve, life / 2) };
    return token;
  };
  return (step, rejected) => {
    if (held && held.token !== rejected && Date.now() < held.until) return Promise.resolve(held.token);
    pending ??= renew(step).finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

interface IssuedToken {
  readonly token: string;
  readonly seconds: number | undefined;
}

async function tokenFrom(request: TokenRequest, step: Step): Promise<IssuedToken> {
  const { endpoint, failure = "AuthenticationError" } = request;
  const fail = (message: string, status: number): never => {
    throw new WorkflowError(failure, message, { data: { status } });
  };
  const { headers, parameters } = await credentialsOf(request);
  const message = {
    method: "POST",
    url: endpoint,
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    text: new URLSearchParams(parameters).toString(),
  };
  // Several calls may wait for the token, so the end of the first does not end the request. A server that remembers the
  // key of a call would repeat its answer, with a token that has expired.
  const shared = { ...step, key: crypto.randomUUID(), signal: new AbortController().signal };
  const answer = await exchange(message, shared, { timeout: 30, maximumBytes: 1024 * 1024 }).catch(
    (thrown: unknown) => {
      if (!(thrown instanceof WorkflowError) || thrown.origin === "timeout") throw thrown;
      const status = isObject(thrown.data as Json) ? Number((thrown.data as { status?: Json }).status) : 500;
      return fail("The server of the access token refused the request.", status >= 400 && status < 500 ? 401 : 500);
    },
  );
  const part = (name: string): Json | undefined => (isObject(answer) ? answer[name] : undefined);
  const [token, seconds] = [part("access_token"), Number(part("expires_in"))];
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token))
    return fail("The server of the access token answered without one.", 500);
  return { token, seconds: seconds > 0 ? seconds : undefined };
}

async function credentialsOf({ grant, client, inBody, user, scopes = [], audiences = [] }: TokenRequest): Promise<{
  readonly headers: { readonly [name: string]: string };
  readonly parameters: [string, string][];
}> {
  const text = async (credential: Credential): Promise<string> =>
    typeof credential === "string" ? credential : String(await secret({ ...credential }));
  const id = await text(client.id);
  const password = client.secret === undefined ? undefined : await text(client.secret);
  const parameters: [string, string][] = [["grant_type", grant]];
  if (user) parameters.push(["username", await text(user.name)], ["password", await text(user.password)]);
  if (scopes.length > 0) parameters.push(["scope", scopes.join(" ")]);
  for (const audience of audiences) parameters.push(["audience", audience]);
  if (inBody || password === undefined) {
    parameters.push(["client_id", id]);
    if (password !== undefined) parameters.push(["client_secret", password]);
    return { headers: {}, parameters };
  }
  const pair = [id, password].map((part) => new URLSearchParams([["", part]]).toString().slice(1)).join(":");
  return { headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }, parameters };
}
