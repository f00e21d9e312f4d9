// Files that are dropped or chosen are sent one after the other, each with its progress; what is too large is not sent.
// Without this module the same forms send everything at once.

const megabytes = (size) =>
  new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 }).format(size / 1024 / 1024);
const tooLarge = (form, size) =>
  size >= Number(form.dataset.most) ? form.dataset.tooLarge.replace("{size}", megabytes(size)) : "";

const form = document.querySelector("form[data-upload]");
if (form) {
  const drop = form.querySelector(".drop");
  const list = form.querySelector(".uploads");
  const input = form.querySelector("input[type=file]");
  let queue = Promise.resolve();

  const send = (file, say, progress) =>
    new Promise((done) => {
      const body = new FormData();
      body.append("file", file, file.name);
      const request = new XMLHttpRequest();
      request.open("POST", form.action);
      request.setRequestHeader("X-CSRF-Token", form.elements.csrf.value);
      request.setRequestHeader("HX-Request", "true");
      request.upload.addEventListener("progress", (event) => {
        progress.max = event.total || file.size;
        progress.value = event.loaded;
      });
      request.addEventListener("load", () => done(say(request.responseText, request.status !== 200)));
      request.addEventListener("error", () => done(say(form.dataset.lost, true)));
      request.send(body);
    });

  const add = (files) => {
    for (const file of files) {
      const row = document.createElement("li");
      const name = document.createElement("b");
      const text = document.createElement("span");
      const progress = document.createElement("progress");
      name.textContent = file.name;
      text.textContent = form.dataset.sending;
      progress.setAttribute("aria-label", file.name);
      progress.max = file.size || 1;
      progress.value = 0;
      row.append(name, " ", text, progress);
      list.append(row);
      const say = (words, failed) => {
        progress.remove();
        text.textContent = words;
        text.classList.toggle("fault", failed);
      };
      const fault = file.size ? tooLarge(form, file.size) : form.dataset.empty;
      if (fault) say(fault, true);
      else queue = queue.then(() => send(file, say, progress)).then(() => globalThis.htmx?.trigger("#preparing", "refresh"));
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    add(input.files);
    input.value = "";
  });
  for (const kind of ["dragover", "dragenter"])
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    add(event.dataTransfer.files);
  });
}

for (const other of document.querySelectorAll("form[data-most]:not([data-upload])"))
  other.addEventListener("submit", (event) => {
    const fault = tooLarge(other, new Blob([other.elements.text.value]).size);
    const place = other.querySelector("p.fault[role=alert]");
    place.textContent = fault;
    place.hidden = !fault;
    if (fault) event.preventDefault();
  });
