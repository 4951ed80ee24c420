/** What an item costs. */
export interface Price {
  readonly total: number;
  readonly lines: readonly { readonly sku: string }[];
}

type Color = "red" | "green";

export async function quote(wanted: { item: string; color?: Color }): Promise<{ price: Price }> {
  return { price: { total: wanted.item.length, lines: [{ sku: wanted.item }] } };
}

type Customer = {
  readonly email: string;
  /** Who recommended the shop. */
  readonly friend?: Customer;
};

type Status = "paid" | "declined";

export const charge = (payment: { order: string; amount: number; lines: string[] }): {
  receipt: { status: Status; customer: Customer };
} => ({ receipt: { status: payment.amount > 0 ? "paid" : "declined", customer: { email: "a@example.com" } } });

export default async ({ to }: { to: string }): Promise<null> => {
  if (to === "") throw new Error("No address");
  return null;
};
