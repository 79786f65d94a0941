// One panel that takes its time, through a library of the context protocol: node mcp_long.mjs BASE LIBRARY WAY COLLECTION.
// The library's own limit of a request stays as it is, and each sign of life begins it anew. Prints one document.
const [library, way, collection] = process.argv.slice(3);
const { [way]: connect, call } = await import(`./${library}.mjs`);
const client = await connect();
const began = performance.now();
const heard = [];
const options = { onprogress: (news) => heard.push(news.progress), resetTimeoutOnProgress: true };
const said = await call(client, { name: "ask", arguments: { collection, prompt: "Well?" } }, options);
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, heard, failed: said.isError ?? false, text: said.content[0].text }));
await client.close();
