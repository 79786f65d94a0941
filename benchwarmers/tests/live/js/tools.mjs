// Two tools and a question for the tool loops in route mode, and what a loop must have been.
import assert from "node:assert/strict";

export const APIS = ["chat", "anthropic", "responses", "gemini", "ollama"];
const WEATHER = {
  type: "object",
  properties: {
    place: {
      type: "object",
      properties: { city: { type: "string" }, at: { type: "array", items: { type: "number" }, minItems: 2 } },
      required: ["city", "at"],
    },
  },
  required: ["place"],
};
const CLOCK = { type: "object", properties: { zone: { type: "string" } }, required: ["zone"] };
export const TOOLS = [
  { name: "weather", description: "The weather at a place.", schema: WEATHER },
  { name: "clock", description: "The time in a zone.", schema: CLOCK },
];

/** A question that begins a conversation of its own. */
export const question = (label) => `Wie wird das Wetter in Zürich und 東京 um 17 Uhr bei 25 Grad? ${label}`;

/** What a tool gives: a text that only these arguments have. */
export const gave = (name, args) => `${name} of ${Buffer.from(JSON.stringify(args)).toString("base64url").slice(-24)}`;

/** The calls of a first turn: [{ id, name, args }]. */
export function assertCalls(calls, asked) {
  assert.deepEqual(calls.map((call) => call.name), ["weather", "clock"]);
  assert.deepEqual(calls[0].args, { place: { city: asked, at: [17, 25] } });
  assert.deepEqual(calls[1].args, { zone: asked });
  assert.equal(new Set(calls.map((call) => call.id)).size, 2);
}

/** The answer to the results: one line a call. */
export function assertAnswer(text, calls) {
  const lines = text.split("\n").sort();
  assert.deepEqual(lines, calls.map((call) => `${call.name} gave: ${gave(call.name, call.args)}`).sort());
}

/** A fetch that notes the conversation that each reply belongs to. */
export function listening() {
  const heard = [];
  const ear = async (...asked) => {
    const reply = await fetch(...asked);
    if (reply.ok) heard.push(reply.headers.get("x-bench-conversation"));
    return reply;
  };
  return { heard, ear };
}

export function assertOneConversation(heard, turns) {
  assert.equal(heard.length, turns);
  assert.ok(heard[0], "no conversation is named");
  assert.equal(new Set(heard).size, 1);
}
