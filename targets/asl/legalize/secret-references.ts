import {
  call,
  canFail,
  childrenOf,
  collect,
  comma,
  conditional,
  type Expression,
  effectsOf,
  freeVariables,
  literal,
  object,
  outputs,
  query,
  simplify,
  substitute,
  textParts,
  variable,
  withChildren,
} from "../../../src/expressions/index.ts";
import { mapScopes, stepsOf } from "../../../src/ir/walk.ts";
import type { Call, SecretRead, Step, Workflow } from "../../../src/ir/workflow.ts";
import type { SecretName, SecretPlace } from "../runtime/secrets.ts";

/**
 * Replaces secrets in what calls send by references, which the called function resolves: the history of an execution
 * contains the input and output of every state.
 *
 *   { token: $secret, text: "Bearer " + $secret }
 *   → { token: { "$secret": … }, text: { "$concat": ["Bearer ", { "$secret": … }] } }
 */
export function referToSecrets<W extends Workflow>(workflow: W): W {
  if (!stepsOf(workflow).some(readsSecrets)) return workflow;
  return mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(withReferences) }));
}

/** Whether a step is a call that sends secrets. */
export const readsSecrets = (step: Step): step is Call => step.kind === "call" && (step.secrets?.length ?? 0) > 0;

function withReferences(step: Step): Step {
  if (!readsSecrets(step)) return step;
  const { secrets, ...rest } = step;
  return { ...rest, argument: simplify(secretReferences(step)!.argument) };
}

/** An argument with references, and where they are. */
export interface ReferencingArgument {
  readonly argument: Expression;
  readonly places: readonly SecretPlace[];
}

/** The argument of a call with references; undefined if it uses a secret other than as a string or a part of one. */
export function secretReferences({ argument, secrets = [] }: Call): ReferencingArgument | undefined {
  const names = new Map(secrets.map((read) => [read.bind, nameOf(read)] as const));
  const texts = new Map([...names.keys()].map((name) => [name, call("tostring", variable(name))] as const));
  const places: SecretPlace[] = [];
  const found = rewrite(simplify(substitute(argument, texts)), [], { names, places });
  return found && { argument: found, places };
}

/** The places of references in the arguments of each function. */
export function secretPlaces(workflow: Workflow): ReadonlyMap<string, readonly SecretPlace[]> {
  const found = new Map<string, readonly SecretPlace[]>();
  for (const step of stepsOf(workflow).filter(readsSecrets)) {
    const { name } = step.function;
    found.set(name, [...(found.get(name) ?? []), ...(secretReferences(step)?.places ?? [])]);
  }
  return found;
}

const nameOf = ({ id, key, version }: SecretRead): SecretName =>
  version === undefined ? { id, key } : { id, key, version };

const referenceTo = ({ id, key, version }: SecretName): Expression =>
  literal({ $secret: { id, key, ...(version === undefined ? {} : { version }) } });

interface Rewriting {
  readonly names: ReadonlyMap<string, SecretName>;
  readonly places: SecretPlace[];
}

function rewrite(expression: Expression, path: SecretPlace["path"], context: Rewriting): Expression | undefined {
  if (!usesSecret(expression, context)) return expression;
  const text = rewriteText(expression, path, context);
  if (text) return text;
  switch (expression.kind) {
    case "object":
      return rewriteObject(expression, path, context);
    case "array":
      return rewriteArray(expression, path, context);
    case "if": {
      if (usesSecret(expression.condition, context)) return undefined;
      const [then, otherwise] = [expression.then, expression.otherwise].map((each) => rewrite(each, path, context));
      return then && otherwise && conditional(expression.condition, then, otherwise);
    }
    case "let": {
      const { name, value, body } = expression;
      if (outputs(value) !== "one") return undefined;
      if (usesSecret(value, context)) {
        const projected = projectMembers(body, name, membersOf(value));
        return rewrite(simplify(substitute(projected, new Map([[name, value]]))), path, context);
      }
      const inner = rewrite(body, path, context);
      return inner && { ...expression, body: inner };
    }
    default:
      return undefined;
  }
}

/** The members of an object construction that cannot fail, by name; empty for other expressions. */
function membersOf(value: Expression): ReadonlyMap<string, Expression> {
  if (value.kind !== "object" || canFail(value)) return new Map();
  const members = value.entries.map(({ key, value: member }) => [key, member] as const);
  const named = members.flatMap(([key, member]) =>
    key.kind === "literal" && typeof key.value === "string" && outputs(member) === "one"
      ? [[key.value, member] as const]
      : [],
  );
  return named.length === members.length ? new Map(named) : new Map();
}

/**
 * Replaces members of a variable by their values, so that one without a secret does not read those with one. Parts where
 * the values would have another meaning are left.
 */
function projectMembers(expression: Expression, name: string, members: ReadonlyMap<string, Expression>): Expression {
  const captured = new Set([name, ...[...members.values()].flatMap((each) => [...freeVariables(each)])]);
  const project = (part: Expression): Expression =>
    memberRead(part, name, members) ??
    withChildren(
      part,
      childrenOf(part).map(({ expression: inner, rebindsInput, boundVariable }) =>
        rebindsInput || (boundVariable !== undefined && captured.has(boundVariable)) ? inner : project(inner),
      ),
    );
  return project(expression);
}

function memberRead(
  expression: Expression,
  name: string,
  members: ReadonlyMap<string, Expression>,
): Expression | undefined {
  const isVariable = (source: Expression): boolean => source.kind === "variable" && source.name === name;
  if (expression.kind === "access" && isVariable(expression.source) && expression.key.kind === "literal")
    return typeof expression.key.value === "string" ? members.get(expression.key.value) : undefined;
  if (expression.kind !== "query" || !isVariable(expression.source)) return undefined;
  const [segment, ...rest] = expression.segments;
  const [selector, ...others] = segment?.descend ? [] : (segment?.selectors ?? []);
  const found = selector?.kind === "name" && others.length === 0 ? members.get(selector.name) : undefined;
  return found && (rest.length === 0 ? found : query(found, rest));
}

function rewriteObject(
  { entries }: Extract<Expression, { readonly kind: "object" }>,
  path: SecretPlace["path"],
  context: Rewriting,
): Expression | undefined {
  const rewritten: (readonly [string, Expression])[] = [];
  for (const { key, value } of entries) {
    if (key.kind !== "literal" || typeof key.value !== "string" || outputs(value) !== "one") return undefined;
    const inner = rewrite(value, [...path, key.value], context);
    if (!inner) return undefined;
    rewritten.push([key.value, inner]);
  }
  return object(rewritten);
}

function rewriteArray(
  { items }: Extract<Expression, { readonly kind: "array" }>,
  path: SecretPlace["path"],
  context: Rewriting,
): Expression | undefined {
  const written = items?.kind === "comma" ? items.items : items ? [items] : [];
  if (!written.every((each) => outputs(each) === "one")) return undefined;
  const rewritten = written.map((each, index) => rewrite(each, [...path, index], context));
  const known = rewritten.filter((each) => each !== undefined);
  if (known.length < rewritten.length) return undefined;
  return collect(known.length === 1 ? known[0] : comma(...known));
}

/** A secret, or a string with some. */
function rewriteText(expression: Expression, path: SecretPlace["path"], context: Rewriting): Expression | undefined {
  const secrets: SecretName[] = [];
  const parts = textOperands(expression, context).map((part) => rewritePart(part, secrets, context));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  context.places.push({ path, secrets });
  return known.length === 1 ? known[0] : object([["$concat", collect(comma(...known))]]);
}

/** A string without secrets, a reference, or a choice between such. */
function rewritePart(part: Expression, secrets: SecretName[], context: Rewriting): Expression | undefined {
  const text = withoutToString(part, context);
  if (!usesSecret(text, context)) return part;
  if (text.kind === "variable") {
    const name = context.names.get(text.name)!;
    secrets.push(name);
    return referenceTo(name);
  }
  if (text.kind !== "if" || usesSecret(text.condition, context)) return undefined;
  const [then, otherwise] = [text.then, text.otherwise].map((each) => rewritePart(each, secrets, context));
  return then && otherwise && conditional(text.condition, then, otherwise);
}

/** The operands of nested sums of strings. */
function textOperands(expression: Expression, context: Rewriting): readonly Expression[] {
  const text = withoutToString(expression, context);
  return textParts(text)?.flatMap((part) => textOperands(part, context)) ?? [text];
}

/** `tostring` leaves strings unchanged. Variables are secrets here, or values that have to be converted. */
function withoutToString(expression: Expression, { names }: Pick<Rewriting, "names">): Expression {
  let current = expression;
  while (current.kind === "call" && current.name === "tostring") {
    const inner = current.args[0]!;
    const isText = inner.kind === "variable" ? names.has(inner.name) : effectsOf(inner).type === "string";
    if (!isText) break;
    current = inner;
  }
  return current;
}

const usesSecret = (expression: Expression, { names }: Pick<Rewriting, "names">): boolean =>
  [...freeVariables(expression)].some((name) => names.has(name));
