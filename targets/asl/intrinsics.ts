import {
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  integer,
  nullType,
  recordOf,
  string,
  type Type,
  union,
} from "../../src/types/index.ts";
import { outerFailure } from "./jsonata/errors.ts";

/**
 * The values that Step Functions provides, as variables of resolved expressions. Their names contain a quote, which
 * names of variables in a machine never do.
 */
export const intrinsics = {
  input: "input'",
  result: "result'",
  errorOrigin: "error origin'",
  errorName: "error name'",
  errorMessage: "error message'",
  errorData: "error data'",
  errorTrace: "error trace'",
  errorCause: "error cause'",
  errorKind: "error kind'",
  errorType: "error type'",
  errorTitle: "error title'",
  errorDetail: "error detail'",
  errorStatus: "error status'",
  errorGiven: "error given'",
  carried: "carried'",
  came: "came'",
  cameInGroups: "came in groups'",
  cameAlone: "came alone'",
  cameAloneInGroup: "came alone in a group'",
  startedEvents: "started events'",
  startedGroups: "started groups'",
  startedEvent: "started event'",
  startedToken: "started token'",
  element: "element'",
  index: "index'",
  turnElement: "element of a turn'",
  turn: "turn'",
  given: "given'",
  uuid: "uuid'",
  expiry: "expiry'",
  noted: "noted'",
  notedFailure: "noted failure'",
  hasFailed: "has failed'",
  millis: "millis'",
  random: "random'",
  now: "now'",
  run: "run'",
  execution: "execution'",
  began: "began'",
  rootAge: "root age'",
  ownAge: "own age'",
  taskToken: "task token'",
  askedToken: "asked token'",
  executionInput: "execution input'",
  failed: "failed'",
  failure: outerFailure,
  computed: "computed'",
} as const;

/** The type of received events, with the names of their definitions. */
export const receivedEventsType: Type = arrayOf(
  recordOf([
    ["name", string],
    ["event", anyObject],
  ]),
);

/** The type of an error's data: at most the stack trace of a function, a string or an array. */
export const errorDataType: Type = union(nullType, recordOf([["trace", union(string, anyArray)]]));

/** The types of intrinsics. */
export const intrinsicTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  [intrinsics.index, integer],
  [intrinsics.millis, integer],
  [intrinsics.errorOrigin, string],
  [intrinsics.errorName, string],
  [intrinsics.errorMessage, string],
  [intrinsics.errorData, errorDataType],
  [intrinsics.errorKind, string],
  [intrinsics.uuid, string],
  [intrinsics.expiry, string],
  [intrinsics.noted, anyObject],
  [intrinsics.notedFailure, anyObject],
  [intrinsics.hasFailed, boolean],
  [intrinsics.failed, boolean],
  [intrinsics.now, string],
  [intrinsics.run, string],
  [intrinsics.execution, string],
  [intrinsics.taskToken, string],
  [intrinsics.began, string],
  [intrinsics.rootAge, string],
  [intrinsics.ownAge, string],
  [intrinsics.came, receivedEventsType],
  [intrinsics.cameInGroups, receivedEventsType],
  [intrinsics.cameAlone, anyObject],
  [intrinsics.cameAloneInGroup, anyObject],
  [intrinsics.startedEvent, anyObject],
  [intrinsics.startedEvents, receivedEventsType],
  [intrinsics.startedGroups, receivedEventsType],
]);
