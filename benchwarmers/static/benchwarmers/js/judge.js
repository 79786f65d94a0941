// Judging by keyboard, beside what keys.js does for every page: after a step the new answer has the focus, a key that
// unfolds a field leads into it and Escape out of it again. And answers are copied as they were written.
"use strict";
(() => {
  const lead = (fold) => {
    if (fold.open) fold.querySelector("textarea")?.focus();
  };
  document.addEventListener("click", (event) => {
    const summary = event.target.closest("#judge .verdict summary[data-key]");
    if (summary) setTimeout(() => lead(summary.parentElement));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !event.target.closest("#judge textarea")) return;
    document.getElementById("judging").focus({ preventScroll: true });
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "judge" && !event.detail.elt?.querySelector?.("#judging")) return;
    if (document.activeElement?.closest("#judge textarea")) return; // who writes already is not interrupted
    document.getElementById("judging")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy-answer]");
    if (!button) return;
    const text = document.getElementById(`text-${button.dataset.copyAnswer}`);
    const says = button.textContent;
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      document.getElementById(`raw-${button.dataset.copyAnswer}`).checked = true;
      getSelection().selectAllChildren(text);
      return;
    }
    button.textContent = button.dataset.done;
    document.getElementById("spoken").textContent = button.dataset.done;
    setTimeout(() => { button.textContent = says; }, 1500);
  });
})();
