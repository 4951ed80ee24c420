import {
  binary,
  bind,
  call,
  collect,
  conditional,
  type Expression,
  firstOr,
  literal,
  variable,
} from "../../../expressions/index.ts";
import { spanOf } from "../context.ts";
import { secondsAt } from "../data/durations.ts";
import { data, pathAt } from "../data/paths.ts";
import { placed } from "../data/results.ts";
import type { ForEachState, State } from "../definition.ts";
import { iterationChanges, placeNeeded } from "../diagnostics/kinds.ts";
import { assignData, type Fragment, sequence, step } from "../fragments.ts";
import { lowerScope } from "../scope.ts";
import { declare, type Writer } from "../writer.ts";

/** A foreach state runs its states for each element of a collection, on copies of the data with the element in it; what the iterations give can be put into the data as a list. */
export function forEach(writer: Writer, state: ForEachState): Fragment {
  const { context } = writer;
  const items = itemsOf(writer, state);
  const output = state.outputCollection === undefined ? undefined : placeAt(writer, state, "outputCollection");
  const scope = iterationOf(writer, state, output !== undefined);
  const gap = state.timeDelay === undefined ? undefined : secondsAt(context, state, "timeDelay");
  const results = output ? declare(writer, "results") : undefined;
  const common = {
    items,
    element: "element",
    scope,
    width: state.max || undefined,
    gap,
    retries: [],
    handlers: [],
    bind: results,
  } as const;
  const iterated = step(writer, "iterate", spanOf(context, state, "inputCollection"), (base, next) => ({
    ...base,
    kind: "foreach",
    ...common,
    next,
  }));
  if (!output) return iterated;
  const span = spanOf(context, state, "outputCollection");
  return sequence(iterated, assignData(writer, "collect", span, placed(data, output, variable("results"))));
}

/** The elements: none where the collection is missing; a collection that is no array is an error. */
function itemsOf({ context }: Writer, state: ForEachState): Expression {
  const path = pathAt(context, state, "inputCollection", data);
  if (!path) return literal([]);
  if (!path.definite) return collect(path.query);
  const items = variable("items");
  const message = `The collection ${state.inputCollection} of foreach state ${state.name} is not an array.`;
  const refused = call("error", literal({ name: "DataError", message }));
  const checked = conditional(binary("==", call("type", items), literal("array")), items, refused);
  return bind("items", firstOr(path.query, literal([])), checked);
}

/** The names of a path that has to be a place in the data. */
function placeAt(
  { context }: Writer,
  state: ForEachState,
  key: "inputParameter" | "outputCollection",
): readonly string[] | undefined {
  const path = pathAt(context, state, key, data);
  if (path && !path.chain) context.report(placeNeeded(spanOf(context, state, key), { path: state[key]! }));
  return path?.chain;
}

/** An iteration's states. Where their output is collected, states without an output filter give only what the iteration has changed. */
function iterationOf(writer: Writer, state: ForEachState, collected: boolean) {
  const { context, scope } = writer;
  const plan = scope.plan.inner.get(state)!;
  const input = placed(data, placeAt(writer, state, "inputParameter") ?? [], variable("element"));
  const value = (declareInput: () => void) => (last: State) => {
    if (!collected || last.stateDataFilter?.dataOutputPath !== undefined) return data;
    context.report(iterationChanges(spanOf(context, last, "name"), { state: last.name }));
    declareInput();
    return call("changes", data, variable("input"));
  };
  return lowerScope(context, plan, {
    variables: [["data", input]],
    value: (variables) => value(() => variables.set("input", input)),
  });
}
