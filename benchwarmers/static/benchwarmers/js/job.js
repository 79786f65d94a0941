// Follows the output of a job that runs: whoever stands at its end stays there as lines come; whoever reads further up is
// left alone.
"use strict";
(() => {
  const SLACK = 40;
  let away = 0;
  const list = () => document.querySelector(".job-lines");
  const settle = () => {
    const lines = list();
    if (!lines) return;
    lines.scrollTop = away <= SLACK && lines.dataset.follow !== undefined ? lines.scrollHeight : kept;
  };
  let kept = 0;
  document.addEventListener("htmx:beforeSwap", () => {
    const lines = list();
    if (!lines) return;
    kept = lines.scrollTop;
    away = lines.scrollHeight - lines.clientHeight - kept;
  });
  document.addEventListener("htmx:afterSettle", settle);
  settle();
})();
