// What a page cannot say in HTML alone: the menu on small screens, the passage of the sentence in focus, and faults of
// parts that are loaded later. Every page works without it.

const menu = document.querySelector("details.menu");
if (menu && matchMedia("(max-width: 60rem)").matches) menu.open = false;

const problem = document.getElementById("problem");
document.body.addEventListener("htmx:responseError", (event) => {
  problem.textContent = event.detail.xhr.responseText;
  problem.hidden = false;
});
document.body.addEventListener("htmx:sendError", () => {
  problem.textContent = document.documentElement.lang === "fr" ? "Le service ne répond pas." : "The service does not answer.";
  problem.hidden = false;
});

const passages = document.querySelector(".passages");
if (passages) {
  const show = (sentence) => {
    const id = sentence.getAttribute("href").slice(1);
    for (const card of passages.querySelectorAll(".evidence")) card.classList.toggle("shown", card.id === id);
    const card = document.getElementById(id);
    passages.scrollTo({ top: card.offsetTop - 8 });
    for (const other of document.querySelectorAll(".sentence")) other.classList.toggle("chosen", other === sentence);
  };
  for (const sentence of document.querySelectorAll(".sentence")) {
    sentence.addEventListener("focus", () => show(sentence));
    sentence.addEventListener("pointerenter", () => show(sentence));
  }
}
