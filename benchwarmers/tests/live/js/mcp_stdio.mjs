// The official library of the context protocol over a pipe: it starts `bench mcp`, which asks the server.
import { overPipe } from "./mcp_one.mjs";
import { walk } from "./mcp_steps.mjs";
import { done } from "./steps.mjs";

await walk(overPipe);
done();
