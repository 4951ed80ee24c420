import type { Expression } from "../../../core/ast.ts";
import { bind, variable } from "../../../core/build.ts";
import type { Signature } from "../builtins.ts";
import type { Call, Definition, Jq } from "../syntax.ts";
import { callsOf, isInlined } from "./counts.ts";
import {
  type Environment,
  find,
  followed,
  freshName,
  type Lowering,
  type Meaning,
  withFunction,
  withVariable,
} from "./environment.ts";
import { lowerBuiltin } from "./functions.ts";
import { lower } from "./query.ts";

/** `def f(…): B; R`: written in the places of its calls where it is small or called once, and there is nothing that would be written twice for it. */
export function lowerDefinition(definition: Definition, environment: Environment, lowering: Lowering): Expression {
  const { name, parameters, rest } = definition;
  const signature: Signature = `${name}/${parameters.length}`;
  if (callsOf(rest, signature) === 0) return lower(rest, environment, lowering);
  if (isInlined(definition))
    return lower(
      rest,
      withFunction(environment, signature, { kind: "inline", definition, environment: followed(environment) }),
      lowering,
    );
  const own = freshName(name, lowering);
  const inside = withFunction(environment, signature, { kind: "function", name: own });
  return {
    kind: "define",
    name: own,
    ...functionOf(definition, followed(inside), lowering),
    rest: lower(rest, inside, lowering),
  };
}

/** The parameters and the body of a function; those by value are evaluated first. */
function functionOf(
  { parameters, body }: Definition,
  inside: Environment,
  lowering: Lowering,
): { readonly parameters: readonly string[]; readonly body: Expression } {
  const names = parameters.map(({ name }) => freshName(name, lowering));
  const called = parameters.reduce(
    (known, { name }, i) => withFunction(known, `${name}/0`, { kind: "function", name: names[i]! }),
    inside,
  );
  return {
    parameters: names,
    body: withValues(parameters, (i) => ({ kind: "apply", name: names[i]!, args: [] }), body, called, lowering),
  };
}

/** A body with its parameters by value evaluated first, the first of them varying slowest. */
function withValues(
  parameters: Definition["parameters"],
  argument: (index: number) => Expression,
  body: Jq,
  environment: Environment,
  lowering: Lowering,
): Expression {
  const from = (index: number, known: Environment): Expression => {
    const parameter = parameters[index];
    if (!parameter) return lower(body, known, lowering);
    if (!parameter.byValue) return from(index + 1, known);
    const name = freshName(parameter.name, lowering);
    return bind(name, argument(index), from(index + 1, withVariable(known, parameter.name, variable(name))));
  };
  return from(0, environment);
}

/** A call: of a parameter, of a definition around it, or of a function that jq has. */
export function lowerCall(query: Call, environment: Environment, lowering: Lowering): Expression {
  const meaning = find(environment.functions, `${query.name}/${query.args.length}`);
  return meaning ? lowerMeaning(meaning, query, environment, lowering) : lowerBuiltin(query, environment, lowering);
}

function lowerMeaning(meaning: Meaning, { args }: Call, environment: Environment, lowering: Lowering): Expression {
  if (meaning.kind === "argument") return lower(meaning.query, meaning.environment, lowering);
  if (meaning.kind === "inline")
    return lowerInline(meaning.definition, meaning.environment, args, environment, lowering);
  return { kind: "apply", name: meaning.name, args: args.map((arg) => lower(arg, environment, lowering)) };
}

/** The body of a definition in the place of its call, with the arguments in the places of the parameters. */
export function lowerInline(
  { parameters, body }: Pick<Definition, "parameters" | "body">,
  definedIn: Environment,
  args: readonly Jq[],
  environment: Environment,
  lowering: Lowering,
): Expression {
  const inside = parameters.reduce(
    (known, { name }, i) => withFunction(known, `${name}/0`, { kind: "argument", query: args[i]!, environment }),
    definedIn,
  );
  return withValues(parameters, (i) => lower(args[i]!, environment, lowering), body, inside, lowering);
}
