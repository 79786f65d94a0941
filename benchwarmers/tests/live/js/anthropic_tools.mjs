// The official Anthropic library: tool loops in route mode, through a member of every API.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { APIS, TOOLS, assertAnswer, assertCalls, assertOneConversation, gave, listening, question } from "./tools.mjs";
import { assertCounts, base, done, key, step } from "./steps.mjs";

const tools = TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema }));

async function throughAll(character, label, loop) {
  await Promise.all(APIS.map(async (api) => {
    const { heard, ear } = listening();
    const client = new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0, timeout: 60_000, fetch: ear });
    await loop(client, `bench/${character}-${api}:route`, question(`js ${character} ${label} ${api}`));
    assertOneConversation(heard, 2);
  }));
}

async function loop(model, asked, ask) {
  const messages = [{ role: "user", content: asked }];
  const first = await ask({ model, max_tokens: 2000, messages, tools });
  assert.equal(first.stop_reason, "tool_use");
  assertCounts(first.usage.input_tokens, first.usage.output_tokens);
  const calls = first.content.filter((block) => block.type === "tool_use").map((block) => (
    { id: block.id, name: block.name, args: block.input }
  ));
  assertCalls(calls, asked);
  const results = calls.map((call) => (
    { type: "tool_result", tool_use_id: call.id, content: gave(call.name, call.args) }
  ));
  messages.push({ role: "assistant", content: first.content }, { role: "user", content: results.reverse() });
  const last = await ask({ model, max_tokens: 2000, messages, tools });
  assert.equal(last.stop_reason, "end_turn");
  assertAnswer(last.content.filter((block) => block.type === "text").map((block) => block.text).join(""), calls);
  return [first, last];
}

await step("message tool loop, whole", () => throughAll("handy", "messages", async (client, model, asked) => {
  const replies = await loop(model, asked, (body) => client.messages.create(body));
  assert.deepEqual(replies.map((reply) => reply.bench.turn), [1, 2]);
}));

await step("message tool loop, collected by the library", () => (
  throughAll("handy", "messages streamed", (client, model, asked) => (
    loop(model, asked, (body) => client.messages.stream(body).finalMessage())
  ))
));

await step("message tool loop with a member that insists on its seals", () => (
  throughAll("keeper", "messages", async (client, model, asked) => {
    const [first] = await loop(model, asked, (body) => client.messages.stream(body).finalMessage());
    const thinking = first.content.filter((block) => block.type === "thinking");
    assert.match(thinking.map((block) => block.thinking).join(""), /begins with/);
    assert.ok(thinking.some((block) => block.signature));
  })
));

/** The library's own loop. */
const run = (stream) => async (client, model, asked) => {
  const calls = [];
  const runnable = tools.map((tool) => ({
    type: "custom",
    ...tool,
    parse: (args) => args,
    run: (args) => {
      calls.push({ id: tool.name, name: tool.name, args });
      return gave(tool.name, args);
    },
  }));
  const runner = client.beta.messages.toolRunner({
    model, max_tokens: 2000, messages: [{ role: "user", content: asked }], tools: runnable, stream,
  });
  const message = await runner.runUntilDone();
  assertCalls(calls, asked);
  assertAnswer(message.content.filter((block) => block.type === "text").map((block) => block.text).join(""), calls);
};

await step("message tool loop, run by the library", () => throughAll("handy", "toolRunner", run(false)));

await step("message tool loop, streamed and run by the library", () => throughAll("handy", "toolRunner streamed", run(true)));

done();
