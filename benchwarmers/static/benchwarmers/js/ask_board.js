// The seats of a panel side by side: words that grow, cards that take their place, the time they play, and how they are
// laid out. What models say goes in as text; markup is the server's own.
const VIEW = "bw-ask-view";
const TICK_MS = 100;

const view = () => (localStorage.getItem(VIEW) === "stack" ? "stack" : "columns");

export class Board {
  #box;
  #began = new Map();
  #waiting = new Map();
  #ticking = 0;

  constructor(box) {
    this.#box = box;
    box.addEventListener("click", (event) => {
      const chosen = event.target.closest("button[data-view]");
      if (chosen) this.#lay(chosen.dataset.view);
      const tab = event.target.closest("[role=tab]");
      if (tab) this.#front(tab);
    });
    box.addEventListener("keydown", (event) => this.#step(event));
    box.addEventListener("htmx:afterSettle", () => this.#front(box.querySelector("[role=tab][aria-selected=true]")));
    this.settle();
  }

  get board() {
    return this.#box.querySelector("#match");
  }

  // The whole board anew.
  fill(html) {
    this.#box.innerHTML = html;
    htmx.process(this.#box);
    this.#began.clear();
    this.settle();
  }

  // What a board needs that the server has drawn.
  settle() {
    if (!this.board) return;
    this.#lay(view());
    const tab = this.#box.querySelector("[role=tab][aria-selected=true]");
    if (tab) this.#front(tab);
    for (const seat of this.#box.querySelectorAll("[data-playing]")) this.#began.set(seat.dataset.seat, performance.now());
    if (!this.#ticking && this.board.dataset.state === "running") this.#ticking = setInterval(() => this.#tick(), TICK_MS);
  }

  // A seat that is new, or done.
  seat(number, html) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const card = holder.content.querySelector("article");
    const before = this.#find(number);
    if (before) {
      card.classList.toggle("is-front", before.classList.contains("is-front"));
      before.replaceWith(card);
    } else if (card.dataset.kind === "merger") this.#box.querySelector("#match-merger").replaceChildren(card);
    else this.#box.querySelector("#match-seats").append(card);
    htmx.process(card);
    const mark = card.querySelector(".seat-mark");
    for (const place of this.#box.querySelectorAll(`#tab-${number} .mark, [data-mark="${number}"] .mark`)) {
      place.replaceWith(mark.content.cloneNode(true));
    }
    const words = this.#waiting.get(number) ?? [];
    this.#waiting.delete(number);
    if (!card.hasAttribute("data-playing")) return;
    this.#began.set(String(number), performance.now());
    for (const [kind, text] of words) this.say(number, kind, text);
  }

  // More words of a seat, of its answer or of its thoughts.
  say(number, kind, text) {
    const card = this.#find(number);
    if (!card) {
      this.#waiting.set(number, [...(this.#waiting.get(number) ?? []), [kind, text]]);
      return;
    }
    card.querySelector(kind === "text" ? ".seat-words" : ".seat-thoughts")?.append(text);
    if (kind === "thought") card.querySelector(".seat-thinks")?.removeAttribute("hidden");
  }

  // What was heard of a seat does not count.
  again(number) {
    this.#waiting.delete(number);
    this.#find(number)?.querySelectorAll(".seat-words, .seat-thoughts").forEach((one) => one.replaceChildren());
  }

  // It is over.
  end(html) {
    const board = this.board;
    board.dataset.state = "done";
    board.querySelector("#match-closing").innerHTML = html;
    const merger = board.querySelector("#match-merger");
    if (merger && !merger.querySelector(".card.is-ok")) {
      merger.querySelector(".match-wait")?.remove();
      board.querySelector("#match-behind").open = true;
    }
    this.hush();
  }

  // Nothing plays any more.
  hush() {
    clearInterval(this.#ticking);
    this.#ticking = 0;
  }

  #find(number) {
    return this.#box.querySelector(`[data-seat="${number}"]`);
  }

  #tick() {
    for (const seat of this.#box.querySelectorAll("[data-playing]")) {
      const seconds = (performance.now() - (this.#began.get(seat.dataset.seat) ?? performance.now())) / 1000;
      seat.querySelector(".seat-time").textContent = `${seconds.toFixed(1)} s`;
    }
  }

  #lay(how) {
    localStorage.setItem(VIEW, how);
    this.board.dataset.view = how;
    for (const one of this.#box.querySelectorAll("[data-view][aria-pressed]")) {
      one.setAttribute("aria-pressed", String(one.dataset.view === how));
    }
  }

  #front(tab) {
    for (const one of this.#box.querySelectorAll("[role=tab]")) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
      document.getElementById(one.getAttribute("aria-controls"))?.classList.toggle("is-front", one === tab);
    }
  }

  #step(event) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tab = event.target.closest("[role=tab]");
    if (!way || !tab) return;
    const tabs = [...this.#box.querySelectorAll("[role=tab]")];
    const next = tabs[(tabs.indexOf(tab) + way + tabs.length) % tabs.length];
    event.preventDefault();
    this.#front(next);
    next.focus();
  }
}
