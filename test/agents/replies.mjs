// The HTTP side of the model APIs.

/** Undefined where the body is no JSON. */
export async function readJson(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

export function sendJson(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Server-sent events. `named` gives each its type as name. */
export function sendEvents(response, events, { named = false, last = "" } = {}) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const lines = events.map((event) => `${named ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
  response.end(lines.join("") + last);
}
