export {
  brokenGroup,
  choice,
  type Document,
  type Group,
  group,
  hardLine,
  ifBroken,
  indent,
  indentIfBroken,
  join,
  line,
  mayBreak,
  oneLine,
  softLine,
  trailingComma,
  willBreak,
} from "./document.ts";
export { render } from "./render.ts";
