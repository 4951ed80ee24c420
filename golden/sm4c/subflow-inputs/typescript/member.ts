// member 1.0, from sm4c. Change the definition, not this file.
import { type Flow, type Json, defineWorkflow, withMember } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly n?: Json; readonly [member: string]: Json | undefined };

/** member */
export const member = defineWorkflow({
  id: "member",
  version: "03aeebc422ba13db",
  name: "member",
  events: { read: { type: "org.example.read", foldCase: true } },
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Read (state)
    await flow.emit("Read", "read", { n: data.n ?? null }, { attributes: { subject: "read" } });
    {
      const value2 = (data.n ?? null) === null;
      data = withMember(data, "read", value2);
    }
    return data;
  },
});
