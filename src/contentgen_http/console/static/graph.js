// The picture of the entities: nearer and farther by buttons and the wheel, moved by dragging; an entry of the list shows
// where it stands. Without this module the links of the groups show each of them larger.

const svg = document.querySelector(".graph svg");
if (svg) {
  const whole = svg.viewBox.baseVal;
  const first = [whole.x, whole.y, whole.width, whole.height];
  let view = [...first];
  const show = () => svg.setAttribute("viewBox", view.map((value) => value.toFixed(1)).join(" "));
  const zoom = (by, atX = 0.5, atY = 0.5) => {
    const width = Math.min(Math.max(view[2] * by, first[2] / 12), first[2] * 2);
    const height = (width * first[3]) / first[2];
    view = [view[0] + (view[2] - width) * atX, view[1] + (view[3] - height) * atY, width, height];
    show();
  };

  const buttons = document.querySelector("[data-zoom]");
  buttons.hidden = false;
  buttons.addEventListener("click", (event) => {
    const by = event.target.closest("[data-by]")?.dataset.by;
    if (by === "0") {
      view = [...first];
      show();
    } else if (by) zoom(Number(by));
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // the page scrolls; with Ctrl, as a pinch says it, the picture does
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 0.85 : 1.18, (event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
  });

  let from = null;
  svg.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY, ...view];
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const scale = view[2] / svg.getBoundingClientRect().width;
    view = [from[2] - (event.clientX - from[0]) * scale, from[3] - (event.clientY - from[1]) * scale, view[2], view[3]];
    show();
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => (from = null));

  const mark = (entry, on) =>
    svg.querySelector(`[data-node="${entry.dataset.node}"]`)?.classList.toggle("chosen", on);
  for (const entry of document.querySelectorAll("li[data-node]")) {
    for (const on of ["pointerenter", "focusin"]) entry.addEventListener(on, () => mark(entry, true));
    for (const off of ["pointerleave", "focusout"]) entry.addEventListener(off, () => mark(entry, false));
  }
}
