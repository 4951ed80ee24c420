export { structured } from "./structure.ts";
export {
  type Act,
  type Aim,
  type Block,
  type Branch,
  completes,
  type Item,
  innerBlocks,
  type Jump,
  jumpsTo,
  type Labelled,
  type Loop,
} from "./tree.ts";
export {
  countersOf,
  errorsOf,
  type HiddenReads,
  type Live,
  liveness,
  mayFail,
  outerReads,
  type Point,
  pointsOf,
  stepReads,
  type Way,
} from "./variables.ts";
export { type Web, type Webs, websOf } from "./webs.ts";
