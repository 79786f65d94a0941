// A button with data-asks puts its question first, in a dialog of our own. Without a script it acts at once, so only what
// can be undone, or is asked for again by the server, may hang on it.
"use strict";
(() => {
  const dialog = document.createElement("dialog");
  dialog.className = "asks";
  dialog.setAttribute("aria-labelledby", "asks-words");
  const words = document.createElement("p");
  words.id = "asks-words";
  const acts = document.createElement("div");
  acts.className = "asks-acts";
  const no = document.createElement("button");
  no.textContent = "Leave it";
  const yes = document.createElement("button");
  yes.className = "main";
  acts.append(no, yes);
  dialog.append(words, acts);
  document.body.append(dialog);
  let asked = null;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-asks]");
    if (!button || button === asked) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    words.textContent = button.dataset.asks;
    yes.textContent = button.dataset.yes || button.firstChild.textContent.trim();
    asked = button;
    dialog.showModal();
    no.focus();
  }, true);
  no.addEventListener("click", () => dialog.close());
  yes.addEventListener("click", () => {
    const button = asked;
    dialog.close();
    asked = button;
    button.click();
    asked = null;
  });
  dialog.addEventListener("close", () => { asked = null; });
})();
