/** What a filter fails with whose path selects nothing. */
export const filterError = "SYS.FilterError";

/** What a step fails with whose time has passed. */
export const timeoutError = "SYS.Timeout";

/** What a run fails with that a state ends so, and a switch of which nothing holds. */
export const failError = "SYS.Fail";

/** What an action fails with whose function may not be called. */
export const permissionError = "SYS.Permission";

/** What an action fails with whose function refuses what it is given. */
export const parameterError = "SYS.InvalidParameter";

/** What stands for every error. */
export const every = "SYS.MatchAny";

/** The error codes that the language itself defines. */
export const codes: readonly string[] = [timeoutError, failError, every, permissionError, parameterError, filterError];

/** Whether a text is meant for a code of the language, and not of a function. */
export const isOfLanguage = (code: string): boolean => /^SYS\./i.test(code);
