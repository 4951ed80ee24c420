// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const repair = callReading(({ name }) =>
  ({ error }) => ({ error: `${name}: ${error}` })
);

// Calls a function with copies of the parameters and variables.
function callReading(make) {
  return ({ params, variables }) => resultOf(() => make(copyOf(variables))(copyOf(params)));
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
