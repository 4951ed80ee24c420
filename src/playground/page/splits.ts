import { h } from "./dom.ts";

/** A separator that changes a size by mouse, touch and arrow keys. */
export function createSplit(
  orientation: "vertical" | "horizontal",
  label: string,
  container: HTMLElement,
  property: string,
  initial: number,
): HTMLElement {
  const [least, most] = [15, 85];
  let share = initial;
  const split = h("div", {
    class: `split ${orientation}`,
    role: "separator",
    tabindex: 0,
    "aria-orientation": orientation,
    "aria-label": label,
    "aria-valuemin": least,
    "aria-valuemax": most,
    onpointerdown: start,
    onkeydown: step,
    ondblclick: () => set(initial),
  });
  set(initial);

  function set(percent: number): void {
    share = Math.max(least, Math.min(most, percent));
    container.style.setProperty(property, String(share));
    split.setAttribute("aria-valuenow", String(Math.round(share)));
  }

  function start(event: Event): void {
    if (!(event instanceof PointerEvent)) return;
    event.preventDefault();
    split.setPointerCapture(event.pointerId);
    const move = ({ clientX, clientY }: PointerEvent): void => {
      const { left, top, width, height } = container.getBoundingClientRect();
      set(orientation === "vertical" ? ((clientX - left) / width) * 100 : ((clientY - top) / height) * 100);
    };
    split.addEventListener("pointermove", move);
    split.addEventListener("lostpointercapture", () => split.removeEventListener("pointermove", move), { once: true });
  }

  function step(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const [less, more] = orientation === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    set(share + (event.key === more ? 2 : -2));
  }

  return split;
}
