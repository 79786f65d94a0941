// Ticks all models of a group, says on the buttons how many are ticked, keeps what is ticked while a list is on its way,
// and which groups are folded in this browser; where a search finds something, its groups are open.
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
  const folded = () => {
    try {
      return JSON.parse(localStorage.getItem("bw-folded-groups") || "[]");
    } catch {
      return [];
    }
  };
  const fold = () => {
    if (!document.querySelector("#picks:not([data-narrows])")) return;
    for (const group of document.querySelectorAll("[data-group]")) group.open = !folded().includes(group.dataset.group);
  };
  document.addEventListener(
    "toggle",
    (event) => {
      const name = event.target.dataset?.group;
      if (!name || event.target.closest("[data-narrows]")) return;
      const others = folded().filter((one) => one !== name);
      localStorage.setItem("bw-folded-groups", JSON.stringify(event.target.open ? others : [...others, name]));
    },
    true,
  );
  let kept = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "candidates") return;
    kept = [...document.querySelectorAll("#picks [name=item]:checked")].map((box) => box.value);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const box of document.querySelectorAll("#picks [name=item]")) if (kept.includes(box.value)) box.checked = true;
    kept = [];
    fold();
    tell();
  });
  fold();
  tell();
})();
