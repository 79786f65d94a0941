// Puts members in order by dragging and by their buttons, adds and drops them without a reload, and says what became of
// it. The order is that of the hidden fields, so the form posts alike with and without this.
"use strict";
(() => {
  const form = document.getElementById("collection-form");
  if (!form) return;
  const rows = () => [...form.querySelectorAll(".picked-row")];
  const say = (words, row, alias) => {
    const all = rows();
    const told = words.replace("{alias}", alias).replace("{place}", all.indexOf(row) + 1).replace("{all}", all.length);
    document.getElementById("spoken").textContent = told;
  };
  const number = () => {
    const all = rows();
    all.forEach((row, at) => {
      row.querySelector(".picked-place").textContent = at + 1;
      row.querySelector("[id^=up-]").toggleAttribute("data-end", at === 0);
      row.querySelector("[id^=down-]").toggleAttribute("data-end", at === all.length - 1);
    });
  };
  const changed = () => {
    number();
    form.dispatchEvent(new CustomEvent("moved"));
  };

  const move = (row, up) => {
    const beside = up ? row.previousElementSibling : row.nextElementSibling;
    if (beside) (up ? beside.before(row) : beside.after(row));
    changed();
    say(form.dataset.saysMoved, row, row.dataset.alias);
  };
  const drop = (row) => {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    const alias = row.dataset.alias;
    row.remove();
    changed();
    (next?.querySelector("[id^=drop-]") ?? document.getElementById("find")).focus();
    say(form.dataset.saysDropped, null, alias);
  };

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=do]");
    const [verb] = button?.value.split(":") ?? [];
    const row = button?.closest(".picked-row");
    if (!row) return;
    event.preventDefault();
    if (verb === "drop") return drop(row);
    move(row, verb === "up");
    button.focus();
  });
  // Enter in a field asks for the preview; only the buttons save.
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "look") return;
    event.preventDefault();
    changed();
  });

  // A row follows the pointer by changing places with the row that it is over.
  let held = null;
  form.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest(".picked-grip");
    if (!grip || event.button !== 0) return;
    held = grip.closest(".picked-row");
    held.classList.add("is-held");
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    for (const row of rows()) {
      const box = row.getBoundingClientRect();
      if (row === held || event.clientY < box.top || event.clientY > box.bottom) continue;
      const middle = (box.top + box.bottom) / 2;
      const below = held.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (below && event.clientY > middle) row.after(held);
      if (!below && event.clientY < middle) row.before(held);
    }
  });
  const release = (event) => {
    if (!held) return;
    const row = held;
    held = null;
    row.classList.remove("is-held");
    changed();
    if (event.type === "pointerup") say(form.dataset.saysMoved, row, row.dataset.alias);
  };
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);

  // Whoever adds with the keyboard goes on where they were in the list.
  let added = null;
  form.addEventListener("change", (event) => {
    if (event.target.name !== "add" || !event.target.checked) return;
    const boxes = [...form.querySelectorAll("[name=add]")];
    const at = boxes.indexOf(event.target);
    added = { alias: event.target.value, next: (boxes[at + 1] ?? boxes[at - 1])?.id };
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (!added) return;
    const { alias, next } = added;
    const row = rows().find((one) => one.dataset.alias === alias);
    if (!row) return;
    added = null;
    if (document.activeElement === document.body) (document.getElementById(next) ?? document.getElementById("find")).focus();
    say(form.dataset.saysAdded, row, alias);
  });

  // An answer to what was chosen before must not undo what was chosen since: the next one is on its way.
  let sent = "";
  const stands = () => [...form.querySelectorAll("[name=members], [name=add]:checked")].map((one) => one.value).join(" ");
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt === form) sent = stands();
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig?.elt === form && (held || sent !== stands())) event.detail.shouldSwap = false;
  });

  // The merger is for a merged reply.
  const reply = document.getElementById("collection-reply");
  const merger = form.querySelector(".editor-merger");
  const show = () => merger.toggleAttribute("data-idle", reply.value !== "merged");
  reply.addEventListener("change", show);
  show();
})();
