import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Workflow } from "../../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../../src/json.ts";
import type { Deployment } from "../../../../targets/openwhisk/deploy/index.ts";
import { calls, deployDefinitions } from "./deploy-definitions.ts";

const hostile = `\`$(reboot)\` $\{HOME} */ "\n  - __proto__: {{x}}`;
const definition = (more: object = {}): string =>
  JSON.stringify({
    id: "orders",
    name: "Orders",
    version: "1.0",
    functions: [
      { name: "charge", resource: "charge" },
      { name: "pack it!", resource: "pack" },
      { name: hostile, resource: "x" },
      { name: "audit", resource: "/audits/log/write" },
    ],
    events: [
      { name: "paid", type: "order.paid", source: "shop" },
      { name: "told", type: "order.told", source: "orders" },
      { name: hostile, type: hostile, source: "shop" },
    ],
    states: [
      {
        name: "Charge",
        type: "operation",
        start: { kind: "default" },
        actions: ["charge", "pack it!", "audit"].map((refName) => ({ functionRef: { refName } })),
        end: { kind: "default" },
      },
    ],
    ...more,
  });

/** The same workflow, started by an event. */
const receiving = definition({
  states: [
    {
      name: "Wait",
      type: "event",
      start: { kind: "default" },
      eventsActions: [{ eventRefs: ["paid"], actions: [] }],
      end: { kind: "default" },
    },
  ],
});

/** The package `waybill` in a manifest. */
const inManifest = (files: ReadonlyMap<string, string>) =>
  (parse(files.get("manifest.yaml")!) as { packages: { waybill: { [part: string]: { [name: string]: JsonObject } } } })
    .packages.waybill;

/** An input without which wskdeploy fails. */
const required = (variable: string) => ({ type: "string", required: true, value: `$${variable}` });

/** The composition of a workflow that waits for events. */
const receiveOnly = (workflow: Workflow, deployment: Deployment) => {
  deployment.platformNamesOf(workflow).noteSuspension("events");
  return calls(deployment.helper);
};

const callFunctions = (...names: readonly string[]) =>
  deployDefinitions([definition()], "", (workflow, deployment) => {
    return calls(
      ...names.map((name) => deployment.action(workflow, workflow.functions.find((each) => each.name === name)!)),
    );
  });

test("valid names are kept, others get a hash and are reported", async () => {
  const { reported, files } = await callFunctions("charge");
  const renamed = reported.filter((each) => each.includes("WB5230")).map((each) => each.replace(/^\S+ /, ""));
  expect(renamed).toEqual([
    expect.stringMatching(/^WB5230 Function `pack it!` is named `pack-it-[0-9a-f]{8}` on OpenWhisk\.$/),
    expect.stringMatching(/^WB5230 Function .* is named `reboot-HOME---__proto__-x-[0-9a-f]{8}` on OpenWhisk\.$/s),
    expect.stringMatching(/^WB5230 Event .* is named `reboot-HOME---__proto__-x-[0-9a-f]{8}` on OpenWhisk\.$/s),
  ]);
  const map = JSON.parse(files.get("waybill.map.json")!) as { functions: JsonObject };
  expect(Object.keys(map.functions)).toEqual([
    "/_/waybill/charge",
    expect.stringMatching(/^\/_\/waybill\/pack-it-/),
    expect.stringMatching(/^\/_\/waybill\/reboot-/),
    "/audits/log/write",
  ]);
});

test("a workflow, a function and a helper of the same name are three actions", async () => {
  const same = definition({ id: "charge" });
  const helper = definition({ id: "rt" });
  const { files } = await deployDefinitions([same, helper], "", () => calls("/_/waybill/rt"));
  const map = JSON.parse(files.get("waybill.map.json")!) as { functions: JsonObject; workflows: JsonObject };
  expect(map.workflows).toEqual({
    charge: { action: "/_/waybill/charge" },
    rt: { action: "/_/waybill/rt-2" },
  });
  expect(Object.keys(map.functions)[0]).toBe("/_/waybill/charge-2");
  expect(Object.keys(inManifest(files)["actions"]!)).toEqual(["charge", "rt-2", "rt"]);
});

test("a workflow with only calls is deployed as one action", async () => {
  const { files, reported } = await callFunctions("charge", "audit");
  expect([...files.keys()]).toEqual([
    "actions/flow0.js",
    "flow0.composer.json",
    "manifest.yaml",
    "README.md",
    "waybill.map.json",
  ]);
  expect(inManifest(files)["actions"]).toEqual({
    orders: {
      function: "actions/flow0.js",
      runtime: "nodejs:20",
      annotations: { conductor: true, final: true },
      limits: { timeout: 60000, memorySize: 256 },
      inputs: { $waybillKey: required("WAYBILL_KEY") },
    },
  });
  expect(reported.filter((each) => each.includes("WB5233"))).toEqual([]);
});

test("a workflow that waits is deployed with a helper, its store, a janitor and an end trigger", async () => {
  const { files, reported } = await deployDefinitions([receiving], "", receiveOnly);
  const { actions, triggers, rules } = inManifest(files);
  expect(Object.keys(actions!)).toEqual(["orders", "rt"]);
  expect(actions!["rt"]).toEqual({
    function: "actions/rt.js",
    runtime: "nodejs:20",
    annotations: { "provide-api-key": true, final: true },
    limits: { timeout: 300000, memorySize: 256 },
    inputs: {
      $waybillKey: required("WAYBILL_KEY"),
      $store: required("WAYBILL_STORE"),
      $settings: '{"helper":"/_/waybill/rt","ended":{"waybill/orders":"orders-ended"}}',
    },
  });
  const names = Object.keys(triggers!);
  expect(names.slice(0, 2)).toEqual(["paid", "told"]);
  expect(triggers).toMatchObject({
    paid: { inputs: {} },
    told: { inputs: {} },
    "waybill-janitor": {
      feed: "/whisk.system/alarms/interval",
      inputs: { minutes: 1, trigger_payload: { operation: "janitor" } },
    },
    "orders-ended": { inputs: {} },
  });
  expect(rules).toEqual({
    "paid-receive": { trigger: "paid", action: "/_/waybill/rt" },
    "waybill-janitor": { trigger: "waybill-janitor", action: "/_/waybill/rt" },
  });
  expect(reported.join("\n")).toContain(
    "WB5233 Runs of `orders` may be suspended (they wait for events), which requires a store",
  );
});

test("the README has only the sections that apply to the program", async () => {
  const plain = await deployDefinitions([definition({ events: [] })], "", () => calls("/audits/log/write"));
  const plainText = plain.files.get("README.md")!;
  expect(plainText).toContain("`waybill/orders`: `flow0.composer.json`");
  expect(plainText).not.toMatch(/## Events|## Operate|`rt`|WAYBILL_STORE|suspend/);
  const receiver = await deployDefinitions([receiving], "", receiveOnly);
  const text = receiver.files.get("README.md")!;
  for (const part of [
    "## Events",
    "`paid` is received",
    "## Operate",
    "Once a minute",
    "WAYBILL_STORE",
    "`orders-ended`",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("composer.json");
});

test("an event that no run receives has no rule", async () => {
  const [wait] = (JSON.parse(receiving) as { states: object[] }).states;
  const [charge] = (JSON.parse(definition()) as { states: object[] }).states;
  const states = [
    { ...charge, end: undefined, transition: { nextState: "Wait" } },
    { ...wait, start: undefined },
  ];
  const { files } = await deployDefinitions([definition({ states })], "", () => calls("/_/charge"));
  expect(inManifest(files)["rules"]).toBeUndefined();
  expect(Object.keys(inManifest(files)["actions"]!)).toEqual(["orders"]);
});

test("strings of users stay inside literals", async () => {
  const { files } = await deployDefinitions([receiving], "", receiveOnly);
  const text = files.get("manifest.yaml")!;
  expect(text).not.toContain("${");
  expect(text).not.toContain("$(");
  expect(files.get("README.md")).not.toContain("`$(reboot)`");
  const map = JSON.parse(files.get("waybill.map.json")!) as { functions: { [action: string]: { function: string } } };
  expect(Object.values(map.functions).map((each) => each.function)).toContain(hostile);
});

test("a composition with a key `__proto__` is parsed at run time", async () => {
  const states = JSON.parse('{"__proto__":{"Type":"Task","Value":{"__proto__":1}}}');
  const { files } = await deployDefinitions([definition()], "", () => ({
    Entry: "__proto__",
    Exit: "__proto__",
    States: states,
  }));
  const module = { exports: {} as { main?: (params: object) => unknown } };
  new Function("module", "exports", "require", "process", "console", files.get("actions/flow0.js")!)(
    module,
    module.exports,
    (name: string) => process.getBuiltinModule(name),
    { env: {} },
    { log: () => undefined },
  );
  expect(JSON.stringify(module.exports.main!({ $waybillKey: "key of a deployment" }))).toBe(
    '{"params":{"__proto__":1}}',
  );
});

test("functions are bound to actions, packages, sequences and web actions", async () => {
  const configuration = `functions:
  charge: { openwhisk: { package: /_/payments } }
  "pack it!": { openwhisk: { sequence: [/_/pack/take, /_/pack/wrap] } }
  audit: { openwhisk: { action: /whisk.system/utils/echo } }
`;
  const { files } = await deployDefinitions([definition()], configuration, () => calls("/_/x"));
  const map = JSON.parse(files.get("waybill.map.json")!) as { functions: JsonObject };
  const [charge, pack, , audit] = Object.keys(map.functions);
  expect([charge, audit]).toEqual(["/_/payments/charge", "/whisk.system/utils/echo"]);
  const name = pack!.replace("/_/waybill/", "");
  expect(inManifest(files)["sequences"]).toEqual({ [name]: { actions: "/_/pack/take, /_/pack/wrap" } });
});

test("events have the bound triggers and feeds; data is completed to an event by its definition", async () => {
  const configuration = `events:
  paid: { openwhisk: { trigger: kafka-paid, feed: /_/kafka/feed, parameters: { topic: paid }, payload: data } }
`;
  const { files } = await deployDefinitions([receiving], configuration, receiveOnly);
  const { triggers, rules } = inManifest(files);
  expect(triggers!["kafka-paid"]).toEqual({
    feed: "/_/kafka/feed",
    inputs: { topic: "paid", $event: '{"type":"order.paid","source":"shop"}' },
  });
  expect(rules!["kafka-paid-receive"]).toEqual({ trigger: "kafka-paid", action: "/_/waybill/rt" });
});

test.each([
  [
    "two places",
    "functions:\n  charge: { openwhisk: { action: /_/a/b, web: https://x.example.com/y } }\n",
    "waybill.config.yaml:2:42 WB0505 This function is already bound by `action`; it cannot also be bound by `web`.",
  ],
  [
    "an unknown kind",
    "functions:\n  charge: { openwhisk: { lambda: x } }\n",
    "waybill.config.yaml:2:26 WB1002 `lambda` is not a property of a binding and has no effect.",
  ],
  [
    "an action without a namespace",
    "functions:\n  charge: { openwhisk: { action: charge } }\n",
    "waybill.config.yaml:2:34 WB1006 `action` must be a fully qualified name of an action, such as `/_/payments/charge`, not `charge`.",
  ],
  [
    "a trigger with two feeds",
    "events:\n  paid: { openwhisk: { trigger: t, feed: /_/a/b } }\n  told: { openwhisk: { trigger: t, feed: /_/a/c } }\n",
    "waybill.config.yaml:3:11 WB5232 Trigger `t` is also bound to event `paid`, with a different feed.",
  ],
])("bindings to %s are rejected", async (_, configuration, message) => {
  const { reported } = await deployDefinitions([definition()], configuration, () => calls("/_/x"));
  expect(reported).toContain(message);
});

test("settings of the configuration apply to the actions", async () => {
  const configuration =
    "targets:\n  openwhisk: { package: shop, runtime: 'nodejs:22', timers: sweeper, keepEvents: 60, stalledAfter: 120 }\n";
  const { files } = await deployDefinitions([definition()], configuration, receiveOnly);
  const { packages } = parse(files.get("manifest.yaml")!) as {
    packages: { shop: { actions: { [name: string]: { runtime: string; inputs: JsonObject } } } };
  };
  const { runtime, inputs } = packages.shop.actions["rt"]!;
  expect(runtime).toBe("nodejs:22");
  expect(JSON.parse(String(inputs["$settings"]))).toMatchObject({
    helper: "/_/shop/rt",
    timers: "sweeper",
    keepEventsMs: 60_000,
    stalledMs: 120_000,
  });
});

test("a run can be stored after each call", async () => {
  const configuration = "targets:\n  openwhisk: { checkpoint: each-call }\n";
  const { files } = await deployDefinitions([definition()], configuration, () => calls("/_/a", "/_/b"));
  expect(files.get("actions/flow0.js")).toContain('"budget":1');
  expect(Object.keys(inManifest(files)["actions"]!)).toContain("rt");
  expect(inManifest(files)["rules"]).toBeUndefined();
});

test("events that the program emits under one name and receives under another reach it", async () => {
  const emitting = definition({
    events: [
      { name: "Shipped", type: "order.shipped", source: "shop" },
      { name: "ParcelSent", type: "order.shipped", source: "shop" },
      { name: "Told", type: "order.told", source: "shop" },
    ],
    states: [
      {
        name: "Ship",
        type: "inject",
        start: { kind: "default" },
        data: {},
        transition: { nextState: "Tell", produceEvent: { eventRef: "Shipped" } },
      },
      {
        name: "Tell",
        type: "inject",
        data: {},
        transition: { nextState: "Wait", produceEvent: { eventRef: "Told" } },
      },
      {
        name: "Wait",
        type: "event",
        eventsActions: [{ eventRefs: ["ParcelSent"], actions: [] }],
        end: { kind: "default" },
      },
    ],
  });
  const { files } = await deployDefinitions([emitting], "", receiveOnly);
  const triggers = Object.values(inManifest(files).rules!).map(({ trigger }) => trigger);
  expect(triggers).toEqual(["Shipped", "ParcelSent", "waybill-janitor"]);
});
