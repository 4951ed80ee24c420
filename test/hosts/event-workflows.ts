import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import type { EventProgram, ProgramEvent } from "../events/program.ts";

/** The workflow whose runs wait. */
export const waitingWorkflow = "orders";

/**
 * The workflows of a program of the suite for adapters. A run's input is its correlation value. With
 * `isPartitioned: false`, runs may lack one, so that the program has one partition.
 */
export function workflowsOf(program: EventProgram, isPartitioned: boolean): readonly AnyWorkflow[] {
  const ids = new Set([waitingWorkflow, ...program.starts.map(({ workflow }) => workflow)]);
  const events = Object.fromEntries(program.events.map((event) => [event.name, definitionOf(event)]));
  return [...ids].map((id) => {
    const start = program.starts.find(({ workflow }) => workflow === id);
    const isWaiting = id === waitingWorkflow;
    return {
      id,
      version: "1",
      name: id,
      anyInput: true,
      events,
      ...(isWaiting && { waits: program.waits }),
      ...(isWaiting && isPartitioned && { correlation: (input: unknown) => input }),
      ...(start && { start: { on: start.on, complete: start.complete, gap: start.gap } }),
      run: async () => null,
    } as unknown as AnyWorkflow;
  });
}

const definitionOf = ({ type, source, attribute, key = "key" }: ProgramEvent) => ({
  type,
  source,
  ...(attribute !== undefined && {
    correlation: (event: { readonly [name: string]: unknown }) => event[attribute],
    correlationKey: key,
  }),
});
