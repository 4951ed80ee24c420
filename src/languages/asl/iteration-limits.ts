import { binary, call, conditional, type Expression, literal, variable } from "../../expressions/index.ts";
import type { MapState } from "../../generated/asl-definition.ts";
import type { Tolerance, Width } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, sequence } from "../shared/steps.ts";
import { batchItems } from "./batches.ts";
import { freshVariable, type Writer } from "./context.ts";
import { checkReference, isJsonata, within } from "./data-flow.ts";
import { isProgram } from "./dialects.ts";
import { queryFailure, runtimeFailure } from "./failures.ts";
import { program } from "./intrinsic-functions.ts";
import { jsonataAt } from "./jsonata-values.ts";
import type { Path, PathRoots } from "./paths.ts";
import { wholeNumber } from "./seconds.ts";
import { type Field, pathAt, valueAt } from "./templates.ts";

/** How many iterations of a Map run at once and may fail, and the steps that compute it. */
export interface IterationLimits {
  readonly width: Width;
  readonly tolerates: Tolerance | undefined;
  steps(inner: Writer): StepFragment;
}

/** How many iterations Step Functions runs at once. */
const most = { inline: 40, distributed: 10_000 } as const;

/** The fields by which a Map tolerates failures, without those that are zero. */
export const toleranceKeys = (state: MapState): readonly string[] =>
  Object.keys(state).filter(
    (key) => /^ToleratedFailure(?:Count|Percentage)(?:Path)?$/.test(key) && valueAt({ owner: state, key }) !== 0,
  );

/** The limits of a Map over its selected input. */
export function iterationLimits(writer: Writer<MapState>, input: Expression, isDistributed: boolean): IterationLimits {
  const { state } = writer;
  const greatest = isDistributed ? most.distributed : most.inline;
  const unlimited = (count: Expression): Expression =>
    [0, greatest].reduce(
      (value, each) => conditional(binary(each === 0 ? "==" : ">", count, literal(each)), literal(greatest), value),
      count,
    );
  const made: ((inner: Writer) => StepFragment)[] = [];
  const steps = (inner: Writer): StepFragment => sequence(...made.map((make) => make(inner)));
  const failureOf = (key: string): Expression =>
    (isJsonata(writer) ? queryFailure : runtimeFailure)(`The value of ${key} is no number that is possible.`);
  const computed = (field: string, check: Check): Expression | undefined => {
    const key = isJsonata(writer) ? field : `${field}Path`;
    const limit = computedLimit(writer, input, key, (given) => check(given, failureOf(key)));
    if (limit) made.push(limit.steps);
    return limit?.value;
  };
  const value = computed("MaxConcurrency", (given, failure) =>
    within("count", wholeNumber(given, 0, failure), unlimited),
  );
  const { MaxConcurrency: given, ToleratedFailureCount: failures, ToleratedFailurePercentage: share } = state;
  const stated = typeof given === "number" && given > 0 ? Math.min(given, greatest) : greatest;
  const width = value ? { value, most: greatest } : stated;
  if (!isDistributed && toleranceKeys(state).length === 0) return { width, tolerates: undefined, steps };
  const numbered = (each: Expression): Expression => (isJsonata(writer) ? each : numberIn(each));
  const count = computed("ToleratedFailureCount", (each, failure) =>
    within("text", numbered(each), (number) => wholeNumber(number, 0, failure)),
  );
  const percentage = computed("ToleratedFailurePercentage", (each, failure) =>
    within("text", numbered(each), (number) => percentageOf(number, failure)),
  );
  const constant = (limit: unknown): number | undefined => (typeof limit === "number" && limit > 0 ? limit : undefined);
  const tolerates: Tolerance = {
    count: count ?? constant(failures),
    percentage: percentage ?? constant(share),
    // A batch fails as a whole, and each of its items counts.
    ...(state.ItemBatcher === undefined ? {} : { counted: batchItems }),
    error: {
      name: "States.ExceedToleratedFailureThreshold",
      message: "The specified tolerated failure threshold was exceeded",
    },
  };
  return { width, tolerates, steps };
}

type Check = (value: Expression, failure: Expression) => Expression;

/** A number; Step Functions also takes it in a string at some paths. */
export const numberIn = program(
  'if ($a | type) == "string" and ($a | test("^[0-9]{1,9}$")) then $a | tonumber else $a end',
);

const percentageOf: Check = (given, failure) => {
  const isNumber = binary("==", call("type", given), literal("number"));
  const isShare = call("and", binary(">=", given, literal(0)), binary("<=", given, literal(100)));
  const isPossible = conditional(isNumber, isShare, literal(false));
  return conditional(isPossible, given, failure);
};

/** A variable with the checked value of a path. */
function computedLimit(
  writer: Writer<MapState>,
  input: Expression,
  key: string,
  check: (value: Expression) => Expression,
): { readonly value: Expression; readonly steps: (inner: Writer) => StepFragment } | undefined {
  const field = { owner: writer.state, key };
  const stated = valueAt(field);
  if (stated === undefined || (isJsonata(writer) && !isProgram(stated))) return undefined;
  const path = isJsonata(writer) ? { value: jsonataAt({ writer }, field) } : referenceAt({ writer, input }, field);
  if (!path) return { value: literal(0), steps: () => noSteps };
  const name = freshVariable(writer, "limit");
  const value = within("limit", path.value, check);
  const steps = (inner: Writer): StepFragment =>
    assign(inner, "limit", spanOf(writer.context, writer.state, key), { variable: name, value });
  return { value: variable(name), steps };
}

function referenceAt(roots: PathRoots, field: Field): Path | undefined {
  const path = pathAt(roots, field);
  return path && checkReference(roots.writer, field, path) ? path : undefined;
}
