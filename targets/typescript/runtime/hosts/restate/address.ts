import { StoreError } from "../../internal.ts";

/** The addresses of Restate and of this process. */
export interface Address {
  /** Its admin interface and its ingress. */
  readonly admin: string;
  readonly ingress: string;
  /** The address at which Restate reaches this process, and the port where it listens. */
  readonly service: string;
  readonly port: number;
  /** The prefix of the names of the program's services. */
  readonly name: string;
}

/** Parses the address of a store: the URL of the admin interface, whose parameters are optional. */
export function addressOf(store: string): Address {
  const url = webOf(store);
  if (!url)
    throw unusable(
      "The store has to be the address of Restate's admin interface, by WAYBILL_STORE or --store: http://localhost:9070.",
    );
  const other = [...url.searchParams.keys()].find((key) => !known.some((each) => each === key));
  if (other !== undefined)
    throw unusable(`The address of the store says ${JSON.stringify(other)}, and may say ${known.join(", ")}.`);
  const given = (name: (typeof known)[number], usual: string) => url.searchParams.get(name) ?? usual;
  const service = webOf(given("service", "http://localhost:9080"));
  const ingress = webOf(given("ingress", `${url.protocol}//${url.hostname}:8080`));
  if (!service || !ingress)
    throw unusable(
      `What the address of the store says as ${service ? "ingress" : "service"} has to be an address: http://localhost:${service ? 8080 : 9080}.`,
    );
  const port = Number(given("port", service.port || "9080"));
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw unusable(`Restate cannot be listened to at port ${JSON.stringify(given("port", ""))}.`);
  const name = given("name", "waybill");
  if (!/^[A-Za-z][\w-]*$/.test(name))
    throw unusable(
      `The services of a program cannot be called ${JSON.stringify(name)}: a name has letters, digits, - and _.`,
    );
  return { admin: textOf(url), ingress: textOf(ingress), service: textOf(service), port, name };
}

/** The parameters of an address. */
const known = ["ingress", "service", "port", "name"] as const;

/** An HTTP URL without credentials, which requests would not send. */
function webOf(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.username + url.password === "" ? url : undefined;
}

const textOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/$/, "")}`;

const unusable = (message: string): Error => new StoreError("unusable", message);
