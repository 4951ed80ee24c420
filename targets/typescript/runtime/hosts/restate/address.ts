import { StoreError } from "../../internal.ts";
import type { Request } from "./transport.ts";

/** The addresses of Restate and of this process. */
export interface Address {
  /** Its admin interface and its ingress. */
  readonly admin: string;
  readonly ingress: string;
  /** The address at which Restate reaches this process, and the port where it listens. */
  readonly service: string;
  readonly port: number;
  /** The address of the interface on which it listens. */
  readonly host: string;
  /** The public keys of the Restate servers that may call this process; undefined: any server that reaches it. */
  readonly identity: readonly string[] | undefined;
  /** The `Authorization` headers of requests to the admin interface and to the ingress. */
  readonly authorization: { readonly admin: string | undefined; readonly ingress: string | undefined };
  /** The prefix of the names of the program's services. */
  readonly name: string;
}

type Environment = { readonly [name: string]: string | undefined };

/** Parses the address of a store: the URL of the admin interface, whose parameters are optional. */
export function addressOf(store: string, environment: Environment): Address {
  const url = webOf(store);
  if (!url)
    throw unusable(
      "The store must be the URL of Restate's admin interface, in WAYBILL_STORE or --store: http://localhost:9070.",
    );
  const other = [...url.searchParams.keys()].find((key) => !known.some((each) => each === key));
  if (other !== undefined)
    throw unusable(
      `The URL of the store has the parameter ${JSON.stringify(other)}, but supports ${known.join(", ")}.`,
    );
  const given = (name: (typeof known)[number], usual: string) => url.searchParams.get(name) ?? usual;
  const service = webOf(given("service", "http://localhost:9080"));
  const ingress = webOf(given("ingress", `${url.protocol}//${url.hostname}:8080`));
  if (!service || !ingress)
    throw unusable(
      `The parameter ${service ? "ingress" : "service"} of the store must be a URL: http://localhost:${service ? 8080 : 9080}.`,
    );
  const port = Number(given("port", service.port || "9080"));
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw unusable(`The parameter port of the store is invalid: ${JSON.stringify(given("port", ""))}.`);
  const name = given("name", "waybill");
  if (!/^[A-Za-z][\w-]*$/.test(name))
    throw unusable(
      `The parameter name of the store is ${JSON.stringify(name)}, but may have only letters, digits, - and _.`,
    );
  const host = given("host", service.hostname).replace(/^\[|\]$/g, "");
  const token = environment["WAYBILL_RESTATE_TOKEN"];
  const authorization = { admin: authorizationOf(url, token), ingress: authorizationOf(ingress, token) };
  if (url.searchParams.get("ingress") === null) authorization.ingress = authorization.admin;
  const identity = identityOf(url.searchParams.getAll("identity"), environment, host);
  return {
    admin: textOf(url),
    ingress: textOf(ingress),
    service: textOf(service),
    port,
    host,
    identity,
    authorization,
    name,
  };
}

/** The header for a URL: with its credentials, or with a bearer token. */
function authorizationOf({ username, password }: URL, token: string | undefined): string | undefined {
  if (username + password === "") return token === undefined ? undefined : `Bearer ${token}`;
  if (token !== undefined)
    throw unusable("The URL of the store has credentials, so WAYBILL_RESTATE_TOKEN must not be set.");
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** The public keys in the URL or the environment. Other machines reach the process only if it knows Restate's key. */
function identityOf(parameters: readonly string[], environment: Environment, host: string): Address["identity"] {
  const list = [...parameters, environment["WAYBILL_RESTATE_IDENTITY"] ?? ""].flatMap((text) => text.split(/[\s,]+/));
  const keys = list.filter((each) => each !== "");
  if (keys.length === 1 && keys[0] === "none") return undefined;
  if (keys.some((key) => !/^publickeyv1_[1-9A-HJ-NP-Za-km-z]+$/.test(key)))
    throw unusable("WAYBILL_RESTATE_IDENTITY must be a list of public keys of Restate (publickeyv1_…), or `none`.");
  if (keys.length > 0) return keys;
  if (isLoopback(host)) return undefined;
  throw unusable(
    `Other machines can reach the program at ${host}. Set WAYBILL_RESTATE_IDENTITY to the public key of the Restate server ` +
      "(publickeyv1_…, from its log or from Restate Cloud), or to `none` if no one but Restate can reach it.",
  );
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);

/** A function like `fetch` that adds the `Authorization` headers. */
export function requestsTo({ ingress, authorization }: Pick<Address, "ingress" | "authorization">): Request {
  return (url, init) => {
    const header = url.startsWith(`${ingress}/`) ? authorization.ingress : authorization.admin;
    return fetch(url, header === undefined ? init : { ...init, headers: { ...init?.headers, authorization: header } });
  };
}

/** The parameters of an address. */
const known = ["ingress", "service", "port", "host", "identity", "name"] as const;

/** Parses an HTTP URL. */
function webOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const textOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/$/, "")}`;

const unusable = (message: string): Error => new StoreError("unusable", message);
