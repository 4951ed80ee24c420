import type { Step } from "../ir/workflow.ts";
import { equalJson } from "../json.ts";
import type { Difference } from "./compare.ts";
import type { Expectation, TaskOrder } from "./model.ts";
import type { Recording } from "./recording.ts";

/**
 * The differences between the order in which a run executed constructs of its definition and the expected order. A
 * construct is active whenever one of its steps begins. Executors that report no steps are not compared.
 */
export function taskDifferences(expected: TaskOrder | undefined, recording: Recording): readonly Difference[] {
  if (!expected || recording.recent.size === 0) return [];
  const begun = namesOf([...recording.entered].filter((part): part is Step => "kind" in part));
  const last = namesOf([...recording.recent].toReversed())[0];
  const { order = [] } = expected;
  return [
    ...difference("tasks.first", expected.first, begun[0]),
    ...difference("tasks.last", expected.last, last),
    ...order.flatMap((pair, i) => {
      const ran = begun.filter((name) => pair.includes(name));
      const isMet = pair[0] !== pair[1] && ran.length === 2 && ran[0] === pair[0];
      return isMet ? [] : [{ what: `tasks.order[${i}]`, expected: [...pair], got: ran }];
    }),
  ];
}

/** The difference between the names of the constructs that a run entered and the expected ones. */
export function traceDifferences(
  { trace: expected, ordered }: Pick<Expectation, "trace" | "ordered">,
  { trace, recent }: Recording,
): readonly Difference[] {
  if (!expected || recent.size === 0) return [];
  const inOrder = (names: readonly string[]): readonly string[] => (ordered ? names : names.toSorted());
  return equalJson(inOrder(expected), inOrder(trace))
    ? []
    : [{ what: "trace", expected: [...expected], got: [...trace] }];
}

const difference = (what: string, expected: string | undefined, got: string | undefined): readonly Difference[] =>
  expected === undefined || expected === got ? [] : [{ what, expected, got }];

/** The distinct names of the constructs of steps; parts of a definition that no transition leads to are none. */
function namesOf(steps: readonly Step[]): readonly string[] {
  const nouns = new Set(steps.filter(({ origin }) => origin.entry).map(({ origin }) => keyOf(origin)));
  return [...new Set(steps.flatMap(({ origin }) => (nouns.has(keyOf(origin)) ? [origin.name] : [])))];
}

const keyOf = ({ noun, name }: Step["origin"]): string => JSON.stringify([noun, name]);
