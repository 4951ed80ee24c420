import type { Address } from "./address.ts";
import type { Ends } from "./ends.ts";
import type { openGate, Target } from "./gate.ts";
import { bookKey } from "./messages.ts";
import { ask, type Query } from "./query.ts";
import { knownIn, knownQuery, type StoredRun } from "./reading.ts";
import type { Setting } from "./serving.ts";
import type { Transport } from "./transport.ts";

/** The connections of an engine to Restate. */
export interface AdminClient {
  readonly address: Address;
  readonly setting: Setting;
  readonly ends: Ends;
  readonly reach: Transport;
  /** Calls handlers of private services through the gate. */
  readonly gate: ReturnType<typeof openGate>;
}

/** Calls a handler of a private service and returns its result, or sends it a message without waiting. */
export async function call<T>(
  { reach, gate }: AdminClient,
  target: Target,
  parameter: unknown,
  isSend = false,
): Promise<T> {
  const response = await gate(target, parameter, isSend);
  const text = await response.text();
  if (away.has(response.status)) throw reach.lost(new Error(`it answers with ${response.status}`));
  if (!response.ok) throw new Error(`Restate does not take it: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The statuses of a server that is starting or stopping. */
const away: ReadonlySet<number> = new Set([502, 503, 504]);

/** Calls a handler of the object. */
export const tellBook = <T>(desk: AdminClient, method: string, what: unknown): Promise<T> =>
  call<T>(desk, { service: desk.setting.names.book, key: bookKey, method }, { at: desk.setting.now(), what });

/** Queries the admin interface. */
export const queryIn =
  ({ address, reach }: AdminClient): Query =>
  (text) =>
    ask(address.admin, text, reach.request);

/** The stored runs: all, or some. */
export async function knownNow(desk: AdminClient, ids?: readonly string[]): Promise<readonly StoredRun[]> {
  const { names } = desk.setting;
  return knownIn(await queryIn(desk)(knownQuery(names, ids)), names);
}
