// Copies a text field whole. Without a script it can be marked and copied by hand.
"use strict";
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy-from]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copyFrom);
  try {
    await navigator.clipboard.writeText(field.value);
    document.getElementById("spoken").textContent = button.dataset.says;
    button.textContent = button.dataset.says;
  } catch {
    field.select();
  }
});
