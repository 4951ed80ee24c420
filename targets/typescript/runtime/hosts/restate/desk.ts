import type { Address } from "./address.ts";
import { ask, type Query } from "./asking.ts";
import type { Ends } from "./ends.ts";
import { bookKey } from "./messages.ts";
import type { Reach } from "./reach.ts";
import { type Known, knownIn, knownQuery } from "./reading.ts";
import type { Setting } from "./serving.ts";
import { json } from "./serving.ts";

/** By what an engine asks Restate. */
export interface Desk {
  readonly address: Address;
  readonly setting: Setting;
  /** Asks while all else waits. */
  readonly query: Query;
  readonly ends: Ends;
  readonly reach: Reach;
}

/** Calls a handler, and gives what it answers. */
export async function call<T>({ address: { ingress }, reach }: Desk, path: string, parameter: unknown): Promise<T> {
  const body = JSON.stringify(parameter);
  const response = await reach.request(`${ingress}/${path}`, { method: "POST", headers: json, body });
  const text = await response.text();
  if (away.has(response.status)) throw reach.lost(new Error(`it answers with ${response.status}`));
  if (!response.ok) throw new Error(`Restate does not take it: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** What is answered where a server has just begun, or is about to end. */
const away: ReadonlySet<number> = new Set([502, 503, 504]);

/** Tells the object something, and gives what it answers. */
export const tellBook = <T>(desk: Desk, method: string, what: unknown): Promise<T> =>
  call<T>(desk, `${desk.setting.names.book}/${bookKey}/${method}`, { at: desk.setting.now(), what });

/** What is kept of runs, of all or of some. */
export const knownNow = async (
  { address, setting: { names }, reach }: Desk,
  ids?: readonly string[],
): Promise<readonly Known[]> => knownIn(await ask(address.admin, knownQuery(names, ids), reach.request), names);
