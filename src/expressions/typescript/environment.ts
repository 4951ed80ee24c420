import type { Written } from "./written.ts";

/** What an expression that is written as TypeScript stands in. */
export interface Environment {
  /** What `.` is; absent: null. */
  readonly input?: Written | undefined;
  /** What a variable is; undefined: there is none. */
  variable(name: string): Written | undefined;
  /** Takes what has to be there for the value to be: where something else stands in for it. Absent: all has to be there. */
  readonly guards?: Set<string> | undefined;
  /** Takes note that a function of the runtime is called; gives the name by which it is called. */
  helper(name: string): string;
}

/** The same where nothing stands in for what is not there. */
export const unguarded = (environment: Environment): Environment =>
  environment.guards ? { ...environment, guards: undefined } : environment;

/** The same with another `.`. */
export const withInput = (environment: Environment, input: Written): Environment => ({ ...environment, input });

/** The same with one more variable. */
export const withVariable = (environment: Environment, name: string, meaning: Written): Environment => ({
  ...environment,
  variable: (asked) => (asked === name ? meaning : environment.variable(asked)),
});
