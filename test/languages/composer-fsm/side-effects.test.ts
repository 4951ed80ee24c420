import { describe, expect, test } from "vitest";
import { scriptModule } from "../../../src/ir/scripts.ts";
import type { JsonObject } from "../../../src/json.ts";
import { parseFunction } from "../../../src/languages/composer-fsm/javascript/parse.ts";
import { sideEffectsOf } from "../../../src/languages/composer-fsm/javascript/side-effects.ts";
import { runInWorker } from "../../../src/worker.ts";
import { span } from "../../reference/build.ts";

const variables = ["list", "n", "order"];

function effectsOf(text: string) {
  const read = parseFunction(text);
  if ("problem" in read) throw new Error(`${text}: ${read.problem}`);
  return sideEffectsOf(read, read.external, variables);
}

/** Pure functions, and the variables that they may change. */
const pure: readonly (readonly [text: string, changes: readonly string[]])[] = [
  ["() => ({ customer: order.customer })", []],
  ["function (p) { return { id: p.id } }", []],
  ["({ status }) => status === 'blocked'", []],
  ["() => list.length < order.lines.length", []],
  ["() => { const { sku } = order.lines[list.length]; return { sku, n } }", []],
  ["() => list.map((each) => each.price * 2).filter((each) => each > n)", []],
  ["() => list.reduce((sum, each) => sum + each, 0)", []],
  ["() => ({ all: [...list], ...order, keys: Object.keys(order) })", []],
  ["() => JSON.parse(JSON.stringify(order))", []],
  ["() => Math.max(n, 1) + Number('1') + (order?.id ?? 'none').length", []],
  ["p => { order = p }", ["order"]],
  ["p => { order = p; n += 1; return list }", ["n", "order"]],
  ["({ error: cause }) => cause === 'Busy' && n-- > 0", ["n"]],
  ["({ parcel }) => { list.push(parcel); }", ["list"]],
  ["p => { order.lines.push(p) }", ["order"]],
  ["p => { order['status'] = p }", ["order"]],
  ["() => { delete order.status }", ["order"]],
  ["p => { p.total = n; return p }", []],
  ["() => { list.forEach((each) => { n += each }) }", ["n"]],
  ["() => { const n = 1; return n + order.n }", []],
];

/** Functions that may have other effects or results, never end, or change what other values share. */
const impure = [
  "() => Date.now()",
  "() => new Date()",
  "() => Math.random()",
  "() => Math.sin(1)",
  "() => 2 ** 0.5",
  "() => console.log(order)",
  "() => Buffer.from('a')",
  "() => list.sort()",
  "() => 'a'.localeCompare('b')",
  "() => 'ß'.toUpperCase()",
  "() => /a+$/.test(order.id)",
  "() => { for (const each of list) list.push(each) }",
  "() => { while (true); }",
  "() => { const f = () => f(); f() }",
  "() => ({ ...order, [n]: 1 })",
  "async () => 1",
  "function* () {}",
  "function f() { return f() }",
  "() => () => 1",
  "() => { throw 1 }",
  "() => order.handler()",
  "() => Object.assign(order, {})",
  "() => { n = m }",
  "() => { m = n }",
  "() => typeof undeclared",
  "() => { const m = list; m.push(1) }",
  "({ a = order }) => { a.x = 1 }",
  "(p = order) => { p.x = 1 }",
  "() => { list.forEach((each) => { each.done = true }) }",
  "() => { order.a = list; order.a.push(1) }",
  "() => { order = list; order.push(1) }",
  "() => { (n ? order : list).x = 1 }",
  "p => { order[p.key] = 1 }",
  "p => { order[p.key].x = 1 }",
  "() => { order.__proto__.x = 1 }",
  "() => { order.constructor = 1 }",
  "() => { order.push.x = 1 }",
  "({ toString }) => { toString.x = 1 }",
  "() => { const f = order.toString; f.x = 1 }",
  "() => { [order.x] = [1] }",
  "() => JSON.parse('1', (key, value) => order.x = value)",
  "() => [].map(list.push)",
  "p => { { const p = order; p.x = 1 } }",
  "(p) => list.map((p) => { p.x = 1 })",
  "function () { return arguments[0] }",
  "(() => (p) => p)()",
  "() => eval('order = 1')",
];

describe("pure functions", () => {
  test.each(pure)("%s", (text, changes) => {
    expect(effectsOf(text)).toEqual({ changes, isPure: true });
  });

  test("leave variables unchanged that they are not said to change", () => {
    const given: JsonObject = {
      list: [1, 2],
      n: 3,
      order: { id: "o", lines: [{ sku: "a", price: 2 }], status: "new" },
    };
    const functions = pure.map(([text], i) => {
      const protocol = {
        kind: "script",
        language: "javascript",
        text,
        variables,
        changes: variables,
        isPure: true,
      } as const;
      return { name: `f${i}`, span, protocol };
    });
    const { text: module, names } = scriptModule(functions);
    const worker = runInWorker(module);
    for (const [i, [text]] of pure.entries()) {
      const { changes } = effectsOf(text);
      const argument = { params: { id: "p", parcel: "q", error: "Busy" }, variables: given };
      const { value } = worker.call(names.get(`f${i}`)!, argument) as { readonly value: JsonObject };
      const after = value["variables"] as JsonObject;
      for (const name of variables.filter((each) => !changes.includes(each)))
        expect({ text, [name]: after[name] }).toEqual({ text, [name]: given[name] });
    }
    worker.close();
  });
});

describe("functions that are not pure may change all variables", () => {
  test.each(impure)("%s", (text) => {
    expect(effectsOf(text)).toEqual({ changes: variables, isPure: false });
  });
});
