// The official library of the context protocol, version 2, which speaks the protocol without a handshake where it may.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { base, key, pipe } from "./steps.mjs";

async function connected(transport) {
  const client = new Client({ name: "steps", version: "1" }, { versionNegotiation: { mode: "auto" } });
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
  return client.callTool(params, options);
}
