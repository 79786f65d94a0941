// The official library of the context protocol, version 1, signed in by OAuth. COOKIE is the session of the person, whose
// browser's part is done here too. Prints one line of JSON.
import assert from "node:assert/strict";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const base = process.argv[2];
const Cookie = process.env.COOKIE;
const BACK = "http://localhost:4712/callback";
const kept = { asked: 0 };

async function agree(address) {
  const page = await fetch(address, { headers: { Cookie } });
  const text = await page.text();
  const fields = Object.fromEntries(
    [...text.matchAll(/name="(csrfmiddlewaretoken|request|scopes)" value="([^"]+)"/g)].map((found) => found.slice(1)),
  );
  const body = new URLSearchParams({ ...fields, action: "grant" });
  const headers = { Cookie, Origin: base, Referer: String(address) };
  const answer = await fetch(address, { method: "POST", headers, body, redirect: "manual" });
  assert.equal(answer.status, 302, await answer.text());
  return new URL(answer.headers.get("location")).searchParams;
}

const authProvider = {
  redirectUrl: BACK,
  clientMetadata: {
    client_name: "Typed",
    redirect_uris: [BACK],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: async (address) => {
    kept.asked += 1;
    kept.answer = await agree(address);
  },
};

async function tools() {
  const client = new Client({ name: "typed", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider }));
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

await assert.rejects(tools(), UnauthorizedError);
await new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider }).finishAuth(kept.answer.get("code"));
const first = await tools();
const before = kept.tokens.refresh_token;
kept.tokens = { ...kept.tokens, access_token: "worn" };
const second = await tools();
const renewed = kept.tokens.refresh_token !== before;
console.log(JSON.stringify({ first, second, renewed, asked: kept.asked, iss: kept.answer.get("iss") }));
