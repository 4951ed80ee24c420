import { pick, programsOf, times } from "./program.ts";

type Item = {
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
  readonly tags: readonly string[];
};

type Order = {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly coupon: string | null;
  readonly customer: {
    readonly name: string;
    readonly email: string;
    readonly vip: boolean;
    readonly address: { readonly city: string; readonly country: string };
  };
  readonly items: readonly Item[];
};

const itemOf = (index: number): Item => ({
  sku: `SKU-${100 + index}`,
  name: pick(["Lamp", "Desk", "Chair", "Shelf", "Rug"], index),
  quantity: 1 + (index % 4),
  price: 5 + ((index * 37) % 120),
  tags: pick([["sale"], ["new", "sale"], []], index),
});

const orders = times(
  16,
  (index): Order => ({
    id: `order-${4000 + index}`,
    status: pick(["paid", "open", "shipped"], index),
    total: 20 + ((index * 97) % 700),
    coupon: index % 3 === 0 ? `SPRING${index}` : null,
    customer: {
      name: pick(["Ada", "Grace", "Edsger", "Barbara"], index),
      email: `customer${index}@example.com`,
      vip: index % 2 === 0,
      address: { city: pick(["Utrecht", "Porto", "Graz"], index), country: pick(["NL", "PT", "AT"], index) },
    },
    items: times(12, (item) => itemOf(index + item)),
  }),
);

/** Programs on one order. */
export const orderPrograms = programsOf(orders, [
  [".customer.address.city", (order) => order.customer.address.city],
  ['.status == "paid" and .total > 100', (order) => order.status === "paid" && order.total > 100],
  [".customer.vip or .total >= 500", (order) => order.customer.vip || order.total >= 500],
  ['"Order \\(.id) for \\(.customer.name)"', (order) => `Order ${order.id} for ${order.customer.name}`],
  ['.coupon // "none"', (order) => order.coupon ?? "none"],
  [
    'if .total >= 500 then "large" elif .total >= 100 then "medium" else "small" end',
    (order) => (order.total >= 500 ? "large" : order.total >= 100 ? "medium" : "small"),
  ],
  [
    "{id, email: .customer.email, count: (.items | length)}",
    (order) => ({ id: order.id, email: order.customer.email, count: order.items.length }),
  ],
  [
    ".items | map(.price * .quantity) | add",
    (order) => order.items.reduce((sum, { price, quantity }) => sum + price * quantity, 0),
  ],
  [
    "[.items[] | select(.quantity > 1) | .sku]",
    (order) => order.items.filter(({ quantity }) => quantity > 1).map(({ sku }) => sku),
  ],
  [
    ".items | sort_by(.price) | last | .name",
    (order) => order.items.toSorted((a, b) => a.price - b.price).at(-1)!.name,
  ],
  [
    ".items |= map(. + {total: (.price * .quantity)})",
    (order) => ({ ...order, items: order.items.map((item) => ({ ...item, total: item.price * item.quantity })) }),
  ],
  ['.status = "shipped"', (order) => ({ ...order, status: "shipped" })],
  [".total *= 0.9", (order) => ({ ...order, total: order.total * 0.9 })],
  ["del(.customer.address)", ({ customer: { address: _, ...customer }, ...order }) => ({ ...order, customer })],
]);
