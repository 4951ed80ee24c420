import type { ObjectContext } from "@restatedev/restate-sdk";
import type { CloudEvent } from "../../events.ts";
import type { Setting } from "./lane.ts";
import type { Errors } from "./run.ts";

/** The handlers of the object that sends what runs emit: in the order of each run, again and again until a sink takes it. */
export const outboxHandlers = (setting: Setting, { TerminalError }: Errors) => ({
  async send(ctx: ObjectContext, event: CloudEvent): Promise<void> {
    let attempt = 0;
    await ctx.run("send", async () => {
      await setting.alive();
      attempt += 1;
      try {
        await setting.options.send(event, { attempt, signal: ctx.request().attemptCompletedSignal });
      } catch (reason) {
        if (reason instanceof Error && reason.name === "EventRefused") throw new TerminalError(reason.message);
        throw reason;
      }
      await setting.alive();
    });
  },
});
