import type { ListedRun, RunFilter } from "./engine.ts";

/** Whether a filter has conditions beyond the workflow and the status. */
export const isSearch = ({ from, until, value, error }: RunFilter): boolean =>
  [from, until, value, error].some((each) => each !== undefined);

/** Whether a run matches a filter's period of creation and text of the error. */
export function matchesSearch({ created, error: found }: ListedRun, { from, until, error }: RunFilter): boolean {
  const at = Date.parse(created);
  if (from !== undefined && at < from) return false;
  if (until !== undefined && at >= until) return false;
  if (error === undefined) return true;
  return found !== undefined && `${found.name}: ${found.message}`.toLowerCase().includes(error.toLowerCase());
}

/** The correlation values that are displayed as a string, as JSON: `"7"` and `7`. */
export function valueTexts(text: string): readonly string[] {
  const isScalar = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(text);
  return [JSON.stringify(text), ...(isScalar ? [text] : [])];
}
