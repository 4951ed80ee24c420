// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const check = call(() =>
  order => {
  if (!Array.isArray(order.lines) || order.lines.length === 0) return { error: 'an order without lines' };
  const total = order.lines.reduce((sum, { price, count }) => sum + price * count, 0);
  return { ...order, total, open: [...order.lines] };
}
);

export const isOpen = call(() =>
  ({ open }) => open.length > 0
);

export const nextLine = call(() =>
  ({ open: [{ sku, count }] }) => ({ sku, count })
);

export const note = callChanging(({ held }) => ({
  run: function ({ result, params: { open: [, ...open], ...order } }) {
  held.push(result.reservation);
  return { ...order, open };
},
  left: () => ({ held }),
}));

export const list = callReading(({ held }) =>
  () => ({ reservations: held })
);

export const tell = callReading(({ held }) =>
  ({ params: { error } }) => ({ declined: String(error), released: held.length })
);

export const bill = call(() =>
  ({ customer, total }) => ({ customer, amount: total })
);

export const confirm = callReading(({ held }) =>
  ({ result: { receipt }, params: { customer, total } }) => ({ customer, total, receipt, held: [...held] })
);

export const isLeft = callChanging(({ attempts }) => ({
  run: () => --attempts > 0,
  left: () => ({ attempts }),
}));

export const order2 = call(() =>
  ({ params }) => params
);

export const giveUp = call(() =>
  params => params
);

// Calls a function with a copy of the parameters.
function call(make) {
  return (params) => resultOf(() => make()(copyOf(params)));
}

// Calls a function with copies of the parameters and variables.
function callReading(make) {
  return ({ params, variables }) => resultOf(() => make(copyOf(variables))(copyOf(params)));
}

// Calls a function with copies of the parameters and variables. Changes to variables are kept unless it throws.
function callChanging(make) {
  return ({ params, variables }) => {
    let kept = variables;
    const result = resultOf(() => {
      const { run, left } = make(copyOf(variables));
      const value = run(copyOf(params));
      kept = Object.fromEntries(Object.entries(left()).map(([name, each]) => [name, copyOf(each)]));
      return value;
    });
    return { params: result, variables: kept };
  };
}

// The result of a function as an object, or the error that it throws.
function resultOf(work) {
  let value;
  try {
    value = work();
  } catch (error) {
    return { error: `An error has occurred: ${error}` };
  }
  if (value instanceof Promise) value.catch(() => {});
  try {
    const json = copyOf(value === undefined ? {} : value);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : { value: json };
  } catch (error) {
    throw Object.assign(new Error(`A function gives no JSON: ${error}`), { name: "InternalError" });
  }
}

// Copies a value through JSON.
function copyOf(value) {
  return JSON.parse(JSON.stringify(value));
}
