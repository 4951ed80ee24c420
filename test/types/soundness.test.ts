import fc from "fast-check";
import { expect, test } from "vitest";
import { infer, mayThrow } from "../../src/expressions/analysis/types.ts";
import type { Expression } from "../../src/expressions/core/ast.ts";
import { errorOf } from "../../src/expressions/core/failure.ts";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { fuelOf, storedType, typeOfValue, union } from "../../src/types/lattice.ts";
import { printType } from "../../src/types/print.ts";
import { nullType, type Type } from "../../src/types/type.ts";
import { core } from "../expressions/js/running.ts";
import { expression, names } from "../expressions/random.ts";
import { input, program } from "../expressions/random-jq.ts";
import { fits } from "./fits.ts";
import { typed } from "./random-schema.ts";
import { schemaType } from "./schemas.ts";

const seed = 20_260_713;

/** A value and its type. */
interface TypedValue {
  readonly value: Json;
  readonly type: Type;
}

const known: fc.Arbitrary<TypedValue> = typed.chain(({ schema, value }) =>
  value.map((each) => ({ value: each, type: schemaType(schema) })),
);

/** Outputs without the inferred type, and errors that were ruled out. */
function findViolations(
  expression: Expression,
  input: TypedValue,
  variables: ReadonlyMap<string, TypedValue>,
): readonly string[] {
  const types = new Map([...variables].map(([name, { type }]) => [name, type]));
  const { type, isNonEmpty: some } = infer(expression, { input: input.type, variables: types, fuel: fuelOf(20_000) });
  const values = new Map([...variables].map(([name, { value }]) => [name, value]));
  const outcome = outcomeOf(expression, input.value, values);
  const outputs = typeof outcome === "string" ? undefined : outcome;
  const isSure = !mayThrow(expression, { input: input.type, variables: types });
  const wanted = storedType(type);
  return [
    ...(outputs ?? [])
      .filter((output) => !fits(output, wanted))
      .map((output) => `${JSON.stringify(output)} is not ${printType(wanted)}`),
    ...(some && outputs?.length === 0 ? ["nothing came out"] : []),
    ...(isSure && outcome === "failed" ? ["it failed"] : []),
  ];
}

function outcomeOf(
  expression: Expression,
  input: Json,
  variables: ReadonlyMap<string, Json>,
): readonly Json[] | "failed" | "limited" {
  try {
    return evaluateAll(expression, { input, variables });
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return errorOf(error.value).name === "LimitError" ? "limited" : "failed";
  }
}

const variables = fc.tuple(known, known, known).map((given) => new Map(names.map((name, i) => [name, given[i]!])));
const nothing: TypedValue = { value: null, type: nullType };

test("values have the type of their schema", () => {
  fc.assert(
    fc.property(known, ({ value, type }) => fits(value, type)),
    { seed, numRuns: 1_000 },
  );
}, 60_000);

test("the outputs of an expression have the type inferred from its variables", () => {
  fc.assert(
    fc.property(expression, variables, known, (made, given, current) => {
      expect(findViolations(made, current, given)).toEqual([]);
    }),
    { seed, numRuns: 1_500 },
  );
}, 60_000);

test("the outputs of a jq program have the type inferred from its input", () => {
  fc.assert(
    fc.property(program, fc.array(input, { minLength: 1, maxLength: 3 }), (text, inputs) => {
      const type = union(...inputs.map(typeOfValue));
      const made = core(text);
      for (const value of inputs)
        expect({ text, findViolations: findViolations(made, { value, type }, new Map()) }).toEqual({
          text,
          findViolations: [],
        });
    }),
    { seed, numRuns: 1_000 },
  );
}, 60_000);

test("the same holds for unknown input", () => {
  fc.assert(
    fc.property(expression, fc.tuple(known, known, known), (made, given) => {
      const open = new Map(names.map((name, i) => [name, { value: given[i]!.value, type: { kind: "any" } as const }]));
      expect(findViolations(made, nothing, open)).toEqual([]);
    }),
    { seed, numRuns: 1_000 },
  );
}, 60_000);
