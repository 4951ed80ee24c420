import type { Scope, Window } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { type Context, stepOf } from "./context.ts";
import { perform } from "./steps.ts";

/** Runs a scope from its entry to an end; its value. Rejects with a `StepFailure`, or with a `RunEnd` on its way outward. */
export async function runScope(scope: Scope, context: Context): Promise<Json> {
  const { run, environment, signal } = context;
  if (!isActive(scope.window, run.world.now())) return environment.get(run.workflow.input) ?? null;
  const { recorder } = run.world;
  recorder?.entered(scope);
  for (let id = scope.entry.name; ; ) {
    signal.throwIfAborted();
    const step = stepOf(scope, id);
    run.world.visit(step.id);
    recorder?.entered(step);
    const done = await perform(step, context);
    if (done.kind === "ended") return done.value;
    recorder?.left(done.by ?? step);
    id = done.next.name;
  }
}

/** Whether an instant (in milliseconds) lies in a window. */
export function isActive(window: Window | undefined, now: number): boolean {
  if (!window) return true;
  return (
    !(window.from !== undefined && now < Date.parse(window.from)) &&
    !(window.until !== undefined && now >= Date.parse(window.until))
  );
}
