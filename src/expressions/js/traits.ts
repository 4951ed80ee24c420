import { effectsOf, outputs } from "../analysis/effects.ts";
import type { Binary, Call, Expression, Recurse, Update } from "../core/ast.ts";
import { formOf, isBinary, isUpdate } from "../core/views.ts";
import { childrenOf } from "../core/walk.ts";
import type { Writer } from "./writer.ts";

/** What the whole of an expression decides about its program. */
export function traitsOf(
  expression: Expression,
): Pick<Writer, "tracking" | "argumentsBreak" | "seesMessages" | "counts"> {
  const found = new Set<Trait>();
  collect(expression, found);
  return {
    tracking: found.has("functions") && found.has("paths"),
    argumentsBreak: found.has("functions") && found.has("breaks") && givesBreaks(expression),
    seesMessages: found.has("handlers"),
    counts: found.has("endless"),
  };
}

/** Functions that take functions; paths that are tracked; breaks; handlers of errors; loops whose length is not that of a value. */
type Trait = "functions" | "paths" | "breaks" | "handlers" | "endless";

function collect(expression: Expression, found: Set<Trait>): void {
  const trait = traitOf(expression);
  if (trait !== undefined) found.add(trait);
  if (isEndless(expression)) found.add("endless");
  for (const child of childrenOf(expression)) collect(child.expression, found);
}

function traitOf(expression: Expression): Trait | undefined {
  switch (expression.kind) {
    case "define":
      return expression.parameters.length > 0 ? "functions" : undefined;
    case "call":
      return ["path", "update"].includes(formOf(expression)?.name ?? "") ? "paths" : undefined;
    case "break":
      return "breaks";
    case "try":
      return expression.handler ? "handlers" : undefined;
    default:
      return undefined;
  }
}

/** Whether an expression loops other than over the parts of a value: a function may call itself, and a range may have any length. */
function isEndless(expression: Expression): boolean {
  if (expression.kind === "define") return true;
  if (expression.kind !== "call" || expression.isLocal) return false;
  if (expression.name === "recurse") return !isEverything(formOf(expression) as Recurse);
  return expression.name === "range" && !hasKnownLength(expression);
}

/** Whether a range has bounds that make it short. */
export const hasKnownLength = ({ args }: Call): boolean => args.every(isSmall);

/** `..` */
export const isEverything = ({ args: [body] }: Recurse): boolean =>
  body.kind === "iterate" && body.optional && body.source.kind === "identity";

const isSmall = (bound: Expression): boolean => bound.kind === "literal" && Math.abs(Number(bound.value)) <= 10_000;

/** Whether an expression has a break in it to a label around it. */
export function breaksOut(expression: Expression, inside: ReadonlySet<string> = new Set()): boolean {
  if (expression.kind === "break") return !inside.has(expression.name);
  const known = expression.kind === "label" ? new Set([...inside, expression.name]) : inside;
  return childrenOf(expression).some((child) => breaksOut(child.expression, known));
}

/** Whether a function that is given to a function in an expression may break to a label around it. */
export const givesBreaks = (expression: Expression): boolean =>
  (expression.kind === "call" && expression.isLocal && expression.args.some((argument) => breaksOut(argument))) ||
  childrenOf(expression).some((child) => givesBreaks(child.expression));

/**
 * Whether the update of a `reduce` makes a new state that alone references the parts that the fold created: these may
 * be changed in place, so that a loop over n values does not copy n states.
 */
export const keepsState = (update: Expression): boolean => isGrowth(update) || changeIn(update) !== undefined;

/** `. + E`, where E has nothing of the state. */
export const isGrowth = (update: Expression): update is Binary =>
  isBinary(update) &&
  update.name === "+" &&
  update.args[0].kind === "identity" &&
  outputs(update.args[1]) === "one" &&
  !effectsOf(update.args[1]).usesInput;

/** The change of one place, perhaps with variables bound that have nothing of the state. */
export function changeIn(update: Expression): Update | undefined {
  if (update.kind === "let") return effectsOf(update.value).usesInput ? undefined : changeIn(update.body);
  return isUpdate(update) && outputs(update.args[0]) !== "many" ? update : undefined;
}
