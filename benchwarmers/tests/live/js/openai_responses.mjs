// The official OpenAI library: Responses.
import assert from "node:assert/strict";
import OpenAI from "openai";
import {
  FIVE, PERSON, PIXEL, PRACTICE, QUICK, SEEING, SQUAD, SUM,
  all, assertCounts, assertLeftOut, assertPerson, assertSquad, base, done, key, refused, step,
} from "./steps.mjs";

const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0, timeout: 60_000 });
const text = { format: { type: "json_schema", name: "person", schema: PERSON, strict: true } };
const picture = [
  {
    role: "user",
    content: [
      { type: "input_text", text: "What colour?" },
      { type: "input_image", image_url: `data:image/png;base64,${PIXEL}`, detail: "auto" },
    ],
  },
];

await step("response whole", async () => {
  const reply = await client.responses.create({ model: PRACTICE, input: SUM, store: false });
  assert.match(reply.id, /^resp_/);
  assert.equal(reply.object, "response");
  assert.equal(reply.status, "completed");
  assert.equal(reply.model, PRACTICE);
  assert.equal(reply.output.filter((item) => item.type === "message").length, 1);
  assertSquad(reply.bench, reply.output_text);
  assertCounts(reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.total_tokens);
});

await step("response streamed", async () => {
  const events = await all(await client.responses.create({ model: PRACTICE, input: SUM, stream: true }));
  const kinds = events.map((event) => event.type);
  assert.equal(kinds[0], "response.created");
  assert.equal(kinds.at(-1), "response.completed");
  assert.deepEqual(events.map((event) => event.sequence_number), events.map((_, place) => place));
  const text = events.filter((event) => event.type === "response.output_text.delta").map((event) => event.delta).join("");
  const { response } = events.at(-1);
  assert.equal(events[0].response.id, response.id);
  const said = response.output.filter((item) => item.type === "message").flatMap((item) => item.content);
  assert.equal(said.map((part) => part.text).join(""), text);
  assert.ok(SQUAD.every((alias) => text.includes(alias)));
  assertSquad(response.bench, text);
  assertCounts(response.usage.input_tokens, response.usage.output_tokens, response.usage.total_tokens);
  for (const kind of ["output_item.added", "content_part.added", "output_text.done", "content_part.done", "output_item.done"])
    assert.ok(kinds.includes(`response.${kind}`), `no response.${kind}`);
});

await step("response stream collected by the library", async () => {
  const stream = client.responses.stream({ model: QUICK, input: SUM });
  const heard = [];
  stream.on("response.output_text.delta", (event) => heard.push(event.delta));
  const reply = await stream.finalResponse();
  assert.equal(reply.status, "completed");
  assert.match(reply.output_text, /quick/);
  assert.equal(heard.join(""), reply.output_text);
});

await step("response from earlier turns and instructions", async () => {
  const first = await client.responses.create({ model: QUICK, input: "Hello.", instructions: "Be terse." });
  const reply = await client.responses.create({
    model: QUICK, input: [{ role: "user", content: "Hello." }, ...first.output, { role: "user", content: SUM }],
  });
  assert.match(reply.output_text, /quick/);
});

await step("response settings that a panel does not apply are named", async () => {
  const reply = await client.responses.create({
    model: QUICK, input: SUM, temperature: 0.2,
  });
  assert.match(reply.output_text, /quick/);
  assertLeftOut(reply.bench, /temperature/);
});

await step("response structured, whole and parsed by the library", async () => {
  const reply = await client.responses.parse({ model: FIVE, input: SUM, text });
  assert.deepEqual(reply.output_parsed, { name: "391", age: 17 });
  assertPerson(reply.output_text, reply.bench);
});

await step("response structured, streamed", async () => {
  const reply = await client.responses.stream({ model: FIVE, input: SUM, text }).finalResponse();
  assertPerson(reply.output_text, reply.bench);
});

await step("response image nobody can see is refused", async () => {
  await refused(() => client.responses.create({ model: QUICK, input: picture }), OpenAI.BadRequestError, 400, /image/i);
});

await step("response image goes to seats that see", async () => {
  const reply = await client.responses.create({ model: SEEING, input: picture });
  assert.ok(reply.bench.seats.some((seat) => seat.alias === "seeing" && seat.answer === "seeing"));
});

await step("response input counted", async () => {
  const short = await client.responses.inputTokens.count({ model: QUICK, input: SUM });
  const long = await client.responses.inputTokens.count({ model: QUICK, input: SUM.repeat(40) });
  assert.ok(short.input_tokens > 0);
  assert.ok(long.input_tokens > 20 * short.input_tokens);
});

await step("errors: unknown models", async () => {
  const words = /bench\/practice/;
  await refused(() => client.responses.create({ model: "bench/nobody", input: SUM }), OpenAI.NotFoundError, 404, words);
  await refused(
    () => client.responses.create({ model: "bench/nobody", input: SUM, stream: true }), OpenAI.NotFoundError, 404, words,
  );
});

await step("errors: unusable requests", async () => {
  await refused(() => client.responses.create({ model: QUICK, input: " " }), OpenAI.BadRequestError, 400, /prompt/);
  await refused(
    () => client.responses.create({ model: QUICK, input: SUM, previous_response_id: "resp_1" }),
    OpenAI.BadRequestError, 400, /previous_response_id/,
  );
  const look = { type: "function", name: "look", parameters: { type: "object", properties: {} }, strict: false };
  await refused(
    () => client.responses.create({ model: QUICK, input: SUM, tools: [look] }), OpenAI.BadRequestError, 400, /tools/,
  );
});

done();
