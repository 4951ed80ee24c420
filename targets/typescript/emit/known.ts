import type { ClosedUse } from "../expressions/use.ts";

/** A failure, as the runtime's `ErrorValue` declares it. */
export const errorUse: ClosedUse = {
  kind: "closed",
  members: { origin: {}, name: {}, message: {}, data: { isOptional: true, isNullable: true } },
};

/** An event, as the runtime's `CloudEvent` declares it; further attributes are looked up. */
export const eventUse: ClosedUse = {
  kind: "closed",
  hasOthers: true,
  members: {
    specversion: {},
    id: {},
    source: {},
    type: {},
    subject: { isOptional: true },
    time: { isOptional: true },
    data: { isOptional: true, isNullable: true },
  },
};

const takenUse: ClosedUse = { kind: "closed", members: { name: {}, event: { use: eventUse } } };

const takenList: ClosedUse = { kind: "closed", members: {}, element: takenUse, isFilled: true };

/** What a wait gives, as the runtime's `Received` declares it. */
export const receivedUse: ClosedUse = {
  kind: "closed",
  members: { alternative: { isNullable: true }, events: { use: takenList }, groups: { use: takenList } },
};

/** A value that is looked into by functions only. */
export const arrayUse: ClosedUse = { kind: "closed", members: {} };
