import { expect, test } from "vitest";
import { putAction, putRule } from "../../../../targets/openwhisk/simulator/entities.ts";
import { onPlatform } from "./test-platform.ts";

const succeeded = (result: unknown) => ({ statusCode: 0, result });
const failed = (error: unknown) => ({ statusCode: 1, result: { error } });
const broken = (error: unknown) => ({ statusCode: 2, result: { error } });

test.each<[string, object]>([
  ["function main({ n }) { return { n: n * 2 } }", succeeded({ n: 4 })],
  ["const main = async ({ n }) => ({ n })", succeeded({ n: 2 })],
  ["exports.main = () => ({ from: 'exports' })", succeeded({ from: "exports" })],
  ["function main() {}", succeeded({})],
  ["function main() { return [1] }", succeeded([1])],
  ["function main() { return { error: 'no', more: 1 } }", failed("no")],
  ["function main() { return { error: null } }", failed(null)],
  ["function main() { return Promise.reject({ name: 'No' }) }", failed({ name: "No" })],
  ["function main() { return 1 }", broken("The action did not return a dictionary.")],
  ["function main() { throw new TypeError('no') }", broken("An error has occurred: TypeError: no")],
  ["function main() { return { text: 'x'.repeat(1024 * 1024) } }", failed(expect.stringContaining("> 1048576 bytes."))],
  ["function main( {", broken(expect.stringMatching(/^Initialization has failed due to: SyntaxError/))],
  ["function main() { return new Promise((done) => setTimeout(done, 59_999)) }", succeeded({})],
  [
    "function main() { return new Promise((done) => setTimeout(done, 60_001)) }",
    broken("The action exceeded its time limits of 60000 milliseconds."),
  ],
  [
    "function main() { return { now: Date.now(), year: new Date().getFullYear(), at: +new Date(5) } }",
    succeeded({ now: Date.UTC(2020, 0, 1), year: 2020, at: 5 }),
  ],
  [
    "function main() { return { chance: Math.random(), is: new Date() instanceof Date } }",
    succeeded({ chance: 0.5, is: true }),
  ],
  [
    "function main() { return { text: global.Buffer.from('\u00e9', 'latin1').toString('base64') } }",
    succeeded({ text: "6Q==" }),
  ],
  [
    "function main() { return { net: require('node:net') } }",
    broken("An error has occurred: Error: Cannot find module 'node:net'"),
  ],
])("%s", async (code, response) => {
  const seen = await onPlatform(async ({ put, invoke }) => {
    put("f", code);
    return invoke("f", { n: 2 });
  });
  expect(seen).toEqual(response);
});

test("an endless computation is stopped, and the next activation has a new container", {
  timeout: 120_000,
}, async () => {
  const seen = await onPlatform(async ({ put, invoke }) => {
    put("f", "let n = 0; function main({ stays }) { n += 1; while (stays) {} return { n } }", {
      limits: { timeout: 100 },
    });
    return [await invoke("f"), await invoke("f", { stays: true }), await invoke("f")];
  });
  expect(seen).toEqual([
    succeeded({ n: 1 }),
    broken("The action exceeded its time limits of 100 milliseconds."),
    succeeded({ n: 1 }),
  ]);
});

test("code that exceeds its memory is aborted, and the next activation has a new container", async () => {
  const seen = await onPlatform(async ({ put, invoke }) => {
    const copies = "const copy = JSON.parse(JSON.stringify('a'.repeat(size)));";
    put("f", `let n = 0; function main({ size }) { n += 1; ${copies} return { n } }`, { limits: { memory: 128 } });
    const [few, many] = [{ size: 40 * 2 ** 20 }, { size: 50 * 2 ** 20 }];
    return [await invoke("f", few), await invoke("f", many), await invoke("f")];
  });
  expect(seen).toEqual([
    succeeded({ n: 1 }),
    broken("The action exhausted its memory and was aborted."),
    succeeded({ n: 1 }),
  ]);
});

test("arguments override parameters of actions, which override those of packages", async () => {
  const seen = await onPlatform(async ({ platform: { entities }, put, invoke }) => {
    entities.packages.set("/guest/p", { name: "/guest/p", parameters: { a: 1, b: 1, c: 1 } });
    entities.packages.set("/guest/q", { name: "/guest/q", parameters: { b: 4 }, binding: "/guest/p" });
    put("p/f", "function main(params) { return params }", { parameters: { b: 2, c: 2 } });
    return [await invoke("p/f", { c: 3 }), await invoke("/_/q/f"), await invoke("/guest/q/f", { a: 9 })];
  });
  expect(seen.map(({ result }) => result)).toEqual([
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 2, c: 2 },
    { a: 9, b: 2, c: 2 },
  ]);
});

test("a container is reused after its activation, and never shared", async () => {
  const seen = await onPlatform(async ({ put, invoke }) => {
    put("f", "let n = 0; function main() { return new Promise((done) => setTimeout(() => done({ n: ++n }), 1000)) }");
    const together = await Promise.all([invoke("f"), invoke("f")]);
    return [...together, await invoke("f")].map(({ result }) => result);
  });
  expect(seen).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]);
});

test("a sequence passes results on until a component fails", async () => {
  const seen = await onPlatform(async ({ platform: { entities }, put, invoke }) => {
    put("add", "function main({ n }) { return n > 2 ? { error: 'enough' } : { n: n + 1 } }");
    putAction(entities, "two", { exec: { kind: "sequence", components: ["add", "/_/add"] } });
    putAction(entities, "four", { exec: { kind: "sequence", components: ["two", "two"] } });
    putAction(entities, "gone", { exec: { kind: "sequence", components: ["add", "nobody"] } });
    putAction(entities, "fifty", { exec: { kind: "sequence", components: Array(50).fill("echo") } });
    putAction(entities, "many", { exec: { kind: "sequence", components: ["fifty", "echo"] } });
    put("echo", "function main(params) { return params }");
    return [
      await invoke("two", { n: 1 }),
      await invoke("four", { n: 1 }),
      await invoke("gone", { n: 0 }),
      await invoke("many"),
    ];
  });
  expect(seen).toEqual([
    succeeded({ n: 3 }),
    failed("enough"),
    failed("Sequence component does not exist."),
    failed("Too many actions in the sequence."),
  ]);
});

const conductor = { annotations: { conductor: true } };

test("a conductor receives the result of each component and its own state", async () => {
  const seen = await onPlatform(async ({ platform, put, invoke }) => {
    put("f", "function main({ n }) { return { n: n + 1 } }");
    put(
      "flow",
      `function main({ n, left = 2 }) {
        return left > 0 ? { action: "f", params: { n }, state: { left: left - 1 } } : { params: { n } };
      }`,
      conductor,
    );
    const { result } = await invoke("flow", { n: 5 });
    return { result, roles: [...platform.activations.values()].map(({ role, action }) => `${role} ${action.name}`) };
  });
  expect(seen.result).toEqual({ n: 7 });
  expect(seen.roles).toEqual([
    ...[
      "conductor /guest/flow",
      "action /guest/f",
      "conductor /guest/flow",
      "action /guest/f",
      "conductor /guest/flow",
    ],
    "composition /guest/flow",
  ]);
});

const looping = (action: unknown) =>
  `function main(params) { return params.error ? { error: params.error } : { action: ${JSON.stringify(action)} } }`;

test.each<[string, unknown, string, object]>([
  ["50 components", "f", "function main() { return {} }", failed("Too many actions in the composition.")],
  ["a missing action", "g", "", failed("Failed to resolve action with name 'guest/g' during composition.")],
  ["an invalid name", 5, "", failed("Failed to parse action name from json value 5 during composition.")],
  [
    "a result that is an array",
    "f",
    "function main() { return [] }",
    failed("Failed to resolve action with name 'guest/f' during composition."),
  ],
])("a composition is limited: %s", async (_, action, code, response) => {
  const seen = await onPlatform(async ({ platform, put, invoke }) => {
    put("f", code);
    put("flow", looping(action), conductor);
    const given = await invoke("flow");
    return { given, components: [...platform.activations.values()].filter(({ role }) => role === "action").length };
  });
  expect(seen.given).toEqual(response);
  expect(seen.components).toBeLessThanOrEqual(50);
});

test("nested compositions share the budget of components, and conductor activations have another", async () => {
  const seen = await onPlatform(async ({ platform, put, invoke }) => {
    put("f", "function main() { return {} }");
    put("inner", "function main({ n = 0 }) { return n < 20 ? { action: 'f', state: { n: n + 1 } } : {} }", conductor);
    put("outer", looping("inner"), conductor);
    put("spin", "function main() { return { action: 'spin' } }", conductor);
    const roles = (role: string) => [...platform.activations.values()].filter((each) => each.role === role).length;
    const outer = await invoke("outer");
    const components = roles("action");
    const before = roles("conductor");
    return { outer, components, spin: await invoke("spin"), conductors: roles("conductor") - before };
  });
  expect(seen).toEqual({
    outer: failed("Too many actions in the composition."),
    components: 50,
    spin: failed("Too many actions in the composition."),
    conductors: 101,
  });
});

test("a trigger invokes the actions of its active rules", async () => {
  const seen = await onPlatform(async ({ platform, put, scope, environment }) => {
    const { entities } = platform;
    put("f", "function main(params) { return params }");
    entities.triggers.set("/guest/t", { name: "/guest/t", parameters: { a: 1, b: 1 }, annotations: {} });
    const none = platform.fire("t", {}, scope).activationId;
    const rule = putRule(entities, "r", { trigger: "/_/t", action: "f" });
    entities.rules.set("/guest/off", { ...rule, name: "/guest/off", isActive: false });
    const id = platform.fire("t", { b: 2 }, scope).activationId;
    await environment.sleep(1);
    const results = [...platform.activations.values()].map(({ response }) => response.result);
    return { none, isFired: id !== undefined, results };
  });
  expect(seen).toEqual({ none: undefined, isFired: true, results: [{ a: 1, b: 2 }] });
});

test("an alarm fires once, and deletes its rules", async () => {
  const seen = await onPlatform(async ({ platform, put, invoke, environment }) => {
    put("f", "function main({ id }) { return { id, at: Date.now() } }");
    put(
      "set",
      `async function main({ date }) {
        const client = require("openwhisk")();
        await client.triggers.create({ name: "alarm" });
        await client.rules.create({ name: "alarm", trigger: "/_/alarm", action: "f" });
        const params = { lifecycleEvent: "CREATE", triggerName: "/_/alarm", date, trigger_payload: { id: 7 }, deleteAfterFire: "rules" };
        const { response } = await client.actions.invoke({ name: "/whisk.system/alarms/once", blocking: true, params });
        return response.result;
      }`,
    );
    const set = await invoke("set", { date: environment.now() + 90_000 });
    await environment.sleep(100);
    const rung = [...platform.activations.values()].at(-1)!.response.result;
    const left = [platform.entities.triggers.size, platform.entities.rules.size];
    return { set, rung, left, past: await invoke("set", { date: environment.now() }) };
  });
  expect(seen).toEqual({
    set: succeeded({ ok: true }),
    rung: { id: 7, at: Date.UTC(2020, 0, 1, 0, 1, 30) },
    left: [0, 0],
    past: failed(expect.objectContaining({ message: "The action failed." })),
  });
});

test("sizes of actions are limited", async () => {
  const refusals = await onPlatform(async ({ put, platform: { entities } }) => {
    const refusal = (deploy: () => void) => {
      try {
        deploy();
        return "fine";
      } catch (error) {
        return (error as Error).message;
      }
    };
    put("echo", "function main(params) { return params }");
    const sequence = (length: number) => () =>
      putAction(entities, "s", { exec: { kind: "sequence", components: Array(length).fill("echo") } });
    const text = (bytes: number) => "x".repeat(bytes - JSON.stringify({ text: "" }).length);
    return [
      refusal(sequence(50)),
      refusal(sequence(51)),
      refusal(() => put("f", "", { parameters: { text: text(1_048_576) } })),
      refusal(() => put("f", "", { parameters: { text: text(1_048_577) } })),
      refusal(() => put("f", "", { annotations: { text: text(1_048_577) } })),
      refusal(() => put("n".repeat(256), "")),
      refusal(() => put("n".repeat(257), "")),
    ];
  });
  expect(refusals).toEqual([
    "fine",
    "Too many actions in the sequence.",
    "fine",
    "The parameters of /guest/f are larger than 1048576 bytes.",
    "The annotations of /guest/f are larger than 1048576 bytes.",
    "fine",
    expect.stringMatching(/^The name of the entity "n+" is not valid\.$/),
  ]);
});

test("limits of actions are validated", async () => {
  const refusals = await onPlatform(async ({ put }) => {
    const refusal = (limits: object, code = "") => {
      try {
        put("f", code, { limits });
        return "fine";
      } catch (error) {
        return (error as Error).message;
      }
    };
    return [
      refusal({ timeout: 300_000 }),
      refusal({ timeout: 300_001 }),
      refusal({ memory: 64 }),
      refusal({}, "x".repeat(49_000_000).repeat(2)),
    ];
  });
  expect(refusals).toEqual([
    "fine",
    "The limit timeout of /guest/f is 300001: it may be from 100 to 300000.",
    "The limit memory of /guest/f is 64: it may be from 128 to 512.",
    "The code of /guest/f is larger than 50331648 bytes.",
  ]);
});
