import { type StoreAddress, StoreFailure } from "./store.ts";

/** The parts of a store's URL. Credentials are decoded; `host` does not contain them. */
export interface ServerAddress {
  /** The product, for messages. */
  readonly product: "Redis" | "CouchDB";
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly username: string;
  readonly password: string;
  readonly timeoutMs: number;
  readonly prefix: string;
}

/** Parses the URL of a store. */
export function parseAddress(product: ServerAddress["product"], address: StoreAddress): ServerAddress {
  const { protocol, hostname, port, pathname, username, password } = new URL(address.url);
  return {
    product,
    scheme: protocol.slice(0, -1),
    host: hostname,
    port,
    path: pathname.replace(/\/$/, ""),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    timeoutMs: address.timeoutMs ?? 5000,
    prefix: address.prefix ?? "waybill:",
  };
}

/** A failure of a server: it cannot be reached, or its response is unexpected. */
export function failureOf({ product, host, port }: ServerAddress, what: string, cause?: unknown): StoreFailure {
  const reason = cause === undefined ? "" : `: ${reasonOf(cause)}`;
  return new StoreFailure(`${product} at ${host}${port === "" ? "" : `:${port}`} ${what}${reason}`, { cause });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

const maxAttempts = 5;

/** Repeats an operation while the store fails, with a growing delay. `sleep` takes milliseconds. */
export async function withRetries<T>(work: () => Promise<T>, sleep: (ms: number) => Promise<unknown>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreFailure) || attempt >= maxAttempts) throw error;
      await sleep(50 * 2 ** attempt);
    }
  }
}
