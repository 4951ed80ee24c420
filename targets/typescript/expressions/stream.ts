import { canFail, type Expression, factsOf, type Iterate, type Let } from "../../../src/expressions/index.ts";
import { type Environment, type Lines, unguarded, withInput, withoutLines, withVariable } from "./environment.ts";
import { standing } from "./hoist.ts";
import { itemName, linesIn } from "./item.ts";
import { isDefinite, writeNodes } from "./query.ts";
import { failsLate, isNothing, isSeparable, selectCondition, stagesOf } from "./stages.ts";
import { type OpenUse, unusedValue } from "./use.ts";
import { write, writeOne, writeTruth } from "./write.ts";
import { atom, inside, level, listed, type Written } from "./written.ts";

/** A list, and what is looked at in its elements. */
type List = Written & { readonly element?: OpenUse | undefined };

const array = { type: "array", isPresent: true } as const;

/** All outputs of an expression as an array. */
export function writeList(expression: Expression, outside: Environment): List | undefined {
  const environment = { ...outside, guards: undefined };
  if (factsOf(expression).outputs === "one") return writeSingle(expression, environment);
  const stages = stagesOf(expression);
  return stages.length > 1 ? writePiped(stages, environment) : writeWhole(expression, environment);
}

function writeWhole(expression: Expression, environment: Environment): List | undefined {
  switch (expression.kind) {
    case "iterate":
      return writeElements(expression, environment);
    case "query":
      return expression.segments.every(isDefinite)
        ? writeSingle(expression, environment)
        : writeNodes(expression, environment);
    case "comma":
      return writeSeveral(expression.items, environment);
    case "let":
      return writeNamed(expression, environment);
    case "if":
      return writeChosen(expression, environment);
    default:
      return factsOf(expression).outputs === "optional" ? writeSingle(expression, environment) : undefined;
  }
}

function writeElements({ source, optional }: Iterate, environment: Environment): List | undefined {
  if (factsOf(source).outputs === "many") return undefined;
  const value = writeOne(source, environment);
  return value && atom(`${environment.helper(optional ? "iteratedIf" : "iterated")}(${value.text})`, array);
}

/** One value, or none. */
function writeSingle(expression: Expression, environment: Environment): List | undefined {
  const value = write(expression, environment);
  if (!value) return undefined;
  if (value.isOptional) return atom(`${environment.helper("present")}(${value.text})`, array);
  return atom(listed("[", [inside(value, level.choice)], "]"), array);
}

function writeSeveral(items: readonly Expression[], environment: Environment): List | undefined {
  const parts: string[] = [];
  let current = environment;
  for (const item of items) {
    const isOne = factsOf(item).outputs === "one";
    const written = isOne ? writeOne(item, current) : writeList(item, current);
    if (!written) return undefined;
    if (canFail(item)) current = withoutLines(current);
    parts.push(`${isOne ? "" : "..."}${inside(written, level.choice)}`);
  }
  return atom(listed("[", parts, "]"), array);
}

function writeNamed({ name, value, body }: Let, environment: Environment): List | undefined {
  const named = standing(value, body, { kind: "variable", name }, environment);
  return named && writeList(body, withVariable(named.around, name, named.written));
}

function writeChosen(
  { condition, then, otherwise }: Extract<Expression, { kind: "if" }>,
  environment: Environment,
): List | undefined {
  const test = writeTruth(condition, environment);
  const yes = test && writeList(then, unguarded(environment));
  const no = yes && (isNothing(otherwise) ? atom("[]") : writeList(otherwise, unguarded(environment)));
  return no && choice(test, yes, no);
}

const choice = (test: Written, yes: Written, no: Written): List => ({
  text: `${inside(test, level.nullish)} ? ${inside(yes, level.choice)} : ${inside(no, level.choice)}`,
  level: level.choice,
  ...array,
});

/** `A | B | …`: B for each element of A, and so on; with one value of A, B for that. */
function writePiped(stages: readonly Expression[], environment: Environment): List | undefined {
  const [first, ...rest] = stages as [Expression, ...Expression[]];
  if (factsOf(first).outputs === "one") {
    const value = standing(first, piped(rest), { kind: "input" }, environment);
    return value && writeList(piped(rest), withInput(value.around, value.written));
  }
  const condition = selectCondition(first);
  if (condition) {
    const test = writeTruth(condition, environment);
    const list = test && writeList(piped(rest), unguarded(environment));
    return list && choice(test, list, atom("[]"));
  }
  const list =
    failsLate(first) && rest.some((stage) => factsOf(stage).canFail) ? undefined : writeList(first, environment);
  return list && writeStages(list, rest, environment);
}

const piped = (stages: readonly Expression[]): Expression =>
  stages.reduceRight((right, left) => ({ kind: "pipe", left, right }));

/** What is done for each element: `map`, `filter`, or `flatMap` where an element gives none or several. */
function writeStages(list: List, stages: readonly Expression[], environment: Environment): List | undefined {
  const [stage, ...rest] = stages;
  if (!stage) return list;
  const isAlone = rest.length === 0 || isSeparable(stages);
  const done = isAlone ? stage : piped(stages);
  const next = writeStage(list, done, environment);
  return next && isAlone ? writeStages(next, rest, environment) : next;
}

function writeStage(list: List, stage: Expression, environment: Environment): List | undefined {
  const element = list.element ?? unusedValue();
  const name = itemName(stage, environment);
  const lines = linesIn(stage, name, environment);
  const inner = { ...withInput(environment, atom(name, { use: list.element ? element : undefined })), lines };
  const text = inside(list, level.member);
  const condition = selectCondition(stage);
  if (condition) {
    const test = writeTruth(condition, inner);
    return test && { ...atom(`${text}.filter(${lambda(name, test, lines)})`, array), element: list.element };
  }
  const isOne = factsOf(stage).outputs === "one";
  const body = isOne ? writeOne(stage, inner) : writeList(stage, inner);
  return body && atom(`${text}.${isOne ? "map" : "flatMap"}(${lambda(name, body, lines)})`, array);
}

function lambda(name: string, body: Written, { texts }: Lines): string {
  if (texts.length > 0) return `(${name}) => {\n${texts.join("\n")}\nreturn ${body.text};\n}`;
  return `(${name}) => ${body.text.startsWith("{") ? `(${body.text})` : inside(body, level.choice)}`;
}
