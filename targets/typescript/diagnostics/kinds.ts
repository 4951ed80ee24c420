import { defineError, defineWarning } from "../../../src/text/diagnostics.ts";
import { didYouMean, listNames, truncate } from "../../../src/text/messages.ts";

// WB53xx: bindings and hosts of TypeScript programs

/** Functions without a binding or an address. */
export const unboundFunctions = defineWarning("WB5301", (a: { names: readonly string[] }) => {
  const several = a.names.length > 1;
  return {
    message: `Function${several ? "s" : ""} ${listNames(a.names)} ${several ? "are" : "is"} not bound, so calls of ${several ? "them" : "it"} fail with \`NotImplemented\`.`,
    hint: "Bind functions in the configuration: to a `module`, an `http` URL, an `openapi` operation or a `grpc` method.",
  };
});

/** Functions whose calls need a setting that the configuration does not provide. `needs`: such as `the address of its server`. */
export const incompleteCalls = defineWarning(
  "WB5313",
  (a: { names: readonly string[]; needs: string; hint: string }) => {
    const several = a.names.length > 1;
    return {
      message: `Calls of ${listNames(a.names)} need ${a.needs}, which the configuration does not specify, so ${several ? "these functions fail" : "the function fails"} with \`NotImplemented\`.`,
      hint: a.hint,
    };
  },
);

/** A URL whose host would come from the data of a run. */
export const hostFromData = defineError("WB5314", (a: { address: string }) => ({
  message: `The host of \`${truncate(a.address)}\` would come from the data of a run.`,
  hint: "Use names in braces only in the path or the query. For a configurable host, bind an `openapi` operation with `server: { env: HOST }`.",
}));

/** A URL with a user or a password. */
export const passwordInAddress = defineError("WB5315", () => ({
  message: "The user and password in this URL would be copied into the emitted program.",
  hint: "Use a header from the environment instead: `headers: { authorization: { env: TOKEN, prefix: 'Basic ' } }`.",
}));

/** A document that a binding refers to cannot be read. */
export const missingDocument = defineError("WB5304", (a: { path: string; reason: string }) => ({
  message: `Cannot read \`${truncate(a.path)}\`: ${a.reason}.`,
}));

/** A document that a binding refers to is not of the expected kind. */
export const unusableDocument = defineError("WB5305", (a: { detail: string }) => ({
  message: a.detail,
}));

/** A document has no such operation or method. */
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

/** A module that a binding refers to does not exist, or throws. */
export const missingModule = defineError("WB5311", (a: { path: string; reason: string }) => ({
  message: `Cannot load module \`${truncate(a.path)}\`: ${a.reason}.`,
}));

/** A module does not export a function. */
export const missingExport = defineError("WB5309", (a: { path: string; name: string; known: readonly string[] }) => ({
  message: `\`${truncate(a.path)}\` does not export \`${truncate(a.name)}\`.`,
  hint:
    didYouMean(a.name, a.known) ??
    (a.known.length > 0 && a.known.length < 8 ? `It exports ${listNames(a.known)}.` : undefined),
}));

/** An export is not a function. */
export const nonFunctionExport = defineError("WB5310", (a: { path: string; name: string; isType: boolean }) => ({
  message: `The export \`${truncate(a.name)}\` of \`${truncate(a.path)}\` is ${a.isType ? "a type" : "a value"}, not a function.`,
}));

/** A function or a codec is bound to a module that Waybill emits. */
export const emittedModule = defineError("WB5312", (a: { module: string }) => ({
  message: `\`${truncate(a.module)}\` is a file of the emitted program, so a configuration cannot refer to it.`,
  hint: "Write the program to a separate folder with `--out`, or rename the module.",
}));

/** An operation that cannot be called. */
export const unusableOperation = defineError(
  "WB5307",
  (a: { name: string; reason: string; hint?: string | undefined }) => ({
    message: `\`${truncate(a.name)}\` cannot be called: ${a.reason}.`,
    hint: a.hint,
  }),
);

/** A setting that does not apply to the protocol of a function. `way`: how it is reached, such as `by HTTP`. */
export const ineffectiveSetting = defineWarning("WB5308", (a: { name: string; way: string }) => ({
  message: `\`${a.name}\` has no effect: the function is reached ${a.way}.`,
}));

// WB0506 and WB0507: secrets in bindings

/** A secret that would be copied into the emitted program. */
export const literalSecret = defineWarning("WB0506", (a: { header: string }) => ({
  message: `Header \`${truncate(a.header)}\` usually contains a secret, and its value would be copied into the emitted program.`,
  hint: "Read it from the environment: `{ env: NAME }`.",
}));

/** A secret that would be sent unencrypted. */
export const unencryptedSecret = defineWarning("WB0507", (a: { header: string }) => ({
  message: `Header \`${truncate(a.header)}\` comes from the environment, but would be sent unencrypted.`,
}));

/** Workflows of one program have different hosts. */
export const conflictingHosts = defineError("WB5318", (a: { hosts: readonly [string, string] }) => ({
  message: `All workflows of a program must have the same host, but these have \`${a.hosts[0]}\` and \`${a.hosts[1]}\`.`,
  hint: "Set the same `host` for all, or compile the workflows as separate programs.",
}));

/** Workflows of one program have different codecs. */
export const conflictingCodecs = defineError("WB5320", () => ({
  message: "All workflows of a program must have the same codec, because they share a store.",
  hint: "Set the same `codec` for all, or compile the workflows as separate programs.",
}));

/** A codec on a host that cannot use it. `reason`: as a clause. `others`: hosts that can. */
export const unsupportedCodec = defineError(
  "WB5321",
  (a: { host: string; reason: string; others: readonly string[] }) => ({
    message: `Programs on the host \`${a.host}\` cannot have a codec: ${a.reason}.`,
    hint: `Remove \`codec\`, or use the host ${a.others.map((name) => `\`${name}\``).join(" or ")}.`,
  }),
);

/** A loop on a host that keeps the whole journal of a run. `most`: the limit, as a clause. `unlimited`: other hosts. */
export const growingJournal = defineWarning("WB5319", (a: { most: string; unlimited: readonly string[] }) => ({
  message: `Every iteration of this loop extends the journal of the run, and ${a.most}.`,
  hint: `For a loop with many iterations, use the host ${a.unlimited.map((name) => `\`${name}\``).join(" or ")}, which discard completed ones.`,
}));

/** A timer on a host whose programs have no server. `others`: hosts that have one. */
export const unsupportedTimer = defineError("WB5322", (a: { host: string; others: readonly string[] }) => ({
  message: `Programs on the host \`${a.host}\` have no server that fires timers.`,
  hint: `Use the host ${a.others.map((name) => `\`${name}\``).join(" or ")}, or start runs by a schedule of the platform.`,
}));

/** A call that waits for a callback on a host whose runs cannot. `reason`: as a clause. `others`: hosts that can. */
export const unsupportedTask = defineError(
  "WB5324",
  (a: { host: string; reason: string; others: readonly string[] }) => ({
    message: `On the host \`${a.host}\`, runs cannot wait for a task that is answered by a token: ${a.reason}.`,
    hint: `Use the host ${a.others.map((name) => `\`${name}\``).join(" or ")}.`,
  }),
);

/** A subflow that stops with a workflow which has a loop around it. */
export const attachedInLoop = defineError("WB5323", (a: { name: string }) => ({
  message: `Workflow \`${truncate(a.name)}\` stops when this workflow ends, but a loop discards what was recorded before, and with it the subflow.`,
  hint: "Let the subflow continue, or start it in a workflow without loops.",
}));
