import { createHash } from "node:crypto";
import type { Expression, JsonataOptions } from "jsonata";
import type { Json } from "../../../../src/json.ts";

/** An evaluation of an expression: its bindings, and its result unless it failed or gave nothing. */
export interface Evaluation {
  readonly expression: string;
  readonly bindings: { readonly [name: string]: Json };
  readonly result?: Json;
}

type Jsonata = (text: string, options?: JsonataOptions) => Expression;

/** Functions whose results differ between evaluations, or that only AWS has. */
const notComparable = /\$(?:hash|uuid|partition|range|random|now|millis)\(/;

/** Wraps JSONata so that each distinct evaluation is added to `evaluations`, by its hash. */
export function recordEvaluations(jsonata: Jsonata, evaluations: Map<string, Evaluation>): Jsonata {
  return (text, options) => {
    const expression = jsonata(text, options);
    if (notComparable.test(text)) return expression;
    const evaluate = expression.evaluate.bind(expression) as (input: unknown, bindings: object) => Promise<unknown>;
    const recorded = async (input: unknown, bindings: object): Promise<unknown> => {
      const read = readBindings(text, bindings);
      let value: unknown;
      try {
        value = await evaluate(input, bindings);
        return value;
      } finally {
        const evaluation = { expression: text, bindings: read, ...(isJson(value) ? { result: asJson(value) } : {}) };
        evaluations.set(hashOf(evaluation), evaluation);
      }
    };
    return Object.assign(expression, { evaluate: recorded });
  };
}

/** The bindings that an expression may read: of `$states`, only the members that it names. */
function readBindings(text: string, bindings: object): Evaluation["bindings"] {
  const all = asJson(Object.fromEntries(Object.entries(bindings).filter(([, value]) => typeof value !== "function")));
  const { states, ...variables } = all as { readonly [name: string]: { readonly [member: string]: Json } };
  const named = Object.entries(states ?? {}).filter(([member]) => text.includes(`$states.${member}`));
  const used = Object.entries(variables).filter(([name]) => text.includes(`$${name}`));
  return { ...Object.fromEntries(used), states: Object.fromEntries(named) };
}

const isJson = (value: unknown): boolean => value !== undefined && typeof value !== "function";

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Identifies an evaluation and its result in 10 hexadecimal digits. */
export const hashOf = (evaluation: Evaluation): string =>
  createHash("sha256").update(JSON.stringify(evaluation)).digest("hex").slice(0, 10);
