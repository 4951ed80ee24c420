import { expect, test } from "vitest";
import { EventRefused, SinkAway } from "../../../../targets/typescript/runtime/errors.ts";
import { sendTo } from "../../../../targets/typescript/runtime/main/sinks.ts";
import { functionServer } from "../functions/servers.ts";

const event = { specversion: "1.0", id: "a/Emit", source: "/a", type: "done" } as const;
const sending = { attempt: 1, signal: new AbortController().signal };

/** What sending an event to a sink that answers so comes to. */
async function sentTo(status: number, headers: { readonly [name: string]: string } = {}): Promise<unknown> {
  const sink = await functionServer((_, response) => response.writeHead(status, headers).end());
  return sendTo({ url: sink.url }, event, sending).then(
    () => "taken",
    (reason: unknown) => reason,
  );
}

test("a sink says by its status whether it wants the event, and whether it is there", async () => {
  expect(await sentTo(202)).toBe("taken");
  for (const status of [400, 413, 422]) expect(await sentTo(status)).toBeInstanceOf(EventRefused);
  for (const status of [429, 503]) expect(await sentTo(status)).toBeInstanceOf(SinkAway);
  for (const status of [302, 401, 500, 502]) expect(((await sentTo(status)) as Error).constructor).toBe(Error);
});

test("a sink says when it takes events again, in seconds or by a date", async () => {
  const inAMinute = new Date(Date.now() + 60_500).toUTCString();
  expect(await sentTo(503, { "retry-after": "120" })).toMatchObject({ seconds: 120 });
  const { seconds } = (await sentTo(429, { "retry-after": inAMinute })) as SinkAway;
  expect(Math.abs(seconds - 60)).toBeLessThan(3);
  for (const words of ["soon", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"])
    expect(await sentTo(503, { "retry-after": words })).toMatchObject({ seconds: 0 });
});

test("a sink that cannot be reached is away; one that breaks off may do so over the event", async () => {
  expect(
    await sendTo({ url: "http://127.0.0.1:1/" }, event, sending).catch((reason: unknown) => reason),
  ).toBeInstanceOf(SinkAway);
  const breaking = await functionServer((_, response) => response.destroy());
  const thrown: unknown = await sendTo({ url: breaking.url }, event, sending).catch((reason: unknown) => reason);
  expect(thrown).not.toBeInstanceOf(SinkAway);
  expect(thrown).toMatchObject({ name: "NetworkError" });
});
