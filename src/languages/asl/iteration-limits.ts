import { binary, call, conditional, type Expression, literal, variable } from "../../expressions/index.ts";
import type { MapState } from "../../generated/asl-definition.ts";
import type { Tolerance, Width } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { freshVariable, type Writer } from "./context.ts";
import { checkReference, within } from "./data-flow.ts";
import { runtimeFailure } from "./failures.ts";
import { program } from "./intrinsic-functions.ts";
import { wholeNumber } from "./seconds.ts";
import { pathAt, valueAt } from "./templates.ts";

/** How many iterations of a Map run at once and may fail, and the steps that compute it. */
export interface IterationLimits {
  readonly width: Width;
  readonly tolerates: Tolerance | undefined;
  readonly steps: StepFragment;
}

/** How many iterations Step Functions runs at once. */
const most = { inline: 40, distributed: 10_000 } as const;

/** The limits of a Map over its selected input. */
export function iterationLimits(writer: Writer<MapState>, input: Expression, isDistributed: boolean): IterationLimits {
  const { state } = writer;
  const greatest = isDistributed ? most.distributed : most.inline;
  const unlimited = (count: Expression): Expression =>
    [0, greatest].reduce(
      (value, each) => conditional(binary(each === 0 ? "==" : ">", count, literal(each)), literal(greatest), value),
      count,
    );
  const steps: StepFragment[] = [];
  const computed = (key: string, check: (value: Expression) => Expression): Expression | undefined => {
    const limit = computedLimit(writer, input, key, check);
    if (limit) steps.push(limit.steps);
    return limit?.value;
  };
  const concurrency = "MaxConcurrencyPath";
  const value = computed(concurrency, (given) =>
    within("count", wholeNumber(given, 0, notCounted(concurrency)), unlimited),
  );
  const { MaxConcurrency: given, ToleratedFailureCount: failures, ToleratedFailurePercentage: share } = state;
  const stated = typeof given === "number" && given > 0 ? Math.min(given, greatest) : greatest;
  const width = value ? { value, most: greatest } : stated;
  if (!isDistributed) return { width, tolerates: undefined, steps: sequence(...steps) };
  const count = computed("ToleratedFailureCountPath", (each) =>
    within("text", numberIn(each), (number) => wholeNumber(number, 0, notCounted("ToleratedFailureCountPath"))),
  );
  const percentage = computed("ToleratedFailurePercentagePath", (each) => within("text", numberIn(each), percentageOf));
  const constant = (limit: unknown): number | undefined => (typeof limit === "number" && limit > 0 ? limit : undefined);
  const tolerates: Tolerance = {
    count: count ?? constant(failures),
    percentage: percentage ?? constant(share),
    error: {
      name: "States.ExceedToleratedFailureThreshold",
      message: "The specified tolerated failure threshold was exceeded",
    },
  };
  return { width, tolerates, steps: sequence(...steps) };
}

const notCounted = (key: string): string => `The value of ${key} is no number that is possible.`;

/** Step Functions also takes numbers in strings here. */
const numberIn = program('if ($a | type) == "string" and ($a | test("^[0-9]{1,9}$")) then $a | tonumber else $a end');

const percentageOf = (given: Expression): Expression => {
  const isNumber = binary("==", call("type", given), literal("number"));
  const isShare = call("and", binary(">=", given, literal(0)), binary("<=", given, literal(100)));
  const isPossible = conditional(isNumber, isShare, literal(false));
  return conditional(isPossible, given, runtimeFailure(notCounted("ToleratedFailurePercentagePath")));
};

/** A variable with the checked value of a path. */
function computedLimit(
  writer: Writer<MapState>,
  input: Expression,
  key: string,
  check: (value: Expression) => Expression,
): { readonly value: Expression; readonly steps: StepFragment } | undefined {
  const field = { owner: writer.state, key };
  if (valueAt(field) === undefined) return undefined;
  const path = pathAt({ writer, input }, field);
  if (!path || !checkReference(writer, field, path)) return { value: literal(0), steps: noSteps };
  const name = freshVariable(writer, "limit");
  const value = within("limit", path.value, check);
  const steps = assign(writer, "limit", spanOf(writer.context, writer.state, key), { variable: name, value });
  return { value: variable(name), steps };
}
