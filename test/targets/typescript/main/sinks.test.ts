import { expect, test } from "vitest";
import { EventRefused, SinkAway } from "../../../../targets/typescript/runtime/errors.ts";
import { sendTo } from "../../../../targets/typescript/runtime/main/sinks.ts";
import { startFunctionServer } from "../functions/servers.ts";

const event = { specversion: "1.0", id: "a/Emit", source: "/a", type: "done" } as const;
const sending = { attempt: 1, signal: new AbortController().signal };

/** The result of sending an event to a sink with a response. */
async function sendEvent(status: number, headers: { readonly [name: string]: string } = {}): Promise<unknown> {
  const sink = await startFunctionServer((_, response) => response.writeHead(status, headers).end());
  return sendTo({ url: sink.url }, event, sending).then(
    () => "accepted",
    (reason: unknown) => reason,
  );
}

test("the status of a sink shows whether it rejects the event or is unavailable", async () => {
  expect(await sendEvent(202)).toBe("accepted");
  for (const status of [400, 413, 422]) expect(await sendEvent(status)).toBeInstanceOf(EventRefused);
  for (const status of [429, 503]) expect(await sendEvent(status)).toBeInstanceOf(SinkAway);
  for (const status of [302, 401, 500, 502]) expect(((await sendEvent(status)) as Error).constructor).toBe(Error);
});

test("Retry-After is read as seconds or as a date", async () => {
  const inAMinute = new Date(Date.now() + 60_500).toUTCString();
  expect(await sendEvent(503, { "retry-after": "120" })).toMatchObject({ seconds: 120 });
  const { seconds } = (await sendEvent(429, { "retry-after": inAMinute })) as SinkAway;
  expect(Math.abs(seconds - 60)).toBeLessThan(3);
  for (const words of ["soon", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])
    expect(await sendEvent(503, { "retry-after": words })).toMatchObject({ seconds: 0 });
});

test("an unreachable sink is unavailable; an aborted connection is a network error", async () => {
  expect(
    await sendTo({ url: "http://127.0.0.1:1/" }, event, sending).catch((reason: unknown) => reason),
  ).toBeInstanceOf(SinkAway);
  const breaking = await startFunctionServer((_, response) => response.destroy());
  const thrown: unknown = await sendTo({ url: breaking.url }, event, sending).catch((reason: unknown) => reason);
  expect(thrown).not.toBeInstanceOf(SinkAway);
  expect(thrown).toMatchObject({ name: "NetworkError" });
});
