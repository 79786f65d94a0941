// Shortcuts. `g` and a letter go to a place (data-go in the navigation), an element with data-key is clicked or, if it is
// a field, gets the focus; `/` goes to the search of the page, `?` lists them all. Single letters can be switched off,
// for people who speak to their browser (WCAG 2.1.4); nothing is taken while somebody writes.
"use strict";
(() => {
  const sheet = document.getElementById("shortcuts");
  if (!sheet) return;
  const OFF = "bw-no-letters";
  const GO_MS = 1500;
  const off = document.getElementById("shortcuts-off");
  const isOff = () => localStorage.getItem(OFF) !== null;
  let going = 0;

  const mark = () => {
    off.checked = isOff();
    for (const part of sheet.querySelectorAll("[data-single]")) part.classList.toggle("is-off", isOff());
  };
  off.addEventListener("change", () => {
    if (off.checked) localStorage.setItem(OFF, "");
    else localStorage.removeItem(OFF);
    mark();
  });

  // What was sent and is not answered yet takes no second press: it would mean what is about to go.
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.disabled && !element.closest(".htmx-request");
  const find = (key) => [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key && shown(one));
  const listHere = () => {
    const here = document.getElementById("shortcuts-here");
    const list = here.querySelector("dl");
    list.replaceChildren();
    const told = new Set();
    for (const one of document.querySelectorAll("[data-key]")) {
      if (told.has(one.dataset.key)) continue;
      told.add(one.dataset.key);
      const row = document.createElement("div");
      const key = document.createElement("dt");
      const kbd = document.createElement("kbd");
      kbd.textContent = one.dataset.key;
      key.append(kbd);
      const says = document.createElement("dd");
      says.textContent = one.dataset.keySays || one.title || one.textContent.trim();
      row.append(key, says);
      list.append(row);
    }
    here.hidden = !told.size;
  };
  const open = () => {
    mark();
    listHere();
    sheet.showModal();
  };

  const act = (key) => {
    const now = Date.now();
    if (now - going < GO_MS) {
      going = 0;
      const place = [...document.querySelectorAll("[data-go]")].find((one) => one.dataset.go === key);
      if (place) location.assign(place.href);
      return Boolean(place);
    }
    if (key === "?") return open(), true;
    if (key === "/") {
      const field = document.querySelector("[data-search], main input[type=search]");
      field?.focus();
      return Boolean(field);
    }
    const element = find(key);
    if (element) {
      if (element.matches("input:not([type=checkbox], [type=radio]), textarea, select")) element.focus();
      else element.click();
      return true;
    }
    if (key === "g") going = now;
    return key === "g";
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented || isOff()) return;
    if (event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog[open]")) return;
    if (event.key.length === 1 && act(event.key)) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-shortcuts]")) open();
    const dialog = event.target.closest("dialog");
    if (dialog && event.target.closest("[data-close]")) dialog.close();
  });
})();
