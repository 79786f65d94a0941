// The official Gemini library. It has no place for unknown fields, so a panel is told in headers.
import assert from "node:assert/strict";
import { ApiError, GoogleGenAI } from "@google/genai";
import {
  FIVE, PERSON, PIXEL, PRACTICE, QUICK, SEEING, SQUAD, SUM,
  all, assertCounts, assertPerson, base, done, key, refused, step,
} from "./steps.mjs";

const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: base, timeout: 60_000 } });
const picture = [{ inlineData: { mimeType: "image/png", data: PIXEL } }, { text: "What colour?" }];

const OWN = { // the API's own words for PERSON
  type: "OBJECT", properties: { name: { type: "STRING" }, age: { type: "INTEGER" } }, required: ["name", "age"],
};

function header(reply, name) {
  const found = Object.entries(reply.sdkHttpResponse?.headers ?? {}).find(([one]) => one.toLowerCase() === name);
  assert.ok(found, `no header ${name}`);
  return found[1];
}

await step("content whole", async () => {
  const reply = await client.models.generateContent({
    model: PRACTICE, contents: SUM, config: { systemInstruction: "Be terse." },
  });
  assert.ok(SQUAD.every((alias) => reply.text.includes(alias)));
  assert.match(reply.text, /391/);
  assert.equal(reply.candidates.length, 1);
  assert.equal(reply.candidates[0].content.role, "model");
  assert.equal(reply.candidates[0].finishReason, "STOP");
  assert.equal(reply.modelVersion, PRACTICE);
  assert.ok(reply.responseId);
  const usage = reply.usageMetadata;
  assertCounts(usage.promptTokenCount, usage.candidatesTokenCount + (usage.thoughtsTokenCount ?? 0), usage.totalTokenCount);
  const seats = JSON.parse(header(reply, "x-bench-seats"));
  assert.deepEqual(seats.map((seat) => seat.alias).sort(), SQUAD);
  assert.ok(seats.every((seat) => seat.call.startsWith(`${header(reply, "x-bench-panel")}.`)));
});

await step("content streamed", async () => {
  const chunks = await all(await client.models.generateContentStream({ model: PRACTICE, contents: SUM }));
  const text = chunks.map((chunk) => chunk.text ?? "").join("");
  assert.ok(chunks.length > 2);
  assert.ok(SQUAD.every((alias) => text.includes(alias)));
  assert.ok(text.indexOf("practice-terse") < text.indexOf("practice-slow"), "seats come as they finish");
  const last = chunks.at(-1);
  assert.equal(last.candidates[0].finishReason, "STOP");
  assert.ok(last.usageMetadata.totalTokenCount > 0);
});

await step("chat of two turns", async () => {
  const chat = client.chats.create({ model: QUICK });
  assert.match((await chat.sendMessage({ message: "Hello." })).text, /quick/);
  const chunks = await all(await chat.sendMessageStream({ message: SUM }));
  assert.match(chunks.map((chunk) => chunk.text ?? "").join(""), /quick/);
  const roles = chat.getHistory(true).map((turn) => turn.role); // only the turns that the library takes for whole
  assert.deepEqual(roles.filter((role, place) => role !== roles[place - 1]), ["user", "model", "user", "model"]);
});

await step("settings that a panel does not apply do no harm", async () => {
  const reply = await client.models.generateContent({
    model: QUICK, contents: SUM,
    config: { temperature: 0.1, safetySettings: [] },
  });
  assert.match(reply.text, /quick/);
});

async function assertStructured(schema) {
  const asked = { model: FIVE, contents: SUM, config: { responseMimeType: "application/json", ...schema } };
  assertPerson((await client.models.generateContent(asked)).text);
  const chunks = await all(await client.models.generateContentStream(asked));
  assertPerson(chunks.map((chunk) => chunk.text ?? "").join(""));
}

await step("structured by a JSON schema, whole and streamed", async () => {
  await assertStructured({ responseJsonSchema: PERSON });
});

await step("structured by a schema in the API's own words, whole and streamed", async () => {
  await assertStructured({ responseSchema: OWN });
});

await step("image nobody can see is refused", async () => {
  await refused(() => client.models.generateContent({ model: QUICK, contents: picture }), ApiError, 400, /image/i);
});

await step("image goes to seats that see", async () => {
  const reply = await client.models.generateContent({ model: SEEING, contents: picture });
  assert.ok(JSON.parse(header(reply, "x-bench-seats")).some((seat) => seat.alias === "seeing" && seat.status === "ok"));
  assert.match(reply.text, /seeing/);
});

await step("content counted", async () => {
  const short = await client.models.countTokens({ model: QUICK, contents: SUM });
  const long = await client.models.countTokens({ model: QUICK, contents: SUM.repeat(40) });
  const seen = await client.models.countTokens({ model: QUICK, contents: picture });
  assert.ok(short.totalTokens > 0);
  assert.ok(long.totalTokens > 20 * short.totalTokens);
  assert.ok(seen.totalTokens > 1000, `with an image: ${seen.totalTokens}`);
});

await step("models listed", async () => {
  const names = (await all(await client.models.list())).map((model) => model.name);
  assert.ok([PRACTICE, QUICK, SEEING].every((name) => names.includes(`models/${name}`)), names.join());
});

await step("model retrieved", async () => {
  const model = await client.models.get({ model: PRACTICE });
  assert.equal(model.name, `models/${PRACTICE}`);
  assert.ok(model.supportedActions.includes("generateContent"), JSON.stringify(model));
});

await step("errors: unknown models", async () => {
  const words = /bench\/practice/;
  const error = await refused(
    () => client.models.generateContent({ model: "bench/nobody", contents: SUM }), ApiError, 404, words,
  );
  assert.match(error.message, /NOT_FOUND/);
  await refused(() => client.models.generateContentStream({ model: "bench/nobody", contents: SUM }), ApiError, 404, words);
  await refused(() => client.models.get({ model: "bench/nobody" }), ApiError, 404, /nobody/);
});

await step("errors: unusable requests", async () => {
  const error = await refused(() => client.models.generateContent({ model: QUICK, contents: " " }), ApiError, 400, /prompt/);
  assert.match(error.message, /INVALID_ARGUMENT/);
  const tools = [{ functionDeclarations: [{ name: "look", parametersJsonSchema: { type: "object", properties: {} } }] }];
  await refused(
    () => client.models.generateContent({ model: QUICK, contents: SUM, config: { tools } }), ApiError, 400, /tools/,
  );
});

done();
