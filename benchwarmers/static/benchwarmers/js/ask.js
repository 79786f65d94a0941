// Asks from the page and shows the answer as it grows. The server tells one JSON object a line (benchwarmers/ask/stream.py).
// When the line breaks, the panel goes on without it: the page says so and shows the panel as the server has it. Without
// this script the form leads to the panel's own page.
import { Board } from "./ask_board.js";
import { Images } from "./ask_images.js";
import { hear } from "./lines.js";

const FOLLOW_MS = 2_000;
const form = document.getElementById("ask-form");
if (form) begin();

function begin() {
  const by = (id) => document.getElementById(id);
  const box = by("ask-board");
  const words = form.dataset;
  const [problems, state, send, stopping, prompt] = ["ask-problems", "ask-state", "ask-send", "ask-stop", "ask-prompt"].map(by);
  const board = new Board(box);
  let under = null;

  const complain = (told) => {
    problems.replaceChildren(
      ...told.map((sentence) => {
        const item = document.createElement("li");
        item.textContent = sentence;
        return item;
      }),
    );
    problems.hidden = !told.length;
  };
  const note = (told) => {
    state.textContent = told;
    state.hidden = !told;
  };
  const images = new Images(form, by("ask-images"), by("ask-files"), complain);

  const busy = (controller) => {
    under = controller;
    send.hidden = Boolean(controller);
    stopping.hidden = !controller;
    stopping.disabled = false;
  };
  const filled = () => {
    const body = new FormData(form);
    images.fill(body);
    return body;
  };
  const post = (address, body, signal) =>
    fetch(address, {
      method: "POST",
      body,
      signal,
      headers: { "HX-Request": "true", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value },
    });

  // Why the server would not, in its own words where it has some.
  const refusal = async (answer) => {
    const told = await answer.json().catch(() => ({}));
    return told.message || told.error?.message || `${words.refused} (${answer.status})`;
  };

  const ask = async () => {
    complain([]);
    note("");
    const controller = new AbortController();
    busy(controller);
    const hearing = { over: false, opened: false };
    try {
      const answer = await post(words.stream, filled(), controller.signal);
      if (answer.headers.get("HX-Redirect")) return location.assign(answer.headers.get("HX-Redirect"));
      if (!answer.ok) {
        complain([await refusal(answer)]);
        hearing.over = true;
      } else await hear(answer.body, controller, (line) => take(line, hearing));
    } catch {
      if (!hearing.opened) complain([words.unreached]);
    }
    busy(null);
    if (hearing.opened && !hearing.over) await follow();
  };

  const take = (line, hearing) => {
    if (line.is === "open") {
      hearing.opened = true;
      board.fill(line.html);
      history.replaceState(null, "", `${location.pathname}?panel=${line.panel}`);
      box.scrollIntoView({ block: "nearest" });
    } else if (line.is === "seat") board.seat(line.seat, line.html);
    else if (line.is === "text" || line.is === "thought") board.say(line.seat, line.is, line.text);
    else if (line.is === "again") board.again(line.seat);
    else if (line.is === "fault") {
      hearing.over = true;
      complain([line.message]);
    } else if (line.is === "end") {
      hearing.over = true;
      board.end(line.html);
      done();
    }
  };

  const done = () => {
    const told = box.querySelector("#match-told");
    document.getElementById("spoken").textContent = told?.textContent ?? "";
    htmx.ajax("GET", words.recent, { target: "#ask-recent", swap: "outerHTML" });
  };

  // The panel as the server has it, until it is over there.
  const follow = async () => {
    note(words.broken);
    while (board.board?.dataset.state === "running" && !under) {
      await new Promise((wake) => setTimeout(wake, FOLLOW_MS));
      try {
        const answer = await fetch(board.board.dataset.again, { headers: { "HX-Request": "true" } });
        if (answer.headers.get("HX-Redirect")) return location.assign(answer.headers.get("HX-Redirect"));
        if (answer.ok) board.fill(await answer.text());
      } catch {
        continue; // the server is away; it is asked again
      }
    }
    board.hush();
    if (!under) note("");
  };

  const stop = async () => {
    stopping.disabled = true;
    const where = board.board?.dataset;
    if (!where || where.state !== "running") return under?.abort();
    const answer = await post(where.stop, new FormData()).catch(() => null);
    if (answer?.ok) return;
    stopping.disabled = false;
    complain([words.unstopped]);
  };

  const showCode = async () => {
    complain([]);
    const answer = await post(words.code, filled()).catch(() => null);
    if (!answer?.ok) return complain([answer ? await refusal(answer) : words.unreached]);
    by("ask-code").innerHTML = await answer.text();
    by("code-title").focus();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.name === "copy") showCode();
    else if (!under) ask();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (!under) form.requestSubmit(send);
  });
  stopping.addEventListener("click", stop);

  const collection = by("ask-collection");
  collection.addEventListener("change", () => {
    const chosen = collection.selectedOptions[0].dataset;
    form.elements.mode.value = chosen.mode;
    by("ask-says").textContent = chosen.says;
    by("ask-members").textContent = chosen.members || words.nobody;
  });
  if (!CSS.supports("field-sizing", "content")) {
    const grow = () => {
      prompt.style.height = "auto";
      prompt.style.height = `${prompt.scrollHeight + 2}px`;
    };
    prompt.addEventListener("input", grow);
    grow();
  }
  if (board.board?.dataset.state === "running") follow();
}
