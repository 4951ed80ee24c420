import { createRequire } from "node:module";
import { createContext, Script } from "node:vm";
import { openwhiskRuntime } from "../../src/generated/openwhisk-runtime.js";
import { warmTimes } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";

const require = createRequire(import.meta.url);

const iterations = 1000;

/** The subset of Composer's API in use. */
interface ComposerApi {
  sequence(...parts: readonly unknown[]): { compile(): object };
  let(variables: object, ...parts: readonly unknown[]): unknown;
  while(test: unknown, body: unknown): unknown;
  function(text: string): unknown;
}

/** Compares our conductor with that of openwhisk-composer 0.12: a loop of functions, then a call. */
export async function conductorRows(): Promise<readonly BenchmarkRow[]> {
  const [ours, theirs] = [ownCode(0), composersCode(0)];
  const [ourStart, theirStart] = await warmTimes([() => load(ours)({}), () => load(theirs)({})], 60);
  const [ourMain, theirMain] = [load(ownCode(iterations)), load(composersCode(iterations))];
  const [ourLoop, theirLoop] = await warmTimes([() => ourMain({}), () => theirMain({})], 60);
  const size = Buffer.byteLength(openwhiskRuntime()["conductor"]!);
  return [
    {
      ...{ name: "OpenWhisk conductor: start to first call, to Composer's", limit: 1, unit: "×" },
      ...{ value: ourStart! / theirStart!, parts: { "our ms": ourStart!, "composer's ms": theirStart! } },
    },
    {
      ...{ name: "OpenWhisk conductor: one loop iteration, to Composer's", limit: 1, unit: "×" },
      ...{ value: ourLoop! / theirLoop!, parts: { "our µs": ourLoop!, "composer's µs": theirLoop! } },
    },
    {
      ...{ name: "OpenWhisk conductor: code size", value: size, limit: 16_000, unit: "bytes" },
      parts: { "with this loop": ours.length, "composer's with this loop": theirs.length },
    },
  ];
}

/** Loads an action in a context of its own, like OpenWhisk's runtime. */
function load(code: string): (params: object) => unknown {
  const module = { exports: {} };
  const console = { log: () => undefined, error: () => undefined };
  const context = createContext({ console, process, module, exports: module.exports, require: requireModule });
  return new Script(`(function () {\n${code}\nreturn main;\n})()`).runInContext(context) as ReturnType<typeof load>;
}

/** The runtime's modules; a stub of the package `openwhisk`. */
const requireModule = (name: string): unknown => process.getBuiltinModule(name) ?? (() => undefined);

const test = "params => ({ value: n-- > 0 })";
const body = "params => ({ sum: (params.sum || 0) + 1 })";

function ownCode(n: number): string {
  const States = {
    let: { Type: "Let", Symbol: "n", Value: n, Next: "push" },
    push: { Type: "Push", Next: "test" },
    test: { Type: "Task", Function: test, Next: "choice" },
    choice: { Type: "Choice", Then: "body", Else: "end" },
    body: { Type: "Task", Function: body, Next: "push" },
    end: { Type: "End", Next: "call" },
    call: { Type: "Task", Action: "/_/f" },
  };
  const composition = JSON.stringify({ Entry: "let", Exit: "call", States }, undefined, 2);
  const settings = JSON.stringify({ helper: "/_/waybill/rt", missingAction: "catch" });
  return `${openwhiskRuntime()["conductor"]}\nconst conduct = exports.createConductor(${composition}, ${settings});
const main = (params) => conduct({ ...params, $waybillKey: "key of the benchmark" });\n`;
}

function composersCode(n: number): string {
  const composer = require("openwhisk-composer") as ComposerApi;
  const { generate } = require("openwhisk-composer/conductor") as {
    generate(composition: object): { readonly action: { readonly exec: { readonly code: string } } };
  };
  const loop = composer.let({ n }, composer.while(composer.function(test), composer.function(body)));
  return generate(composer.sequence(loop, "/_/f").compile()).action.exec.code;
}
