import { createCompiler, loadFirst } from "../compiler/index.ts";
import { withPackages } from "../compiler/packages.ts";
import { createQueue } from "../compiler/queue.ts";
import type { Request, Response } from "../protocol.ts";

// The worker of the page: the compiler behind a queue.

const compiler = createCompiler();
const receive = createQueue(
  (request) => withPackages(() => compiler(request)),
  (response: Response) => self.postMessage(response),
);

self.addEventListener("message", ({ data }: MessageEvent<Request>) => receive(data));

// The first request reports what cannot be loaded.
void loadFirst().catch(() => undefined);
