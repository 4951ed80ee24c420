import type { Address } from "./address.ts";
import type { Ends } from "./ends.ts";
import { bookKey } from "./messages.ts";
import { ask, type Query } from "./query.ts";
import { knownIn, knownQuery, type StoredRun } from "./reading.ts";
import type { Setting } from "./serving.ts";
import { json } from "./serving.ts";
import type { Transport } from "./transport.ts";

/** The connections of an engine to Restate. */
export interface AdminClient {
  readonly address: Address;
  readonly setting: Setting;
  /** Queries synchronously. */
  readonly query: Query;
  readonly ends: Ends;
  readonly reach: Transport;
}

/** Calls a handler and returns its result. */
export async function call<T>(
  { address: { ingress }, reach }: AdminClient,
  path: string,
  parameter: unknown,
): Promise<T> {
  const body = JSON.stringify(parameter);
  const response = await reach.request(`${ingress}/${path}`, { method: "POST", headers: json, body });
  const text = await response.text();
  if (away.has(response.status)) throw reach.lost(new Error(`it answers with ${response.status}`));
  if (!response.ok) throw new Error(`Restate does not take it: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The statuses of a server that is starting or stopping. */
const away: ReadonlySet<number> = new Set([502, 503, 504]);

/** Calls a handler of the object. */
export const tellBook = <T>(desk: AdminClient, method: string, what: unknown): Promise<T> =>
  call<T>(desk, `${desk.setting.names.book}/${bookKey}/${method}`, { at: desk.setting.now(), what });

/** The stored runs: all, or some. */
export const knownNow = async (
  { address, setting: { names }, reach }: AdminClient,
  ids?: readonly string[],
): Promise<readonly StoredRun[]> => knownIn(await ask(address.admin, knownQuery(names, ids), reach.request), names);
