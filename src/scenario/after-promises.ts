/** Calls a function when no promise can continue: in Node.js by `setImmediate`, in browsers by a message. */
export function afterPromises(resume: () => void): void {
  if (typeof globalThis.setImmediate === "function") {
    setImmediate(resume);
    return;
  }
  messages ??= createMessageQueue();
  messages(resume);
}

let messages: ((resume: () => void) => void) | undefined;

function createMessageQueue(): (resume: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.addEventListener("message", () => waiting.shift()?.());
  port1.start();
  return (resume) => {
    waiting.push(resume);
    port2.postMessage(undefined);
  };
}
