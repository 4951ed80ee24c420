import { type Access, createApi, RequestError, storedToken, storeToken } from "./api.ts";
import { type App, createFrame, type View } from "./app.ts";
import { createRunView } from "./run.ts";
import { createRunsView } from "./runs.ts";
import { createFailureView, createSignInView } from "./sign-in.ts";
import { createWorkflowsView } from "./workflows.ts";

const frame = createFrame(signOut);
const api = createApi(() => void signIn("The server no longer accepts the token."));
const list = { address: "#/runs" };
let access: Access | undefined;

/** Forgets the token and everything that it has shown. */
function signOut(): void {
  storeToken(undefined);
  access = undefined;
  list.address = "#/runs";
  void signIn();
}

/** Requests a token if the server needs one. */
async function signIn(message?: string): Promise<void> {
  access = undefined;
  frame.header.current("");
  frame.header.connection(undefined);
  frame.header.signedIn(false);
  frame.show(
    createSignInView(message, async (token) => {
      storeToken(token);
      await open();
    }),
  );
}

/** Queries what the token may do, and shows the view of the address. */
async function open(): Promise<void> {
  const needsToken = document.documentElement.dataset["token"] === "required";
  if (needsToken && storedToken() === undefined) return signIn();
  try {
    access = await api.get<Access>("/access");
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    const hadToken = storedToken() !== undefined;
    if (thrown.status !== 401) return frame.show(createFailureView(thrown, open));
    storeToken(undefined);
    return signIn(hadToken ? "The server does not accept this token." : undefined);
  }
  frame.header.signedIn(storedToken() !== undefined);
  if (access.may.includes("read")) return route();
  frame.header.current("");
  frame.show(createFailureView(new RequestError(403, "No access", "This token may not read runs.")));
}

/** Shows the view of the address: `#/runs?…`, `#/runs/ID`, `#/workflows`, `#/workflows/ID`. */
function route(): void {
  if (!access) return;
  const [path = "", query = ""] = location.hash.slice(1).split("?", 2);
  const [, page = "", id] = path.split("/").map(decoded);
  const app: App = { api, access, list, connection: frame.header.connection, notify: frame.notify };
  frame.header.connection(undefined);
  frame.header.current(page === "workflows" ? page : "runs");
  frame.show(viewOf(app, page, id, new URLSearchParams(query)));
}

function viewOf(app: App, page: string, id: string | undefined, query: URLSearchParams): View {
  if (page === "workflows") return createWorkflowsView(app, id);
  return id === undefined ? createRunsView(app, query) : createRunView(app, id);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

addEventListener("hashchange", route);
void open();
