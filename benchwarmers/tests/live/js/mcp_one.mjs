// The official library of the context protocol, version 1, connected over HTTP or over a pipe to `bench mcp`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { base, key, pipe } from "./steps.mjs";

async function connected(transport) {
  const client = new Client({ name: "steps", version: "1" });
  await client.connect(transport);
  return client;
}

export function overHttp() {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  return connected(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }));
}

export function overPipe() {
  return connected(new StdioClientTransport(pipe()));
}

/** What is called; `options` are those of a request. */
export function call(client, params, options) {
  return client.callTool(params, undefined, options);
}
