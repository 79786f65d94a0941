// The official Anthropic library.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import {
  FIVE, PERSON, PIXEL, PRACTICE, QUICK, SEEING, SQUAD, SUM,
  all, assertCounts, assertLeftOut, assertPerson, assertSquad, base, done, key, refused, step,
} from "./steps.mjs";

const client = new Anthropic({ baseURL: base, apiKey: key, maxRetries: 0, timeout: 60_000 });
const messages = [{ role: "user", content: SUM }];
const asked = { max_tokens: 500, messages };
const output_config = { format: { type: "json_schema", schema: PERSON } };
const picture = [
  {
    role: "user",
    content: [
      { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
      { type: "text", text: "What colour?" },
    ],
  },
];

await step("message whole", async () => {
  const reply = await client.messages.create({ model: PRACTICE, ...asked, system: "Be terse." });
  assert.match(reply.id, /^msg_/);
  assert.equal(reply.type, "message");
  assert.equal(reply.role, "assistant");
  assert.equal(reply.model, PRACTICE);
  assert.equal(reply.stop_reason, "end_turn");
  assert.deepEqual(reply.content.map((block) => block.type), ["text"]);
  assertSquad(reply.bench, reply.content[0].text);
  assertCounts(reply.usage.input_tokens, reply.usage.output_tokens);
});

await step("message streamed", async () => {
  const events = await all(await client.messages.create({ model: PRACTICE, ...asked, stream: true }));
  const kinds = events.map((event) => event.type).filter((kind) => kind !== "ping");
  assert.deepEqual(kinds.slice(0, 2), ["message_start", "content_block_start"]);
  assert.deepEqual(kinds.slice(-3), ["content_block_stop", "message_delta", "message_stop"]);
  const text = events.filter((event) => event.type === "content_block_delta").map((event) => event.delta.text).join("");
  assert.ok(SQUAD.every((alias) => text.includes(alias)));
  const last = events.find((event) => event.type === "message_delta");
  assert.equal(last.delta.stop_reason, "end_turn");
  assert.ok(last.usage.output_tokens > 0);
  assertSquad(last.bench, text);
});

await step("message stream collected by the library", async () => {
  const stream = client.messages.stream({ model: QUICK, ...asked });
  const heard = [];
  stream.on("text", (delta) => heard.push(delta));
  const reply = await stream.finalMessage();
  assert.equal(reply.stop_reason, "end_turn");
  assert.match(reply.content[0].text, /quick/);
  assert.equal(heard.join(""), reply.content[0].text);
  assert.ok(reply.usage.output_tokens > 0);
});

await step("message through the beta interface, with earlier turns", async () => {
  const reply = await client.beta.messages.create({
    model: QUICK, max_tokens: 99, betas: ["interleaved-thinking-2025-05-14"],
    system: [{ type: "text", text: "Be terse.", cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: "Hello." }, { role: "assistant", content: "Yes?" }, ...messages],
  });
  assert.match(reply.content[0].text, /quick/);
});

await step("message settings that a panel does not apply are named", async () => {
  const reply = await client.messages.create({
    model: QUICK, ...asked, temperature: 0.2, stop_sequences: ["END"],
  });
  assert.match(reply.content[0].text, /quick/);
  assertLeftOut(reply.bench, /temperature.*\n.*stop/);
});

await step("message structured, whole and parsed by the library", async () => {
  const reply = await client.messages.parse({ model: FIVE, ...asked, output_config });
  assert.deepEqual(reply.parsed_output, { name: "391", age: 17 });
  assertPerson(reply.content[0].text, reply.bench);
});

await step("message structured, streamed", async () => {
  const reply = await client.messages.stream({ model: FIVE, ...asked, output_config }).finalMessage();
  assertPerson(reply.content[0].text);
});

await step("message document goes to seats that read", async () => {
  const source = { type: "text", media_type: "text/plain", data: "The sky is blue." };
  const content = [{ type: "document", source, title: "sky" }, { type: "text", text: SUM }];
  const reply = await client.messages.create({ model: FIVE, max_tokens: 99, messages: [{ role: "user", content }] });
  const read = reply.bench.seats.filter((seat) => seat.answer === "Got 1 document. 391");
  assert.equal(read.length, 4, JSON.stringify(reply.bench)); // one of the five APIs has no documents
});

await step("message image nobody can see is refused", async () => {
  await refused(
    () => client.messages.create({ model: QUICK, max_tokens: 99, messages: picture }), Anthropic.BadRequestError, 400, /image/i,
  );
});

await step("message image goes to seats that see", async () => {
  const reply = await client.messages.create({ model: SEEING, max_tokens: 99, messages: picture });
  assert.ok(reply.bench.seats.some((seat) => seat.alias === "seeing" && seat.answer === "seeing"));
});

await step("message counted", async () => {
  const short = await client.messages.countTokens({ model: QUICK, messages });
  const tool = { name: "look", description: "Looks. ".repeat(200), input_schema: { type: "object", properties: {} } };
  const long = await client.messages.countTokens({ model: QUICK, messages, tools: [tool] });
  const seen = await client.messages.countTokens({ model: QUICK, messages: picture });
  assert.ok(short.input_tokens > 0 && short.input_tokens < 50, String(short.input_tokens));
  assert.ok(long.input_tokens > short.input_tokens + 100, `with a tool: ${long.input_tokens}`);
  assert.ok(seen.input_tokens > 1000, `with an image: ${seen.input_tokens}`);
});

await step("models listed", async () => {
  const models = await all(client.models.list());
  const names = models.map((model) => model.id);
  assert.ok([PRACTICE, QUICK, SEEING].every((name) => names.includes(name)), names.join());
  assert.ok(models.every((model) => model.type === "model" && model.display_name && !Number.isNaN(Date.parse(model.created_at))));
});

await step("model retrieved", async () => {
  const model = await client.models.retrieve(PRACTICE);
  assert.equal(model.id, PRACTICE);
  assert.equal(model.type, "model");
});

await step("errors: unknown models", async () => {
  const words = /bench\/practice/;
  const error = await refused(
    () => client.messages.create({ model: "bench/nobody", ...asked }), Anthropic.NotFoundError, 404, words,
  );
  assert.equal(error.error.type, "error");
  assert.equal(error.error.error.type, "not_found_error");
  await refused(
    () => client.messages.create({ model: "bench/nobody", ...asked, stream: true }), Anthropic.NotFoundError, 404, words,
  );
  await refused(() => client.models.retrieve("bench/nobody"), Anthropic.NotFoundError, 404, /nobody/);
});

await step("errors: unusable requests", async () => {
  const error = await refused(
    () => client.messages.create({ model: QUICK, max_tokens: 9, messages: [{ role: "user", content: " " }] }),
    Anthropic.BadRequestError, 400, /prompt/,
  );
  assert.equal(error.error.error.type, "invalid_request_error");
  const look = { name: "look", input_schema: { type: "object", properties: {} } };
  await refused(
    () => client.messages.create({ model: QUICK, ...asked, tools: [look] }), Anthropic.BadRequestError, 400, /tools/,
  );
});

done();
