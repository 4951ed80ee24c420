import { expect, test } from "vitest";
import { shortestHistory } from "../../../targets/asl/history.ts";
import type { Machine, MachineState } from "../../../targets/asl/machine.ts";
import { calling, ends, refusals, starts, workflow } from "./compiled.ts";

const state = (key: string, type: MachineState["type"], rest: Partial<MachineState> = {}): MachineState => ({
  key,
  type,
  step: key,
  fields: [],
  ...rest,
});

const to = (next: string | undefined): Partial<MachineState> => ({ exit: { next } });

const machine = (...states: readonly MachineState[]): Machine => ({ start: states[0]!.key, states });

const task = machine(state("T", "Task", to(undefined)));

test.each<[string, Machine, number]>([
  ["an execution starts and ends, and a task leaves five", task, 7],
  ["states in a row", machine(state("A", "Pass", to("B")), state("B", "Task", to("C")), state("C", "Succeed")), 11],
  ["all branches", machine(state("P", "Parallel", { branches: [task, task], ...to(undefined) })), 16],
  [
    "as many iterations as are known",
    machine(state("M", "Map", { processor: task, itemCount: 3, ...to(undefined) })),
    27,
  ],
  ["none where none are known", machine(state("M", "Map", { processor: task, ...to(undefined) })), 6],
  [
    "the shorter way, however it is written",
    machine(
      state("Q", "Choice", { choices: [{ when: ["Condition", ""], next: "T" }], otherwise: "F" }),
      state("T", "Task", to(undefined)),
      state("F", "Fail"),
    ),
    5,
  ],
  [
    "an error that is caught before all is gone through",
    machine(
      state("M", "Map", {
        processor: task,
        itemCount: 9000,
        catch: [{ when: ["ErrorEquals", ["E"]], next: "S" }],
        ...to("S"),
      }),
      state("S", "Succeed"),
    ),
    8,
  ],
  ["nothing where no way leads to an end", machine(state("A", "Pass", to("B")), state("B", "Pass", to("A"))), 0],
])("the shortest history: %s", (_, of, events) => {
  expect(shortestHistory(of).events).toBe(events);
});

test("reports the state with the most events", () => {
  const map = state("M", "Map", { processor: task, itemCount: 10, ...to("S") });
  expect(shortestHistory(machine(state("A", "Task", to("M")), map, state("S", "Succeed"))).costliest?.state.key).toBe(
    "M",
  );
});

test("counts a collection that the definition assigns", async () => {
  const each = `- { name: Each, type: foreach, inputCollection: $.list, inputParameter: $.n, states: [{ name: A, type: operation, ${starts}, ${calling("f")}, ${ends} }], ${ends} }`;
  const over = (length: number): string =>
    workflow(`- { name: List, type: inject, ${starts}, data: { list: [${Array(length).fill(1)}] }, transition: { nextState: Each } }
${each}`);
  expect(await refusals(over(3_000))).toEqual([]);
  expect((await refusals(over(4_000)))[0]).toContain("WB5121");
});
