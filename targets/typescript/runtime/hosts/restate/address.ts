import { parts } from "../parts.ts";

/** Where Restate is, and where it finds this process. */
export interface Address {
  /** Its admin interface and its ingress. */
  readonly admin: string;
  readonly ingress: string;
  /** The address by which it finds this process, and the port that this listens on. */
  readonly service: string;
  readonly port: number;
  /** Begins the names of the services of the program. */
  readonly name: string;
}

/** Reads the address of a store: that of the admin interface, with `ingress`, `service`, `port` and `name` where they are not the usual ones. */
export function addressOf(store: string): Address {
  const url = URL.canParse(store) ? new URL(store) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new parts.StoreError(
      "unusable",
      "The store has to be the address of Restate's admin interface, by WAYBILL_STORE or --store: http://localhost:9070.",
    );
  const given = (name: string, usual: string) => (url.searchParams.get(name) ?? usual).replace(/\/$/, "");
  const service = given("service", "http://localhost:9080");
  const port = Number(given("port", new URL(service).port || "9080"));
  const ingress = given("ingress", `${url.protocol}//${url.hostname}:8080`);
  const name = given("name", "waybill");
  if (!/^[A-Za-z][\w-]*$/.test(name))
    throw new parts.StoreError(
      "unusable",
      `The services of a program cannot be called ${JSON.stringify(name)}: a name has letters, digits, - and _.`,
    );
  return { admin: url.origin, ingress, service, port, name };
}
