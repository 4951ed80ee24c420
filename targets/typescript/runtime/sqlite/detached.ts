import { NotBegun } from "../errors.ts";
import type { Launched } from "../host.ts";
import type { ReplayingRun } from "./replay.ts";
import { addRun } from "./starting.ts";
import type { Task } from "./store.ts";

/** Starts a workflow as a separate run; false if it is not a workflow of the program. */
export function launchRun(run: ReplayingRun, key: string, launched: Launched | undefined): boolean {
  const { core } = run;
  const ref = launched && core.find(launched.workflow);
  if (!launched || ref === undefined) return false;
  const seq = run.seq++;
  let child: number | undefined;
  const store = function* (): Task<void> {
    core.sql.record.run(run.ref, seq, key, "over", null, core.now());
    const { workflow, input } = launched;
    const start = {
      id: `${run.id}/${key}`,
      ref,
      workflow,
      input,
      parent: run.id,
      root: run.root,
      trace: run.name.trace,
    };
    child = (yield* core.sql.runById.get(start.id)) === undefined ? yield* addRun(core, start) : undefined;
  };
  run.activate();
  run.write(store, () => {
    run.push({ seq, give: () => run.settle(key, ({ resolve }) => resolve(undefined)) });
    if (child !== undefined) core.wake(child);
  });
  return true;
}

/** Records the beginning of detached work, resolves its request, and executes it. */
export function beginDetached(run: ReplayingRun, key: string, work: () => Promise<unknown>): void {
  run.record(key, "begun", null, ({ resolve }, seq) => {
    doDetached(run, key, seq, work);
    resolve(undefined);
  });
}

/** Executes detached work and records its end. */
export function doDetached(run: ReplayingRun, key: string, seq: number, work: () => Promise<unknown>): void {
  const { core } = run;
  run.detached += 1;
  const over = () =>
    core.commits.between(run, () => {
      run.write(
        () => void core.sql.over.run(run.ref, seq),
        () => {
          run.detached -= 1;
        },
      );
    });
  work().then(over, (reason: unknown) => {
    if (reason instanceof NotBegun) {
      run.detached -= 1;
      return;
    }
    core.log({
      level: "warn",
      message: `Detached work has failed: ${String(reason)}`,
      run: run.id,
      workflow: run.workflow.id,
      step: key,
    });
    over();
  });
}
