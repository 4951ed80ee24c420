import type { CloudEvent } from "../../events.ts";
import { receivesEvents } from "../broker/routing.ts";
import { bookKey, type Leaving, outboxKey } from "./messages.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";
import type { Setting } from "./serving.ts";

/** The handlers of the object that sends a run's events to a sink: in order, until the sink accepts or refuses each. */
export function outboxHandlers(
  { options, names, alive, now, pace }: Setting,
  { TerminalError }: Pick<Sdk, "TerminalError">,
) {
  const patience = { initialRetryInterval: 1000 / pace, retryIntervalFactor: 2, maxRetryInterval: 60_000 / pace };
  const attempts = new Map<string, number>();
  const send = async (ctx: ObjectContext, place: string, leaving: Leaving): Promise<void> => {
    const { id } = leaving.event;
    const work = async (): Promise<void> => {
      await alive();
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      try {
        await options.send(leaving.event, { attempt, signal: ctx.request().attemptCompletedSignal });
      } catch (reason) {
        if (reason instanceof Error && reason.name === "EventRefused") throw new TerminalError(reason.message);
        throw reason;
      }
      await alive();
    };
    try {
      await ctx.run("send", work, patience);
      ctx.clear(keyOf("refused", place));
    } catch (reason) {
      if (!(reason instanceof TerminalError)) throw reason;
      ctx.set<Leaving>(keyOf("refused", place), { ...leaving, reason: reason.message });
    }
    ctx.clear(keyOf("waiting", place));
    attempts.delete(id);
  };
  /** Passes an event to the outbox of its sink, which another program may choose otherwise in a replay. */
  const post = async (ctx: ObjectContext, event: CloudEvent): Promise<void> => {
    const sink = await ctx.run("sink", () => options.sinkOf?.(event.type) ?? "");
    const parameter = new TextEncoder().encode(JSON.stringify(event));
    ctx.genericSend({ service: names.outbox, key: outboxKey(ctx.key, sink), method: "send", parameter });
  };
  return {
    post,
    /** Like `post`, and also passes the event to the object if a workflow receives events now. */
    async postNew(ctx: ObjectContext, event: CloudEvent): Promise<void> {
      const at = await ctx.run("delivers", () => (options.workflows.some(receivesEvents) ? now() : null));
      const parameter = new TextEncoder().encode(JSON.stringify({ at, what: [event] }));
      if (at !== null) ctx.genericSend({ service: names.book, key: bookKey, method: "deliverAll", parameter });
      await post(ctx, event);
    },
    async send(ctx: ObjectContext, event: CloudEvent): Promise<void> {
      const at = await ctx.run("now", now);
      const place = `${`${at}`.padStart(16, "0")}:${event.id}`;
      ctx.set<Leaving>(keyOf("waiting", place), { event, at });
      await send(ctx, place, { event, at });
    },
    /** Sends refused events again. */
    async again(ctx: ObjectContext): Promise<void> {
      const refused = (await ctx.stateKeys()).filter((key) => key.startsWith(keyOf("refused", ""))).toSorted();
      for (const key of refused) {
        const leaving = await ctx.get<Leaving>(key);
        const place = key.slice(keyOf("refused", "").length);
        if (leaving) await send(ctx, place, { event: leaving.event, at: leaving.at });
      }
    },
    async forget(ctx: ObjectContext): Promise<void> {
      ctx.clearAll();
    },
  };
}

/** The key of an event that waits or was refused, by its place in the outbox. */
const keyOf = (how: "waiting" | "refused", place: string): string => `${how}:${place}`;
