// The newest official library of the context protocol over HTTP, then over a pipe.
import { overHttp, overPipe } from "./mcp_two.mjs";
import { walk } from "./mcp_steps.mjs";
import { done } from "./steps.mjs";

await walk(overHttp);
await walk(overPipe);
done();
