import { inputOf } from "./program.ts";

/** The requests that the program has acknowledged. */
export interface AcknowledgedRequests {
  readonly started: Set<string>;
  readonly acknowledged: Set<string>;
  /** Requests rejected because of a full disk. */
  full: number;
  resent: number;
  readonly wrong: string[];
}

/** The state before the first request. */
export const nothingSent = (): AcknowledgedRequests => ({
  started: new Set(),
  acknowledged: new Set(),
  full: 0,
  resent: 0,
  wrong: [],
});

/**
 * Starts missing orders and rude runs, and sends each order its two events until they are acknowledged, sometimes
 * twice.
 */
export async function sendAll(
  url: string,
  ids: { readonly orders: readonly string[]; readonly rude: readonly string[] },
  sent: AcknowledgedRequests,
  random: () => number,
): Promise<void> {
  const order = async (id: string, i: number) => {
    if (!sent.started.has(id) && (await post(`${url}/workflows/orders/runs?id=${id}`, inputOf(id, i), sent)))
      sent.started.add(id);
    if (!sent.started.has(id)) return;
    for (const name of ["a", "b"]) {
      const key = `${id}/${name}`;
      const isAgain = sent.acknowledged.has(key);
      if (isAgain && random() > 0.2) continue;
      if (isAgain) sent.resent += 1;
      if (await post(`${url}/events`, eventOf(id, name), sent)) sent.acknowledged.add(key);
    }
  };
  const rude = async (id: string, i: number) => {
    if (!sent.started.has(id) && (await post(`${url}/workflows/rude/runs?id=${id}`, { how: i }, sent)))
      sent.started.add(id);
  };
  await Promise.all([...ids.orders.map(order), ...ids.rude.map(rude)]);
}

/** One of the two events of an order. */
export const eventOf = (order: string, name: string) => ({
  specversion: "1.0",
  id: `${order}/${name}`,
  source: "/shop",
  type: "order.paid",
  order,
  data: { [name]: 1 },
});

/** Sends a request. Returns whether it was acknowledged. */
export async function post(url: string, body: object, sent: AcknowledgedRequests): Promise<boolean> {
  const type = "specversion" in body ? "application/cloudevents+json" : "application/json";
  const request = { method: "POST", headers: { "content-type": type }, body: JSON.stringify(body) };
  const response = await fetch(url, request).catch(() => undefined);
  if (response === undefined) return false;
  await response.text().catch(() => "");
  if (response.status === 503) sent.full += 1;
  else if (!response.ok) sent.wrong.push(`${url} answers with status ${response.status}.`);
  return response.ok;
}
