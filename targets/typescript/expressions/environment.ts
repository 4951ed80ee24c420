import type { Written } from "./written.ts";

/** What an expression that is written as TypeScript stands in. */
export interface Environment {
  /** What `.` is; absent: null. */
  readonly input?: Written | undefined;
  /** What a variable is; undefined: there is none. */
  variable(name: string): Written | undefined;
  /** Takes what has to be there for the value to be: where something else stands in for it. Absent: all has to be there. */
  readonly guards?: Set<string> | undefined;
  /** Takes lines that stand before the expression: there as long as nothing has been evaluated, and nothing is conditional. */
  readonly lines?: Lines | undefined;
  /** Takes note that a function of the runtime is called; gives the name by which it is called. */
  helper(name: string): string;
}

/** Lines before an expression, and the names that they are not to have. */
export interface Lines {
  readonly texts: string[];
  readonly names: Set<string>;
}

/** The same where nothing stands in for what is not there, and no line can stand before. */
export const unguarded = (environment: Environment): Environment =>
  environment.guards || environment.lines ? { ...environment, guards: undefined, lines: undefined } : environment;

/** The same where no line can stand before. */
export const withoutLines = (environment: Environment): Environment =>
  environment.lines ? { ...environment, lines: undefined } : environment;

/** The same with another `.`. */
export const withInput = (environment: Environment, input: Written): Environment => ({ ...environment, input });

/** The same with one more variable. */
export const withVariable = (environment: Environment, name: string, meaning: Written): Environment => ({
  ...environment,
  variable: (asked) => (asked === name ? meaning : environment.variable(asked)),
});
