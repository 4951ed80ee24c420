// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const date = call(() =>
  function (p) { p.at = new Date(0); p.none = undefined; p.no = NaN; return p }
);

export const promise = call(() =>
  async ({ at }) => ({ at })
);

export const nothing = call(() =>
  function named({ result, params }) { if (Object.keys(result).length > 0) return named({}); return { ...params, texts: [`a${1 + 1}`, String(result)] } }
);

export const last = call(() =>
  ({ at, no, texts, n }) => [at, no, texts, n]
);

// Calls a function with a copy of the parameters.
function call(make) {
  return (params) => resultOf(() => make()(copyOf(params)));
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
