// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const keep = callChanging(({ order }) => ({
  run: given => { order = given; },
  left: () => ({ order }),
}));

export const askFor = callReading(({ order }) =>
  () => ({ customer: order.customer })
);

export const isBlocked = call(() =>
  ({ status }) => status === "blocked"
);

export const rejection = callReading(({ order }) =>
  () => ({ id: order.id, reason: "customer is blocked" })
);

export const rejected = callReading(({ order }) =>
  () => ({ id: order.id, status: "rejected" })
);

export const goods = callReading(({ order }) =>
  () => ({ id: order.id, lines: order.lines })
);

export const keepWarehouse = callChanging(({ order, warehouse }) => ({
  run: stock => { warehouse = stock.warehouse; return { id: order.id, customer: order.customer }; },
  left: () => ({ warehouse }),
}));

export const keepAuthorization = callChanging(({ authorization }) => ({
  run: payment => { authorization = payment.authorization; },
  left: () => ({ authorization }),
}));

export const isOpen = callReading(({ order, parcels }) =>
  () => parcels.length < order.lines.length
);

export const line = callReading(({ order, parcels, warehouse }) =>
  () => {
  const { sku, quantity } = order.lines[parcels.length];
  return { id: order.id, sku, quantity, warehouse };
}
);

export const keepParcel = callChanging(({ parcels }) => ({
  run: ({ parcel }) => { parcels.push(parcel); },
  left: () => ({ parcels }),
}));

export const letter = callReading(({ order, parcels }) =>
  () => ({ customer: order.customer, parcels })
);

export const shipped = callReading(({ authorization, order }) =>
  () => ({ id: order.id, status: "shipped", authorization })
);

export const isBusy = callChanging(({ left }) => ({
  run: ({ error: cause }) => cause === "CustomerServiceBusy" && left-- > 0,
  left: () => ({ left }),
}));

export const fail = call(() =>
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
