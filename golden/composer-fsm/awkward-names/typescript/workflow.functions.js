// Functions of workflow, copied from its definition (composer-fsm). Change the definition, not this file.

export const failed = callChanging(({ __proto__, constructor, größe }) => ({
  run: ({ toString }) => ({ __proto__: null, toString, constructor, größe, ["__proto__"]: __proto__ }),
  left: () => ({ __proto__, constructor, größe }),
}));

export const function2 = callChanging(({ größe }) => ({
  run: p => { /* call copyOf */ größe = p.größe + 1; return `${größe}  </script> ${'`'}` },
  left: () => ({ größe }),
}));

// Calls a function with copies of the parameters and variables. Changes to variables are kept unless it throws.
function callChanging(make) {
  return ({ params, variables }) => {
    let kept = variables;
    const result = resultOf(() => {
      const { run, left } = make(copyOf2(variables));
      const value = run(copyOf2(params));
      kept = Object.fromEntries(Object.entries(left()).map(([name, each]) => [name, copyOf2(each)]));
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
    const json = copyOf2(value === undefined ? {} : value);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : { value: json };
  } catch (error) {
    throw Object.assign(new Error(`A function gives no JSON: ${error}`), { name: "InternalError" });
  }
}

// Copies a value through JSON.
function copyOf2(value) {
  return JSON.parse(JSON.stringify(value));
}
