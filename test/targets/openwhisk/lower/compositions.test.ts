import { expect, test } from "vitest";
import { compile } from "../../../../src/index.ts";
import type { Composition, State } from "../../../../targets/openwhisk/composition.ts";

const charge = `id: orders
name: Charge
version: '1.0'
functions: [{ name: charge, resource: charge }]
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge, parameters: { card: $.card } } }]
  end: { kind: default }
`;

async function compositionOf(text: string): Promise<Composition> {
  const { files } = await compile({ sources: [{ path: "a.yaml", text }], target: "openwhisk" });
  return JSON.parse(files.find(({ path }) => path.endsWith(".composition.json"))!.text) as Composition;
}

/** The labels that a state leads to. */
const nextOf = (state: State): readonly string[] =>
  Object.entries(state).flatMap(([key, value]) => (["Next", "Then", "Else", "Handler"].includes(key) ? [value] : []));

test("a call is an action between the function of its argument and that of its answer", async () => {
  const { Entry, Exit, States } = await compositionOf(charge);
  expect(Object.entries(States).map(([name, { Type }]) => `${name}: ${Type}`)).toEqual([
    "let data: Let",
    "input: Task",
    "try: Try",
    "Charge/argument: Task",
    "Charge: Task",
    "Charge/answer: Task",
    "catch: Catch",
    "end data: End",
    "failed: Task",
    "done: Pass",
  ]);
  expect([Entry, Exit]).toEqual(["let data", "done"]);
  expect(States["Charge/argument"]).toEqual({
    Type: "Task",
    Function: "() => ({ card: data?.card ?? null })",
    Next: "Charge",
  });
  expect(States["Charge"]).toEqual({ Type: "Task", Action: "/_/waybill/charge", Next: "Charge/answer" });
});

test("hostile names and texts stay in the literals that they are", async () => {
  const hostile = charge.replaceAll("$.card", JSON.stringify("`$" + "{x}` */ \u2028 </script> \\ ' \""));
  const { States } = await compositionOf(hostile.replaceAll("name: Charge\n", "name: \"a'b`$" + '{c}"\n'));
  for (const state of Object.values(States)) {
    for (const name of nextOf(state)) expect(States).toHaveProperty([name]);
    if ("Function" in state) expect(() => new Function(`return (${state.Function}\n);`)).not.toThrow();
  }
});
