// handlers-within-parallel 1.0, from sm4c. Change the definition, not this file.
import {
  oneByOneChanges3,
  sideBySideChanges,
  sideBySideJudge,
  sideBySideParallel2,
  sideBySideRaise,
} from "./handlers-within-parallel.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  elementsOf,
  errorOf,
  failure,
  get,
  length,
  listIn,
  plus,
  slice,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: Json, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly log?: Json;
  readonly items?: Json;
  readonly [member: string]: Json | undefined;
};

/** handlers-within-parallel */
export const handlersWithinParallel = defineWorkflow({
  id: "handlers-within-parallel",
  version: "d524b6dd9e70dc1e",
  name: "handlers-within-parallel",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let result!: Json;
    let rest!: Json;
    let results!: Json;
    let gathered!: Json;
    sideBySideMerge: {
      // Side by side (state)
      try {
        await flow.attempt("Side by side", async (flow) => {
          const sideBySideOutcomes = await flow.fork("Side by side/parallel", {
            slow: (flow) => sideBySideParallelSlow(flow, fn, data),
            quick: (flow) => sideBySideParallelQuick(flow, fn, data),
          });
          data = sideBySideChanges(data, sideBySideOutcomes) as Data;
          if (sideBySideJudge(sideBySideOutcomes) === true) {
            throw errorOf(sideBySideRaise(sideBySideOutcomes));
          }
          result = sideBySideParallel2(sideBySideOutcomes);
        });
      } catch (caught) {
        const error = failure(caught);
        {
          const value2 = [plus("all ", error.name)];
          data = withMember(data, "log", plus(data.log ?? null, value2));
        }
        result = null;
        break sideBySideMerge;
      }
    }
    data = withMember(data, "side", result);
    oneByOneMerge: {
      // One by one (state)
      try {
        await flow.attempt("One by one", async (flow) => {
          {
            const items = data.items ?? null;
            rest = listIn(items, {
              name: "SM4C.NotAnArray",
              message: "The input of a foreach action has to give an array.",
            });
          }
          results = [];
          gathered = [];
          while (true) {
            ({ data, rest, gathered, results } = await flow.round("One by one/test", {
              data,
              rest,
              gathered,
              results,
            }));
            if (length(rest) > 0) {
              const oneByOneOutcomes = await flow.forEach(
                "One by one/each-2",
                slice(rest, null, 1) as readonly Json[],
                (flow, element) => oneByOneEach2(flow, fn, element),
                { width: 1 },
              );
              gathered = plus(
                gathered,
                elementsOf(oneByOneOutcomes).flatMap((item) => elementsOf(get(item, "changes"))),
              );
              results = plus(
                results,
                elementsOf(oneByOneOutcomes).map((item) => get(item, "result")),
              );
              rest = slice(rest, 1, null);
              if (sideBySideJudge(oneByOneOutcomes) === true) {
                data = oneByOneChanges3(data, gathered) as Data;
                throw errorOf(sideBySideRaise(oneByOneOutcomes));
              }
            } else {
              break;
            }
          }
          data = oneByOneChanges3(data, gathered) as Data;
          result = results;
        });
      } catch (caught) {
        failure(caught);
        data = withMember(data, "log", plus(get(data, "log"), ["over"]));
        result = null;
        break oneByOneMerge;
      }
    }
    data = withMember(data, "each", result);
    return data;
  },
});

/** Side by side / slow */
async function sideBySideParallelSlow(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let changes: Json = [];
  let result2!: Json;
  let result!: Json;
  try {
    await flow.attempt("Side by side/attempt", async (flow) => {
      await flow.sleep("Side by side/pause", 2);
      sideBySideResult: {
        try {
          result2 = (await flow.step("Side by side/a", (step) =>
            fn.check({ at: "slow", log: data.log ?? null }, step),
          )) as Json;
        } catch (caught) {
          const error = failure(caught);
          if (error.name !== "Odd") throw caught;
          changes = plus(changes, [{ handler: 0, error }]);
          result2 = null;
          break sideBySideResult;
        }
      }
      result = { pause: null, a: result2 };
    });
  } catch (caught) {
    const error = failure(caught);
    return { failure: error, changes };
  }
  return { result, changes };
}

/** Side by side / quick */
async function sideBySideParallelQuick(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  let changes: Json = [];
  let result2!: Json;
  let result!: Json;
  try {
    await flow.attempt("Side by side/attempt-2", async (flow) => {
      sideBySideResult2: {
        try {
          result2 = (await flow.step("Side by side/quick", (step) =>
            fn.check({ at: "quick", log: data.log ?? null }, step),
          )) as Json;
        } catch (caught) {
          const error = failure(caught);
          if (error.name !== "Odd") throw caught;
          changes = plus(changes, [{ handler: 1, error }]);
          result2 = null;
          break sideBySideResult2;
        }
      }
      result = result2;
    });
  } catch (caught) {
    const error = failure(caught);
    return { failure: error, changes };
  }
  return { result, changes };
}

/** One by one, for each element */
async function oneByOneEach2(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  let changes: Json = [];
  let rest!: Json;
  let results!: Json;
  let gathered!: Json;
  let result!: Json;
  try {
    await flow.attempt("attempt", async (flow) => {
      rest = listIn(get(element, "parts"), {
        name: "SM4C.NotAnArray",
        message: "The input of a foreach action has to give an array.",
      });
      results = [];
      gathered = [];
      while (true) {
        ({ rest, gathered, results, changes } = await flow.round("test-2", {
          rest,
          gathered,
          results,
          changes,
        }));
        if (length(rest) > 0) {
          const oneByOneOutcomes = await flow.forEach(
            "each",
            slice(rest, null, 2) as readonly Json[],
            (flow, element2) => oneByOneEach(flow, fn, element2),
            { width: 2 },
          );
          gathered = plus(
            gathered,
            elementsOf(oneByOneOutcomes).flatMap((item) => elementsOf(get(item, "changes"))),
          );
          results = plus(
            results,
            elementsOf(oneByOneOutcomes).map((item) => get(item, "result")),
          );
          rest = slice(rest, 2, null);
          if (sideBySideJudge(oneByOneOutcomes) === true) {
            changes = plus(changes, gathered);
            throw errorOf(sideBySideRaise(oneByOneOutcomes));
          }
        } else {
          break;
        }
      }
      changes = plus(changes, gathered);
      result = results;
    });
  } catch (caught) {
    const error = failure(caught);
    return { failure: error, changes };
  }
  return { result, changes };
}

/** One by one, for each element */
async function oneByOneEach(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  let changes: Json = [];
  let result2!: Json;
  let result!: Json;
  try {
    await flow.attempt("attempt-2", async (flow) => {
      oneByOneResult: {
        try {
          result2 = (await flow.step("check", (step) => fn.check({ part: element }, step))) as Json;
        } catch (caught) {
          const error = failure(caught);
          if (error.name !== "Odd") throw caught;
          changes = plus(changes, [{ handler: 0, error }]);
          result2 = null;
          break oneByOneResult;
        }
      }
      result = result2;
    });
  } catch (caught) {
    const error = failure(caught);
    return { failure: error, changes };
  }
  return { result, changes };
}
