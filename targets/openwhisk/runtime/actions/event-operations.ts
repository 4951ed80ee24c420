import type { Operation, Operations } from "./action.ts";
import { arrive } from "./arrive.ts";
import { createCall, type TokenLookup } from "./call.ts";
import { joinOf } from "./caller.ts";
import { continueRun } from "./continue.ts";
import { createDelay } from "./delay.ts";
import { eventJanitor } from "./event-janitor.ts";
import type { EventProgram } from "./event-rules.ts";
import { createFork } from "./fork.ts";
import { suspendFork } from "./forks.ts";
import { createJanitor } from "./janitor.ts";
import { createJoin } from "./join.ts";
import { type EventContext, partitionFor, readPartition, runValueOf } from "./partition-documents.ts";
import { suspend } from "./suspend.ts";
import { createTimeout, suspendUntil } from "./timers.ts";
import { leaveEvents } from "./waits.ts";

/** The operations of a program that receives events. */
export function eventOperations(program: EventProgram): Operations {
  const withProgram =
    (operation: (request: Parameters<Operation>[0], context: EventContext) => ReturnType<Operation>): Operation =>
    (request, context) =>
      operation(request, { ...context, program });
  return {
    conductor: {
      call: withProgram(createCall(program.functions, lookUpToken)),
      continue: withProgram(continueRun),
      delay: withProgram(createDelay(suspendUntil)),
      fork: withProgram(createFork(suspendFork)),
      join: withProgram(createJoin(leaveEvents)),
      suspend: withProgram(suspend),
    },
    open: {
      timeout: withProgram(createTimeout(eventJanitor)),
      janitor: withProgram(createJanitor(eventJanitor)),
    },
    event: withProgram(arrive),
  };
}

const lookUpToken: TokenLookup<EventContext> = async ({ correlation, $waybill: caller }, context) => {
  const key = partitionFor(caller, undefined, correlation?.value, context.program);
  return runValueOf(await readPartition(key, context), joinOf(caller).inbox);
};
