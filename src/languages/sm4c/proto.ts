/** A service of a .proto file: its name with the package before it, and the names of its methods. */
export interface ProtoService {
  readonly name: string;
  readonly methods: readonly string[];
}

/**
 * The services that a .proto file defines, in order, by its words alone: what else is wrong with the file is found where it is used.
 *
 *   package shop.v1; service Desk { rpc Pack (Order) returns (Box); } → [{ name: "shop.v1.Desk", methods: ["Pack"] }]
 */
export function servicesIn(text: string): readonly ProtoService[] {
  const words = [...text.matchAll(token)].map(([word]) => word).filter((word) => !/^(?:\/\/|\/\*)/.test(word));
  const services: { readonly name: string; readonly methods: string[]; readonly depth: number }[] = [];
  let scope = "";
  let depth = 0;
  let service: (typeof services)[number] | undefined;
  for (const [i, word] of words.entries()) {
    const next = words[i + 1] ?? "";
    if (word === "{") depth += 1;
    else if (word === "}") {
      depth -= 1;
      if (service && depth <= service.depth) service = undefined;
    } else if (word === "package" && depth === 0 && name.test(next)) scope = `${next}.`;
    else if (word === "service" && depth === 0 && name.test(next) && words[i + 2] === "{") {
      service = { name: scope + next, methods: [], depth };
      services.push(service);
    } else if (word === "rpc" && service && depth === service.depth + 1 && name.test(next)) service.methods.push(next);
  }
  return services.map(({ name: called, methods }) => ({ name: called, methods }));
}

/** Comments, strings, names with dots, and single signs. */
const token = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w.]+|[^\s\w]/g;

const name = /^[A-Za-z_][\w.]*$/;
