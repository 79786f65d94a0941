// The queues of verdicts and of drafts by keyboard: a key presses what names it in data-key. Not while something is
// written, and not with Ctrl, Alt or Meta, which belong to the browser. After a step the new answer has the focus.
"use strict";
(() => {
  const WRITING = "input:not([type=radio]):not([type=hidden]), textarea, select, [contenteditable]";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.target.closest(WRITING)) return;
    const wanted = [...document.querySelectorAll(":is(#judge, #review) [data-key]")].find(
      (one) => one.dataset.key === event.key && one.getClientRects().length,
    );
    if (!wanted) return;
    event.preventDefault();
    wanted.click();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id !== "judge" && !event.detail.elt?.querySelector?.("#judging")) return;
    document.getElementById("judging")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  });
})();
