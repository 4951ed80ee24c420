import type { ObjectContext } from "@restatedev/restate-sdk";
import type { CloudEvent } from "../../events.ts";
import type { Setting } from "./lane.ts";
import type { Leaving } from "./messages.ts";
import type { Errors } from "./run.ts";

/** The handlers of the object that sends what a run emits: in its order, again and again until a sink takes it, but not what one refuses. */
export function outboxHandlers({ options, alive, now }: Setting, { TerminalError }: Errors) {
  const send = async (ctx: ObjectContext, key: string, leaving: Leaving): Promise<void> => {
    let attempt = 0;
    try {
      await ctx.run("send", async () => {
        await alive();
        attempt += 1;
        try {
          await options.send(leaving.event, { attempt, signal: ctx.request().attemptCompletedSignal });
        } catch (reason) {
          if (reason instanceof Error && reason.name === "EventRefused") throw new TerminalError(reason.message);
          throw reason;
        }
        await alive();
      });
      ctx.clear(key);
    } catch (reason) {
      if (!(reason instanceof TerminalError)) throw reason;
      ctx.set(key, { ...leaving, reason: reason.message });
    }
  };
  return {
    async send(ctx: ObjectContext, event: CloudEvent): Promise<void> {
      const at = await ctx.run("now", now);
      const key = `event:${`${at}`.padStart(16, "0")}:${event.id}`;
      ctx.set<Leaving>(key, { event, at });
      await send(ctx, key, { event, at });
    },
    /** Sends again what was refused. */
    async again(ctx: ObjectContext): Promise<{ readonly sent: number }> {
      const keys = (await ctx.stateKeys()).sort();
      for (const key of keys) {
        const leaving = await ctx.get<Leaving>(key);
        if (leaving) await send(ctx, key, { event: leaving.event, at: leaving.at });
      }
      return { sent: keys.length };
    },
    async forget(ctx: ObjectContext): Promise<void> {
      ctx.clearAll();
    },
  };
}
