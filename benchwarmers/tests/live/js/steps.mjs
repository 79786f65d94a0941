// How every script here counts: one step, one line, PASS or FAIL, and a last line that tells that all were reached.
import assert from "node:assert/strict";

export const base = process.argv[2].replace(/\/+$/, "");
export const key = process.env.GATEWAY_KEY ?? "local";
/** How `bench mcp` is started. */
export function pipe() {
  const env = { BENCHWARMERS_URL: base, BENCHWARMERS_KEY: key };
  return { command: process.env.BENCH_PYTHON, cwd: process.env.BENCH_FOLDER, args: ["-m", "benchwarmers.cli", "mcp"], env };
}
export const PRACTICE = "bench/practice";
export const FIVE = "bench/five"; // the squad's `terse`, behind each API that members speak
export const QUICK = "bench/fast";
export const SEEING = "bench/seeing";
export const SUM = "What is 17 * 23?";
export const SQUAD = ["practice-flaky", "practice-slow", "practice-terse", "practice-thinker", "practice-wrong"];
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const PERSON = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
  additionalProperties: false,
};

let passed = 0;
let failed = 0;

/** Runs one step. Whatever it throws is a failure, the libraries' own complaints about a reply included. */
export async function step(name, run) {
  try {
    await run();
    passed += 1;
    console.log(`PASS ${name}`);
  } catch (error) {
    failed += 1;
    const cause = error?.cause ? ` (cause: ${error.cause.code ?? ""} ${error.cause.message ?? error.cause})` : "";
    const told = `${error?.constructor?.name ?? typeof error}: ${error?.message ?? error}${cause}`.replace(/\s+/g, " ");
    console.log(`FAIL ${name}: ${told.slice(0, 1200)}`);
  }
}

export function done() {
  console.log(`done: ${passed} passed, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}

/** All that an asynchronous iterable gives. */
export async function all(iterable) {
  const found = [];
  for await (const one of iterable) found.push(one);
  return found;
}

/** The error that a call must end in: its class, its status, and words that its message must have. */
export async function refused(call, kind, status, words) {
  let answer;
  try {
    answer = await call();
  } catch (error) {
    assert.ok(error instanceof kind, `expected ${kind.name}, got ${error?.constructor?.name}: ${error?.message}`);
    assert.equal(error.status, status);
    assert.match(error.message, words);
    return error;
  }
  assert.fail(`expected ${kind.name} ${status}, got a reply: ${JSON.stringify(answer)?.slice(0, 300)}`);
}

/** The `bench` object of a panel of the practice squad, against the text that the caller was shown. */
export function assertSquad(bench, text) {
  assert.ok(bench, "the reply has no bench object");
  assert.deepEqual(bench.seats.map((seat) => seat.alias).sort(), SQUAD);
  assert.equal(bench.collection, PRACTICE);
  const answered = bench.seats.filter((seat) => seat.status === "ok");
  assert.ok(answered.length >= 4, `only ${answered.length} of the squad answered`); // one of them fails now and then
  for (const seat of answered) assert.ok(text.includes(seat.answer), `the text lacks the answer of ${seat.alias}`);
  assert.ok(answered.some((seat) => seat.answer.includes("391")), "nobody knew the sum");
  for (const seat of bench.seats) assert.ok(seat.call.startsWith(`${bench.panel}.`), seat.call);
}

/** The document of five seats that all gave the same one, and the `bench` object that says so. */
export function assertPerson(text, bench) {
  assert.deepEqual(JSON.parse(text), { name: "391", age: 17 });
  if (bench === undefined) return; // one library has no place for it
  assert.deepEqual(bench.structured, { call: `${bench.panel}.member1`, agree: 5, of: 5 });
  assert.equal(bench.seats.length, 5);
}

/** Settings that a panel does not apply must be named, for every seat, in the receipt. */
export function assertLeftOut(bench, words) {
  const told = (bench?.translation?.request ?? []).join("\n");
  assert.match(told, words, `the receipt says: ${JSON.stringify(bench?.translation)}`);
}

export function assertCounts(input, output, total) {
  assert.ok(Number.isInteger(input) && input > 0, `input tokens: ${input}`);
  assert.ok(Number.isInteger(output) && output > 0, `output tokens: ${output}`);
  if (total !== undefined) assert.equal(input + output, total);
}
