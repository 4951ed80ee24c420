import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../../../../src/index.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";
import type { Composition } from "../../../../targets/openwhisk/composition.ts";
import { type ComposerFile, composerFile } from "../../../../targets/openwhisk/deploy/composer.ts";
import { createConductor } from "../../../../targets/openwhisk/runtime/conductor/index.ts";

const require = createRequire(import.meta.url);
const composer = require("openwhisk-composer") as { parse(composition: object): object };
const generator = require("openwhisk-composer/conductor.js") as {
  generate(given: object): { readonly action: { readonly exec: { readonly code: string } } };
};

type Conductor = (params: JsonObject) => JsonObject | Promise<JsonObject>;

/** The conductor that openwhisk-composer generates from an emitted file. */
function conductorOf(file: ComposerFile): Conductor {
  const { ast, version } = file;
  const { action } = generator.generate({ name: "flow", composition: composer.parse(file.composition), ast, version });
  const module = (name: string) => (name === "openwhisk" ? () => ({}) : require(name));
  const silent = { log: () => undefined, error: () => undefined };
  return new Function("require", "console", `${action.exec.code}; return main;`)(module, silent) as Conductor;
}

/** Runs a conductor with the given results of calls. Strips the default namespace from action names. */
async function drive(conductor: Conductor, input: JsonObject, answer: (n: number) => JsonObject): Promise<Json> {
  const calls: Json[] = [];
  let params = input;
  for (let n = 0; n < 60; n++) {
    const turn = await conductor(structuredClone(params) as JsonObject);
    const action = own(turn, "action");
    if (action === undefined) return { calls, activations: n + 1, end: own(turn, "params") ?? turn };
    const { $waybill: _, ...given } = own(turn, "params") as JsonObject;
    calls.push([String(action).replace(/^\/_\/(?!.*\/)/, ""), given]);
    params = { ...answer(n), ...(own(turn, "state") as JsonObject) };
  }
  return { calls, activations: 60, end: "never" };
}

const componentResults: readonly ((n: number) => JsonObject)[] = [
  (n) => ({ ok: true, color: "green", value: n }),
  (n) => ({ value: `text ${n}` }),
  () => ({ error: { name: "Lost", message: "It is gone." } }),
  () => ({ error: "An error has occurred: Lost: It is gone." }),
];
const inputs: readonly JsonObject[] = [{}, { order: { id: 1 }, age: 20, name: "n", items: [1] }, { value: 7 }];

const golden = join(import.meta.dirname, "../../../../golden");
const folders = readdirSync(golden).flatMap((language) =>
  readdirSync(join(golden, language)).map((name) => join(golden, language, name)),
);

test("conductors of composer behave like ours, with as many activations, for every composition they support", async () => {
  let compared = 0;
  for (const folder of folders) {
    const name = readdirSync(folder).find((file) => /^workflow\.(?:yaml|json)$/.test(file));
    if (name === undefined) continue;
    const source = { path: name, text: readFileSync(join(folder, name), "utf8") };
    const { files } = await compile({ sources: [source], target: "openwhisk" });
    for (const { path, text } of files) {
      if (!path.endsWith(".composition.json") || /waybill\/rt"|randomUUID|Date/.test(text)) continue;
      const composition = JSON.parse(text) as Composition;
      const emitted = files.find((file) => file.path === path.replace(/composition\.json$/, "composer.json"))?.text;
      const isGiven = folder.includes("/composer-fsm/");
      const file = isGiven ? composerFile(composition) : emitted && (JSON.parse(emitted) as ComposerFile);
      if (!file) continue;
      const theirs = conductorOf(file);
      const ours = createConductor(
        composition as never,
        { helper: "/_/waybill/rt", missingAction: "catch" },
        () => undefined,
      );
      const keyed = (params: JsonObject) => ours({ ...params, $waybillKey: "key of a deployment" });
      for (const answer of componentResults)
        for (const input of inputs) {
          expect(await drive(theirs, input, answer), folder).toEqual(await drive(keyed, input, answer));
          compared += 1;
        }
    }
  }
  expect(compared).toBeGreaterThan(500);
}, 60_000);

const task = (text: string, Next?: string) => ({
  Type: "Task",
  Function: text,
  ...(Next === undefined ? {} : { Next }),
});
const done = { Type: "Pass" };

test.each([
  ["a loop", { a: task("() => ({})", "a"), z: done }],
  [
    "a handler that continues elsewhere",
    {
      a: { Type: "Try", Handler: "h", Next: "b" },
      b: { Type: "Catch", Next: "c" },
      c: task("() => 1", "z"),
      h: task("() => 2", "z"),
      z: done,
    },
  ],
  [
    "a handler that does nothing",
    { a: { Type: "Try", Handler: "z", Next: "b" }, b: task("() => 1", "c"), c: { Type: "Catch", Next: "z" }, z: done },
  ],
  [
    "a choice whose params may be an error",
    {
      a: { Type: "Push", Next: "t" },
      t: task("() => ({ value: true })", "c"),
      c: { Type: "Choice", Then: "x", Else: "z" },
      x: task("() => 1", "z"),
      z: done,
    },
  ],
])("%s cannot be expressed", (_, states) => {
  expect(composerFile({ Entry: "a", Exit: "z", States: states } as never)).toBeUndefined();
});

test("deeper nesting than composer supports cannot be expressed", () => {
  const nested = (depth: number) => {
    const lets = Array.from({ length: depth }, (_, i) => [
      [`let ${i}`, { Type: "Let", Symbol: `a${i}`, Value: 1, Next: i + 1 < depth ? `let ${i + 1}` : "work" }],
      [`end ${i}`, { Type: "End", Next: i > 0 ? `end ${i - 1}` : "done" }],
    ]).flat();
    const States = { ...Object.fromEntries(lets), work: task("() => 1", `end ${depth - 1}`), done };
    return { Entry: "let 0", Exit: "done", States } as never;
  };
  expect(composerFile(nested(100))).toBeDefined();
  expect(composerFile(nested(300))).toBeUndefined();
});

test("names inside functions do not collide with generated ones", async () => {
  const states = {
    a: { Type: "Let", Symbol: "before", Value: 1, Next: "b" },
    b: task("() => { before += 1; }", "f"),
    f: { Type: "Try", Handler: "h", Next: "g" },
    g: task("() => { before = 100; throw new Error('no'); }", "i"),
    i: { Type: "Catch", Next: "e" },
    h: task("({ error }) => { if (!error.includes('no')) before = 9; }", "e"),
    e: task("() => ({ before })", "z"),
    z: { Type: "End", Next: "y" },
    y: done,
  };
  const conductor = conductorOf(composerFile({ Entry: "a", Exit: "y", States: states } as never)!);
  expect(await drive(conductor, {}, () => ({}))).toEqual({ calls: [], activations: 1, end: { before: 2 } });
});
