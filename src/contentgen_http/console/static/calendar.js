// Moving what is scheduled to another day: by dragging it there, or by Shift and an arrow key. Each entry has a link to a
// form that does the same without this script.

const form = document.getElementById("move");
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const MOVED = "contentgen-moved";
let held = null;

function move(entry, day) {
  const { article = "", post = "", seen } = entry.dataset;
  if (seen.startsWith(day)) return;
  Object.assign(form.elements.article, { value: article });
  Object.assign(form.elements.post, { value: post });
  Object.assign(form.elements.seen, { value: seen });
  Object.assign(form.elements.day, { value: day });
  sessionStorage.setItem(MOVED, article || post);
  form.submit();
}

function shifted(day, by) {
  const moved = new Date(`${day}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + by);
  return moved.toISOString().slice(0, 10);
}

if (form) {
  for (const entry of document.querySelectorAll(".entry[draggable]")) {
    entry.addEventListener("dragstart", (event) => {
      held = entry;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", entry.textContent.trim());
      entry.classList.add("held");
    });
    entry.addEventListener("dragend", () => {
      held = null;
      entry.classList.remove("held");
    });
    entry.addEventListener("keydown", (event) => {
      if (!event.shiftKey || !(event.key in KEYS)) return;
      event.preventDefault();
      move(entry, shifted(entry.dataset.seen.slice(0, 10), KEYS[event.key]));
    });
  }
  for (const cell of document.querySelectorAll("[data-day]")) {
    cell.addEventListener("dragover", (event) => {
      if (!held) return;
      event.preventDefault();
      cell.classList.add("over");
    });
    cell.addEventListener("dragleave", () => cell.classList.remove("over"));
    cell.addEventListener("drop", (event) => {
      event.preventDefault();
      cell.classList.remove("over");
      if (held) move(held, cell.dataset.day);
    });
  }
  const moved = sessionStorage.getItem(MOVED);
  sessionStorage.removeItem(MOVED);
  for (const entry of moved ? document.querySelectorAll(".entry[draggable]") : []) {
    const link = entry.querySelector("a");
    if ([entry.dataset.article, entry.dataset.post].includes(moved) && link.offsetParent) link.focus();
  }
}
