// The route chat: sends a turn, shows the answer as it grows, and sends the results of tools back by itself. The server
// tells one JSON object a line (benchwarmers/ask/route_stream.py). Without this script the form shows the page again.
import { hear } from "./lines.js";

const MOST_IN_A_ROW = 8;
const form = document.getElementById("route-form");
if (form) begin();

function begin() {
  const by = (id) => document.getElementById(id);
  const [talk, problems, send, again, stopping, field, words] = [
    "route-talk", "route-problems", "route-send", "route-again", "route-stop", "route-field", "route-words",
  ].map(by);
  let under = null;

  const make = (name, className, text = "") => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
  };
  const complain = (sentence) => {
    problems.replaceChildren(...(sentence ? [make("li", "", sentence)] : []));
    problems.hidden = !sentence;
  };
  const busy = (controller) => {
    under = controller;
    send.hidden = Boolean(controller);
    stopping.hidden = !controller;
    if (controller) again.hidden = true;
  };

  // What comes of one answer until the server draws it whole.
  const growing = () => {
    const item = make("li", "said said-answer is-growing");
    const parts = new Map();
    const part = (key, create) => {
      if (!parts.has(key)) {
        const { outer, inner } = create();
        item.append(outer);
        parts.set(key, inner);
      }
      return parts.get(key);
    };
    const plain = (className) => () => {
      const outer = make("div", className);
      return { outer, inner: outer };
    };
    const folded = () => {
      const outer = make("details", "fold");
      const inner = make("div", "answer reasoning");
      outer.append(make("summary", "", form.dataset.thinks), inner);
      return { outer, inner };
    };
    const card = (name) => () => {
      const outer = make("div", "toolcard");
      const title = make("p", "toolcard-name");
      const inner = make("pre", "");
      title.append(make("span", "quiet", form.dataset.tool), " ", make("code", "", name));
      outer.append(title, inner);
      return { outer, inner };
    };
    return {
      item,
      take(line) {
        if (line.is === "text") part("text", plain("answer said-words is-plain")).append(line.text);
        else if (line.is === "thought") part("thought", folded).append(line.text);
        else if (line.is === "tool") part(line.part, card(line.name));
        else if (line.is === "args") part(line.part, card("")).append(line.text);
      },
    };
  };

  const refusal = async (answer) => {
    const told = await answer.json().catch(() => ({}));
    return told.message || told.error?.message || `${form.dataset.refused} (${answer.status})`;
  };

  // One turn; true when results are to be told next.
  const turn = async (controller) => {
    const body = new FormData(form);
    const headers = { "HX-Request": "true", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
    const answer = await fetch(form.dataset.stream, { method: "POST", body, headers, signal: controller.signal });
    if (answer.headers.get("HX-Redirect")) return location.assign(answer.headers.get("HX-Redirect"));
    if (!answer.ok) return complain(await refusal(answer));
    const shown = [];
    let grows = null;
    let waits = false;
    let over = false;
    const put = (html) => {
      const box = document.createElement("template");
      box.innerHTML = html;
      shown.push(...box.content.children);
      talk.append(box.content);
    };
    const take = (line) => {
      if (line.is === "open") {
        put(line.html);
        grows = growing();
        talk.append(grows.item);
        grows.item.scrollIntoView({ block: "nearest" });
      } else if (line.is === "end") {
        over = true;
        grows.item.remove();
        put(line.html);
        field.value = line.talk;
        words.value = "";
        waits = line.waits;
        talk.lastElementChild.scrollIntoView({ block: "nearest" });
        by("spoken").textContent = talk.lastElementChild.querySelector(".said-who")?.textContent.trim() ?? "";
      } else if (line.is === "fault") {
        over = true;
        complain(line.message);
      } else grows?.take(line);
    };
    try {
      await hear(answer.body, controller, take);
    } finally {
      grows?.item.classList.remove("is-growing");
      // What was not answered is not part of the talk: it stands in the field again.
      if (!over && grows) grows.item.remove();
      if (!over) for (const one of shown) one.remove();
    }
    if (!over) complain(form.dataset.broken);
    else if (!problems.hidden) for (const one of shown) one.remove();
    return waits;
  };

  const go = async () => {
    complain("");
    const controller = new AbortController();
    busy(controller);
    let waits = false;
    try {
      for (let count = 0; count < MOST_IN_A_ROW; count++) {
        waits = await turn(controller);
        if (!waits) break;
      }
      if (waits) complain(form.dataset.many);
    } catch (error) {
      if (error.name !== "AbortError") complain(form.dataset.unreached);
    }
    busy(null);
    again.hidden = JSON.parse(field.value).steps.at(-1)?.message.role !== "tool";
    words.focus();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!under) go();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (!under) form.requestSubmit(send);
  });
  stopping.addEventListener("click", () => under?.abort());
  document.addEventListener("click", (event) => {
    const say = event.target.closest("[data-say]")?.dataset.say;
    if (!say || under) return;
    words.value = say;
    words.focus();
  });
}
