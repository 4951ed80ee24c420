/** What a command may access of the machine in addition to its store. */
export interface Terminal {
  /** Writes results. */
  out(text: string): void;
  /** Writes the log and errors. */
  err(text: string): void;
  /** Whether `err` is a terminal. */
  readonly isInteractive: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  readStandardInput(): Promise<string>;
  readFile(path: string): Promise<string>;
  /** Listens for the signals to stop; returns a function that removes the listener. */
  onStop(listener: (signal: string) => void): () => void;
  /** Calls the listener when the file changes and on SIGHUP; returns a function that removes the listener. */
  onReload(path: string, listener: () => void): () => void;
  /** Receives unhandled rejections, which then do not end the process. */
  onRejection(listener: (reason: unknown) => void): void;
  /** Receives uncaught exceptions. The listener has to end the process. */
  onException(listener: (reason: unknown) => void): void;
  /** Ends the process immediately. */
  exit(code: number): void;
}

/** The command line is invalid: exit status 2. */
export class UsageError extends Error {}

/** The command has failed: exit status 1. */
export class CommandFailure extends Error {}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  out: (words) => void process.stdout.write(words),
  err: (words) => void process.stderr.write(words),
  isInteractive: process.stderr.isTTY ?? false,
  environment: process.env,
  readStandardInput: () => process.getBuiltinModule("node:stream/consumers").text(process.stdin),
  readFile: (path) => process.getBuiltinModule("node:fs/promises").readFile(path, "utf8"),
  onStop(listener) {
    const signals = ["SIGTERM", "SIGINT"] as const;
    const listeners = signals.map((signal) => [signal, () => listener(signal)] as const);
    for (const [signal, hear] of listeners) process.on(signal, hear);
    return () => {
      for (const [signal, hear] of listeners) process.off(signal, hear);
    };
  },
  onReload(path, listener) {
    const { unwatchFile, watchFile } = process.getBuiltinModule("node:fs");
    watchFile(path, { persistent: false, interval: 1000 }, listener);
    process.on("SIGHUP", listener);
    return () => {
      unwatchFile(path, listener);
      process.off("SIGHUP", listener);
    };
  },
  onRejection: (listener) => void process.on("unhandledRejection", listener),
  onException: (listener) => void process.on("uncaughtException", listener),
  exit: (code) => process.exit(code),
};
