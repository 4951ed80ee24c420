// claims-desk 2.1, from sm4c. Change the definition, not this file.
import {
  decide,
  examineChanges3,
  examineJudge,
  examineMerge,
  examineRaise,
  payPayOut,
} from "./claims-desk.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  add,
  defineWorkflow,
  either,
  elementsOf,
  equalValues,
  errorOf,
  failure,
  get,
  isGreater,
  isGreaterOrEqual,
  isLess,
  length,
  plus,
  slice,
  toFinite,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  registerClaim(
    argument: { readonly customer: Json; readonly requested: Json },
    step: Step,
  ): Answer<Json>;
  remindCustomer(
    argument: { readonly claim: Json; readonly times: Json },
    step: Step,
  ): Answer<Json>;
  askExpert(argument: { readonly claim: Json; readonly item: Json }, step: Step): Answer<Json>;
  checkFraud(argument: { readonly claim: Json; readonly papers: Json }, step: Step): Answer<Json>;
  payOut(argument: Json, step: Step): Answer<Json>;
  writeLetter(argument: { readonly claim: Json; readonly refused: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly customer?: Json;
  readonly items?: Json;
  readonly claim?: Json;
  readonly reminders?: Json;
  readonly papers?: Json;
  readonly fraud?: Json;
  readonly decision?: Json;
  readonly delays?: Json;
  readonly payment?: Json;
  readonly refused?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `view` that the workflow uses. */
export type View = {
  readonly claim?: Json;
  readonly items?: Json;
  readonly papers?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `error` that the workflow uses. */
export type Error2 = { readonly message?: Json; readonly [member: string]: Json | undefined };

/** From a claim to the payment or the refusal */
export const claimsDesk = defineWorkflow({
  id: "claims-desk",
  version: "4115e9a901db6530",
  name: "claims-desk",
  events: {
    papersArrived: { type: "claims.papers", source: "/post", foldCase: true },
    papersWithdrawn: { type: "claims.withdrawn", foldCase: true },
    decision: { type: "claims.decision", foldCase: true },
    claimClosed: { type: "claims.closed", source: "/claims-desk", foldCase: true },
    claimExpired: { type: "claims.expired", source: "/claims-desk", foldCase: true },
  },
  waits: {
    "Collect papers": {
      alternatives: [
        {
          all: [
            [
              {
                event: "papersArrived",
                when: (event, data) =>
                  equalValues(event.claim ?? null, get(data.claim ?? null, "number")),
              },
            ],
          ],
          within: 604_800,
        },
        {
          all: [
            [
              {
                event: "papersWithdrawn",
                when: (event, data) =>
                  equalValues(event.claim ?? null, get(data.claim ?? null, "number")),
              },
            ],
          ],
          within: 604_800,
        },
      ],
      unused: "drop",
    },
    "Decide/wait": {
      alternatives: [
        {
          all: [
            [
              {
                event: "decision",
                when: (event, data) =>
                  equalValues(event.claim ?? null, get(data.claim ?? null, "number")),
              },
            ],
          ],
          within: 1_209_600,
        },
      ],
      unused: "drop",
    },
  },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let result!: Json;
    let attempts!: number;
    let error!: Error2;
    let output!: Json;
    // claims-desk (state machine)
    try {
      output = (await flow.attempt(
        "machine",
        async (flow) => {
          // Register (state)
          result = (await flow.step(
            "Register",
            (step) =>
              fn.registerClaim(
                {
                  customer: data.customer ?? null,
                  requested: toFinite(
                    either(
                      add(elementsOf(data.items ?? null).map((item) => get(item, "amount"))),
                      0,
                    ),
                  ),
                },
                step,
              ),
            {
              retries: [
                {
                  when: (error2) => error2.name === "HTTP_503",
                  limit: 5,
                  base: 10,
                  factor: 2,
                  cap: 60,
                  jitter: { fraction: 0.2 },
                },
              ],
            },
          )) as Json;
          data = withMember(data, "claim", result);
          close: {
            pay: {
              if (
                !isLess(
                  either(add(elementsOf(data.items ?? null).map((item) => get(item, "amount"))), 0),
                  50,
                )
              ) {
                refuse: {
                  while (true) {
                    ({ data } = await flow.round("Collect papers", { data }));
                    // Collect papers (state)
                    const collectPapersReceived = await flow.receive("Collect papers", {
                      variables: { claim: data.claim },
                    });
                    if (collectPapersReceived.alternative === 0) {
                      {
                        const value2 = get(
                          collectPapersReceived.groups[0]?.event.data ?? null,
                          "papers",
                        );
                        data = withMember(
                          data,
                          "papers",
                          toFinite(plus(data.papers ?? null, value2)),
                        );
                      }
                    } else {
                      if (collectPapersReceived.alternative === 1) break refuse;
                      await flow.step("Collect papers/remindCustomer", (step) =>
                        fn.remindCustomer(
                          {
                            claim: get(data.claim ?? null, "number"),
                            times: either(data.reminders ?? null, 0),
                          },
                          step,
                        ),
                      );
                      data = withMember(data, "reminders", plus(data.reminders ?? null, 1));
                    }
                    // Complete? (state)
                    if (length(either(data.papers ?? null, [])) >= 2) break;
                    if (isGreaterOrEqual(either(data.reminders ?? null, 0), 2)) break refuse;
                  }
                  // Examine (state)
                  const view = {
                    claim: get(data.claim ?? null, "number"),
                    items: data.items ?? null,
                    papers: data.papers ?? null,
                  } as View;
                  const examineOutcomes = await flow.fork("Examine/parallel", {
                    opinions: (flow) => examineParallelOpinions(flow, fn, view),
                    fraud: (flow) => examineParallelFraud(flow, fn, view),
                  });
                  data = examineChanges3(data, examineOutcomes) as Data;
                  if (examineJudge(examineOutcomes) === true) {
                    throw errorOf(examineRaise(examineOutcomes));
                  }
                  data = examineMerge(data, examineOutcomes) as Data;
                  // Decide (state)
                  if (!isGreater(data.fraud ?? null, 80)) {
                    if (decide(data) === true) break pay;
                    const decideReceived = await flow.receive("Decide/wait", {
                      variables: { claim: data.claim },
                    });
                    if (decideReceived.alternative === 0) {
                      {
                        const value22 = decideReceived.groups[0]?.event.data ?? null;
                        data = withMember(data, "decision", value22);
                      }
                      // Decided (state)
                      if (get(data.decision ?? null, "verdict") === "pay") break pay;
                    }
                  }
                }
                // Refuse (state)
                data = plus(data, { refused: true }) as Data;
                break close;
              }
            }
            // Pay (state)
            attempts = 0;
            payMerge: {
              while (true) {
                ({ data, attempts } = await flow.round("Pay/payOut", { data, attempts }));
                try {
                  result = (await flow.step("Pay/payOut", (step) =>
                    fn.payOut(payPayOut(data), step),
                  )) as Json;
                } catch (caught) {
                  const error2 = failure(caught);
                  if (error2.name === "BankClosed") {
                    data = withMember(data, "delays", plus(data.delays ?? null, 1));
                    if (attempts < 2) {
                      await flow.sleep("Pay/wait", 3600);
                      attempts += 1;
                      continue;
                    }
                    throw errorOf(error2);
                  }
                  error = error2 as Json as Error2;
                  break;
                }
                break payMerge;
              }
              {
                const value23 = { failed: error.message === undefined ? "" : error.message };
                data = withMember(data, "payment", value23);
              }
              result = null;
            }
            data = withMember(data, "payment", toFinite(plus(data.payment ?? null, result)));
          }
          // Close (state)
          result = (await flow.step("Close", (step) =>
            fn.writeLetter(
              {
                claim: get(data.claim ?? null, "number"),
                refused: (data.refused ?? null) === true,
              },
              step,
            ),
          )) as Json;
          await flow.emit(
            "Close/event",
            "claimClosed",
            { claim: get(data.claim ?? null, "number"), payment: data.payment ?? null },
            { attributes: { subject: "claimClosed" } },
          );
          {
            const value = { letter: result, event: null };
            data = withMember(data, "letter", get(value, "letter"));
          }
          return data;
        },
        { timeout: 5_184_000 },
      )) as Json;
    } catch (caught) {
      const error2 = failure(caught);
      if (error2.origin !== "timeout") throw caught;
      await flow.emit(
        "machine/claimExpired",
        "claimExpired",
        {},
        { attributes: { subject: "claimExpired" } },
      );
      return null;
    }
    return output;
  },
});

/** Examine / opinions */
async function examineParallelOpinions(flow: Flow, fn: Functions, view: View): Promise<Json> {
  let changes: Json = [];
  let rest!: Json;
  let results!: Json;
  let gathered!: Json;
  let result!: Json;
  try {
    await flow.attempt("Examine/attempt", async (flow) => {
      {
        const claim = view.claim ?? null;
        rest = elementsOf(view.items ?? null).map((item) => plus(item, { claim }));
      }
      results = [];
      gathered = [];
      while (true) {
        ({ rest, gathered, results, changes } = await flow.round("Examine/test", {
          rest,
          gathered,
          results,
          changes,
        }));
        if (length(rest) > 0) {
          const examineOutcomes = await flow.forEach(
            "Examine/each",
            slice(rest, null, 3) as readonly Json[],
            (flow, element) => examineEach(flow, fn, element),
            { width: 3 },
          );
          gathered = plus(
            gathered,
            elementsOf(examineOutcomes).flatMap((item) => elementsOf(get(item, "changes"))),
          );
          results = plus(
            results,
            elementsOf(examineOutcomes).map((item) => get(item, "result")),
          );
          rest = slice(rest, 3, null);
          if (examineJudge(examineOutcomes) === true) {
            changes = plus(changes, gathered);
            throw errorOf(examineRaise(examineOutcomes));
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

/** Examine / fraud */
async function examineParallelFraud(flow: Flow, fn: Functions, view: View): Promise<Json> {
  const changes: Json = [];
  let result!: Json;
  try {
    await flow.attempt("Examine/attempt-3", async (flow) => {
      const fraud = await flow.step("Examine/fraud", (step) =>
        fn.checkFraud({ claim: view.claim ?? null, papers: view.papers ?? null }, step),
      );
      result = fraud;
    });
  } catch (caught) {
    const error = failure(caught);
    return { failure: error, changes };
  }
  return { result, changes };
}

/** Examine, for each element */
async function examineEach(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  let changes: Json = [];
  let result2!: Json;
  let result!: Json;
  try {
    await flow.attempt("attempt-2", async (flow) => {
      examineResult: {
        try {
          result2 = (await flow.step(
            "askExpert",
            (step) =>
              fn.askExpert({ claim: get(element, "claim"), item: get(element, "name") }, step),
            { timeout: 259_200 },
          )) as Json;
        } catch (caught) {
          const error = failure(caught);
          if (error.origin === "timeout") {
            result2 = null;
            break examineResult;
          }
          if (error.name !== "NoExpert") throw caught;
          changes = plus(changes, [{ handler: 0, error }]);
          result2 = null;
          break examineResult;
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
