import type { Engine, EngineOptions } from "../../engine.ts";
import { StoreError } from "../../internal.ts";
import { addressOf } from "./address.ts";
import { type Ends, openEnds } from "./ends.ts";
import { engineOf } from "./engine.ts";
import type { Names } from "./messages.ts";
import type { Setting } from "./serving.ts";
import { adopted, registered, resumed, type Serving, serve } from "./serving.ts";

/** Hooks for tests. */
export interface Hooks {
  /** Called before and after each record. If it returns true, everything stops as if the process had been killed. */
  readonly committed?: () => boolean;
}

/**
 * Opens an engine whose runs are workflows of Restate. Any number of processes may serve one program. Waits until
 * Restate responds.
 */
export async function openEngine(options: EngineOptions, hooks: Hooks = {}): Promise<Engine> {
  if (options.keepEvents !== undefined)
    throw new StoreError(
      "unusable",
      "On Restate no events are kept that no run can wait for: there is nothing that --keep-events says.",
    );
  if (options.codec)
    throw new StoreError("unusable", "Restate stores the data of runs in its own form, so a codec cannot be used.");
  const address = addressOf(options.store, process.env);
  const { name } = address;
  const names: Names = { run: `${name}-run`, book: `${name}-book`, outbox: `${name}-outbox`, gate: `${name}-gate` };
  let ends: Ends | undefined;
  let serving: Serving | undefined;
  const setting: Setting = {
    options,
    names,
    now: options.now ?? Date.now,
    pace: options.pace ?? 1,
    async alive() {
      if (!serving?.isDead && !hooks.committed?.()) return;
      serving?.die();
      await new Promise(() => undefined);
    },
    async begins() {
      await setting.alive();
      if (serving?.isClosing) await new Promise(() => undefined);
    },
    underWay: new Set(),
    ended: (id) => ends?.look(id),
  };
  if (!options.isPaused) {
    serving = await serve(address, setting);
    if (serving) {
      await registered(address, setting, serving);
      await resumed(address, names);
      await adopted(address, setting);
    }
  }
  const openEndsBy = (ask: Parameters<typeof openEnds>[0]) => {
    ends = openEnds(ask, serving !== undefined);
    return ends;
  };
  return engineOf(address, setting, openEndsBy, serving);
}
