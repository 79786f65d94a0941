// The official OpenAI library: tool loops in route mode, through a member of every API.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { APIS, TOOLS, assertAnswer, assertCalls, assertOneConversation, gave, listening, question } from "./tools.mjs";
import { assertCounts, base, done, key, step } from "./steps.mjs";

const chatTools = TOOLS.map(({ name, description, schema }) => (
  { type: "function", function: { name, description, parameters: schema } }
));
const responseTools = TOOLS.map(({ name, description, schema }) => (
  { type: "function", name, description, parameters: schema, strict: false }
));

/** Runs `loop` for every member: its client, its model, its question and the conversations it heard of. */
async function throughAll(character, label, loop) {
  await Promise.all(APIS.map(async (api) => {
    const { heard, ear } = listening();
    const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0, timeout: 60_000, fetch: ear });
    await loop(client, `bench/${character}-${api}:route`, question(`js ${character} ${label} ${api}`));
    assertOneConversation(heard, 2);
  }));
}

async function chatLoop(model, asked, ask) {
  const messages = [{ role: "user", content: asked }];
  const first = await ask({ model, messages, tools: chatTools });
  const message = first.choices[0].message;
  assert.equal(first.choices[0].finish_reason, "tool_calls");
  assertCounts(first.usage.prompt_tokens, first.usage.completion_tokens, first.usage.total_tokens);
  const calls = message.tool_calls.map((call) => (
    { id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments) }
  ));
  assertCalls(calls, asked);
  const results = calls.map((call) => ({ role: "tool", tool_call_id: call.id, content: gave(call.name, call.args) }));
  const last = await ask({ model, messages: [...messages, message, ...results.reverse()], tools: chatTools });
  assert.equal(last.choices[0].finish_reason, "stop");
  assertAnswer(last.choices[0].message.content, calls);
  return [first, last];
}

await step("chat tool loop, whole", () => throughAll("handy", "chat", async (client, model, asked) => {
  const replies = await chatLoop(model, asked, (body) => client.chat.completions.create(body));
  assert.deepEqual(replies.map((reply) => reply.bench.turn), [1, 2]);
}));

await step("chat tool loop, streamed and collected by the library", () => (
  throughAll("handy", "chat streamed", (client, model, asked) => chatLoop(model, asked, (body) => (
    client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
  )))
));

await step("chat tool loop, run by the library", () => throughAll("handy", "runTools", async (client, model, asked) => {
  const calls = [];
  const tools = TOOLS.map(({ name, description, schema }) => ({
    type: "function",
    function: {
      name, description, parameters: schema, parse: JSON.parse,
      function: (args) => {
        calls.push({ id: name, name, args });
        return gave(name, args);
      },
    },
  }));
  const runner = client.chat.completions.runTools({ model, messages: [{ role: "user", content: asked }], tools });
  const text = await runner.finalContent();
  assertCalls(calls, asked);
  assertAnswer(text, calls);
}));

await step("chat tool loop with a member that insists on its seals", () => (
  throughAll("keeper", "chat", (client, model, asked) => chatLoop(model, asked, async (body) => {
    const reply = await client.chat.completions.create(body);
    assert.match(reply.choices[0].message.reasoning_content, /begins with/);
    return reply;
  }))
));

async function responseLoop(model, input, asked, ask) {
  const first = await ask({ model, input, tools: responseTools });
  const calls = first.output.filter((item) => item.type === "function_call").map((item) => (
    { id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }
  ));
  assertCalls(calls, asked);
  assertCounts(first.usage.input_tokens, first.usage.output_tokens, first.usage.total_tokens);
  const results = calls.map((call) => (
    { type: "function_call_output", call_id: call.id, output: gave(call.name, call.args) }
  ));
  const last = await ask({ model, input: [...input, ...first.output, ...results.reverse()], tools: responseTools });
  assert.equal(last.status, "completed");
  assertAnswer(last.output_text, calls);
  assert.deepEqual([first.bench.turn, last.bench.turn], [1, 2]);
}

const input = (asked) => [{ role: "user", content: asked }];
const whole = (client, model, asked) => (
  responseLoop(model, input(asked), asked, (body) => client.responses.create(body))
);
const collected = (client, model, asked) => (
  responseLoop(model, input(asked), asked, (body) => client.responses.stream(body).finalResponse())
);

await step("response tool loop, whole", () => throughAll("handy", "responses", whole));

await step("response tool loop, streamed and collected by the library", () => (
  throughAll("handy", "responses streamed", collected)
));

await step("response tool loop with a member that insists on its seals, whole", () => (
  throughAll("keeper", "responses", whole)
));

await step("response tool loop with a member that insists on its seals, streamed", () => (
  throughAll("keeper", "responses streamed", collected)
));

done();
