import { completeArguments, signatureOf } from "./arguments.ts";

/** A function of JSONata, which checks its arguments as its signature says. */
export function native<F extends (...args: never[]) => unknown>(name: string, signature: string, apply: F) {
  const known = signatureOf(name, signature);
  return (...args: readonly unknown[]): ReturnType<F> =>
    apply(...(completeArguments(known, args) as Parameters<F>)) as ReturnType<F>;
}
