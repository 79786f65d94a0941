// The official OpenAI library: chat completions, legacy completions and the listing.
import assert from "node:assert/strict";
import OpenAI from "openai";
import {
  FIVE, PERSON, PIXEL, PRACTICE, QUICK, SEEING, SQUAD, SUM,
  all, assertCounts, assertLeftOut, assertPerson, assertSquad, base, done, key, refused, step,
} from "./steps.mjs";

const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0, timeout: 60_000 });
const messages = [{ role: "user", content: SUM }];
const person = { type: "json_schema", json_schema: { name: "person", schema: PERSON, strict: true } };
const picture = [
  {
    role: "user",
    content: [
      { type: "text", text: "What colour?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}`, detail: "low" } },
    ],
  },
];

await step("chat whole", async () => {
  const reply = await client.chat.completions.create({ model: PRACTICE, messages });
  assert.equal(reply.object, "chat.completion");
  assert.equal(reply.model, PRACTICE);
  assert.equal(reply.choices.length, 1);
  assert.equal(reply.choices[0].finish_reason, "stop");
  assert.equal(reply.choices[0].message.role, "assistant");
  assertSquad(reply.bench, reply.choices[0].message.content);
  assertCounts(reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.total_tokens);
});

await step("chat streamed", async () => {
  const chunks = await all(
    await client.chat.completions.create({
      model: PRACTICE, messages, stream: true, stream_options: { include_usage: true },
    }),
  );
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
  assert.equal(chunks[0].choices[0].delta.role, "assistant");
  assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
  assert.ok(chunks.every((chunk) => chunk.object === "chat.completion.chunk" && chunk.model === PRACTICE));
  assert.ok(SQUAD.every((alias) => text.includes(alias)));
  assert.ok(text.indexOf("practice-terse") < text.indexOf("practice-slow"), "seats come as they finish");
  const last = chunks.at(-1);
  assertSquad(last.bench, text);
  assertCounts(last.usage.prompt_tokens, last.usage.completion_tokens, last.usage.total_tokens);
});

await step("chat stream collected by the library", async () => {
  const stream = client.chat.completions.stream({ model: QUICK, messages });
  const heard = [];
  stream.on("content", (delta) => heard.push(delta));
  const reply = await stream.finalChatCompletion();
  assert.equal(reply.choices[0].finish_reason, "stop");
  assert.match(reply.choices[0].message.content, /quick/);
  assert.equal(heard.join(""), reply.choices[0].message.content);
});

await step("chat with earlier turns", async () => {
  const reply = await client.chat.completions.create({
    model: QUICK,
    messages: [
      { role: "developer", content: "Be terse." },
      { role: "user", content: "Hello." },
      { role: "assistant", content: "Hello, what is it?" },
      ...messages,
    ],
  });
  assert.match(reply.choices[0].message.content, /quick/);
});

await step("chat settings that a panel does not apply are named", async () => {
  const reply = await client.chat.completions.create({
    model: QUICK, messages, temperature: 0.2, seed: 7,
  });
  assert.match(reply.choices[0].message.content, /quick/);
  assertLeftOut(reply.bench, /temperature.*\n.*seed/);
});

await step("chat structured, whole and parsed by the library", async () => {
  const reply = await client.chat.completions.parse({ model: FIVE, messages, response_format: person });
  assert.deepEqual(reply.choices[0].message.parsed, { name: "391", age: 17 });
  assertPerson(reply.choices[0].message.content, reply.bench);
});

await step("chat structured, streamed", async () => {
  const stream = client.chat.completions.stream({ model: FIVE, messages, response_format: person });
  const heard = [];
  stream.on("content", (delta) => heard.push(delta));
  const reply = await stream.finalChatCompletion();
  assertPerson(reply.choices[0].message.content);
  assert.deepEqual(heard, [reply.choices[0].message.content], "the document comes in one piece");
});

await step("errors: nobody answered in the format asked for", async () => {
  const error = await refused(
    () => client.chat.completions.create({ model: QUICK, messages, response_format: person }),
    OpenAI.InternalServerError, 502, /JSON/,
  );
  assert.match(error.message, /panel p\d/);
});

await step("chat image nobody can see is refused", async () => {
  await refused(() => client.chat.completions.create({ model: QUICK, messages: picture }), OpenAI.BadRequestError, 400, /image/i);
});

await step("chat image goes to seats that see", async () => {
  const reply = await client.chat.completions.create({ model: SEEING, messages: picture });
  assert.ok(reply.bench.seats.some((seat) => seat.alias === "seeing" && seat.answer === "seeing"));
});

await step("chat answer headers and request id", async () => {
  const { data, response } = await client.chat.completions.create({ model: QUICK, messages }).withResponse();
  assert.equal(response.headers.get("x-bench-panel"), data.bench.panel);
  assert.match(response.headers.get("content-type"), /^application\/json/);
});

await step("chat stream left half-way", async () => {
  const stream = await client.chat.completions.create({ model: PRACTICE, messages, stream: true });
  for await (const chunk of stream) {
    assert.equal(chunk.model, PRACTICE);
    break;
  }
  assert.ok(stream.controller.signal.aborted);
  const reply = await client.chat.completions.create({ model: QUICK, messages });
  assert.match(reply.choices[0].message.content, /quick/);
});

await step("completions whole", async () => {
  const reply = await client.completions.create({ model: QUICK, prompt: SUM });
  assert.equal(reply.object, "text_completion");
  assert.match(reply.choices[0].text, /quick/);
  assert.equal(reply.choices[0].finish_reason, "stop");
  assert.ok(reply.bench.seats.length >= 1);
  assertCounts(reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.total_tokens);
});

await step("completions streamed", async () => {
  const chunks = await all(await client.completions.create({ model: QUICK, prompt: SUM, stream: true }));
  assert.match(chunks.map((chunk) => chunk.choices[0]?.text ?? "").join(""), /quick/);
  assert.ok(chunks.at(-1).bench.seats.length >= 1);
});

await step("models listed", async () => {
  const names = (await all(client.models.list())).map((model) => model.id);
  assert.ok([PRACTICE, QUICK, SEEING].every((name) => names.includes(name)), names.join());
});

await step("model retrieved", async () => {
  const model = await client.models.retrieve(PRACTICE);
  assert.equal(model.id, PRACTICE);
  assert.equal(model.object, "model");
  assert.ok(model.created > 1_600_000_000);
});

await step("errors: unknown models", async () => {
  const words = /bench\/practice/;
  await refused(() => client.chat.completions.create({ model: "bench/nobody", messages }), OpenAI.NotFoundError, 404, words);
  await refused(
    () => client.chat.completions.create({ model: "bench/nobody", messages, stream: true }), OpenAI.NotFoundError, 404, words,
  );
  await refused(() => client.models.retrieve("bench/nobody"), OpenAI.NotFoundError, 404, /nobody/);
});

await step("errors: unusable requests", async () => {
  await refused(
    () => client.chat.completions.create({ model: QUICK, messages: [{ role: "user", content: " " }] }),
    OpenAI.BadRequestError, 400, /prompt/,
  );
  const look = { type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } };
  await refused(
    () => client.chat.completions.create({ model: QUICK, messages, tools: [look] }), OpenAI.BadRequestError, 400, /tools/,
  );
});

await step("errors: a path that is not served", async () => {
  await refused(() => client.moderations.create({ input: "x" }), OpenAI.NotFoundError, 404, /moderations|route/i);
});

done();
