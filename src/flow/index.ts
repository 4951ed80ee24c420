export {
  type HiddenReads,
  type Live,
  liveness,
  outerReads,
  type Point,
  pointsOf,
  stepReads,
  type Way,
} from "./liveness.ts";
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
export { countersOf, errorsOf, mayFail } from "./values.ts";
export { type Web, type Webs, websOf } from "./webs.ts";
