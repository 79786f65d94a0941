// What a page that asks hears: one JSON object a line, until the end, or until it is silent for too long.
const SILENT_MS = 30_000;

export const hear = async (body, controller, take) => {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let patience = 0;
  try {
    for (;;) {
      clearTimeout(patience);
      patience = setTimeout(() => controller.abort(), SILENT_MS);
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) take(JSON.parse(line));
    }
  } finally {
    clearTimeout(patience);
  }
};
