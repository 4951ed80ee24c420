import { parse, stringify } from "yaml";
import type { Json } from "../../../src/json.ts";

/** A scenario of the conformance kit as a definition and a scenario file. */
export interface ConformanceScenario {
  readonly name: string;
  readonly definition: string;
  readonly scenarios: string;
}

/** The results of the services that a scenario calls, and what else it expects. */
export interface Stub {
  readonly functions: { readonly [name: string]: Json };
  readonly expect?: { readonly [name: string]: Json } | undefined;
}

/**
 * Converts the scenarios of a feature in Gherkin. `stubs` are by scenario. A step that has no counterpart in scenario
 * files is an error.
 */
export function readFeature(
  text: string,
  stubs: { readonly [scenario: string]: Stub },
): readonly ConformanceScenario[] {
  return text
    .split(/^ {2}Scenario: /m)
    .slice(1)
    .map((part) => readScenario(part, stubs));
}

function readScenario(part: string, stubs: { readonly [scenario: string]: Stub }): ConformanceScenario {
  const [title = "", ...lines] = part.split("\n");
  const name = title.trim();
  const stub = stubs[name];
  let definition = "";
  let input: Json | undefined;
  const expectation: Expectation = { outputHas: [], outputIs: {}, items: {}, tasks: { order: [] } };
  for (let at = 0; at < lines.length; at += 1) {
    const step = lines[at]!.trim();
    if (step === "" || step.startsWith("#")) continue;
    const indent = /^(\s*)"""yaml\s*$/.exec(lines[at + 1] ?? "")?.[1];
    let block = "";
    if (indent !== undefined) {
      const end = lines.findIndex((line, index) => index > at + 1 && line.trim() === '"""');
      block = lines
        .slice(at + 2, end)
        .map((line) => line.slice(indent.length))
        .join("\n");
      at = end;
    }
    const words = step.replace(/^(?:Given|When|Then|And|given|and)\s+/i, "").replace(/^given\s+/i, "");
    if (words === "a workflow with definition:") definition = block;
    else if (words === "the workflow input is:") input = parse(block) as Json;
    else if (words !== "the workflow is executed") expectStep(words, block, expectation);
  }
  const { outputHas, outputIs, items, tasks, ...rest } = expectation;
  const expect = {
    ...rest,
    ...stub?.expect,
    ...(outputHas.length > 0 ? { outputHas } : {}),
    ...(Object.keys(outputIs).length > 0 ? { outputIs } : {}),
    ...(Object.keys(items).length > 0 ? { items } : {}),
    ...(tasks.first !== undefined || tasks.last !== undefined || tasks.order.length > 0
      ? { tasks: { ...tasks, ...(tasks.order.length > 0 ? {} : { order: undefined }) } }
      : {}),
  };
  const scenario = { name, ...(input === undefined ? {} : { input }), functions: stub?.functions, expect };
  const scenarios = stringify(JSON.parse(JSON.stringify({ workflow: "./workflow.yaml", scenarios: [scenario] })));
  return { name, definition, scenarios };
}

interface Expectation {
  status?: string;
  output?: Json;
  error?: Json;
  readonly outputHas: string[];
  readonly outputIs: { [path: string]: Json };
  readonly items: { [path: string]: number };
  readonly tasks: { first?: string; last?: string; readonly order: (readonly [string, string])[] };
}

function expectStep(words: string, block: string, expectation: Expectation): void {
  const matched = (pattern: RegExp): readonly string[] | undefined => pattern.exec(words)?.slice(1);
  const [property, count] =
    matched(/^the workflow output should have a '([^']+)' property containing (\d+) items$/) ?? [];
  const [valued] = matched(/^the workflow output should have a '([^']+)' property with value:$/) ?? [];
  const [task, place] = matched(/^(\w+) should run (first|last)$/) ?? [];
  const [later, direction, earlier] = matched(/^(\w+) should run (after|before) (\w+)$/) ?? [];
  if (words === "the workflow should complete") expectation.status = "succeeded";
  else if (words === "the workflow should complete with output:")
    Object.assign(expectation, { status: "succeeded", output: parse(block) as Json });
  else if (words === "the workflow should fault") expectation.status = "failed";
  else if (words === "the workflow should fault with error:")
    Object.assign(expectation, { status: "failed", error: parse(block) as Json });
  else if (words.startsWith("the workflow output should have properties "))
    expectation.outputHas.push(...[...words.matchAll(/'([^']+)'/g)].map(([, path]) => path!));
  else if (property !== undefined) expectation.items[property] = Number(count);
  else if (valued !== undefined) expectation.outputIs[valued] = parse(block) as Json;
  else if (task !== undefined) expectation.tasks[place as "first" | "last"] = task;
  else if (later !== undefined && earlier !== undefined)
    expectation.tasks.order.push(direction === "after" ? [earlier, later] : [later, earlier]);
  else throw new Error(`The step has no counterpart: ${words}`);
}
