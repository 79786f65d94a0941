// Listens for topics on /live/ and lets every element that names one in data-live fetch itself again (hx-trigger="live"):
// at once after a quiet while, else when that while is over. An element that is still fetching is asked again afterwards,
// so that a burst never starves it, and what a reader just sends comes first: nothing is exchanged under a finger that is
// down, for that click would be lost. Carries no data. After a lost connection everything is fetched once more.
"use strict";
(() => {
  const PAUSE_MS = 200;
  const LONGEST_MS = 30000;
  const SENDING = "[hx-post].htmx-request";
  let wait = 500;
  let lost = false;
  let pressing = false;
  let timer = 0;
  let fetchedAt = -PAUSE_MS;
  let topics = new Set();
  const missed = new WeakMap();

  const refresh = () => {
    timer = 0;
    fetchedAt = performance.now();
    if (pressing || document.querySelector(SENDING)) return soon();
    const news = topics;
    topics = new Set();
    for (const element of document.querySelectorAll("[data-live]")) {
      const shows = element.dataset.live.split(" ");
      if (!news.has("*") && !shows.some((topic) => news.has(topic))) continue;
      if (element.classList.contains("htmx-request"))
        missed.set(element, new Set([...(missed.get(element) ?? []), ...news]));
      else htmx.trigger(element, "live");
    }
  };
  const soon = () => {
    if (!timer && topics.size && !document.hidden)
      timer = setTimeout(refresh, Math.max(0, fetchedAt + PAUSE_MS - performance.now()));
  };
  const note = (news) => {
    for (const topic of news) topics.add(topic);
    soon();
  };
  const say = (broken) => {
    document.getElementById("link-lost")?.toggleAttribute("hidden", !broken);
  };
  const connect = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live/`);
    socket.onopen = () => {
      wait = 500;
      say(false);
      if (lost) note(["*"]);
      lost = false;
      document.documentElement.dataset.listening = "";
    };
    socket.onmessage = (message) => note(JSON.parse(message.data).topics);
    socket.onclose = () => {
      lost = true;
      delete document.documentElement.dataset.listening;
      setTimeout(() => say(lost), 1500);
      setTimeout(connect, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_MS);
    };
  };
  const press = () => {
    pressing = true;
    for (const element of document.querySelectorAll("[data-live].htmx-request")) {
      htmx.trigger(element, "htmx:abort");
      note(element.dataset.live.split(" "));
    }
  };
  const release = () => setTimeout(() => (pressing = false)); // the click comes after the finger went up
  document.addEventListener("visibilitychange", soon);
  document.addEventListener("pointerdown", press, true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release, true);
  document.addEventListener("pointermove", ({ buttons }) => buttons || (pressing = false), { capture: true, passive: true });
  document.addEventListener("htmx:afterRequest", ({ detail: { elt } }) => {
    note(missed.get(elt) ?? []);
    missed.delete(elt);
  });
  if (document.querySelector("[data-live]")) connect();
})();
