import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import { type JsonObject, own } from "../../../src/json.ts";
import type { MachineDefinition } from "./environment.ts";

/** The Wait states of a machine that space iterations. */
export interface PacingWaits {
  /** Those at the start of an iteration. Their time belongs to the loop, not to the iteration. */
  readonly gaps: ReadonlySet<string>;
  /** Those that run in parallel with the work of an iteration. */
  readonly rests: ReadonlySet<string>;
}

/** Finds the Wait states that space iterations. `map`: the steps of states, by name. */
export function pacingWaits(definition: MachineDefinition, map: { readonly [name: string]: JsonObject }): PacingWaits {
  const gaps = new Set<string>();
  const rests = new Set<string>();
  const stepOf = (state: string): string => String(own(map, state)?.["step"]);
  const visit = ({ States: states }: MachineDefinition): void => {
    for (const [name, state] of Object.entries(states)) {
      const { ItemProcessor: processor, Branches: branches = [] } = state as unknown as NestedMachines;
      const first = processor?.States[processor.StartAt];
      if (first?.["Type"] === "Wait" && stepOf(processor!.StartAt) === stepOf(name)) gaps.add(processor!.StartAt);
      for (const { StartAt: start, States } of (first as NestedMachines | undefined)?.Branches ?? [])
        if (States[start]?.["Type"] === "Wait" && stepOf(start).startsWith(`${stepOf(name)}/rest`)) rests.add(start);
      for (const inner of [...(processor ? [processor] : []), ...branches]) visit(inner);
    }
  };
  visit(definition);
  return { gaps, rests };
}

interface NestedMachines {
  readonly ItemProcessor?: MachineDefinition;
  readonly Branches?: readonly MachineDefinition[];
}

/** The rests of running iterations. Like gaps, their time belongs to the loop, and they end at its position. */
export interface Rests {
  /** Waits until a rest is over, or until the work next to it ends at the instant at which the rest is over. */
  wait(seconds: number, signal: AbortSignal, position: readonly number[]): Promise<void>;
  /** The work of a branch has ended. */
  onEnd(position: readonly number[]): void;
}

/**
 * Creates a record without rests. Step Functions gives no order between the end of a rest and of a Task at one instant:
 * the iteration ends with its work, as the interpreter of the IR has it, and not with the timers of that instant.
 */
export function createRests({ now, sleep }: Pick<SimulatedEnvironment, "now" | "sleep">): Rests {
  const running = new Map<string, { readonly due: number; readonly end: () => void }>();
  const keyOf = (position: readonly number[]): string => position.slice(0, -1).join();
  return {
    wait(seconds, signal, position) {
      const key = keyOf(position);
      const timer = sleep(seconds, signal, position.slice(0, -2));
      const ended = new Promise<void>((end) => running.set(key, { due: now() + seconds * 1000, end }));
      return Promise.race([timer, ended]).finally(() => running.delete(key));
    },
    onEnd(position) {
      const rest = running.get(keyOf(position));
      if (rest && rest.due <= now()) rest.end();
    },
  };
}
