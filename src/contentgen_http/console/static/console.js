// What a page cannot say in HTML alone: the menu on small screens, the passage of the sentence in focus, and faults of
// parts that are loaded later. Every page works without it.

document.documentElement.classList.add("scripted");

const menu = document.querySelector("details.menu");
if (menu && matchMedia("(max-width: 60rem)").matches) menu.open = false;

const problem = document.getElementById("problem");
document.body.addEventListener("htmx:responseError", (event) => {
  problem.textContent = event.detail.xhr.responseText;
  problem.hidden = false;
});
document.body.addEventListener("htmx:sendError", () => {
  problem.textContent = problem.dataset.unreachable;
  problem.hidden = false;
});

// The passage of the sentence in focus. On small screens it covers the lower part of the page until it is closed.
const narrow = matchMedia("(max-width: 60rem)");
let chosen = "";

function shut(passages) {
  passages.classList.remove("sheet");
  passages.querySelector(".shut").hidden = true;
}

function showPassage(sentence) {
  const passages = document.querySelector(".passages");
  const id = sentence.getAttribute("href").slice(1);
  const card = document.getElementById(id);
  if (!passages || !card) return;
  for (const other of passages.querySelectorAll(".evidence")) other.classList.toggle("shown", other === card);
  for (const other of document.querySelectorAll(".sentence")) other.classList.toggle("chosen", other === sentence);
  chosen = sentence.id;
  passages.classList.toggle("sheet", narrow.matches);
  passages.querySelector(".shut").hidden = !narrow.matches;
  passages.scrollTo({ top: narrow.matches ? 0 : card.offsetTop - 8 });
}

const sentenceOf = (event) => event.target.closest?.("a.sentence");
// A sentence that was clicked, or whose passage is being used, stays chosen while the pointer passes over others.
const held = () => document.activeElement?.closest("a.sentence, .passages");
document.addEventListener("focusin", (event) => {
  const sentence = sentenceOf(event);
  if (sentence) showPassage(sentence);
});
document.addEventListener("pointerover", (event) => {
  const sentence = sentenceOf(event);
  if (sentence && event.pointerType === "mouse" && !held()) showPassage(sentence);
});
document.addEventListener("click", (event) => {
  const sentence = sentenceOf(event);
  const passages = document.querySelector(".passages");
  if (sentence) {
    event.preventDefault();
    sentence.focus();
    showPassage(sentence);
  } else if (event.target.closest(".shut")) {
    shut(passages);
    document.getElementById(chosen)?.focus({ preventScroll: true });
    shut(passages);
  } else if (event.target.closest(".passages .cancel")) {
    event.preventDefault();
    event.target.closest("form").remove();
    document.getElementById(chosen)?.focus();
  }
});
document.addEventListener("keydown", (event) => {
  const passages = document.querySelector(".passages.sheet");
  if (event.key === "Escape" && passages) shut(passages);
});
// One sentence is edited at a time: another one is opened once nothing that was typed would be lost.
document.body.addEventListener("htmx:beforeRequest", (event) => {
  const open = document.querySelector(".passages #sentence-form");
  if (!open || !event.detail.target.id.startsWith("slot-") || open.contains(event.detail.elt)) return;
  const words = open.querySelector("textarea");
  if (words.value === words.defaultValue) {
    open.remove();
    return;
  }
  event.preventDefault();
  showPassage(document.getElementById(open.parentElement.id.replace("slot", "sentence")));
  words.focus();
});
document.body.addEventListener("htmx:afterSettle", (event) => {
  const { id } = event.detail.target;
  if (id === "reading") document.getElementById(chosen)?.focus();
  if (id.startsWith("slot-")) showPassage(document.getElementById(id.replace("slot", "sentence")));
});
