// Listens for topics on /live/ and lets every element that names it in data-live fetch itself again (hx-trigger="live").
// Carries no data. After a lost connection everything is fetched once more.
"use strict";
(() => {
  const PAUSE_MS = 200;
  const LONGEST_MS = 30000;
  let wait = 500;
  let lost = false;
  let timer = 0;
  let topics = new Set();

  const refresh = () => {
    timer = 0;
    const changed = topics;
    topics = new Set();
    for (const element of document.querySelectorAll("[data-live]")) {
      const shows = element.dataset.live.split(" ");
      if (changed.has("*") || shows.some((topic) => changed.has(topic))) htmx.trigger(element, "live");
    }
  };
  const note = (topic) => {
    topics.add(topic);
    if (!timer && !document.hidden) timer = setTimeout(refresh, PAUSE_MS);
  };
  const say = (broken) => {
    document.getElementById("link-lost")?.toggleAttribute("hidden", !broken);
  };
  const connect = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live/`);
    socket.onopen = () => {
      wait = 500;
      say(false);
      if (lost) note("*");
      lost = false;
      document.documentElement.dataset.listening = "";
    };
    socket.onmessage = (message) => note(JSON.parse(message.data).topic);
    socket.onclose = () => {
      lost = true;
      delete document.documentElement.dataset.listening;
      setTimeout(() => say(lost), 1500);
      setTimeout(connect, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_MS);
    };
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && topics.size && !timer) timer = setTimeout(refresh, PAUSE_MS);
  });
  if (document.querySelector("[data-live]")) connect();
})();
