// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  add,
  defineWorkflow,
  either,
  elementsOf,
  errorOf,
  get,
  length,
  mergeOutput,
  plus,
  raise,
  times,
  toFinite,
  toText,
  typeOf,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  load(argument: { readonly url: Json; readonly headers: Json }, step: Step): Answer<Json>;
  ask(argument: { readonly url: Json }, step: Step): Answer<Json>;
  find(argument: { readonly item: Json; readonly count: Json }, step: Step): Answer<Json>;
  invoice(argument: { readonly order: Json; readonly total: Json }, step: Step): Answer<Json>;
  archive(
    argument: { readonly bucket: Json; readonly object: Json; readonly put: Json },
    step: Step,
  ): Answer<Json>;
  ship(argument: { readonly order: Json; readonly weight: Json }, step: Step): Answer<Json>;
  tell(
    argument: { readonly fromAddress: Json; readonly destination: Json; readonly simple: Json },
    step: Step,
  ): Answer<Json>;
  refuse(argument: { readonly order: Json; readonly problem: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type State = {
  readonly orderId?: Json;
  readonly lines?: Json;
  readonly order?: Json;
  readonly payment?: Json;
  readonly item?: Json;
  readonly count?: Json;
  readonly shelf?: Json;
  readonly invoice?: Json;
  readonly goods?: { readonly picked?: Json; readonly [member: string]: Json | undefined };
  readonly papers?: { readonly archived?: Json; readonly [member: string]: Json | undefined };
  readonly weight?: Json;
  readonly parcel?: Json;
  readonly told?: Json;
  readonly problem?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `round` that the workflow uses. */
export type Round = {
  readonly state?: Json;
  readonly id?: Json;
  readonly orderId?: Json;
  readonly [member: string]: Json | undefined;
};

/** The members of `looped` that the workflow uses. */
export type Looped = { readonly state?: Json; readonly [member: string]: Json | undefined };

/** The members of `global` that the workflow uses. */
export type Global = { readonly orderId?: Json; readonly [member: string]: Json | undefined };

/** workflow */
export const workflow = defineWorkflow({
  id: "workflow",
  version: "871f8d505eb8ed1d",
  name: "workflow",
  anyInput: true,
  errors: { expression: "STEP_INVALID_TEMPLATE_EXPRESSION", timeout: "STEP_TIMEOUT" },
  run: async (flow: Flow, fn: Functions, state: State): Promise<Json> => {
    let result!: Json;
    let round!: Round;
    let counter!: number;
    let looped!: Looped;
    state = (typeOf(state) === "object" ? state : { input: state }) as State;
    refuse: {
      // load (httpCall step)
      try {
        result = (await flow.step(
          "load",
          (step) =>
            fn.load(
              {
                url: `https://shop.example/orders/${toText(state.orderId ?? null)}`,
                headers: { Accept: "application/json" },
              },
              step,
            ),
          {
            timeout: 900,
            retries: [
              {
                when: (error) =>
                  error.name === "HTTP_CALL_429" ||
                  error.name === "HTTP_CALL_503" ||
                  error.name === "STEP_QUOTA_EXCEEDED",
                limit: 3,
                base: 1,
                factor: 2,
              },
            ],
          },
        )) as Json;
      } catch (caught) {
        const error = flow.failure(caught);
        if (error.name !== "HTTP_CALL_404") throw caught;
        state = mergeOutput(state, { problem: "There is no such order." });
        break refuse;
      }
      state = mergeOutput(state, { order: result, lines: get(result, "lines") });
      // is-there (switch step)
      if (length(state.lines ?? null) === 0) {
        // empty (noOp step)
        state = mergeOutput(state, { problem: "The order has no lines." });
        break refuse;
      }
      if (get(state.order ?? null, "state") !== "paid") {
        // wait-for-payment (while step)
        round = state as Round;
        counter = 0;
        looped = {} as Looped;
        while (true) {
          ({ counter, round, looped } = await flow.round("wait-for-payment/test", {
            counter,
            round,
            looped,
          }));
          if (counter < 5 && (round.state ?? null) !== "paid") {
            round = {
              id: either(round.id ?? null, round.orderId ?? null),
              state: round.state ?? null,
            } as Round;
            // rest (wait step)
            await flow.sleep("rest", 3600);
            // ask (httpCall step)
            const ask = await flow.step(
              "ask",
              (step) =>
                fn.ask({ url: `https://pay.example/payments/${toText(round.id ?? null)}` }, step),
              {
                timeout: 900,
                retries: [
                  {
                    when: (error) =>
                      error.name === "HTTP_CALL_429" ||
                      error.name === "HTTP_CALL_503" ||
                      error.name === "STEP_QUOTA_EXCEEDED",
                    limit: 3,
                    base: 1,
                    factor: 2,
                  },
                ],
              },
            );
            round = mergeOutput(round, { state: get(ask, "state") });
            const output = { state: get(ask, "state") };
            looped = output as Looped;
            counter += 1;
          } else {
            break;
          }
        }
        state = mergeOutput(state, { payment: looped.state ?? null });
        // is-paid (switch step)
        if ((state.payment ?? null) !== "paid") {
          // unpaid (noOp step)
          state = mergeOutput(state, { problem: "Nobody has paid." });
          break refuse;
        }
      }
      // prepare (parallel step)
      const global = state as Global;
      const prepareResults = await flow.fork("prepare/branches", {
        goods: (flow) => prepareBranchesGoods(flow, fn, global, state),
        papers: (flow) => prepareBranchesPapers(flow, fn, state),
      });
      state = mergeOutput(state, prepareResults);
      // summarise (noOp step)
      state = mergeOutput(state, {
        weight: toFinite(add(elementsOf(state.goods!.picked!).map((item) => get(item, "weight")))),
        archived: state.papers!.archived!,
      });
      // ship (functionCall step)
      const ship = await flow.step(
        "ship",
        (step) => fn.ship({ order: state.orderId ?? null, weight: state.weight ?? null }, step),
        {
          timeout: 900,
          retries: [
            {
              when: (error) =>
                error.name === "HTTP_CALL_429" ||
                error.name === "HTTP_CALL_503" ||
                error.name === "STEP_QUOTA_EXCEEDED",
              limit: 3,
              base: 1,
              factor: 2,
            },
          ],
        },
      );
      state = mergeOutput(state, { parcel: get(ship, "parcel") });
      done: {
        // tell (postbox step)
        try {
          await flow.step(
            "tell",
            (step) =>
              fn.tell(
                {
                  fromAddress: "shop@example.com",
                  destination: { toAddresses: [toText(get(state.order ?? null, "mail"))] },
                  simple: {
                    subject: {
                      data: `Your order ${toText(state.orderId ?? null)}`,
                      charset: "UTF_8",
                    },
                    body: {
                      text: {
                        data: `Parcel ${toText(state.parcel ?? null)}, ${toText(state.weight ?? null)} kg, is on its way.\n`,
                        charset: "UTF_8",
                      },
                      html: {
                        data: `<p>Parcel ${toText(state.parcel ?? null)}, ${toText(state.weight ?? null)} kg, is on its way.`,
                        charset: "UTF_8",
                      },
                    },
                  },
                },
                step,
              ),
            {
              timeout: 900,
              retries: [
                {
                  when: (error) =>
                    error.name === "HTTP_CALL_429" ||
                    error.name === "HTTP_CALL_503" ||
                    error.name === "STEP_QUOTA_EXCEEDED",
                  limit: 3,
                  base: 1,
                  factor: 2,
                },
              ],
            },
          );
        } catch (caught) {
          const error = flow.failure(caught);
          if (error.name === "STEP_INTERNAL") throw errorOf(error);
          state = mergeOutput(state, { told: false, why: error.name });
          break done;
        }
        state = mergeOutput(state, { told: true });
      }
      // done (noOp step)
      return { orderId: state.orderId ?? null, parcel: state.parcel ?? null, told: state.told! };
    }
    // refuse (functionCall step)
    await flow.step(
      "refuse",
      (step) => fn.refuse({ order: state.orderId ?? null, problem: state.problem! }, step),
      {
        timeout: 900,
        retries: [
          {
            when: (error) =>
              error.name === "HTTP_CALL_429" ||
              error.name === "HTTP_CALL_503" ||
              error.name === "STEP_QUOTA_EXCEEDED",
            limit: 3,
            base: 1,
            factor: 2,
          },
        ],
      },
    );
    state = mergeOutput(state, {});
    // refused (fail step)
    throw errorOf({ origin: "fail", name: "STEP_FAIL", message: toText(state.problem!) });
  },
});

/** prepare / goods */
async function prepareBranchesGoods(
  flow: Flow,
  fn: Functions,
  global: Global,
  state: State,
): Promise<Json> {
  // pick (foreach step)
  const pickResults = await flow.forEach(
    "pick",
    elementsOf(
      elementsOf(state.lines ?? null).map((item) => plus(item, { order: global.orderId ?? null })),
    ).map((item) => 
      typeOf(item) === "object"
        ? item
        : raise({
            name: "STEP_INVALID_ARGUMENT",
            message: "The input of foreach step pick is not an array of objects.",
          }),
    ),
    (flow, element) => pick(flow, fn, element),
    { width: 4 },
  );
  return {
    picked: elementsOf(pickResults).map((item) => ({
      item: get(item, "item"),
      shelf: get(item, "shelf"),
      weight: get(item, "weight"),
    })),
  };
}

/** prepare / papers */
async function prepareBranchesPapers(flow: Flow, fn: Functions, state: State): Promise<Json> {
  let result!: Json;
  archive: {
    // invoice (functionCall step)
    try {
      result = (await flow.step(
        "invoice",
        (step) =>
          fn.invoice(
            {
              order: state.orderId ?? null,
              total: toFinite(
                add(
                  elementsOf(state.lines ?? null).map((item) => {
                    const countValue = get(item, "count");
                    return times(get(item, "price"), countValue);
                  }),
                ),
              ),
            },
            step,
          ),
        {
          timeout: 30,
          retries: [
            {
              when: (error) =>
                error.name === "HTTP_CALL_429" ||
                error.name === "HTTP_CALL_503" ||
                error.name === "STEP_QUOTA_EXCEEDED",
              limit: 3,
              base: 1,
              factor: 2,
            },
          ],
        },
      )) as Json;
    } catch (caught) {
      const error = flow.failure(caught);
      if (!(error.origin === "timeout" || error.name === "STEP_TIMEOUT")) throw caught;
      state = mergeOutput(state, { invoice: null });
      break archive;
    }
    state = mergeOutput(state, { invoice: get(result, "number") });
  }
  // archive (objectStorage step)
  await flow.step(
    "archive",
    (step) =>
      fn.archive(
        {
          bucket: "papers",
          object: `invoices/${toText(either(state.invoice ?? null, "none"))}.json`,
          put: {
            contentType: "JSON",
            content: toText({ order: state.orderId ?? null, invoice: state.invoice ?? null }),
          },
        },
        step,
      ),
    {
      timeout: 900,
      retries: [
        {
          when: (error) =>
            error.name === "HTTP_CALL_429" ||
            error.name === "HTTP_CALL_503" ||
            error.name === "STEP_QUOTA_EXCEEDED",
          limit: 3,
          base: 1,
          factor: 2,
        },
      ],
    },
  );
  return { archived: true };
}

/** pick, for each element */
async function pick(flow: Flow, fn: Functions, element: Json): Promise<Json> {
  let state: State = element as State;
  // find (functionCall step)
  const find = await flow.step(
    "find",
    (step) => fn.find({ item: state.item ?? null, count: state.count ?? null }, step),
    {
      timeout: 900,
      retries: [
        {
          when: (error) =>
            error.name === "HTTP_CALL_429" ||
            error.name === "HTTP_CALL_503" ||
            error.name === "STEP_QUOTA_EXCEEDED",
          limit: 3,
          base: 1,
          factor: 2,
        },
      ],
    },
  );
  state = mergeOutput(state, { shelf: get(find, "shelf"), weight: get(find, "kg") });
  // there (switch step)
  if ((state.shelf ?? null) === null) {
    // missing (fail step)
    throw errorOf({
      origin: "fail",
      name: "STEP_FAIL",
      message: `There is no ${toText(state.item ?? null)} for order ${toText(state.order ?? null)}.`,
    });
  }
  // found (noOp step)
  return state;
}
