/** Functions of the runtime. They wait for others or return at once, so they stay in the main thread. */
const localCalls = new WeakSet<object>();

/** Marks a function that stays in the main thread. */
export function local<Call extends object>(call: Call): Call {
  localCalls.add(call);
  return call;
}

/** Whether a function stays in the main thread. */
export const isLocal = (call: object): boolean => localCalls.has(call);
