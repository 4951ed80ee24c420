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

const nextOf = (state: State): readonly string[] =>
  Object.entries(state).flatMap(([key, value]) => (["Next", "Then", "Else", "Handler"].includes(key) ? [value] : []));

test("a call is an action between functions for its argument and its result", async () => {
  const { Entry, Exit, States } = await compositionOf(charge);
  expect(Object.entries(States).map(([name, { Type }]) => `${name}: ${Type}`)).toEqual([
    "let data: Let",
    "try: Try",
    "Charge: argument: Task",
    "Charge: Task",
    "Charge: result: Task",
    "failed: Task",
    "done: Pass",
  ]);
  expect([Entry, Exit]).toEqual(["let data", "done"]);
  expect(States["Charge: argument"]).toMatchObject({
    Function: expect.stringContaining("return { card: data.card ?? null };"),
    Next: "Charge",
  });
  expect(States["Charge"]).toEqual({ Type: "Task", Action: "/_/waybill/charge", Next: "Charge: result" });
  expect(States["Charge: result"]).toEqual({
    Type: "Task",
    Function: '(params) => {\n  data = assignResultJson(data, unwrap(params), "charge");\n  return wrap(data);\n}',
    Next: "done",
  });
});

test("results and event data that are objects by their declared types are spread into the data", async () => {
  const text = `id: orders
name: Charge
version: '1.0'
functions: [{ name: charge, resource: charge }]
events: [{ name: Ordered, type: ordered }]
states:
- name: Wait
  type: event
  start: { kind: default }
  eventsActions:
  - eventRefs: [Ordered]
    actions: [{ functionRef: { refName: charge, parameters: { skus: "$.lines[*].sku" } } }]
  end: { kind: default }
`;
  const settings = `functions:
  charge: { result: { type: object, properties: { id: { type: string } }, required: [id] } }
events:
  Ordered:
    data:
      type: object
      properties:
        lines: { type: array, items: { type: object, properties: { sku: { type: string } }, required: [sku] } }
      required: [lines]
`;
  const functionsWith = async (more: object) => {
    const { files } = await compile({ sources: [{ path: "a.yaml", text }], target: "openwhisk", ...more });
    const { States } = JSON.parse(files.find(({ path }) => path.endsWith(".composition.json"))!.text) as Composition;
    return ["Wait: received", "Wait: charge result"].map((name) => {
      const state = States[name];
      return state && "Function" in state ? state.Function : undefined;
    });
  };
  expect(await functionsWith({ config: { path: "waybill.config.yaml", text: settings } })).toEqual([
    "({ received }) => {\n  data = { ...data, ...received.events[0].event.data };\n  return { skus: data.lines.map((item) => item.sku) };\n}",
    "(params) => {\n  data = { ...data, ...unwrap(params) };\n  return wrap(data);\n}",
  ]);
  expect(await functionsWith({})).toEqual([
    expect.stringContaining('assignResultJson(data, received.events[0]?.event.data ?? null, "Ordered")'),
    expect.stringContaining('assignResultJson(data, unwrap(params), "charge")'),
  ]);
});

test("the composition contains exactly the helpers that functions call, once", async () => {
  const { States, Helpers = {} } = await compositionOf(charge);
  const functions = Object.values(States).flatMap((state) => ("Function" in state ? [state.Function] : []));
  expect(functions.filter((text) => text.includes("unwrap(")).length).toBeGreaterThan(1);
  expect(functions.filter((text) => text.includes("function "))).toEqual([]);
  expect(Object.keys(Helpers)).toEqual([...new Set(Object.keys(Helpers))]);
  const all = [...functions, ...Object.values(Helpers)].join("\n");
  for (const [name, text] of Object.entries(Helpers)) {
    expect(text).toMatch(new RegExp(`^(?:function|const|class) ${name}\\b`));
    expect(all.split(new RegExp(`\\b${name}\\b`)).length).toBeGreaterThan(2);
  }
});

const shop = `id: shop
name: Shop
version: '1.0'
functions: [{ name: ask, resource: ask }]
states:
- name: Ask
  type: parallel
  start: { kind: default }
  branches:
  - name: sub
    states:
    - { name: Sub, type: subflow, start: { kind: default }, workflowId: orders, waitForCompletion: true, end: { kind: default } }
  - name: slow
    states:
    - { name: Wait, type: delay, start: { kind: default }, timeDelay: PT0.1S, end: { kind: default } }
  end: { kind: default }
`;

/** Whether an action waits for the branches of the fork `Ask`. */
async function modeOf(parallel: string, subflow: string): Promise<unknown> {
  const sources = [
    { path: "a.yaml", text: parallel },
    { path: "b.yaml", text: subflow },
  ];
  const { files, diagnostics } = await compile({ sources, target: "openwhisk" });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { States } = JSON.parse(files.find(({ path }) => path === "shop.composition.json")!.text) as Composition;
  return /mode\W+(\w+)/.exec(JSON.stringify(States["Ask: branches"]))?.[1];
}

test("branches whose subflow retries or exceeds the components of an invocation are joined", async () => {
  expect(await modeOf(shop, charge)).toBe("blocking");
  const retried = charge.replace(
    "  end:",
    "  retry: [{ expression: { body: $.error ne null }, maxAttempts: 99 }]\n  end:",
  );
  expect(await modeOf(shop, retried)).toBe("joined");
  const waits = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const start = i === 0 ? "start: { kind: default }, " : "";
      const way = i === count - 1 ? "end: { kind: default }" : `transition: { nextState: W${i + 1} }`;
      return `    - { name: W${i}, type: delay, ${start}timeDelay: PT0.1S, ${way} }\n`;
    }).join("");
  const delayed = (count: number) => shop.replace(/ {4}- \{ name: Wait.*\n/, waits(count));
  expect(await modeOf(delayed(45), charge)).toBe("blocking");
  expect(await modeOf(delayed(46), charge)).toBe("joined");
});

const parent = `id: parent
name: Parent
version: '1.0'
states:
- { name: Sub, type: subflow, start: { kind: default }, workflowId: orders, waitForCompletion: true, end: { kind: default } }
`;

/** The action of the state `Sub`, with settings of the target. */
async function subflowAs(text: string, setting = "{}"): Promise<unknown> {
  const sources = [
    { path: "a.yaml", text: parent },
    { path: "b.yaml", text },
  ];
  const config = { path: "waybill.config.yaml", text: `targets:\n  openwhisk: ${setting}\n` };
  const { files } = await compile({ sources, target: "openwhisk", config });
  const { States } = JSON.parse(files.find(({ path }) => path === "parent.composition.json")!.text) as Composition;
  return (States["Sub"] as { readonly Action: string }).Action;
}

test("a subflow whose runs never suspend is a component", async () => {
  const delay = (length: string) =>
    `id: orders\nname: D\nversion: '1.0'\nstates:\n- { name: W, type: delay, start: { kind: default }, timeDelay: ${length}, end: { kind: default } }\n`;
  const twice = charge.replace(/actions: \[(.*)\]\n/, "actions: [$1, $1]\n");
  expect(await subflowAs(delay("PT30S"))).toBe("/_/waybill/orders");
  expect(await subflowAs(delay("PT31S"))).toBe("/_/waybill/rt");
  expect(await subflowAs(twice)).toBe("/_/waybill/orders");
  expect(await subflowAs(twice, "{ checkpoint: each-call }")).toBe("/_/waybill/rt");
  expect(await subflowAs(twice, "{ budget: 2 }")).toBe("/_/waybill/orders");
  expect(await subflowAs(twice, "{ budget: 1 }")).toBe("/_/waybill/rt");
});

test("with `helpers: functions` each function contains its helpers, and the composition is plain Composer format", async () => {
  const sources = [{ path: "a.yaml", text: charge }];
  const madeWith = async (setting: string) => {
    const config = { path: "waybill.config.yaml", text: `targets:\n  openwhisk: { helpers: ${setting} }\n` };
    const { files } = await compile({ sources, target: "openwhisk", config });
    return files.find(({ path }) => path.endsWith(".composition.json"))!.text;
  };
  expect(Object.keys(JSON.parse(await madeWith("composition")) as object)).toEqual([
    "Entry",
    "Exit",
    "States",
    "Helpers",
  ]);
  const whole = await madeWith("functions");
  expect(Object.keys(JSON.parse(whole) as object)).toEqual(["Entry", "Exit", "States"]);
  const read = await compile({ sources: [{ path: "charge.composition.json", text: whole }], target: "openwhisk" });
  expect(read.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(read.files.find(({ path }) => path.endsWith(".composition.json"))!.text).toBe(whole);
});

test("hostile names and strings stay inside literals", async () => {
  const hostile = charge.replaceAll("$.card", JSON.stringify("`$" + "{x}` */ \u2028 </script> \\ ' \""));
  const { States } = await compositionOf(hostile.replaceAll("name: Charge\n", "name: \"a'b`$" + '{c}"\n'));
  for (const state of Object.values(States)) {
    for (const name of nextOf(state)) expect(States).toHaveProperty([name]);
    if ("Function" in state) expect(() => new Function(`return (${state.Function}\n);`)).not.toThrow();
  }
});
