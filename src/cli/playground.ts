import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { commandFailure, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** The package with the files of the page. It is not part of this one, which would be twice as large. */
export const playgroundPackage = "waybill-playground";

/** The policy of the page: it runs only its own scripts, and connects only to where it comes from. */
export const playgroundPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types waybill waybill-start",
].join("; ");

/** The flags of `waybill playground`. */
export interface PlaygroundFlags {
  readonly port?: string;
}

const defaultPort = 7030;

/** Serves the playground on this machine until the process is stopped. */
export async function playground({ port }: PlaygroundFlags, terminal: Terminal): Promise<ExitStatus> {
  const wanted = port === undefined ? defaultPort : Number(port);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    throw usageError(`--port must be a number from 0 to 65535, not \`${port}\`.`);
  const folder = siteFolder(terminal.cwd);
  if (folder === undefined)
    throw commandFailure(
      `The page is in the package ${playgroundPackage}, which is not installed: ` +
        `\`npm install --save-dev ${playgroundPackage}\`. In a clone of Waybill, \`npm run site\` builds it.`,
    );
  const server = await servePlayground(folder, wanted);
  terminal.out(`Playground: ${server.url}\nCtrl-C stops it.\n`);
  await new Promise<void>((stopped) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopped());
  });
  await server.close();
  return exit.success;
}

/** A server of the page. */
export interface PlaygroundServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the files of a folder on 127.0.0.1, at a free port if `port` is 0. */
export async function servePlayground(folder: string, port: number): Promise<PlaygroundServer> {
  const server = createServer((request, response) => respond(request, response, folder));
  await new Promise<void>((listening, failed) => {
    const isUsed = `Port ${port} is in use. Choose another one: \`waybill playground --port 0\`.`;
    server.once("error", (error: NodeJS.ErrnoException) =>
      failed(error.code === "EADDRINUSE" ? commandFailure(isUsed) : error),
    );
    server.listen(port, "127.0.0.1", listening);
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** The folder of the page: next to the bundled command in a clone, otherwise that of the package. */
function siteFolder(cwd: string): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  const clone = [join(here, "../site"), join(here, "../../dist/site")];
  const built = clone.find((folder) => existsSync(join(folder, "index.html")));
  if (built !== undefined) return built;
  for (const from of [pathToFileURL(join(cwd, "package.json")), import.meta.url]) {
    try {
      return dirname(createRequire(from).resolve(`${playgroundPackage}/package.json`));
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

const types: { readonly [extension: string]: string } = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

function respond({ method, url = "/" }: IncomingMessage, response: ServerResponse, folder: string): void {
  const isRead = method === "GET" || method === "HEAD";
  const file = isRead ? fileAt(url, folder) : undefined;
  const headers = {
    "content-security-policy": `${playgroundPolicy}; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  if (file === undefined) {
    response.writeHead(isRead ? 404 : 405, { ...headers, "content-type": types[".txt"] }).end("Not found.\n");
    return;
  }
  const isNamedByContent = /-[A-Z0-9]{8}\.(?:js|css)$/.test(file);
  response.writeHead(200, {
    ...headers,
    "content-type": types[extname(file)] ?? "application/octet-stream",
    "cache-control": isNamedByContent ? "max-age=31536000, immutable" : "no-cache",
  });
  if (method === "HEAD") response.end();
  else
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
}

/** The file of an address; undefined if it is not a file of the page. */
function fileAt(url: string, folder: string): string | undefined {
  try {
    const path = decodeURIComponent(url.split(/[?#]/)[0]!);
    const file = resolve(folder, `.${path.endsWith("/") ? `${path}index.html` : path}`);
    const isInside = file.startsWith(folder + sep) && !path.includes("\0");
    return isInside && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
