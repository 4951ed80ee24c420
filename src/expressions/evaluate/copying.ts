/** The functions of jq that give their input itself where there is nothing to do: that still stands where the input does. */
export const copying: ReadonlySet<string> = new Set([
  "tostring",
  "tonumber",
  "toboolean",
  "ltrimstr",
  "rtrimstr",
  "trim",
  "ltrim",
  "rtrim",
  "delpaths",
]);
