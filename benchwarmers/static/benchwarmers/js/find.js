// The palette: Ctrl-K (or Cmd-K) opens it, letters search, arrows choose, Enter goes. The focus stays in the field; the
// chosen hit is told by aria-activedescendant. Without this script its links lead to the page of the same search.
"use strict";
(() => {
  const dialog = document.getElementById("find");
  if (!dialog) return;
  const field = document.getElementById("find-words");
  const list = document.getElementById("find-found");
  const PAUSE_MS = 90;
  let timer = 0;
  let asked = 0;

  const hits = () => [...list.querySelectorAll(".hit")];
  const chosen = () => list.querySelector('.hit[aria-selected="true"]');
  const choose = (hit) => {
    chosen()?.setAttribute("aria-selected", "false");
    hit?.setAttribute("aria-selected", "true");
    hit?.scrollIntoView({ block: "nearest" });
    if (hit) field.setAttribute("aria-activedescendant", hit.id);
    else field.removeAttribute("aria-activedescendant");
  };
  const move = (step) => {
    const all = hits();
    if (!all.length) return;
    choose(all[(all.indexOf(chosen()) + step + all.length) % all.length]);
  };
  const ask = async () => {
    const mine = ++asked;
    const answer = await fetch(`${dialog.dataset.url}?q=${encodeURIComponent(field.value)}`, { headers: { "HX-Request": "true" } });
    if (answer.redirected) return location.reload();
    const text = await answer.text();
    if (mine !== asked) return;
    list.innerHTML = text;
    choose(hits()[0]);
  };
  const open = () => {
    document.getElementById("places")?.hidePopover?.();
    dialog.showModal();
    field.select();
    ask();
  };

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && chosen()) {
      event.preventDefault();
      location.assign(chosen().href);
    }
  });
  list.addEventListener("mousemove", (event) => {
    const hit = event.target.closest(".hit");
    if (hit && hit !== chosen()) choose(hit);
  });
  let pressedOutside = false;
  const isOutside = (event) => {
    const box = dialog.getBoundingClientRect();
    return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
  };
  dialog.addEventListener("mousedown", (event) => { pressedOutside = isOutside(event); });
  dialog.addEventListener("click", (event) => { if (pressedOutside && event.detail && isOutside(event)) dialog.close(); });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-find]")) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else if (!document.querySelector("dialog[open]")) open();
  });
})();
