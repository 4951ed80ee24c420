import type { Exchange } from "./handler.ts";
import { answer } from "./refusal.ts";

/** Responds whether the server accepts requests, and how many emitted events no sink has accepted. */
export async function getHealth({ engine, response, options: { stopping } }: Exchange): Promise<void> {
  const status = stopping?.aborted ? "stopping" : engine.fault() ? "store" : "ok";
  const { unsent, refused } = status === "ok" ? await engine.unsent() : { unsent: 0, refused: 0 };
  const more = { ...(unsent > 0 && { unsent }), ...(refused > 0 && { refused }) };
  answer(response, status === "ok" ? 200 : 503, { status, ...more }, status === "store" ? retryLater : {});
}

/** The delay after which clients may retry if the store cannot be written. */
export const retryLater = { "retry-after": "5" };

/** Responds what the credentials of the request permit. */
export function getAccess({ response, grant: { may, workflows } }: Exchange): void {
  answer(response, 200, { may, workflows });
}
