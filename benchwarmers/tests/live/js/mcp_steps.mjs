// What the official library of the context protocol does with a server, whichever way it is connected to it: every tool
// listed and called, the resources read, the prompts filled, progress heard.
import assert from "node:assert/strict";
import { QUICK, step } from "./steps.mjs";

/** `connect` gives a connected client. */
export async function walk(connect) {
  async function connected(run) {
    const client = await connect();
    try {
      return await run(client);
    } finally {
      await client.close();
    }
  }

  await step("tools are listed with their shapes", () => connected(async (client) => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name), ["list_collections", "ask", "verdict", "pending_verdicts"]);
    for (const tool of tools) assert.equal(tool.inputSchema.additionalProperties, false);
    assert.match(client.getInstructions(), /verdict/);
  }));

  await step("collections are listed", () => connected(async (client) => {
    const said = await client.callTool({ name: "list_collections", arguments: {} });
    assert.ok(said.structuredContent.collections.some((one) => one.name === QUICK));
  }));

  await step("a panel is asked, read and judged", () => connected(async (client) => {
    await client.listTools(); // from here on the library holds results against their schemas
    const said = await client.callTool({ name: "ask", arguments: { collection: QUICK, prompt: "Who plays?" } });
    assert.equal(said.isError, false);
    const { panel, seats } = said.structuredContent;
    const { contents } = await client.readResource({ uri: `bench://panels/${panel}` });
    assert.ok(contents[0].text.includes(seats[0].call));
    const owed = await client.callTool({ name: "pending_verdicts", arguments: { calls: [seats[0].call] } });
    assert.deepEqual(owed.structuredContent.pending, [seats[0].call]);
    const judged = await client.callTool({ name: "verdict", arguments: { call: seats[0].call, useful: false } });
    assert.equal(judged.structuredContent.useful, false);
  }));

  await step("what can be read and picked is listed", () => connected(async (client) => {
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0].uri });
    assert.ok(JSON.parse(contents[0].text).some((one) => one.name === QUICK));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map((one) => one.uriTemplate), ["bench://panels/{id}"]);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map((one) => one.name), ["review", "enumerate"]);
  }));

  await step("a prompt is filled", () => connected(async (client) => {
    const args = { collection: QUICK, subject: "the diff" };
    const { messages } = await client.getPrompt({ name: "review", arguments: args });
    assert.ok(messages[0].content.text.includes("the diff"));
  }));

  await step("what cannot be asked is told by the tool", () => connected(async (client) => {
    const said = await client.callTool({ name: "ask", arguments: { collection: "bench/nowhere", prompt: "Who?" } });
    assert.equal(said.isError, true);
    assert.match(said.content[0].text, /404/);
  }));
}
