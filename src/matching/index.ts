export {
  type Alternative,
  type Attributes,
  type Choice,
  correlationText,
  firstFulfilled,
  hasAttributes,
  inOrder,
  type Matcher,
  matches,
  type Taken,
} from "./matching.ts";
export { arrive, type Collected, type Start, type Starting } from "./starting.ts";
