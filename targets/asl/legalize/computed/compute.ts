import {
  binary,
  call,
  canFail,
  compileJavaScript,
  conditional,
  type Expression,
  firstOr,
  freeVariables,
  isRefusal,
  type JavaScriptProgram,
  literal,
  member,
  object,
  runtimeText,
  simplify,
  variable,
} from "../../../../src/expressions/index.ts";
import type { Assign, Call, Step } from "../../../../src/ir/workflow.ts";
import { expressionsFunction, freshId, inside, type Part, type Site, to } from "./site.ts";

/** Steps that compute an expression, and the variable that has its value when they are done. */
export interface Computation {
  readonly steps: readonly Step[];
  readonly value: Expression;
}

/**
 * Steps that have the function compute an expression for a step, and go on to `next`. The first has the id `id`; the last fails as the expression does.
 * Undefined for what JavaScript is not made of either, which is noted.
 */
export function compute(
  id: string,
  step: Step,
  expression: Expression,
  parts: readonly Part[],
  next: string,
  site: Site,
): Computation | undefined {
  const simple = simplify(expression);
  const variables = [...freeVariables(simple)].sort();
  const program = compileJavaScript(simple, { name: `expression${site.computed.length + 1}`, variables });
  if (isRefusal(program)) {
    for (const { span } of parts) site.impossible.push({ span, reason: program.refused });
    return undefined;
  }
  const names = plainNames(variables);
  const fails = canFail(simple) || raises(program);
  site.computed.push({ name: id, program, variables: names, canFail: fails, parts });
  return {
    steps: steps(id, step, argumentOf(id, program, names, site), fails, next, site),
    value: variable(valueIn(id)),
  };
}

/** Whether a program throws errors of expressions, be it by a limit. */
const raises = ({ helpers }: JavaScriptProgram): boolean => runtimeText(helpers).includes("class EvaluationError");

const valueIn = (id: string): string => `${id} value'`;

function steps(
  id: string,
  step: Step,
  argument: Expression,
  fails: boolean,
  next: string,
  site: Site,
): readonly Step[] {
  const answer = `${id} answer'`;
  site.declare(answer, valueIn(id));
  const taking: Assign = {
    kind: "assign",
    id: freshId(id, "value", site),
    ...inside(step),
    values: [
      {
        variable: valueIn(id),
        value: fails ? valueOrFailure(answer) : firstOr(member(variable(answer), "value"), literal(null)),
      },
    ],
    next: to(next, step),
  };
  const asking: Call = {
    kind: "call",
    id,
    origin: { ...step.origin, entry: step.origin.entry && id === step.id },
    span: step.span,
    function: to(expressionsFunction, step),
    argument,
    wait: true,
    retries: [],
    bind: answer,
    handlers: [],
    next: to(taking.id, step),
  };
  return [asking, taking];
}

/** The value in an answer of the function. Fails as its expression did. What lowering makes of an answer has all four members. */
function valueOrFailure(answer: string): Expression {
  const part = (name: string): Expression => firstOr(member(variable(answer), name), literal(null));
  const failure = object([
    ["name", part("name")],
    ["message", part("message")],
  ]);
  return conditional(binary("==", part("failed"), literal(true)), call("error", failure), part("value"));
}

/** What the function is called with: the name of an expression, and its variables. */
function argumentOf(name: string, { variables }: JavaScriptProgram, names: readonly string[], site: Site): Expression {
  const given = variables.map(
    (each, i) => [names[i]!, site.errors.has(each) ? errorOf(each) : variable(each)] as const,
  );
  return object([
    ["expression", literal(name)],
    ["variables", object(given)],
  ]);
}

/** An error that a variable holds, if it does yet, as expressions see it: a machine keeps null for data that it does not have. */
function errorOf(name: string): Expression {
  const part = (key: string): Expression => firstOr(member(variable(name), key), literal(null));
  const isNull = (key: string): Expression => binary("==", part(key), literal(null));
  const always = (["origin", "name", "message"] as const).map((key) => [key, part(key)] as const);
  const error = conditional(isNull("data"), object(always), object([...always, ["data", part("data")]]));
  return conditional(isNull("origin"), variable(name), error);
}

/** Names of variables as keys that are plain words, and different. */
function plainNames(variables: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return variables.map((name) => {
    const stem = name.replace(/\W+/g, "_").replace(/^[\d_]+|_+$/g, "") || "value";
    let plain = stem in {} ? `${stem}Value` : stem;
    for (let count = 2; taken.has(plain); count++) plain = `${stem}${count}`;
    taken.add(plain);
    return plain;
  });
}
