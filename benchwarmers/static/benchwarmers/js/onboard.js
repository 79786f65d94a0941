// Ticks all models of a group, says on the buttons how many are ticked, and keeps what is ticked while a list is on its way.
// The page works without it.
"use strict";
(() => {
  const tell = () => {
    const form = document.getElementById("onboard-form");
    if (!form) return;
    const number = form.querySelectorAll("[name=item]:checked").length;
    for (const place of form.querySelectorAll("[data-ticked]")) place.textContent = number ? ` ${number}` : "";
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tick-all]");
    if (!button) return;
    const boxes = [...button.closest("details").querySelectorAll("[name=item]")];
    const all = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !all;
    tell();
  });
  document.addEventListener("change", tell);
  let kept = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "candidates") return;
    kept = [...document.querySelectorAll("#picks [name=item]:checked")].map((box) => box.value);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const box of document.querySelectorAll("#picks [name=item]")) if (kept.includes(box.value)) box.checked = true;
    kept = [];
    tell();
  });
  tell();
})();
