import { listNames, truncate } from "../../../src/text/clip.ts";
import { defineError, defineWarning } from "../../../src/text/diagnostics.ts";
import { didYouMean } from "../../../src/text/suggest.ts";

// WB53xx: the target typescript

/** Functions of which nobody says where they are. */
export const unboundFunctions = defineWarning("WB5301", (a: { names: readonly string[] }) => {
  const several = a.names.length > 1;
  return {
    message: `Nothing says where the function${several ? "s" : ""} ${listNames(a.names)} ${several ? "are" : "is"}, so calls of ${several ? "them" : "it"} fail with \`NotImplemented\`.`,
    hint: "The configuration binds functions: to a `module`, an `http` address, an operation of `openapi`, or a method of `grpc`.",
  };
});

/** Functions whose calls need what only the configuration can say, such as `a token that shows who calls`. */
export const incompleteCalls = defineWarning(
  "WB5313",
  (a: { names: readonly string[]; needs: string; hint: string }) => {
    const several = a.names.length > 1;
    return {
      message: `Calls of ${listNames(a.names)} need ${a.needs}, which the configuration does not say, so ${several ? "these functions fail" : "the function fails"} with \`NotImplemented\`.`,
      hint: a.hint,
    };
  },
);

/** An address of which the data of a run would say the host. */
export const hostFromData = defineError("WB5314", (a: { address: string }) => ({
  message: `The data of a run would say which host \`${truncate(a.address)}\` is, and so where its calls and their headers go.`,
  hint: "Names in braces stand in the path or in the query. A host that is told to the program is a `server`, such as `{ env: HOST }`, of an operation of `openapi`.",
}));

/** An address with a user or a password in it. */
export const passwordInAddress = defineError("WB5315", () => ({
  message: "An address of HTTP with a user or a password in it would stand in the emitted program.",
  hint: "Write `headers: { authorization: { env: TOKEN, prefix: 'Basic ' } }` at the function in the configuration.",
}));

/** A document that a binding names and that is not there. */
export const missingDocument = defineError("WB5304", (a: { path: string; reason: string }) => ({
  message: `\`${truncate(a.path)}\` cannot be read: ${a.reason}.`,
}));

/** A document that says nothing usable. */
export const unusableDocument = defineError("WB5305", (a: { detail: string }) => ({
  message: a.detail,
}));

/** An operation or a method that a document does not have. */
export const unknownOperation = defineError(
  "WB5306",
  (a: { path: string; noun: string; name: string; known: readonly string[] }) => ({
    message: `\`${truncate(a.path)}\` has no ${a.noun} \`${truncate(a.name)}\`.`,
    hint:
      didYouMean(a.name, a.known) ??
      (a.known.length > 0 && a.known.length < 8
        ? `It has ${a.known.map((name) => `\`${truncate(name)}\``).join(", ")}.`
        : undefined),
  }),
);

/** A module that a binding names and that is not there, or throws. */
export const missingModule = defineError("WB5311", (a: { path: string; reason: string }) => ({
  message: `The module \`${truncate(a.path)}\` cannot be loaded: ${a.reason}.`,
}));

/** A function that a module does not export. */
export const missingExport = defineError("WB5309", (a: { path: string; name: string; known: readonly string[] }) => ({
  message: `\`${truncate(a.path)}\` exports no \`${truncate(a.name)}\`.`,
  hint:
    didYouMean(a.name, a.known) ??
    (a.known.length > 0 && a.known.length < 8 ? `It exports ${listNames(a.known)}.` : undefined),
}));

/** What a module exports is no function. */
export const valueExport = defineError("WB5310", (a: { path: string; name: string; isType: boolean }) => ({
  message: `What \`${truncate(a.path)}\` exports as \`${truncate(a.name)}\` is ${a.isType ? "a type" : "a value"}, where a function is needed.`,
}));

/** A module that functions are bound to is one that is emitted. */
export const ownModule = defineError("WB5312", (a: { module: string }) => ({
  message: `\`${truncate(a.module)}\` is a file of the program itself, so no function can be there.`,
  hint: "Write the program to a folder of its own with `--out`, or give the module another name.",
}));

/** An operation of a kind that is not called. */
export const unusableOperation = defineError(
  "WB5307",
  (a: { name: string; reason: string; hint?: string | undefined }) => ({
    message: `\`${truncate(a.name)}\` cannot be called: ${a.reason}.`,
    hint: a.hint,
  }),
);

/** A setting of calls of another kind: `way` is how the function is reached, such as `by HTTP`. */
export const unusedCallSetting = defineWarning("WB5308", (a: { name: string; way: string }) => ({
  message: `The function is reached ${a.way}, where \`${a.name}\` says nothing, so this is not used.`,
}));

// WB0506 and WB0507: secrets in the bindings of the target typescript

/** A secret that would stand in the emitted program. */
export const openSecret = defineWarning("WB0506", (a: { header: string }) => ({
  message: `The header \`${truncate(a.header)}\` usually holds a secret, and this value will stand in the emitted program.`,
  hint: "`{ env: NAME }` takes it from the environment when it is needed.",
}));

/** A secret that others can read on the way. */
export const unencryptedSecret = defineWarning("WB0507", (a: { header: string }) => ({
  message: `The header \`${truncate(a.header)}\` comes from the environment and would be sent by \`http:\`, where it can be read on the way.`,
}));

/** Workflows of one program whose configurations name different hosts. */
export const hostsDiffer = defineError("WB5318", (a: { hosts: readonly [string, string] }) => ({
  message: `The runs of one program are kept in one place, and its configurations name \`${a.hosts[0]}\` and \`${a.hosts[1]}\`.`,
  hint: "Let all name the same `host`, or compile the workflows into programs of their own.",
}));

/** A loop of which all rounds are kept: `most` is who keeps them, and how much that may be. */
export const keptRounds = defineWarning("WB5319", (a: { most: string }) => ({
  message: `Each round of this loop stays in what is kept of the run by ${a.most}.`,
  hint: "With more rounds than that the run does not get through. The hosts `sqlite` and `dbos` forget rounds that are over.",
}));
