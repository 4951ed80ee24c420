import fc, { type Arbitrary } from "fast-check";
import type { JsonObject } from "../../../src/json.ts";
import { among, perhaps, weighted } from "../arbitraries.ts";
import type { EquivalenceCase } from "../case.ts";
import { inputType, schemaOf } from "./input-types.ts";
import { namesWith, type ProgramNames, someReplacements } from "./names.ts";
import { eventNames, functionNames } from "./parts.ts";
import { type NamedPart, scenario } from "./scenarios.ts";
import { type ProgramShape, scope } from "./states.ts";

/** Random programs with scenarios: large and small, with and without events and hostile names. */
export const cases = (): Arbitrary<EquivalenceCase> =>
  weighted(
    [5, casesOf({ isPortable: true, maxStates: 6, maxDepth: 2, isNested: false })],
    [5, casesOf({ isPortable: false, maxStates: 6, maxDepth: 2, isNested: false })],
    [3, casesOf({ isPortable: true, maxStates: 2, maxDepth: 1, isNested: false })],
    [2, casesOf({ isPortable: false, maxStates: 2, maxDepth: 1, isNested: false })],
  );

function casesOf(kind: ProgramShape): Arbitrary<EquivalenceCase> {
  const child = { ...kind, most: 2, depth: Math.max(0, kind.maxDepth - 1) };
  return fc
    .record({
      replacements: weighted([3, fc.constant([])], [2, someReplacements(5)]),
      main: scope(kind),
      children: fc.array(scope(child), { maxLength: 2 }),
      definitions: eventDefinitions,
      isDescribed: weighted([12, fc.constant(false)], [1, fc.constant(true)]),
      input: perhaps(20, inputType(kind.isPortable)),
      output: perhaps(5, inputType(true)),
      options: fc.record({
        timeout: among("proceed", "fail"),
        merge: weighted([3, fc.constant("shallow")], [1, fc.constant("deep")]),
        interpolate: weighted([3, fc.constant("false")], [1, fc.constant("true")]),
        deployed: fc.constant("2026-01-01T00:00:00Z"),
      }),
      scenarios: fc.array(scenario(kind), { minLength: 1, maxLength: 3 }),
    })
    .map(({ replacements, main, children, definitions, isDescribed, input, output, options, scenarios }) => {
      const names = namesWith(replacements);
      const head = (plain: string): JsonObject => ({
        ...(isDescribed
          ? { ...inertMembers, description: names.of("description", "What it does.\n*/ // \u2028") }
          : {}),
        id: names.of("workflow", plain),
        name: names.of("title", plain),
        version: names.of("version", "1"),
        functions: functionNames.map((name) => ({
          name: names.of("function", name),
          resource: names.of("resource", name),
          ...(isDescribed ? { type: names.of("description", "microservice"), metadata: { any: "thing" } } : {}),
        })),
        events: definitions(names)!,
      });
      const all = [main, ...children].map((states, i) => {
        const [plain, prefix] = i === 0 ? ["main", "S"] : [`child${i - 1}`, `C${i - 1}x`];
        const subflows = children.map((_, n) => `child${n}`).slice(i);
        return { ...head(plain!), states: states({ names, prefix: prefix!, subflows }) };
      });
      const [first, ...others] = withoutUnused(all, names, children.length);
      const schemas = {
        ...(input ? { dataInputSchema: "input.schema.json" } : {}),
        ...(output ? { dataOutputSchema: "./output.schema.json#" } : {}),
      };
      return {
        language: "serverless-workflow",
        definitions: [{ ...first, ...schemas }, ...others],
        options,
        resources: {
          ...(input ? { "input.schema.json": schemaOf(input, names) } : {}),
          ...(output ? { "output.schema.json": schemaOf(output, names) } : {}),
        },
        scenarios: scenarios.map((build) => build({ names, input })),
      };
    });
}

/** Members without effect on runs. */
const inertMembers: JsonObject = {
  schemaVersion: "0.1",
  expressionLanguage: "spel",
  dataInputSchema: "nowhere/input.json",
  dataOutputSchema: "nowhere/output.json",
  extensions: [{ extensionid: "x" }],
  metadata: { any: ["thing"] },
  "x-own": true,
};

/** Drops the subflows that no other definition starts. */
function withoutUnused(all: readonly JsonObject[], names: ProgramNames, children: number): readonly JsonObject[] {
  const text = JSON.stringify(all);
  const isStarted = (i: number) => text.includes(`"workflowId":${JSON.stringify(names.of("workflow", `child${i}`))}`);
  const count = Array.from({ length: children }, (_, i) => i).filter(isStarted);
  return all.filter((_, i) => i === 0 || count.includes(i - 1));
}

const eventDefinitions: Arbitrary<NamedPart> = fc
  .array(
    fc.record({
      token: perhaps(35, among("customer", "customer", "a")),
      source: perhaps(85, fc.constant(true)),
      metadata: perhaps(2, fc.constant({ any: "thing" })),
    }),
    {
      minLength: eventNames.length,
      maxLength: eventNames.length,
    },
  )
  .map(
    (tokens) => (names) =>
      tokens.map(({ token, source, metadata }, i) => ({
        name: names.of("event", eventNames[i]!),
        type: names.of("type", eventNames[i]!.toLowerCase()),
        ...(source === undefined ? {} : { source: names.of("source", "/here") }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(token === undefined ? {} : { correlationToken: names.of("token", token) }),
      })),
  );
