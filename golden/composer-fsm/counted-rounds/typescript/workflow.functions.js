// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const isLeft = callChanging(({ left }) => ({
  run: () => left-- > 0,
  left: () => ({ left }),
}));

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
