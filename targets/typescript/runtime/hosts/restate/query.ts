import { StoreError } from "../../internal.ts";
import type { Request } from "./transport.ts";

/** A query to Restate's admin interface. */
export type Query = (text: string) => Promise<readonly Row[]>;

/** A row of a result. */
export type Row = { readonly [column: string]: string | number | null };

/** The message of an error; for a request, why it failed. */
export function messageOf(reason: unknown): string {
  const { cause, message } = reason instanceof Error ? reason : new Error(String(reason));
  return (cause instanceof Error ? cause.message : "") || message || "it is not there";
}

/** Sends a query. Retries while the server is starting. */
export async function ask(admin: string, text: string, request: Request = fetch): Promise<readonly Row[]> {
  for (let tries = 0; ; tries += 1) {
    const response = await request(`${admin}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query: text }),
    });
    if (response.ok) return ((await response.json()) as { readonly rows: readonly Row[] }).rows;
    const fault = `${response.status} ${await response.text()}`;
    if (response.status === 401 || response.status === 403)
      throw new StoreError("unusable", `Restate at ${admin} rejects the credentials: set WAYBILL_RESTATE_TOKEN.`);
    if (response.status < 500 || tries >= most) throw new Error(fault);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The maximum number of retries. */
const most = 100;
