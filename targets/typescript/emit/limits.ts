import type { Expression } from "../../../src/expressions/index.ts";
import { retriesOf } from "../../../src/ir/walk.ts";
import type { Backoff, Retry, Step } from "../../../src/ir/workflow.ts";
import { writeLiteral } from "../expressions/literal.ts";
import { atom, inside, level, listed } from "../expressions/written.ts";
import { errorUse } from "./known.ts";
import { conditionAt, type Place } from "./place.ts";

/** The limits of a step as the last argument of its call; none where it has none. */
export const limits = (step: Step, place: Place): readonly string[] => options(limitMembers(step, place));

/** Members as an object for the last argument; nothing where there are none. */
export const options = (members: readonly string[]): readonly string[] =>
  members.length === 0 ? [] : [listed("{", members, "}", " ")];

/** The limits of a step as members of an object. */
export function limitMembers(step: Step, place: Place): readonly string[] {
  const timeout = "timeout" in step && step.timeout !== undefined ? [`timeout: ${number(step.timeout)}`] : [];
  const retries = retriesOf(step).map((retry) => retryText(retry, step.id, place));
  return [...timeout, ...(retries.length === 0 ? [] : [`retries: ${listed("[", retries, "]")}`])];
}

function retryText({ when, limit, delay }: Retry, step: string, place: Place): string {
  const isAlways = when.kind === "literal" && when.value === true;
  return listed(
    "{",
    [...(isAlways ? [] : [`when: ${conditionText(when, step, place)}`]), `limit: ${limit}`, ...backoffMembers(delay)],
    "}",
    " ",
  );
}

/** A condition on the error, as a function. */
function conditionText(when: Expression, step: string, place: Place): string {
  const name = place.names.inner().fresh("error");
  const test = conditionAt(place, step, when, new Map([["error", atom(name, { use: errorUse, isPresent: true })]]));
  return `(${name}) => ${inside(test, level.choice)}`;
}

function backoffMembers({ base, factor, step, cap, jitter }: Backoff): readonly string[] {
  return [
    ...(base === 0 ? [] : [`base: ${number(base)}`]),
    ...(factor === 1 ? [] : [`factor: ${number(factor)}`]),
    ...(step === 0 ? [] : [`step: ${number(step)}`]),
    ...(cap === undefined ? [] : [`cap: ${number(cap)}`]),
    ...(jitter === undefined ? [] : [`jitter: { ${jitter.kind}: ${number(jitter.amount)} }`]),
  ];
}

const number = (value: number): string => writeLiteral(value)!.text;
