/** The key of a task's token, by that of its call; `Ask#2` → `Ask#token#2`. */
export const tokenKeyOf = (call: string): string =>
  call.replace(/(?<!#)((?:##)*)(#\d+)?$/, (_, escaped: string, count = "") => `${escaped}#token${count}`);

/** The key of a task's call, by that of its token or of its answer, or that key itself if it is another one. */
export const callKeyOf = (key: string): string => key.replace(/#(?:token|answer)(#\d+)?$/, "$1");

/** Whether a token is recorded under a key. */
export const isTokenKey = (key: string): boolean => /(?<!#)(?:##)*#token(?:#\d+)?$/.test(key);

/** The step whose answer or timeout is recorded under a key, without its count; undefined for other keys. */
export const endedStep = (key: string): string | undefined =>
  /^(.*?)(?<!#)((?:##)*)#(?:answer|timeout)(?:#\d+)?$/s.exec(key)?.slice(1).join("");
