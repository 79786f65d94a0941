// The official library of the context protocol over HTTP.
import { overHttp } from "./mcp_one.mjs";
import { walk } from "./mcp_steps.mjs";
import { done } from "./steps.mjs";

await walk(overHttp);
done();
