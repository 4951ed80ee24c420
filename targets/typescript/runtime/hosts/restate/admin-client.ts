import type { Address } from "./address.ts";
import type { Ends } from "./ends.ts";
import type { openGate, Target } from "./gate.ts";
import { bookKey } from "./messages.ts";
import { ask, type Query } from "./query.ts";
import { isOver, type RunOutline, readOutlines, readRun, type StoredRun } from "./reading.ts";
import type { Setting } from "./serving.ts";
import type { Transport } from "./transport.ts";

/** The connections of an engine to Restate. */
export interface AdminClient {
  readonly address: Address;
  readonly setting: Setting;
  readonly ends: Ends;
  readonly transport: Transport;
  /** Calls handlers of private services through the gate. */
  readonly gate: ReturnType<typeof openGate>;
}

/** Calls a handler of a private service and returns its result, or sends it a message without waiting. */
export async function call<T>(
  { transport, gate }: AdminClient,
  target: Target,
  parameter: unknown,
  isSend = false,
): Promise<T> {
  const response = await gate(target, parameter, isSend);
  const text = await response.text();
  if (away.has(response.status)) throw transport.lost(new Error(`it answers with ${response.status}`));
  if (!response.ok) throw new Error(`Restate does not take it: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** The statuses of a server that is starting or stopping. */
const away: ReadonlySet<number> = new Set([502, 503, 504]);

/** Calls a handler of the object. */
export const callBook = <T>(client: AdminClient, method: string, what: unknown): Promise<T> =>
  call<T>(client, { service: client.setting.names.book, key: bookKey, method }, { at: client.setting.now(), what });

/** Queries the admin interface. */
export const queryIn =
  ({ address, transport }: AdminClient): Query =>
  (text) =>
    ask(address.admin, text, transport.request);

/** The stored runs, all or some, without what is long in them. */
export const outlinesIn = (client: AdminClient, ids?: readonly string[]): Promise<readonly RunOutline[]> =>
  readOutlines(queryIn(client), client.setting.names, ids);

/** A stored run. */
export const runIn = (client: AdminClient, id: string): Promise<StoredRun | undefined> =>
  readRun(queryIn(client), client.setting.names, id);

/** Some stored runs; those that have ended with their outputs or errors. */
export async function endedIn(client: AdminClient, ids: readonly string[]): Promise<readonly RunOutline[]> {
  const wanted = new Set(ids);
  const runs: RunOutline[] = [];
  for (const run of await outlinesIn(client, ids)) {
    if (!wanted.has(run.id)) continue;
    const whole = run.isShortened && isOver(run) ? await runIn(client, run.id) : run;
    if (whole) runs.push(whole);
  }
  return runs;
}
