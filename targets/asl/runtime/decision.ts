import { step } from "../../../src/events/broker.ts";
import type { Command, Effect } from "../../../src/events/commands.ts";
import type { Partition, RunRecord } from "../../../src/events/partition.ts";
import type { Rules } from "../../../src/events/rules.ts";
import type { Json } from "../../../src/json.ts";
import type { ReceivedPart, StartBehindWait } from "./definition.ts";
import { inputBehindWait } from "./tasks.ts";

/** The run and the wait of an execution that begins behind its first wait. The wait's id is the execution. */
export interface WaitBehindStart {
  readonly starts: string;
}

/** The Task of a state that waits. */
export interface WaitingTask {
  readonly task: string;
  /** The ARN of its execution, if that is not the first one of the run. */
  readonly execution?: string;
}

/** What functions store with a wait. */
export type WaitData = WaitingTask | WaitBehindStart;

/** What decisions depend on. */
export interface DecisionProgram {
  readonly rules: Rules;
  /** Finds how executions of a workflow begin behind their first wait. */
  readonly behindWait: (workflow: string | undefined) => StartBehindWait | undefined;
  /** Finds the part of received events that the machine of a step reads. */
  readonly partOf: (step: string) => ReceivedPart;
}

/** The commands that change a partition in one transaction, and their effects. */
export class Decision {
  /** The partition before the change. */
  base: Partition;
  partition: Partition;
  /** How often functions have repeated the effects of waits, if that changes. */
  attempts: ReadonlyMap<string, number> | undefined;
  readonly effects: Effect[] = [];
  /** What follows the transaction in addition to the effects. */
  afterwards: readonly (() => Promise<void>)[] = [];
  readonly #program: DecisionProgram;

  constructor(partition: Partition, program: DecisionProgram) {
    this.base = partition;
    this.partition = partition;
    this.#program = program;
  }

  apply(command: Command): void {
    const { partition, effects } = step(this.partition, command, this.#program.rules);
    this.partition = partition;
    for (const effect of effects) this.#add(effect);
  }

  /** Sets what is known of a run before the change. */
  assumeRun(run: string, record: RunRecord): void {
    this.base = { ...this.base, runs: { ...this.base.runs, [run]: record } };
    this.partition = this.base;
  }

  #add(effect: Effect): void {
    if (effect.kind === "forget" || (effect.kind === "start" && this.#beginsBehindWait(effect))) return;
    this.effects.push(effect);
  }

  /** Lets an execution begin behind its first wait if its input fits, or if it cannot begin otherwise. */
  #beginsBehindWait({ workflow, run, at }: Effect & { readonly kind: "start" }): boolean {
    const { rules, behindWait } = this.#program;
    const behind = behindWait(workflow);
    if (behind === undefined) return false;
    const data: WaitBehindStart = { starts: workflow };
    const wait = {
      id: run,
      run,
      step: behind.step,
      age: [at],
      position: [],
      since: at,
      at,
      variables: {},
      data: { ...data },
    };
    const { partition, effects } = step(this.partition, { kind: "wait", wait }, rules);
    const wake = effects.find((effect) => effect.kind === "wake" && effect.wait.id === run);
    if (wake?.kind !== "wake") return false;
    if (!behind.isOnly && inputBehindWait(wake.answer, behind, run) === undefined) return false;
    this.partition = partition;
    this.effects.push(...effects);
    return true;
  }
}

/** What functions have stored with a wait. */
export const dataOf = ({ data }: { readonly data?: Json | undefined }): WaitData => data as unknown as WaitData;
