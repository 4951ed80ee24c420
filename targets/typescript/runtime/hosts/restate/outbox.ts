import { receivesEvents } from "../broker/routing.ts";
import { bookKey, type Leaving, outboxKey, type PostedEvent, partsOfPosted } from "./messages.ts";
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
    const { event, trace } = leaving;
    const { id } = event;
    const work = async (): Promise<void> => {
      await alive();
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      try {
        await options.send(event, { attempt, signal: ctx.request().attemptCompletedSignal, trace });
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
  const post = async (ctx: ObjectContext, posted: PostedEvent): Promise<void> => {
    const { event } = partsOfPosted(posted);
    const sink = await ctx.run("sink", () => options.sinkOf?.(event.type) ?? "");
    const parameter = new TextEncoder().encode(JSON.stringify(posted));
    ctx.genericSend({ service: names.outbox, key: outboxKey(ctx.key, sink), method: "send", parameter });
  };
  return {
    post,
    /** Like `post`, and also passes the event to the object if a workflow receives events now. */
    async postNew(ctx: ObjectContext, posted: PostedEvent): Promise<void> {
      const { event } = partsOfPosted(posted);
      const at = await ctx.run("delivers", () => (options.workflows.some(receivesEvents) ? now() : null));
      const parameter = new TextEncoder().encode(JSON.stringify({ at, what: [event] }));
      if (at !== null) ctx.genericSend({ service: names.book, key: bookKey, method: "deliverAll", parameter });
      await post(ctx, posted);
    },
    async send(ctx: ObjectContext, posted: PostedEvent): Promise<void> {
      const at = await ctx.run("now", now);
      const leaving = { ...partsOfPosted(posted), at };
      const place = `${`${at}`.padStart(16, "0")}:${leaving.event.id}`;
      ctx.set<Leaving>(keyOf("waiting", place), leaving);
      await send(ctx, place, leaving);
    },
    /** Sends refused events again. */
    async again(ctx: ObjectContext): Promise<void> {
      const refused = (await ctx.stateKeys()).filter((key) => key.startsWith(keyOf("refused", ""))).toSorted();
      for (const key of refused) {
        const leaving = await ctx.get<Leaving>(key);
        const place = key.slice(keyOf("refused", "").length);
        if (leaving) await send(ctx, place, { event: leaving.event, trace: leaving.trace, at: leaving.at });
      }
    },
    async forget(ctx: ObjectContext): Promise<void> {
      ctx.clearAll();
    },
  };
}

/** The key of an event that waits or was refused, by its place in the outbox. */
const keyOf = (how: "waiting" | "refused", place: string): string => `${how}:${place}`;
