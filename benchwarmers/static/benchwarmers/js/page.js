// Small comforts; every page works without them: copy buttons, the theme without a reload, menus that close, and drafts
// that a live update must not wipe out.
"use strict";
(() => {
  const root = document.documentElement;
  root.dataset.script = "";

  const copy = async (button) => {
    const text = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const code = button.parentElement.querySelector("code");
      if (code) getSelection().selectAllChildren(code);
      return;
    }
    button.dataset.copied = "";
    document.getElementById("spoken").textContent = button.dataset.copySays ?? `Copied ${text}`;
    setTimeout(() => delete button.dataset.copied, 1500);
  };

  const choose = async (form, button) => {
    const body = new FormData(form, button);
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Script": "1" } });
    if (!answer.ok) return location.reload();
    const theme = button.value;
    root.dataset.theme = theme;
    document.querySelector("meta[name=color-scheme]").content = theme === "system" ? "light dark" : theme;
    for (const one of form.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one === button));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(button);
    const menu = document.getElementById("me");
    if (menu?.open && !menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = document.getElementById("me");
    if (event.key !== "Escape" || !menu?.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-theme-form]") || !event.submitter) return;
    event.preventDefault();
    choose(event.target, event.submitter);
  });
  document.addEventListener("input", (event) => {
    event.target.closest("[data-draft]")?.setAttribute("data-draft", "changed");
  });
  // An answer that somebody else's news would replace stays while a verdict is being written on it.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.detail.target.querySelector('[data-draft="changed"]')) event.detail.shouldSwap = false;
    else noteOpen(event.detail.target);
  });
  // What somebody unfolded stays unfolded when it is fetched again. A swap is over when the script that made it is.
  const noteOpen = (target) => {
    const open = [...target.querySelectorAll("details[open][id]")].map((one) => one.id);
    if (open.length) setTimeout(() => open.forEach((id) => document.getElementById(id)?.setAttribute("open", "")));
  };
  document.addEventListener("htmx:beforeSwap", (event) => noteOpen(event.detail.target));
})();
