// Takes a suggestion of a trial over into the form, and tests again. Without a script the same button asks the server,
// which cannot give back a key that was typed.
"use strict";
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fill]");
  const form = button?.closest("form");
  const test = document.getElementById("test-it");
  if (!form || !test) return;
  event.preventDefault();
  for (const [name, value] of new URLSearchParams(button.value)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  test.click();
});
