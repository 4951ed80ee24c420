// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const keep = callWith(({ order }) => ({
  run: given => { order = given; },
  left: () => ({ order }),
}));

export const askFor = callWith(({ order }) => ({
  run: () => ({ customer: order.customer }),
  left: () => ({ order }),
}));

export const isBlocked = call(() =>
  ({ status }) => status === "blocked"
);

export const rejection = callWith(({ order }) => ({
  run: () => ({ id: order.id, reason: "customer is blocked" }),
  left: () => ({ order }),
}));

export const rejected2 = callWith(({ order }) => ({
  run: () => ({ id: order.id, status: "rejected" }),
  left: () => ({ order }),
}));

export const goods = callWith(({ order }) => ({
  run: () => ({ id: order.id, lines: order.lines }),
  left: () => ({ order }),
}));

export const keepWarehouse = callWith(({ order, warehouse }) => ({
  run: stock => { warehouse = stock.warehouse; return { id: order.id, customer: order.customer }; },
  left: () => ({ order, warehouse }),
}));

export const keepAuthorization = callWith(({ authorization }) => ({
  run: payment => { authorization = payment.authorization; },
  left: () => ({ authorization }),
}));

export const isOpen = callWith(({ order, parcels }) => ({
  run: () => parcels.length < order.lines.length,
  left: () => ({ order, parcels }),
}));

export const line = callWith(({ order, parcels, warehouse }) => ({
  run: () => {
  const { sku, quantity } = order.lines[parcels.length];
  return { id: order.id, sku, quantity, warehouse };
},
  left: () => ({ order, parcels, warehouse }),
}));

export const keepParcel = callWith(({ parcels }) => ({
  run: ({ parcel }) => { parcels.push(parcel); },
  left: () => ({ parcels }),
}));

export const letter = callWith(({ order, parcels }) => ({
  run: () => ({ customer: order.customer, parcels }),
  left: () => ({ order, parcels }),
}));

export const shipped2 = callWith(({ authorization, order }) => ({
  run: () => ({ id: order.id, status: "shipped", authorization }),
  left: () => ({ authorization, order }),
}));

export const isBusy = callWith(({ left }) => ({
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

// Calls a function with copies of the parameters and variables. Changes to variables are kept unless it throws.
function callWith(make) {
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
